/** Branded ids: an id of one kind is no id of another kind. */
import { v7 } from 'uuid'
import * as v from 'valibot'

export type Id<Kind extends string> = string & { readonly [brand]: Kind }
declare const brand: unique symbol

/** New id that fits every kind. */
export type NewId = Id<never>

export type OrganizationId = Id<'organization'>
export type UserId = Id<'user'>
export type SessionId = Id<'session'>
export type DeviceId = Id<'device'>
export type PaymentId = Id<'payment'>
export type ApprovalId = Id<'approval'>
export type DecisionId = Id<'decision'>
export type QuestionId = Id<'question'>
export type ContactId = Id<'payment_contact'>
export type DestinationId = Id<'payment_destination'>
export type PayeeAddressId = Id<'payee_address'>
export type PayerId = Id<'payer'>
export type TransactionId = Id<'transaction'>
export type DepositId = Id<'deposit'>
export type StepUpId = Id<'step_up'>
export type EventId = Id<'event'>
export type PasskeyId = Id<'passkey'>
export type ApprovalCredentialId = Id<'approval_credential'>
export type AvatarId = Id<'avatar'>
export type LogoId = Id<'logo'>
export type MessageId = Id<'message'>
export type IdentityProviderId = Id<'identity_provider'>
export type IdentityLinkId = Id<'identity_link'>
export type ScimTokenId = Id<'scim_token'>
export type ScimUserId = Id<'scim_user'>
export type ScimGroupId = Id<'scim_group'>
export type DelegateId = Id<'delegate'>
export type ApiKeyId = Id<'api_key'>
export type InvitationId = Id<'invitation'>
export type QuoteId = Id<'payment_quote'>
export type SwapId = Id<'swap'>
export type SwapQuoteId = Id<'swap_quote'>
export type CoverId = Id<'cover'>
export type DealingId = Id<'dealing'>
export type ReceivingAccountId = Id<'receiving_account'>
export type BatchId = Id<'payment_batch'>
export type BatchRowId = Id<'payment_batch_row'>
export type AdjustmentId = Id<'adjustment'>
export type FileId = Id<'file'>
export type BillId = Id<'bill'>
export type BillMailboxId = Id<'bill_mailbox'>
export type InboundMailId = Id<'inbound_mail'>
export type BillingContactId = Id<'billing_contact'>
export type ExportId = Id<'export'>
export type InvoiceId = Id<'invoice'>
export type SubstitutionId = Id<'substitution'>
export type CreditNoteId = Id<'credit_note'>
export type AllocationId = Id<'allocation'>
export type OfferId = Id<'subscription_offer'>
export type SubscriptionId = Id<'subscription'>
export type SubscriptionChangeId = Id<'subscription_change'>
export type AccountingConnectionId = Id<'accounting_connection'>
export type SyncRunId = Id<'accounting_sync'>
export type EndpointId = Id<'webhook_endpoint'>
export type DeliveryId = Id<'webhook_delivery'>
export type BankFileId = Id<'bank_file'>
export type OnboardingId = Id<'onboarding'>
export type OnboardingPersonId = Id<'onboarding_person'>
export type VerdictId = Id<'onboarding_verdict'>
export type ScreeningId = Id<'screening'>
export type PayeeCheckId = Id<'payee_check'>

export const newId = <Kind extends string>(): Id<Kind> => v7() as Id<Kind> // a new id may get any kind

/** Makes a UUIDv7 from 16 random bytes, which the caller may draw in bulk. */
export const newIdOf = <Kind extends string>(random: Uint8Array): Id<Kind> => v7({ random }) as Id<Kind> // as newId()

const canonicalUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Tells whether the version is one that the service makes: 7, or 5 for a row made under a key. */
export const isOwnId = (text: string): boolean => isUuid(text) && '57'.includes(text[14] ?? '')

export const isUuid = (text: unknown): text is string => typeof text === 'string' && canonicalUuid.test(text)

/** Makes the schema of a uuid of one kind, in lower case: `id<'payment'>()`. */
export const id = <Kind extends string>() =>
  v.pipe(
    v.string(),
    v.check((text) => isUuid(text), 'must be a uuid'),
    v.metadata({ jsonSchema: { type: 'string', format: 'uuid' } }),
    // A checked uuid is what the brand promises.
    v.transform((text) => text.toLowerCase() as Id<Kind>),
  )

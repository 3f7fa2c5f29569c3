import { REASONS } from './reasons.ts'

/** Registry of refusals: HTTP status and a sentence that the user may read. */
export const REFUSALS = {
  invalid_request: [400, 'The request is not valid.'],
  unknown_parameter: [400, 'The address has a parameter that this operation does not know.'],
  malformed_request: [400, 'The request body could not be read as JSON.'],
  upload_size_mismatch: [400, 'The length of the file differs from what was announced.'],
  grant_invalid: [400, 'The grant is unknown, used, over, or of another program.'],
  idempotency_key_invalid: [400, 'The Idempotency-Key must have 1 to 255 printable ASCII characters.'],
  invalid_credentials: [401, 'The email or the password is wrong.'],
  not_authenticated: [401, 'Unauthorized'],
  invalid_api_key: [401, 'The API key is not valid.'],
  forbidden: [403, 'You may not do this.'],
  step_up_required: [403, 'Please confirm that it is you.'],
  api_key_not_permitted: [403, 'This operation does not accept API keys.'],
  api_scope_missing: [403, 'The API key lacks the scope that this operation needs.'],
  delegate_not_permitted: [403, 'A delegate may not do this.'],
  delegate_address_not_allowed: [403, 'The delegate may not be used from this network address.'],
  ip_not_allowed: [403, 'The organization does not take requests from this network address.'],
  organization_unavailable: [403, 'This organization is not available at the moment.'],
  role_exceeds_creator: [403, 'The role would exceed that of its creator.'],
  requester_cannot_approve: [
    403,
    'Another person has to approve this: you requested it, or changed where it is paid to.',
  ],
  not_an_approver: [403, 'You are not an approver of this request.'],
  upload_signature_invalid: [403, 'The link is invalid, or was changed.'],
  email_not_confirmed: [403, 'Please confirm your email address first.'],
  not_found: [404, 'There is nothing here that you can see.'],
  route_not_found: [404, 'There is no such operation.'],
  method_not_allowed: [405, 'This path does not support that method.'],
  invalid_state: [409, 'This is not possible in the present state.'],
  identity_provider_connected: [409, 'An identity provider is connected already: disconnect it first.'],
  domain_taken: [409, 'Another organization has proved this domain.'],
  delegate_limit_reached: [409, 'There are too many delegates already.'],
  api_key_revoked: [409, 'The API key is revoked.'],
  approval_already_processed: [409, 'This request has been decided already.'],
  approval_expired: [409, 'This request has expired.'],
  decision_expired: [409, 'The decision came too late and was not recorded. Read the request, then decide again.'],
  contact_in_use: [409, 'A payment to this contact is under way.'],
  payment_not_cancellable: [409, 'This payment can no longer be cancelled.'],
  payment_not_scheduled: [409, 'This payment does not wait for its day.'],
  batch_not_draft: [409, 'The batch is no longer a draft.'],
  file_not_uploaded: [409, 'The file has not been uploaded yet.'],
  file_already_uploaded: [409, 'Another file has been uploaded here already.'],
  bill_payment_in_progress: [409, 'A payment for this bill is under way.'],
  duplicate_bill: [409, 'This bill has been entered before.'],
  quote_already_used: [409, 'The quote has been used already.'],
  handle_taken: [409, 'This service ID is taken.'],
  nothing_scheduled: [409, 'No change of the subscription is scheduled.'],
  external_id_taken: [409, 'This external id is taken by another thing of the same kind.'],
  already_member: [409, 'This person is a member already.'],
  last_owner: [409, 'An organization needs at least one owner.'],
  accounting_not_connected: [409, 'No accounting program is connected.'],
  totp_already_enabled: [409, 'An authenticator is set up already.'],
  invitation_expired: [410, 'The invitation has expired.'],
  upload_expired: [410, 'The upload has expired.'],
  export_expired: [410, 'The export has expired.'],
  payload_too_large: [413, 'The request body is too large.'],
  unsupported_media_type: [415, 'The type of the request body is not supported here.'],
  unprocessable_entity: [422, 'The request was understood, but cannot be carried out.'],
  unsupported_rail: [422, 'This payee cannot be paid in this way here.'],
  instant_unavailable: [422, 'This payment cannot be instant: no bank here does it, or the account does not take it.'],
  unsupported_currency: [422, 'This currency is not supported here.'],
  amount_precision: [422, 'The amount has more decimals than the currency.'],
  amount_too_large: [422, 'The amount is too large.'],
  insufficient_funds: [422, 'The balance does not cover this.'],
  invalid_bank_details: [422, 'The bank details are not valid.'],
  payee_mismatch: [
    422,
    'The bank knows this account under a name that differs: check it with the payee, and acknowledge it to pay anyway.',
  ],
  payee_held: [422, 'The service is checking this payee: no payment is made to it until that is done.'],
  contact_not_approved: [422, 'The contact has not been approved yet.'],
  quote_expired: [422, 'The quote has expired.'],
  account_cooling_off: [
    422,
    'The payee was last paid at another account: wait, or have another person confirm this one by a call.',
  ],
  market_closed: [422, 'The market is closed.'],
  invalid_schedule: [422, 'The payment cannot be made on this day: please choose another one.'],
  same_account: [422, 'The payer and the payee are the same organization.'],
  same_currency: [422, 'Both currencies are the same.'],
  address_required: [
    422,
    'The payee needs an address with town and country: please add it to the contact or its bank account.',
  ],
  onboarding_incomplete: [422, 'The organization is not verified: an owner says who it is, and submits that.'],
  destination_missing: [422, 'The contact has no destination to pay to.'],
  invalid_file: [422, 'The file cannot be read.'],
  code_invalid: [422, 'The code is wrong.'],
  token_invalid: [422, 'The link is wrong, used or expired.'],
  unknown_handle: [422, 'There is no organization with this service ID.'],
  travel_rule_incomplete: [422, 'Details of the sender are missing.'],
  bill_incomplete: [422, 'Details of the bill are missing.'],
  invoice_incomplete: [
    422,
    'Details of the invoice are missing for its profile, or have signs that its pages cannot show.',
  ],
  invoice_total_negative: [422, 'The total of the invoice is below zero.'],
  accepted_amount_exceeds_total: [422, 'The accepted amount is more than the total.'],
  credit_exceeds: [422, 'This is more than is left of the invoice to be credited.'],
  credit_total_not_positive: [422, 'A credit note has to credit more than nothing.'],
  allocation_exceeds: [422, 'This is more than is left to be allocated.'],
  batch_has_invalid_rows: [422, 'The batch has invalid rows.'],
  batch_empty: [422, 'The batch has no rows.'],
  substitute_not_eligible: [422, 'This member cannot be the substitute.'],
  offer_not_available: [422, 'This plan is not offered at present.'],
  scope_requires_role: [422, 'The scope needs a higher role.'],
  api_key_limit_reached: [422, 'The organization has reached its limit of active API keys.'],
  ip_allow_list_excludes_you: [422, 'The list lacks the network address that you come from.'],
  identity_provider_unusable: [422, 'The identity provider cannot be used.'],
  domain_not_usable: [422, 'This domain cannot be proved.'],
  domain_not_proved: [422, 'The record of the domain was not found: name servers may take some hours to show it.'],
  client_not_usable: [422, 'This program cannot be connected.'],
  webhook_endpoint_limit_reached: [422, 'The organization has reached its limit of webhook endpoints.'],
  organization_limit_reached: [422, 'You own as many organizations as you may.'],
  no_eligible_approver: [422, 'No member could approve under this policy.'],
  limit_exceeded: [
    422,
    'This would exceed a limit of the organization: please ask for less, or wait for the next period.',
  ],
  password_required: [422, 'Please choose a password: the sign-up was begun elsewhere.'],
  weak_password: [422, 'Please choose a longer and less common password.'],
  password_incorrect: [422, 'The current password is wrong.'],
  range_too_long: [422, 'This is more than one file can hold. Please choose a shorter period.'],
  format_not_supported: [422, 'This is not available in that format.'],
  idempotency_key_reused: [422, 'This Idempotency-Key was used with another request.'],
  invalid_webhook_url: [422, 'Events cannot be sent to this address.'],
  invalid_mapping: [422, 'This cannot be mapped to an account.'],
  coding_required: [422, 'Lines of the bill have no account yet: please code them, then ask again.'],
  invalid_coding: [422, 'These lines cannot be coded like this.'],
  rate_limited: [429, 'Too many requests. Please slow down.'],
  internal_error: [500, 'Something went wrong on our side.'],
  service_unavailable: [503, 'The service is briefly unavailable. Please try again.'],
  ledger_unbalanced: [503, 'New payments wait until an operator has looked at the books.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type RefusalType = keyof typeof REFUSALS
/** Reason of a refusal that has a sentence of its own. */
export type RefusalReason = keyof typeof REASONS

export const isReason = (word: unknown): word is RefusalReason =>
  typeof word === 'string' && Object.hasOwn(REASONS, word)

export type Details = Readonly<Record<string, unknown>>

/** Refusal that would be answered if it were tried now. */
export type Blocker = { readonly type: RefusalType; readonly details?: Details }

/** Error that the caller caused and may read. Any other error is a bug. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  constructor(
    readonly type: RefusalType,
    readonly details?: Details,
    readonly stepUp?: object,
  ) {
    super(isReason(details?.['reason']) ? REASONS[details['reason']] : REFUSALS[type][1])
  }
}

/** Throws a refusal; the answer has the status and the sentence of `REFUSALS`, and the details. */
export function refuse(type: RefusalType, details?: Details): never {
  throw new Refusal(type, details)
}

export function refuseFirst([first]: readonly Blocker[]): void {
  if (first) refuse(first.type, first.details)
}

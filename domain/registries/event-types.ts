/** Catalogue of event types, by stream. */
import { connectionEvents, connectionMoves, mappingEvents } from '../accounting/events.ts'
import { receivingAccountEvents, receivingAccountMoves, transactionEvents } from '../accounts/events.ts'
import { adjustmentEvents, adjustmentMoves } from '../adjustments/events.ts'
import { approvalEvents, approvalMoves, policyEvents } from '../approvals/events.ts'
import { batchEvents, batchMoves } from '../batches/events.ts'
import { billingContactEvents } from '../billing-contacts/events.ts'
import { billEvents, billMoves } from '../bills/events.ts'
import { contactEvents, contactMoves, destinationEvents } from '../contacts/events.ts'
import { chartEvents, dimensionEvents } from '../coding/events.ts'
import { coverMoves } from '../covers/events.ts'
import { creditNoteEvents, creditNoteMoves } from '../credit-notes/events.ts'
import { depositEvents, depositMoves } from '../deposits/events.ts'
import type { EventType, Moves } from '../event-type.ts'
import { exportEvents, exportMoves } from '../exports/events.ts'
import { providerEvents } from '../identity-providers/events.ts'
import { inboundMailEvents, inboundMailMoves, mailboxEvents } from '../inbound-mails/events.ts'
import { invitationEvents, invitationMoves } from '../invitations/events.ts'
import { invoiceEvents, invoiceMoves } from '../invoices/events.ts'
import {
  allowListEvents,
  apiKeyEvents,
  apiKeyMoves,
  memberEvents,
  organizationEvents,
  organizationMoves,
  ownershipEvents,
} from '../organizations/events.ts'
import { onboardingEvents, onboardingMoves } from '../onboarding/events.ts'
import { delegateEvents } from '../people/events.ts'
import { paymentEvents, paymentMoves } from '../payments/events.ts'
import { screeningEvents, screeningMoves } from '../screening/events.ts'
import { scimGroupEvents, scimTokenEvents, scimUserEvents } from '../scim/events.ts'
import { substitutionEvents } from '../substitutions/events.ts'
import { subscriptionEvents, subscriptionMoves } from '../subscriptions/events.ts'
import { swapEvents } from '../swaps/events.ts'
import { endpointEvents, endpointMoves } from '../webhooks/events.ts'

/** Moves of every flow that is logged. */
export const MOVES: readonly Pick<Moves<string, never>, 'flow' | 'types'>[] = [
  connectionMoves,
  receivingAccountMoves,
  adjustmentMoves,
  approvalMoves,
  batchMoves,
  billMoves,
  contactMoves,
  coverMoves,
  creditNoteMoves,
  depositMoves,
  exportMoves,
  inboundMailMoves,
  invitationMoves,
  invoiceMoves,
  apiKeyMoves,
  organizationMoves,
  onboardingMoves,
  paymentMoves,
  screeningMoves,
  subscriptionMoves,
  endpointMoves,
]

const BESIDE_FLOWS: readonly Readonly<Record<string, EventType>>[] = [
  connectionEvents,
  mappingEvents,
  chartEvents,
  dimensionEvents,
  receivingAccountEvents,
  transactionEvents,
  adjustmentEvents,
  onboardingEvents,
  approvalEvents,
  policyEvents,
  batchEvents,
  billEvents,
  billingContactEvents,
  contactEvents,
  destinationEvents,
  creditNoteEvents,
  depositEvents,
  exportEvents,
  delegateEvents,
  providerEvents,
  inboundMailEvents,
  mailboxEvents,
  invitationEvents,
  invoiceEvents,
  allowListEvents,
  apiKeyEvents,
  memberEvents,
  organizationEvents,
  ownershipEvents,
  paymentEvents,
  screeningEvents,
  scimGroupEvents,
  scimTokenEvents,
  scimUserEvents,
  substitutionEvents,
  subscriptionEvents,
  swapEvents,
  endpointEvents,
]

const all = [...BESIDE_FLOWS, ...MOVES.map(({ types }) => types)].flatMap((types): EventType[] => Object.values(types))

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

/** Each type once, by stream and then by name; two events of a flow may be logged as one type. */
export const CATALOGUE: readonly EventType[] = [...new Map(all.map((one) => [one.type, one])).values()].sort(
  (one, other) => compare(one.stream, other.stream) || compare(one.type, other.type),
)

export const EVENT_TYPES: readonly string[] = CATALOGUE.map(({ type }) => type)

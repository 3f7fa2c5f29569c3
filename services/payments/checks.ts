/** Blockers of payments: each rule once, for preflight, execute and approvals. */
import { type ChangeFacts, coolingOffBlockers } from '../../domain/account-changes/change.ts'
import type { Rule } from '../../domain/approvals/policy.ts'
import { type Blocker, refuse } from '../../domain/errors.ts'
import { isGone } from '../../domain/organizations/flow.ts'
import type { BillId, DestinationId, PaymentId, QuoteId, UserId } from '../../domain/ids.ts'
import { type Money, moneyOf } from '../../domain/money/money.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import type { MarketState } from '../../domain/swaps/market.ts'
import { can, type Standing } from '../../domain/permissions.ts'
import { RAIL, type Rail } from '../../domain/rails.ts'
import { type SealedAddress, addressAt, isAddressRequired, payeeAddressId } from '../contacts/addresses.ts'
import {
  changeFacts,
  mayBePaidElsewhere,
  nameOfContact,
  ofDestination,
  payeeOfPayment,
} from '../account-changes/facts.ts'
import { servingBlockers } from '../connections/serving.ts'
import { onboardingBlockers, payingOrganization } from '../payers/payers.ts'
import type { PayingOrganization } from '../../domain/organizations/payer.ts'
import { supplierOf } from '../account-changes/suppliers.ts'
import { LEDGER_UNBALANCED } from '../ledger/books.ts'
import { type PayeeCheckMode, hasChanged, isWorse, payeeCheckBlockers } from '../../domain/payee-checks/payee-check.ts'
import { type PayeeAnswers, payeeAnswerBlockers, payeeStandingColumns } from '../payee-checks/answers.ts'
import { type PayeeCheckRow, latestCheck, openCheck, payeeCheckJson } from '../payee-checks/checks.ts'
import { type ScreeningState, holdBlockers, settleBlockers } from '../../domain/screening/screening.ts'
import { payeeScreening } from '../screening/screenings.ts'
import { type Fragment, type Reader, sql } from '../../db/postgres/sql.ts'

/** A payment's contact and destination, as payeeColumns() reads them. */
export type PayeeStanding = {
  readonly contact_status: string
  readonly destination_gone: boolean
  /** State of its screening; null if nothing was asked. */
  readonly payee_screening: ScreeningState | null
}

/**
 * Selects a PayeeStanding of a contact `c` and a destination `d`. A contact of one payment of a bill stands as long as
 * an active contact has its account: that account was found by its number, under another name.
 */
export const payeeColumns = (c: Fragment, d: Fragment, ofBill: Fragment): Fragment => sql`
  case when ${c}.deleted_at is not null then 'archived'
    when ${c}.one_time and ${ofBill} and exists (${contactsWithAccount(d)}) then 'active'
    else ${c}.status end as contact_status,
  ${d}.deleted_at is not null or ${d}.pending as destination_gone, ${payeeScreening(sql`${c}.id`)} as payee_screening`

/** Selects the active contacts that have the account of a destination `d`. */
const contactsWithAccount = (d: Fragment): Fragment => sql`
  select from payment_destinations o join payment_contacts k on k.id = o.payment_contact_id
  where o.organization_id = ${d}.organization_id and o.account_id = ${d}.account_id and o.deleted_at is null
    and not o.pending and k.status = 'active' and k.deleted_at is null and not k.one_time`

/** Selects the destination that has the account of a payment `p` under another name; null for none. */
export const findKnown = (p: Fragment): Fragment => sql`(
  select (a.subject_body::jsonb ->> 'known_as')::uuid from approvals a where a.id = ${p}.approval_request_id)`

/** Lists what a contact of this status has against being paid: only an active one is. */
export function contactBlockers(status: string): Blocker[] {
  if (status === 'active') return []
  return [
    { type: 'contact_not_approved', details: { status, ...(status === 'archived' && { reason: 'contact_archived' }) } },
  ]
}

/** Lists what blocks paying a contact at exactly this destination. */
export const payeeBlockers = (payee: PayeeStanding): Blocker[] => [
  ...contactBlockers(payee.contact_status),
  ...(payee.destination_gone ? [{ type: 'destination_missing' } as const] : []),
  ...holdBlockers(payee),
]

/** Lists what blocks a bank payment without an address of the payee: nothing before the operator's date. */
export const addressBlockers = (payment: AddressStanding): Blocker[] =>
  lacksAddress(payment) && isAddressRequired() ? [{ type: 'address_required' }] : []

type AddressStanding = { readonly rail: Rail; readonly payee_address: unknown }

/** Tells whether the bank gets no address of the payee. */
export const lacksAddress = ({ rail, payee_address: address }: AddressStanding): boolean => rail === 'fiat' && !address

/** A member who asks for a payment, and the rules of their organization. */
export type RequesterStanding = Standing & {
  readonly organization_status: string
  readonly books_stopped: boolean
  readonly rules: readonly Rule[]
}

/** Selects a RequesterStanding of a member `m` and their organization `o`. */
export const requesterColumns = (m: Fragment, o: Fragment): Fragment => sql`
  ${m}.role, ${m}.permissions_removed as removed, ${o}.status as organization_status, ${o}.books_stopped_at is not null as books_stopped,
  coalesce((select p.rules from approval_policies p where p.organization_id = ${o}.id), '[]') as rules`

/** Lists what blocks a payment by this rail that the member asks for. */
export function requesterBlockers(requester: Omit<RequesterStanding, 'rules'>, rail: Rail): Blocker[] {
  const { organization_status: status, books_stopped: stopped } = requester
  const { permission } = RAIL[rail]
  return [
    ...(status === 'active' ? [] : [{ type: 'organization_unavailable' } as const]),
    ...(can(requester, permission) ? [] : [{ type: 'forbidden', details: { permission } } as const]),
    ...(stopped ? [LEDGER_UNBALANCED] : []),
  ]
}

/** A quote's requester and payee, as selectQuoteStanding() reads them. */
export type QuoteStanding = PayeeStanding &
  RequesterStanding & {
    readonly rail: Rail
    readonly connection: ConnectionName | null
    readonly is_own_account: boolean
    readonly payee_gone: boolean
    readonly paying: PayingOrganization
    readonly payee_address: SealedAddress | null
    readonly landing: Money
    /** Facts about the account that is paid. */
    readonly change: ChangeFacts | null
    readonly payee_check: PayeeCheckRow | null
    /** Answer that the quote showed. */
    readonly payee_seen: PayeeCheckRow | null
    readonly payee_check_mode: PayeeCheckMode
  }

/** Selects the QuoteStanding of a quote that the person would execute; no row to a person who is no member. */
export const selectQuoteStanding = (
  { organizationId }: Pick<Reader, 'organizationId'>,
  quoteId: QuoteId,
  userId: UserId,
  bill: { readonly id: BillId; readonly known: { readonly destinationId: DestinationId } | null } | null = null,
): Fragment => sql`
  select q.rail, q.connection, json_build_object('amount', q.landing_amount::text, 'currency', q.landing_currency) as landing,
    (select ${changeFacts(
      { organizationId },
      ofDestination(
        sql`d`,
        bill ? supplierOf(sql`${bill.id}::uuid`) : { nameKey: nameOfContact(sql`d`, sql`q.payee_key`) },
      ),
      bill !== null,
    )} from payment_destinations d where d.id = coalesce(${bill?.known?.destinationId ?? null}::uuid, q.destination_id)) as change,
    ${requesterColumns(sql`m`, sql`o`)}, ${payeeColumns(sql`c`, sql`d`, sql`${bill !== null}::boolean`)},
    d.payee_organization_id is not distinct from q.organization_id as is_own_account,
    d.payee_organization_id is not null and not can_receive(d.payee_organization_id) as payee_gone,
    ${addressAt(payeeAddressId(sql`d`, sql`c`))} as payee_address,
    o.payee_check as payee_check_mode, ${payingOrganization(sql`o`)} as paying,
    case q.rail when 'fiat' then (select ${payeeCheckJson(sql`k`)} from (${latestCheck(sql`q.destination_id`)}) k) end as payee_check,
    (select ${payeeCheckJson(sql`k`)} from payee_checks k where k.id = q.payee_check_id) as payee_seen
  from payment_quotes q
  join organizations o on o.id = q.organization_id
  join members m on m.organization_id = q.organization_id and m.user_id = ${userId}
  join payment_contacts c on c.id = q.payment_contact_id
  join payment_destinations d on d.id = q.destination_id
  where q.id = ${quoteId} and q.organization_id = ${organizationId}`

/** Tells if people who saw the answer of a quote acknowledged the answer of now: no worse one. */
export const coversAnswer = ({ payee_seen: seen, payee_check: now }: QuoteStanding): boolean =>
  !seen || !now || !isWorse(openCheck(seen), openCheck(now))

/**
 * Lists all that blocks executing a quote now, in the order in which it is refused. Its expiry and use are not
 * among it, nor is a short balance, which the last approval refuses. Refuses `not_found` if the organization is gone.
 */
export function quoteBlockers(
  standing: QuoteStanding,
  market: MarketState | null,
  { acknowledged }: { readonly acknowledged: boolean },
): Blocker[] {
  if (isGone(standing.organization_status)) refuse('not_found')
  const payee: readonly (Blocker | false)[] = [
    standing.is_own_account && { type: 'same_account' },
    standing.payee_gone && { type: 'destination_missing', details: { reason: 'payee_unavailable' } },
    market === 'closed' && { type: 'market_closed' },
  ]
  return [
    ...requesterBlockers(standing, standing.rail),
    ...servingBlockers({ rail: standing.rail, currency: standing.landing.currency }),
    ...onboardingBlockers(standing),
    ...payeeBlockers(standing),
    ...addressBlockers(standing),
    ...payee.filter((one) => one !== false),
    ...coolingOffBlockers(standing.change, moneyOf(standing.landing.amount, standing.landing.currency)),
    ...payeeCheckBlockers({
      result: standing.payee_check?.result ?? null,
      mode: standing.payee_check_mode,
      acknowledged,
    }),
  ]
}

/** All that a payment is judged by at its approval, and again when its day comes. */
export type PayoutStanding = PayeeStanding &
  PayeeAnswers & {
    readonly rail: Rail
    readonly connection: ConnectionName | null
    readonly payee_address: string | null
    /** The organization as it is now; null if the payment names no payer, as former ones do. */
    readonly paying: PayingOrganization | null
    /** Facts about the account that is paid. */
    readonly change: ChangeFacts | null
    readonly landing: Money
  }

/** Selects the PayoutStanding of a payment `p` to a destination `d` of a contact `c`. */
export const payoutStandingColumns = (
  p: Fragment,
  c: Fragment,
  d: Fragment,
  reader: Pick<Reader, 'organizationId'>,
): Fragment => sql`${standingColumns(p, c, d)}, ${changeOfPayment(p, reader)} as change`

/** Selects the PayoutStanding of a payment without the facts about its account. */
const standingColumns = (p: Fragment, c: Fragment, d: Fragment): Fragment => sql`
  ${payeeColumns(c, d, sql`${p}.bill_id is not null`)}, ${payeeStandingColumns(p)}, ${p}.rail, ${p}.connection, ${p}.payee_address_id as payee_address,
  case when ${p}.payer_id is not null then (select ${payingOrganization(sql`o`)} from organizations o
    where o.id = ${p}.organization_id) end as paying,
  json_build_object('amount', ${p}.landing_amount::text, 'currency', ${p}.landing_currency) as landing`

/** Selects the ChangeFacts of a payment `p` that waits for its last approval, or has it. */
const changeOfPayment = (p: Fragment, reader: Pick<Reader, 'organizationId'>): Fragment => sql`
  (select ${changeFacts(reader, ofDestination(sql`d`, { ...payeeOfPayment(p, sql`d`), asked: sql`${p}.inserted_at` }))}
    from payment_destinations d where d.id = coalesce(${findKnown(p)}, ${p}.destination_id))`

/** Selects a PayoutStanding without facts about its account, and whether any may be needed. */
export const briefStandingColumns = (
  p: Fragment,
  c: Fragment,
  d: Fragment,
  reader: Pick<Reader, 'organizationId'>,
): Fragment => sql`
  ${standingColumns(p, c, d)}, null::json as change,
  case when ${p}.bill_id is null then ${mayBePaidElsewhere(reader, sql`${p}.destination_id`, sql`${p}.payee_key`)}
    else true end as may_be_changed`

/** Reads the facts about the account of a payment. */
export async function readChangeOfPayment(reader: Reader, id: PaymentId): Promise<ChangeFacts | null> {
  const [row] = await reader<Pick<PayoutStanding, 'change'>>(sql`
    select ${changeOfPayment(sql`p`, reader)} as change from payments p
    where p.id = ${id} and p.organization_id = ${reader.organizationId}`)
  return row?.change ?? null
}

/** Lists what blocks an approval of a payment. */
export const approvalBlockers = (payment: PayoutStanding): Blocker[] => [
  ...onboardingBlockers(payment),
  ...payeeBlockers(payment),
  ...addressBlockers(payment),
  ...payeeAnswerBlockers(payment, hasChanged),
]

/** Lists what blocks the last approval of a payment, which pays it: one with a day is looked at again on it. */
export const lastBlockers = (payment: PayoutStanding & { readonly has_day: boolean }): Blocker[] => [
  ...(payment.has_day ? [] : settleBlockers(payment)),
  ...changeBlockers(payment),
]

/** Lists what blocks paying an account that has changed. */
const changeBlockers = ({ change, landing }: PayoutStanding): Blocker[] =>
  coolingOffBlockers(change, moneyOf(landing.amount, landing.currency))

/** Lists what blocks an approved payment whose day has come: as at its approval, by the settings of now. */
export const executionBlockers = (payment: PayoutStanding): Blocker[] => [
  ...onboardingBlockers(payment),
  ...payeeBlockers(payment),
  ...addressBlockers(payment),
  ...payeeAnswerBlockers(payment, isWorse),
  ...settleBlockers(payment),
  ...changeBlockers(payment),
]

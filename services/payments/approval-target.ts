/** Payments as targets of approvals: the last approval settles or submits them. */
import { v5 } from 'uuid'
import { type AccountChange, readChange } from '../../domain/account-changes/change.ts'
import { coinOf } from '../../domain/money/currencies.ts'
import { accountOf } from '../../domain/destinations/destination.ts'
import { type SealedAddress, addressAt, openAddressForDisplay } from '../contacts/addresses.ts'
import { type EncryptedCoordinates, accountAt, holderOf, openCoordinatesForDisplay } from '../contacts/destinations.ts'
import type { ApprovalTarget } from '../approvals/target.ts'
import { payerAt } from '../payers/payers.ts'
import type { Payer } from '../../domain/organizations/payer.ts'
import { moneyOf } from '../../domain/money/money.ts'
import type { PaymentState } from '../../domain/payments/flow.ts'
import { pauseDetail } from '../../domain/payments/payment.ts'
import { isHeldByPause } from '../connections/pauses.ts'
import { type PayeeCheckRow, openCheck, payeeCheckJson, toCheckInSubject } from '../payee-checks/checks.ts'
import {
  type PayoutStanding,
  approvalBlockers,
  briefStandingColumns,
  lastBlockers,
  readChangeOfPayment,
} from './checks.ts'
import { type PaymentToSettle, detailOf, movePayments, settle } from '../payouts/settlement.ts'
import { warningsOf } from './warnings.ts'
import { type Fragment, sql } from '../../db/postgres/sql.ts'
import { SCHEDULED_DETAIL } from '../../domain/payments/schedule.ts'
import type { PaymentTarget, Rail } from '../../domain/rails.ts'

/** Selects a payment with the members of its variant; toPaymentSubject() decrypts its destination `d`. */
const ofPayment = (more: Fragment): Fragment => sql`(
  select json_build_object('id', p.id, 'created_at', p.inserted_at, 'internal_notes', p.internal_notes,
    'state', p.status_detail, 'pause', case when ${isHeldByPause(sql`p`)} then
      json_build_object('rail', p.rail, 'connection', p.connection) end, 'tag', p.tag, 'amounts', json_build_object('landing', p.landing_amount::text,
      'landing_currency', p.landing_currency, 'deducting', p.deducting_amount::text,
      'deducting_currency', p.deducting_currency, 'fee', p.fee_amount::text),
    'sealed', json_build_object('id', d.id, 'sealed', encode(d.sealed, 'hex')),
    'day', (select json_build_object('execute_on', s.execute_on, 'max_deducting', s.max_deducting::text)
      from payment_schedules s where s.id = p.id),
    'payment_contact', json_build_object('id', c.id, 'name', p.destination_name, 'deleted_at', c.deleted_at), ${more})
  from payments p
  join payment_destinations d on d.id = p.destination_id
  join payment_contacts c on c.id = p.payment_contact_id
  where p.id = approvals.target_id)`

/** Selects the members that only payments of this type have. */
const ofType = (p: Fragment, d: Fragment, type: PaymentTarget): Fragment => {
  const change = sql`'account_change', approvals.subject_body::jsonb -> 'account_change'`
  const payer = sql`'payer', ${payerAt(sql`${p}.payer_id`)}`
  if (type === 'crypto_outgoing') return sql`'txid', ${p}.partner_reference, ${change}, ${payer}`
  const ofBank = sql`${payer}, 'rate', ${p}.rate, ${change},
    'known', ${accountAt(sql`(approvals.subject_body::jsonb ->> 'known_as')::uuid`)},
    'address', ${addressAt(sql`${p}.payee_address_id`)},
    'payee_check', (select ${payeeCheckJson(sql`k`)} from payee_checks k where k.id = ${p}.payee_check_id)`
  const more = type === 'internal_transfer' ? sql`'svc_id', ${d}.svc_id, ${change}` : ofBank
  return sql`'payout_reason', ${p}.payout_reason, 'statement_description', ${p}.statement_description, ${more}`
}

type PaymentInSubject = {
  readonly state: string
  /** Null unless it waits for the end of a pause. */
  readonly pause: { readonly rail: Rail; readonly connection: string | null } | null
  readonly amounts: Readonly<
    Record<'landing' | 'landing_currency' | 'deducting' | 'deducting_currency' | 'fee', string>
  >
  readonly sealed: EncryptedCoordinates
  readonly svc_id?: string
  readonly payee_check?: PayeeCheckRow | null
  readonly day: { readonly execute_on: string; readonly max_deducting: string | null } | null
  readonly address?: SealedAddress | null
  readonly payer?: Payer | null
  /** Account as a contact has it under another name; null for none. */
  readonly known?: EncryptedCoordinates | null
  /** Change of the account, as the request hashed it; null without one. */
  readonly account_change?: AccountChange | null
}

function toPaymentSubject(type: PaymentTarget, given: PaymentInSubject): object {
  const {
    amounts,
    sealed,
    svc_id,
    day,
    address,
    known = null,
    account_change: stored = null,
    payee_check: check,
    pause,
    ...row
  } = given
  const landing = moneyOf(amounts.landing, amounts.landing_currency)
  const deducting = moneyOf(amounts.deducting, amounts.deducting_currency)
  const amount_with_fees = deducting.currency === landing.currency ? deducting.amount : null
  const state = (pause && pauseDetail(pause)) ?? row.state
  const shared = { ...row, state, ...(day && { execute_on: day.execute_on }), ...landing, amount_with_fees }
  const { id } = sealed
  const account_change = stored && readChange(stored)
  if (type === 'internal_transfer') return { ...shared, destination: { id, svc_id }, account_change }
  const coordinates = openCoordinatesForDisplay(sealed, type === 'crypto_outgoing' ? 'crypto' : 'bank') ?? {}
  if (type === 'crypto_outgoing') {
    const { network, coin, address, memo } = coordinates
    return {
      ...shared,
      coin: toCoin(network ?? '', coin ?? landing.currency),
      account_change,
      destination: { id, address: address ?? '', ...(memo && { memo }) },
    }
  }
  const { account_holder_name, country_code, currency } = coordinates
  const known_holder = known && holderOf(known)
  const destination = { id, account: accountOf(coordinates), account_holder_name, known_holder, country_code, currency }
  const payee_check = check ? toCheckInSubject(openCheck(check)) : null
  const fee = moneyOf(amounts.fee, amounts.deducting_currency)
  const most = day?.max_deducting && { max_deducting: moneyOf(day.max_deducting, deducting.currency) }
  const payee_address = openAddressForDisplay(address ?? null)
  return { ...shared, deducting, landing, fee, ...most, destination, payee_check, payee_address, account_change }
}

const COIN_NAMESPACE = 'b7c1a7c0-6d0b-4f43-9d5f-2a9a1d9f6e58'
/** Describes a coin; the same one on the same network has the same id everywhere, and for ever. */
const toCoin = (network: string, symbol: string): object => ({
  id: v5(`${network}:${symbol}`, COIN_NAMESPACE),
  ...coinOf(network, symbol),
})

type State = PayoutStanding &
  PaymentToSettle & {
    readonly status: PaymentState
    readonly has_day: boolean
    /** False if the account is certainly no changed one: then `change` is null as it stands. */
    readonly may_be_changed: boolean
  }

const paymentTarget = (type: PaymentTarget): ApprovalTarget<State> => ({
  type,
  movesMoney: true,
  subject: {
    column: () => ofPayment(ofType(sql`p`, sql`d`, type)),
    // the column wrote exactly these
    parse: (row) => toPaymentSubject(type, row as PaymentInSubject),
  },
  state: ({ organizationId }, id) => sql`
    select p.id, p.status, p.deducting_amount as amount, p.deducting_currency as currency,
      ${briefStandingColumns(sql`p`, sql`c`, sql`d`, { organizationId })}, p.payee_organization_id as payee,
      p.payee_organization_id is not null and can_receive(p.payee_organization_id) as payee_can_receive,
      exists (select from payment_schedules s where s.id = p.id) as has_day
    from payments p
    join payment_contacts c on c.id = p.payment_contact_id
    join payment_destinations d on d.id = p.destination_id
    where p.id = ${id} and p.organization_id = ${organizationId}`,
  // the facts about a changed account: their plan costs more than the rest of a decision's reads together
  complete: async (reader, state) =>
    state.may_be_changed ? { ...state, change: await readChangeOfPayment(reader, state.id) } : state,
  blockers: approvalBlockers,
  lastBlockers,
  async reserves(reader, ids) {
    const rows = await reader<{ id: string; amount: string; currency: string }>(sql`
      select id, deducting_amount as amount, deducting_currency as currency from payments
      where organization_id = ${reader.organizationId} and id = any (${[...ids]})
        and not exists (select from payment_schedules s where s.id = payments.id)`)
    return new Map(rows.map(({ id, amount, currency }) => [id, moneyOf(amount, currency)]))
  },
  warnings: warningsOf,
  async approve(tx, payment, cause) {
    if (payment.has_day) {
      const set = sql`status_detail = ${SCHEDULED_DETAIL}`
      await movePayments(tx, payment.id, { events: ['schedule'], cause, set })
      return { state: SCHEDULED_DETAIL }
    }
    await settle(tx, [payment], { submits: true, cause: () => cause })
    return { state: detailOf(payment) }
  },
  async cancel(tx, ids, how, cause) {
    const detail = how === 'expired' ? 'approval expired' : how
    await movePayments(tx, ids, { events: ['withdraw'], cause, set: sql`status_detail = ${detail}` })
    return () => ({ state: detail })
  },
})

export const internalTransfer = paymentTarget('internal_transfer')
export const fiatOutgoing = paymentTarget('fiat_outgoing')
export const cryptoOutgoing = paymentTarget('crypto_outgoing')

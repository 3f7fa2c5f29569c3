/** What an approver sees of a payment. */
import { v5 } from 'uuid'
import type { ApprovalTarget } from '../approvals/target.ts'
import { namedCoin } from '../../domain/money/coins.ts'
import { moneyOf } from '../../domain/money/money.ts'
import { accountOf } from '../../domain/contacts/destination.ts'
import { type EncryptedCoordinates, shownCoordinates } from '../contacts/destinations.ts'
import { type Fragment, sql } from '../sql.ts'
import type { PaymentTarget } from '../../domain/rails.ts'

/** A payment with its destination `d`, whose coordinates are opened by toSubject(), and with members of its variant. */
const ofPayment = (more: Fragment): Fragment => sql`(
  select json_build_object('id', p.id, 'created_at', p.inserted_at, 'internal_notes', p.internal_notes,
    'state', p.status_detail, 'tag', p.tag, 'amounts', json_build_object('landing', p.landing_amount::text,
      'landing_currency', p.landing_currency, 'deducting', p.deducting_amount::text,
      'deducting_currency', p.deducting_currency, 'fee', p.fee_amount::text),
    'sealed', json_build_object('id', d.id, 'sealed', encode(d.sealed, 'hex')),
    'payment_contact', json_build_object('id', c.id, 'name', c.name, 'deleted_at', c.deleted_at), ${more})
  from payments p
  join payment_destinations d on d.id = p.destination_id
  join payment_contacts c on c.id = p.payment_contact_id
  where p.id = approvals.target_id)`

/** The members that only payments of this type have. */
const ofType = (type: PaymentTarget): Fragment => {
  if (type === 'crypto_outgoing') return sql`'txid', p.partner_reference`
  const more = type === 'internal_transfer' ? sql`'svc_id', d.svc_id` : sql`'rate', p.rate`
  return sql`'payout_reason', p.payout_reason, 'statement_description', p.statement_description, ${more}`
}

/** With its amounts, and its destination as far as it is shown. */
export const paymentSubject = (type: PaymentTarget): ApprovalTarget['subject'] => ({
  column: () => ofPayment(ofType(type)),
  // the column wrote exactly these
  parse: (row) => toPaymentSubject(type, row as PaymentInSubject),
})

type PaymentInSubject = {
  readonly amounts: Readonly<
    Record<'landing' | 'landing_currency' | 'deducting' | 'deducting_currency' | 'fee', string>
  >
  readonly sealed: EncryptedCoordinates
  readonly svc_id?: string
}

function toPaymentSubject(type: PaymentTarget, { amounts, sealed, svc_id, ...row }: PaymentInSubject): object {
  const landing = moneyOf(amounts.landing, amounts.landing_currency)
  const deducting = moneyOf(amounts.deducting, amounts.deducting_currency)
  const amount_with_fees = deducting.currency === landing.currency ? deducting.amount : null
  const shared = { ...row, ...landing, amount_with_fees }
  const { id } = sealed
  if (type === 'internal_transfer') return { ...shared, destination: { id, svc_id } }
  const coordinates = shownCoordinates(sealed, type === 'crypto_outgoing' ? 'crypto' : 'bank') ?? {}
  if (type === 'crypto_outgoing') {
    const { network, coin, address, memo } = coordinates
    return {
      ...shared,
      coin: toCoin(network ?? '', coin ?? landing.currency),
      destination: { id, address: address ?? '', ...(memo && { memo }) },
    }
  }
  const { account_holder_name, country_code, currency } = coordinates
  const destination = { id, account: accountOf(coordinates), account_holder_name, country_code, currency }
  return { ...shared, deducting, landing, fee: moneyOf(amounts.fee, amounts.deducting_currency), destination }
}

const COIN_NAMESPACE = 'b7c1a7c0-6d0b-4f43-9d5f-2a9a1d9f6e58'
/** The same coin on the same network has the same id everywhere, and for ever. */
const toCoin = (network: string, symbol: string): object => ({
  id: v5(`${network}:${symbol}`, COIN_NAMESPACE),
  ...namedCoin(network, symbol),
})

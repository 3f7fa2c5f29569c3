/** What each approval is about, read with it in one statement and written as the approver sees it. */
import { v5 } from 'uuid'
import type { TargetType } from './model/approval.ts'
import type { Subject } from './model/approval-subject.ts'
import { namedCoin } from './model/coins.ts'
import { moneyOf } from './model/money.ts'
import { type DestinationType, accountOf } from './model/payment-destination.ts'
import { type SealedCoordinates, defaultOf, shownCoordinates } from './payment-destinations.ts'
import { type Fragment, sql } from './sql.ts'

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

/** The subject of `approvals` as json. Its members are those of the variant but for amounts, which are as they are kept. */
export const subjectColumn = (): Fragment => sql`
  case approvals.target_type
    when 'internal_transfer' then ${ofPayment(sql`'payout_reason', p.payout_reason,
      'statement_description', p.statement_description, 'svc_id', d.svc_id`)}
    when 'fiat_outgoing' then ${ofPayment(sql`'payout_reason', p.payout_reason,
      'statement_description', p.statement_description, 'rate', p.rate`)}
    when 'crypto_outgoing' then ${ofPayment(sql`'txid', p.partner_reference`)}
    when 'payment_contact' then (
      select json_build_object('id', c.id, 'name', c.name, 'type', c.type, 'email', c.email, 'tag', c.tag,
        'status', c.status, 'created_at', c.inserted_at, 'deleted_at', c.deleted_at,
        'asked', approvals.subject_body::json,
        'destinations', (select coalesce(json_agg(json_build_object('id', d.id, 'type', d.type, 'label', d.label,
            'svc_id', d.svc_id, 'sealed', encode(d.sealed, 'hex'),
            'default', d.id is not distinct from ${defaultOf(sql`c.id`)},
            'new', d.approval_request_id is not distinct from approvals.id
          ) order by d.inserted_at, d.id), '[]')
          from payment_destinations d where d.payment_contact_id = c.id
          and (d.deleted_at is null or position(d.id::text in approvals.subject_body) > 0)))
      from payment_contacts c where c.id = approvals.target_id)
    when 'organization_invitation' then (
      select json_build_object('id', i.id, 'email', i.email, 'role', i.role, 'status', i.status,
        'card_approved', i.card_approved, 'card_limit', i.card_limit, 'created_at', i.inserted_at,
        'expires_at', i.expires_at)
      from invitations i where i.id = approvals.target_id)
  end`

/** As all answers write instants. Postgres writes them into JSON by itself, at a fraction of what to_char() costs. */
const instants = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (name.endsWith('_at') && typeof value === 'string') return [name, value.replace('+00:00', 'Z')]
      return [name, value && typeof value === 'object' && !Array.isArray(value) ? instants(value as typeof row) : value]
    }),
  )

/** A row of subjectColumn() as its variant. */
export function toSubject(type: TargetType, read: Record<string, unknown>): Subject {
  const row = instants(read)
  // subjectColumn() wrote exactly the members of the variant that the type names.
  if (type === 'payment_contact') {
    return { type, [type]: toContactSubject(row as ContactInSubject) } as unknown as Subject
  }
  if (!isPayment(type)) return { type, [type]: row } as unknown as Subject
  return { type, [type]: toPaymentSubject(type, row as PaymentInSubject) } as unknown as Subject
}

const PAYMENTS = ['internal_transfer', 'fiat_outgoing', 'crypto_outgoing'] as const
type PaymentTarget = (typeof PAYMENTS)[number]
const isPayment = (type: TargetType): type is PaymentTarget => PAYMENTS.some((payment) => payment === type)

type PaymentInSubject = {
  readonly amounts: Readonly<
    Record<'landing' | 'landing_currency' | 'deducting' | 'deducting_currency' | 'fee', string>
  >
  readonly sealed: SealedCoordinates
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

type SealedDestination = SealedCoordinates & { readonly type: DestinationType; readonly default: boolean }
/** What was asked for: of a new contact all that it is made of, of a change also what becomes the default. */
type AskedOfContact = Readonly<Partial<Record<'name' | 'email' | 'tag' | 'becomes_default', string | null>>> & {
  readonly destinations?: readonly { readonly id: string; readonly default?: boolean }[]
  readonly new_destination?: { readonly id: string }
}
type ContactInSubject = { readonly asked: AskedOfContact; readonly destinations: readonly SealedDestination[] }

/** The contact as it was when the approval was asked for, whatever became of it later. */
function toContactSubject({ asked, destinations, ...contact }: ContactInSubject): object {
  const { name, email, tag, becomes_default: next, new_destination: added, destinations: before } = asked
  const known = before ?? destinations
  const first = known.find((one) => one.default) ?? known[0]
  const shown = destinations.flatMap((row) => {
    const then = known.find(({ id }) => id === row.id) ?? (added?.id === row.id ? { default: false } : undefined)
    if (!then) return []
    // of a new contact the first is the default where none is marked
    const wasDefault = next === undefined ? row.id === first?.id : (then.default ?? row.default)
    return { ...toSubjectDestination(row), default: wasDefault, becomes_default: row.id === next }
  })
  const then = { ...(name && { name }), ...(email !== undefined && { email }), ...(tag !== undefined && { tag }) }
  return { ...contact, ...then, destinations: shown }
}

/** Of coordinates the end of the account alone: the destination shows the rest to who approves it. */
function toSubjectDestination({ sealed, ...shown }: SealedDestination): object {
  const coordinates = shownCoordinates({ id: shown.id, sealed }, shown.type)
  return { ...shown, account: coordinates && accountOf(coordinates) }
}

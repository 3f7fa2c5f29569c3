/** Warnings for approvers of a payment: what differs from how its payee was paid before. None blocks. */
import { type ChangeFacts, isChanged } from '../../domain/account-changes/change.ts'
import { type Warning, payeeWarnings } from '../../domain/approvals/warning.ts'
import type { PayeeResult } from '../../domain/payee-checks/payee-check.ts'
import { type EncryptedCoordinates, openCoordinatesForDisplay } from '../contacts/destinations.ts'
import { looksLikeAnother } from '../contacts/look-alikes.ts'
import { findKnown } from './checks.ts'
import { UNUSUAL_FACTOR, USUAL_MAX, USUAL_MIN } from './usual.ts'
import { changeFacts, ofDestination, payeeOfPayment } from '../account-changes/facts.ts'
import { isPayerChanged } from '../payers/changes.ts'
import { hasGoneOut } from '../../db/postgres/fragments.ts'
import { type Reader, sql } from '../../db/postgres/sql.ts'

const RECENT_DAYS = 30
/** Days after which an account that was paid is known. */
const NEW_DAYS = 7
/** Accounts that were paid lately, whose countries count as known. */
const ACCOUNTS_MAX = 500

type Facts = {
  readonly rail: string
  readonly account: EncryptedCoordinates
  readonly paid_before: boolean
  /** True until the account was paid for a week: a small first payment does not make it known. */
  readonly is_new: boolean
  readonly payee: { readonly payment_contact_id: string; readonly name: string }
  readonly change: ChangeFacts | null
  readonly duplicate: boolean
  readonly unusual: boolean
  readonly address_missing: boolean
  readonly holder_differs: boolean
  readonly payer_changed: boolean
  readonly payee_check: PayeeResult | null
}

/** Lists the warnings of a payment. It is compared with those that were made before it. */
export async function warningsOf(reader: Reader, paymentId: string): Promise<Warning[]> {
  const facts = await readFacts(reader, paymentId)
  if (!facts) return []
  const isNewCountry = !facts.paid_before && facts.rail === 'fiat' && (await isFirstOfCountry(reader, facts.account))
  const isAlike = facts.is_new && (await looksLikeAnother(reader, [facts.payee]))
  return [
    ...(facts.paid_before ? [] : (['first_payment'] as const)),
    ...(isNewCountry ? (['new_country'] as const) : []),
    ...(facts.change && isChanged(facts.change) ? (['account_changed'] as const) : []),
    ...(facts.duplicate ? (['duplicate'] as const) : []),
    ...(facts.unusual ? (['unusual_amount'] as const) : []),
    ...(facts.address_missing ? (['address_missing'] as const) : []),
    ...(facts.holder_differs ? (['holder_differs'] as const) : []),
    ...(facts.payer_changed ? (['payer_changed'] as const) : []),
    ...(isAlike ? (['similar_name'] as const) : []),
    ...payeeWarnings([facts.payee_check]),
  ]
}

/** Compares a payment with earlier ones: of its account, at whichever contact, and of its contact. */
async function readFacts(reader: Reader, paymentId: string): Promise<Facts | undefined> {
  const [facts] = await reader<Facts>(sql`
    with this as (
      select p.*, d.account_id, d.sealed, ${findKnown(sql`p`)} as known_as, (select ${changeFacts(
        reader,
        ofDestination(sql`d`, { ...payeeOfPayment(sql`p`, sql`d`, sql`p.inserted_at`), before: sql`p.inserted_at` }),
      )} from payment_destinations d where d.id = coalesce(${findKnown(sql`p`)}, p.destination_id)) as change
      from payments p join payment_destinations d on d.id = p.destination_id
      where p.id = ${paymentId} and p.organization_id = ${reader.organizationId}
    ), same_account as (
      select p.status, p.landing_amount, p.landing_currency, p.inserted_at
      from this, payment_destinations d join payments p on p.destination_id = d.id
      where d.organization_id = ${reader.organizationId} and d.account_id = this.account_id
        and p.id <> this.id and p.inserted_at <= this.inserted_at and p.status <> all ('{cancelled,failed,reversed}')
    ), same_contact as (
      select p.landing_amount, p.landing_currency
      from this, payment_destinations d join payments p on p.destination_id = d.id
      where d.organization_id = ${reader.organizationId} and d.payment_contact_id = this.payment_contact_id
        and p.id <> this.id and p.inserted_at <= this.inserted_at
        and ${hasGoneOut(sql`p`)}
      order by p.inserted_at desc limit ${USUAL_MAX}
    ), usual as (
      select count(*) as payments, percentile_cont(0.5) within group (order by s.landing_amount) as median
      from this, same_contact s where s.landing_currency = this.landing_currency
    )
    select this.rail, json_build_object('id', this.destination_id, 'sealed', encode(this.sealed, 'hex')) as account,
      exists (select from same_account s where s.status not in ('awaiting_approval', 'scheduled')) as paid_before,
      not exists (select from same_account s where s.status not in ('awaiting_approval', 'scheduled')
        and s.inserted_at <= this.inserted_at - make_interval(days => ${NEW_DAYS})) as is_new,
      json_build_object('payment_contact_id', this.payment_contact_id, 'name', this.destination_name) as payee,
      this.change,
      exists (select from same_account s where s.landing_amount = this.landing_amount
        and s.landing_currency = this.landing_currency
        and s.inserted_at > this.inserted_at - make_interval(days => ${RECENT_DAYS})) as duplicate,
      usual.payments >= ${USUAL_MIN} and this.landing_amount > ${UNUSUAL_FACTOR} * usual.median as unusual,
      this.rail = 'fiat' and this.payee_address_id is null as address_missing,
      this.known_as is not null as holder_differs,
      ${isPayerChanged(reader, sql`this.payer_id`, sql`this.inserted_at`)} as payer_changed,
      (select k.result from payee_checks k where k.id = this.payee_check_id) as payee_check
    from this, usual`)
  return facts
}

/** Tells if no account of this country was paid before. Countries are sealed, so the accounts are opened. */
async function isFirstOfCountry(reader: Reader, account: EncryptedCoordinates): Promise<boolean> {
  const paid = await reader<EncryptedCoordinates>(sql`
    select d.id, encode(d.sealed, 'hex') as sealed from payment_destinations d
    where d.organization_id = ${reader.organizationId} and d.type = 'bank' and exists (
      select from payments p where p.destination_id = d.id
        and ${hasGoneOut(sql`p`)})
    order by d.inserted_at desc limit ${ACCOUNTS_MAX}`)
  const countryOf = (row: EncryptedCoordinates) => openCoordinatesForDisplay(row, 'bank')?.country_code
  const country = countryOf(account)
  return !paid.some((row) => countryOf(row) === country)
}

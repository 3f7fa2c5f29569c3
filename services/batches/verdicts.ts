/**
 * Validates rows by contacts, service IDs, policy and recent payments, in one statement. A pure
 * function over loaded rows took up to twice as long for a file of 50,000 (G5, docs/decisions/batches.md).
 */
import { rulesOf } from '../approvals/policies.ts'
import { isAddressRequired, payeeAddressId } from '../contacts/addresses.ts'
import { defaultOf } from '../contacts/destinations.ts'
import { ruleFor } from '../../domain/approvals/matching.ts'
import type { Column } from '../../domain/batches/columns.ts'
import type { Remark } from '../../domain/batches/remark.ts'
import { contactFlow } from '../../domain/contacts/flow.ts'
import type { BatchId, OrganizationId } from '../../domain/ids.ts'
import { joinByHash } from '../../db/postgres/joins.ts'
import { isScreened, payeeScreening } from '../screening/screenings.ts'
import { type Fragment, type Reader, type Tx, sql, within } from '../../db/postgres/sql.ts'
import { notePayeeChecks } from './payee-checks.ts'
import { findIncomplete, isOnboardingRequired, readPaying } from '../payers/payers.ts'
import { nameConnection } from '../connections/connections.ts'
import { isBankCurrency } from '../../domain/destinations/bank-requirements.ts'
import { SVC_ID_CURRENCY, currencyDigits } from '../../domain/money/currencies.ts'
import type { Rail } from '../../domain/rails.ts'
import { listServed } from '../connections/serving.ts'

/** Lists the columns that a verdict is based on. */
export const verdictColumns = (): Fragment =>
  sql`id, payee, svc_id, named_contact_id, fingerprint, account_id, holder_key, address_fingerprint, amount, currency,
    cell_errors, named_destination_id, named_address_id`

/** Standing of an organization that rows are judged by. */
export type RowRules = {
  /** The policy asks for the approval of contacts. */
  readonly asked: boolean
  /** Ways in which the organization cannot pay, as it is not verified there. */
  readonly incomplete: { readonly svcId: boolean; readonly currencies: readonly string[] }
}

export const readRowRules = async (reader: Reader): Promise<RowRules> => ({
  asked: await asksForContacts(reader),
  incomplete: await readIncomplete(reader),
})

const NOTHING_INCOMPLETE = { svcId: false, currencies: [] }
const BANK_PAID = Object.keys(currencyDigits).filter(isBankCurrency)

async function readIncomplete(reader: Reader): Promise<RowRules['incomplete']> {
  if (!isOnboardingRequired()) return NOTHING_INCOMPLETE
  const paying = await readPaying(reader)
  const lacks = (rail: Rail, currency: string) =>
    findIncomplete(paying, { rail, connection: nameConnection({ rail, currency }) }).length > 0
  return {
    svcId: lacks('svc_id', SVC_ID_CURRENCY),
    currencies: BANK_PAID.filter((currency) => lacks('fiat', currency)),
  }
}

/** Reads whether the policy asks for the approval of contacts. Then a batch pays approved contacts only. */
export const asksForContacts = async (reader: Reader): Promise<boolean> =>
  ruleFor(await rulesOf(reader), { action_type: 'payment_contact' }) !== null

const RECENT_DAYS = 30

/** A list of one remark as JSON. */
const remark = (column: Column | null, code: Remark['code'], message: string): Fragment =>
  sql`${sql.json([{ column, code, message }])}::jsonb`

const NONE = (): Fragment => sql`'[]'::jsonb`

/** Selects the account that a row `s` pays: that of its contact `c`, or the one that its cells name. */
const accountOfRow = (s: Fragment, c: Fragment): Fragment =>
  sql`case when ${s}.named_contact_id is null then ${s}.account_id else ${c}.account_id end`

/** Selects the errors of the contact `c` that a row `s` names. */
const contactErrors = (c: Fragment, s: Fragment, organizationId: string): Fragment => sql`
  case when ${c}.id is null then ${remark('payment_contact_id', 'unknown_contact', 'is no contact')}
    when ${c}.status = 'pending_approval' then
      ${remark('payment_contact_id', 'contact_not_approved', 'is a contact that waits for approval')}
    when ${c}.status <> 'active' then
      ${remark('payment_contact_id', 'contact_not_approved', 'is a contact that was turned down or put away')}
    when ${isScreened}::boolean and ${c}.screening in ('held', 'confirmed') then
      ${remark('payment_contact_id', 'payee_held', 'is a payee that the service is checking')}
    when ${c}.destination_id is null or not ${c}.reachable then
      ${remark('payment_contact_id', 'destination_missing', 'is a contact with nothing to pay to')}
    when ${c}.type = 'crypto' then
      ${remark('payment_contact_id', 'unsupported_rail', 'is a contact who is paid by blockchain')}
    when ${c}.payee_organization_id = ${organizationId} then
      ${remark('payment_contact_id', 'same_account', 'is the payer')}
    when ${c}.currency <> ${s}.currency then
      ${remark('currency', 'unsupported_currency', 'is not the currency that the contact is paid in')}
    else ${NONE()} end`

/** Selects the errors of the service ID that a row `s` names; `h` is its organization. */
const handleErrors = (h: Fragment, organizationId: string): Fragment => sql`
  case when ${h}.organization_id is null then ${remark('payee_svc_id', 'unknown_handle', 'names no organization')}
    when ${h}.organization_id = ${organizationId} then ${remark('payee_svc_id', 'same_account', 'is the payer')}
    else ${NONE()} end`

/** Builds the error of a row that pays outside the approved contacts. */
const contactError = (column: Column): Fragment =>
  remark(column, 'contact_not_approved', 'has to be an approved contact, by the policy of the organization')

/**
 * Selects the verdict on each row of `source`, a query for said(). Duplicates within the file: markDuplicates(). It
 * shows no more of other organizations than the name behind a service ID, which anyone may ask for.
 */
export function verdictsOn({ organizationId }: Tx, source: Fragment, { asked, incomplete }: RowRules): Fragment {
  const required = isAddressRequired()
  return sql`
    with said as (${source}),
    contacts as materialized (
      select c.id, n.paid_at, c.name, c.status, ${payeeScreening(sql`c.id`)} as screening, d.id as destination_id, d.type, d.currency, d.payee_organization_id, d.account_id,
        ${payeeAddressId(sql`d`, sql`c`)} as payee_address_id, d.payee_organization_id is null or can_receive(d.payee_organization_id) as reachable
      from (select distinct named_contact_id as id, named_destination_id as paid_at from said where named_contact_id is not null) n
      cross join lateral (select c.* from payment_contacts c
        where c.id = n.id and c.organization_id = ${organizationId} and c.deleted_at is null offset 0) c
      cross join lateral (select coalesce(n.paid_at, ${defaultOf(sql`c.id`)}) as id offset 0) f
      left join lateral (select d.* from payment_destinations d where d.id = f.id and d.payment_contact_id = c.id and d.deleted_at is null and not d.pending offset 0) d on true
    ),
    handles as materialized (
      select n.svc_id, r.organization_id, r.name
      from (select distinct svc_id from said where svc_id is not null) n cross join lateral resolve_handle(n.svc_id) r
    ),
    met as (
      select s.id, s.payee, s.svc_id, s.named_contact_id, s.fingerprint, s.holder_key, s.address_fingerprint, s.amount, s.currency,
        s.cell_errors, ${accountOfRow(sql`s`, sql`c`)} as account_id, c.destination_id as contact_destination_id,
        coalesce(c.payee_address_id, s.named_address_id) as contact_address_id, s.named_destination_id,
        coalesce(c.payee_organization_id, h.organization_id) as payee_organization_id,
        coalesce(h.organization_id::text, encode(s.fingerprint, 'hex')) as place,
        case when s.named_contact_id is not null then c.name when s.svc_id is not null then coalesce(h.name, s.svc_id)
          else s.payee end as payee_name,
        coalesce(c.payee_organization_id, h.organization_id, ${accountOfRow(sql`s`, sql`c`)})::text as payee_key,
        case when s.named_contact_id is not null then case c.type when 'svc_id' then 'svc_id' when 'bank' then 'fiat' end
          when s.svc_id is not null then 'svc_id' when s.fingerprint is not null then 'fiat' end as rail,
        case when s.named_contact_id is not null then ${contactErrors(sql`c`, sql`s`, organizationId)}
          when s.svc_id is not null then ${handleErrors(sql`h`, organizationId)} else ${NONE()} end as payee_errors
      from said s
      left join contacts c on c.id = s.named_contact_id and c.paid_at is not distinct from s.named_destination_id
      left join handles h on h.svc_id = s.svc_id
    ),
    accounts as materialized (${selectApprovedAccounts(organizationId, asked)}),
    known as materialized (select distinct on (place) id, place from accounts order by place, inserted_at, id),
    recent as materialized (${recentPayments(organizationId)}),
    addressed as (
      select m.*, a.id as approved_destination_id, a.payment_contact_id as approved_contact_id,
        coalesce(m.account_id, a.account_id) as paid_account_id,
        case when a.id is null then coalesce(k.id, case when m.fingerprint is not null then m.named_destination_id end) end as known_as,
        case when m.address_fingerprint is null then coalesce(m.contact_address_id, a.payee_address_id) end
          as payee_address_id
      from met m
      left join accounts a on m.named_contact_id is null and a.place = m.place
        and a.holder_key is not distinct from m.holder_key
      left join known k on m.fingerprint is not null and k.place = m.place
    ),
    judged as (
      select m.*,
        m.cell_errors || m.payee_errors || case
          when not ${asked}::boolean or m.payee_errors <> '[]'
            or coalesce(m.approved_destination_id, m.known_as) is not null then ${NONE()}
          when m.svc_id is not null then ${contactError('payee_svc_id')}
          when m.fingerprint is not null then ${contactError('account_holder_name')}
          else ${NONE()} end || ${required ? ofAddress(sql`m`, 'address_required') : NONE()}
          || ${sayUnserved(sql`m`)} || ${isOnboardingRequired() ? sayIncomplete(sql`m`, incomplete) : NONE()} as errors,
        case when p.payee_key is null then ${NONE()} else ${recentWarning()} end
          || case when m.known_as is null then ${NONE()} else ${holderWarning()} end
          || ${required ? NONE() : ofAddress(sql`m`, 'address_missing')} as warnings
      from addressed m
      left join recent p on p.payee_key = m.payee_key and p.amount = m.amount and p.currency = m.currency
    )
    select id, case when errors = '[]' then 'valid' else 'invalid' end as status, errors, warnings, payee_name as payee,
      payee_key, paid_account_id as account_id, payee_organization_id, rail, coalesce(contact_destination_id, approved_destination_id) as destination_id,
      case when contact_destination_id is null then approved_contact_id else named_contact_id end as payment_contact_id,
      payee_address_id, known_as
    from judged`
}

/** Selects the remark on a bank payment `m` without an address of its payee. */
const ofAddress = (m: Fragment, code: 'address_missing' | 'address_required'): Fragment => sql`
  case when ${m}.rail is distinct from 'fiat' or ${m}.payee_errors <> '[]' or ${m}.address_fingerprint is not null
      or ${m}.payee_address_id is not null then ${NONE()}
    when ${m}.named_contact_id is not null then ${remark('payment_contact_id', code, `is a contact ${LACKS}`)}
    else ${remark('address_town', code, `is empty: the row pays a bank account ${LACKS}`)} end`
/** Selects the remark on a bank payment `m` that no bank carries. */
function sayUnserved(m: Fragment): Fragment {
  const supported = listServed('fiat')
  if (supported === 'all') return NONE()
  const which = supported.length === 0 ? 'is paid by bank, and no bank is connected' : `must be ${supported.join(', ')}`
  return sql`
    case when ${m}.rail = 'fiat' and not ${m}.currency = any (${[...supported]}::text[])
      then ${remark('currency', 'unsupported_currency', which)} else ${NONE()} end`
}

/** Selects the remark on a payment `m` in a way in which the organization is not verified. */
const sayIncomplete = (m: Fragment, { svcId, currencies }: RowRules['incomplete']): Fragment => sql`
  case when ${m}.rail = 'fiat' and ${m}.currency = any (${[...currencies]}::text[]) or ${m}.rail = 'svc_id' and ${svcId}
    then ${remark(null, 'onboarding_incomplete', INCOMPLETE)} else ${NONE()} end`

const INCOMPLETE = 'Your organization has to be verified first: an owner says who it is, and submits that.'
const LACKS = 'without an address of town and country, which banks ask for'

/**
 * Selects a destination of an active contact by place, if contacts need approval: by account with its currency and holder,
 * or by service ID. Under another holder an account is another payee: its row pays the name that it gives.
 */
const selectApprovedAccounts = (organizationId: OrganizationId, asked: boolean): Fragment => sql`
  select distinct on (place, holder_key) d.id, d.payment_contact_id, d.account_id, k.place, d.holder_key,
    ${payeeAddressId(sql`d`, sql`c`)} as payee_address_id, d.inserted_at
  from payment_destinations d
  join payment_contacts c on c.id = d.payment_contact_id
  cross join lateral (select coalesce(d.payee_organization_id::text, encode(d.fingerprint, 'hex')) as place) k
  where ${asked}::boolean and d.organization_id = ${organizationId} and d.deleted_at is null and not d.pending
    and d.type <> 'crypto' and c.organization_id = ${organizationId} and c.deleted_at is null
    and c.status = ${contactFlow.events.approve.to}
  order by place, holder_key, d.inserted_at, d.id`

/** Selects recent payments once for each payee, amount and currency. */
const recentPayments = (organizationId: OrganizationId): Fragment => sql`
  select distinct coalesce(p.payee_organization_id, d.account_id)::text as payee_key,
    p.landing_amount as amount, p.landing_currency as currency
  from payments p
  cross join lateral (select d.account_id from payment_destinations d where d.id = p.destination_id offset 0) d
  where p.organization_id = ${organizationId} and not has_ended_unpaid(p.status)
    and p.inserted_at > business_now() - make_interval(days => ${RECENT_DAYS})`

const recentWarning = (): Fragment =>
  remark(null, 'duplicate_recent', `The payee was paid the same amount within the last ${RECENT_DAYS} days.`)

const holderWarning = (): Fragment =>
  remark('account_holder_name', 'holder_differs', 'is not the holder under which a contact has the account')

/** Selects the warnings of a row that are not about other rows. */
const otherWarnings = (table: Fragment): Fragment =>
  sql`jsonb_path_query_array(${table}.warnings, '$[*] ? (@.code != "duplicate_in_file")')`

/** Selects the warnings of a row that its verdict gives. */
const ownWarnings = (table: Fragment): Fragment => sql`jsonb_path_query_array(${table}.warnings,
  '$[*] ? (@.code != "duplicate_in_file" && @.code != "payee_no_match" && @.code != "payee_close_match")')`

/** Lists the assignments of a verdict `v`. */
export const verdictAssignments = (v: Fragment): Fragment => sql`
  status = ${v}.status, errors = ${v}.errors, warnings = ${v}.warnings, payee = ${v}.payee, payee_key = ${v}.payee_key,
  account_id = ${v}.account_id,
  payee_organization_id = ${v}.payee_organization_id, rail = ${v}.rail, destination_id = ${v}.destination_id,
  payment_contact_id = ${v}.payment_contact_id, payee_address_id = ${v}.payee_address_id, known_as = ${v}.known_as, updated_at = business_now()`

/** Judges all rows of a draft again and updates those that have changed. The caller has locked the batch. */
export async function judge(tx: Tx, batchId: BatchId): Promise<void> {
  await joinByHash(tx, () => judgeAgain(tx, batchId))
  await markDuplicates(tx, batchId)
  await notePayeeChecks(tx, batchId)
}

async function judgeAgain(tx: Tx, batchId: BatchId): Promise<void> {
  const source = sql`select ${verdictColumns()} from payment_batch_rows where payment_batch_id = ${batchId}`
  await tx`
    update payment_batch_rows r set ${verdictAssignments(sql`v`)}
    from (${verdictsOn(tx, source, await readRowRules(within(tx)))}) v
    where r.payment_batch_id = ${batchId} and r.id = v.id and (r.status, r.errors, ${ownWarnings(sql`r`)}, r.payee,
      r.payee_key, r.account_id, r.payee_organization_id, r.rail, r.destination_id, r.payment_contact_id, r.payee_address_id, r.known_as)
      is distinct from (v.status, v.errors, v.warnings, v.payee, v.payee_key, v.account_id, v.payee_organization_id, v.rail,
      v.destination_id, v.payment_contact_id, v.payee_address_id, v.known_as)`
}

/** Payee and amount, by which rows are duplicates. */
export type Payout = { readonly payee_key: string; readonly amount: string; readonly currency: string }

/** Adds the number of the first other row that pays the same. */
export const withOthers = (source: Fragment): Fragment => sql`
  select s.*, case when payee_key is null or amount is null then null
    when row_number = first_value(row_number) over w then nth_value(row_number, 2) over w
    else first_value(row_number) over w end as other
  from (${source}) s
  window w as (partition by payee_key, amount, currency order by row_number
    rows between unbounded preceding and unbounded following)`

/** Builds the warning of a row about its `other`. */
export const duplicateWarning = (): Fragment => sql`
  case when other is null then ${NONE()} else jsonb_build_array(jsonb_build_object('column', null,
    'code', 'duplicate_in_file', 'message', 'Row ' || other || ' pays the same payee the same amount.')) end`

/** Updates the warnings of duplicates, of all rows or of those that pay `only`. The caller has locked the batch. */
export async function markDuplicates(tx: Tx, batchId: BatchId, only?: readonly Payout[]): Promise<void> {
  if (only?.length === 0) return
  const among = only
    ? sql`and (payee_key, amount, currency) in (select k, a, c from unnest(${only.map((one) => one.payee_key)}::text[],
        ${only.map((one) => one.amount)}::numeric[], ${only.map((one) => one.currency)}::text[]) u (k, a, c))`
    : sql``
  const rows = sql`
    select id, row_number, warnings, payee_key, amount, currency from payment_batch_rows
    where payment_batch_id = ${batchId} ${among}`
  await joinByHash(
    tx,
    () => tx`
      update payment_batch_rows r set warnings = d.warnings, updated_at = business_now()
      from (select t.id, t.warnings as before, ${otherWarnings(sql`t`)} || ${duplicateWarning()} as warnings
        from (${withOthers(rows)}) t) d
      where r.payment_batch_id = ${batchId} and r.id = d.id and d.before is distinct from d.warnings`,
  )
}

import { wholeHistoryOf } from '../events.ts'
import { externalColumns, type ExternalSearch, isExternal } from '../external.ts'
import { decryptForRow, refuseUnopened } from '../../platform/encryption.ts'
import { downloadLink } from '../files/files.ts'
import { selectRun } from '../run-rows/membership.ts'
import { withWords } from '../../db/postgres/filters.ts'
import { type Key, keyOf } from '../../platform/storage/storage.ts'
import { log } from '../../platform/log.ts'
import type { Bill, BillDetail, BillFile, BillFilters, BillPage, Provenance } from '../../domain/bills/bill.ts'
import { namesPartOfAccount } from '../../domain/bills/account.ts'
import { BILL_FIELDS, type BillField, type BillFields, type SealedField } from '../../domain/bills/fields.ts'
import { keysOf } from '../../domain/bills/likeness.ts'
import type { LineItem } from '../../domain/bills/line-item.ts'
import type { ReadField } from '../../domain/bills/reader.ts'
import { refuse } from '../../domain/errors.ts'
import type { BillId, FileId } from '../../domain/ids.ts'
import { pageInOrder } from '../../db/postgres/pagination.ts'
import { type Fragment, type Reader, first, sql } from '../../db/postgres/sql.ts'
import type { Origins } from './fields.ts'
import { BY_DUE_DATE, isOpen, isPayable, isUsableCredit, today } from './due.ts'
import { findDuplicates } from './duplicates.ts'
import { findOtherHolder } from './found-account.ts'

type Plain = Omit<BillFields, SealedField>

/** Bill as a row, before its bank details are opened. */
export type BillRow = Omit<Bill, BillField | 'account_is_partial'> & {
  readonly [Field in keyof Plain]-?: string | null
} & {
  /** Encrypted bank details in hexadecimal; null if none are known. */
  readonly sealed: string | null
}

export const billColumns = (): Fragment => sql`
  bills.id, bills.organization_id, bills.created_by as created_by_id, bills.inbound_mail_id,
  bills.sender_is_unknown, bills.status, bills.amount, bills.currency,
  bills.bill_number, bills.supplier_name, bills.supplier_tax_id, bills.payment_reference, bills.issue_date, bills.due_date,
  bills.tax_total,
  encode(bills.sealed, 'hex') as sealed, bills.not_payable, bills.doubts, bills.bank_details_differ,
  bills.holder_differs, (select d.account_id = bills.account_id from payments p
    join payment_destinations d on d.id = p.destination_id where p.id = bills.payment_id) as account_is_paid,
  bills.approval_request_id,
  bills.payment_id as fiat_outgoing_id, ${selectRun(sql`bills`)} as payment_batch_id, bills.file_id, bills.payment_contact_id,
  case when bills.status = 'extracted' then (
    select json_build_object('approval_request_id', c.approval_request_id) from payment_contacts c
    where c.id = bills.payment_contact_id and c.status = 'pending_approval') end as waits_for,
  bills.extraction_failed_at, bills.extraction_error, ${externalColumns(sql`bills`)}, bills.inserted_at, bills.updated_at`

export const findBill = async (reader: Reader, id: BillId): Promise<Bill> => toBill(await readBill(reader, id))

async function readBill(reader: Reader, id: BillId): Promise<BillRow> {
  const row = await first(
    reader<BillRow>(sql`
      select ${billColumns()} from bills where bills.id = ${id} and bills.organization_id = ${reader.organizationId}`),
  )
  return row ?? refuse('not_found')
}

/**
 * Reads a bill with its lines, possible duplicates, and its whole history, oldest first. The history is read after the
 * bill: it has the events of the status, and maybe later ones. Refuses `not_found`.
 */
export async function findBillDetail(reader: Reader, id: BillId): Promise<BillDetail> {
  const row = await readBill(reader, id)
  const details = row.holder_differs && openDetails(row.id, row.sealed)
  const fields = details && fieldsKnownIn(row, details)
  const [events, duplicates, lines, other] = await Promise.all([
    wholeHistoryOf(reader, id),
    findDuplicates(reader, id),
    first(reader<{ line_items: LineItem[] }>(sql`select line_items from bills where id = ${id}`)),
    fields ? findOtherHolder(reader, fields, sql`(select b.account_id from bills b where b.id = ${id})`) : null,
  ])
  return { bill: toBill(row), events, duplicates, known_holder: other, line_items: lines?.line_items ?? [] }
}

const textsOfSearch = (): Fragment[] =>
  ['bill_number', 'supplier_name', 'supplier_tax_id', 'payment_reference', 'currency', 'amount'].map(
    (name) => sql`${sql(`bills.${name}`)}::text`,
  )

/** Lists bills, newest first or by due date, with sums where they are asked for. */
export async function listBills(reader: Reader, filters: BillFilters & ExternalSearch): Promise<BillPage> {
  const list = filters.order === 'due' ? { table: 'bills', order: BY_DUE_DATE } : { table: 'bills' }
  const where = () => conditionOf(filters)
  const isSummed = filters.payable || filters.credits
  const [page, sums] = await Promise.all([
    pageInOrder<BillRow>(reader, list, filters, sql`select ${billColumns()} from bills where true ${where()}`),
    isSummed ? sumFound(reader, where()) : [],
  ])
  return { ...page, data: page.data.map(toBill), sums }
}

/** Builds the condition of filters. A bill is open, or overdue, until a payment of it has succeeded. */
function conditionOf(filters: BillFilters & ExternalSearch): Fragment {
  const {
    status,
    supplier,
    currency,
    due_from: from,
    due_to: to,
    due_before: before,
    overdue,
    open,
    coded,
    q,
  } = filters
  const { approval_request_id: approval } = filters
  const late = sql`(bills.due_date < ${today()} and ${isOpen(sql`bills`)})`
  const nameKey = supplier ? keysOf({ supplier_name: supplier }).name_key : null
  const isOrNot = (asked: boolean | undefined, condition: Fragment) =>
    asked === undefined ? sql`` : asked ? sql`and ${condition}` : sql`and not ${condition}`
  return sql`
    ${status ? sql`and bills.status = ${status}` : sql``}
    ${supplier ? sql`and (position(${nameKey} in bills.name_key) > 0 or (true ${withWords(supplier, [sql`bills.supplier_name`])}))` : sql``}
    ${currency ? sql`and bills.currency = ${currency}` : sql``}
    ${from ? sql`and bills.due_date >= ${from}` : sql``}
    ${to ? sql`and bills.due_date <= ${to}` : sql``}
    ${before ? sql`and bills.due_date < ${before}` : sql``}
    ${overdue === undefined ? sql`` : overdue ? sql`and ${late}` : sql`and ${late} is not true`}
    ${isOrNot(open, isOpen(sql`bills`))}
    ${isOrNot(filters.payable, isPayable(sql`bills`))}
    ${isOrNot(filters.credits, isUsableCredit(sql`bills`))}
    ${isOrNot(coded, sql`exists (select from bill_codings c where c.bill_id = bills.id)`)}
    ${isExternal(sql`bills`, filters)}
    ${approval ? sql`and bills.id in (${billsUnder(approval)})` : sql``}
    ${withWords(q, textsOfSearch())}`
}

/** Selects the bills that are paid under an approval: of its payment, or of the rows of its batch. */
const billsUnder = (approval: string): Fragment => sql`
  select p.bill_id from approvals a join payments p on p.id = a.target_id where a.id = ${approval}
  union select r.bill_id from approvals a join payment_batch_rows r on r.payment_batch_id = a.target_id
    where a.id = ${approval} and r.bill_id is not null and r.status = 'valid'`

async function sumFound(reader: Reader, where: Fragment): Promise<BillPage['sums']> {
  const rows = await reader<{ amount: string; currency: string; count: number }>(sql`
    select sum(amount)::text as amount, currency, count(*)::int as count from bills
    where organization_id = ${reader.organizationId} and currency is not null ${where} group by currency order by currency`)
  return rows.map(({ amount, currency, count }) => ({ amount: { amount, currency }, count }))
}

/** Reads the original with a fresh link. Refuses `not_found`, also for a bill without a file. */
export async function findBillFile(reader: Reader, id: BillId): Promise<BillFile> {
  const { key: _key, sha256: _sha256, ...file } = await findOriginal(reader, id)
  const { url, expiresAt } = downloadLink(file.id)
  return { ...file, download_url: url, expires_at: expiresAt.toISOString() }
}

type Original = Omit<BillFile, 'download_url' | 'expires_at'> & {
  readonly id: FileId
  readonly key: Key
  readonly sha256: string
}

/** Reads the original and the key of its bytes. Refuses `not_found`, also for a bill without a file. */
export async function findOriginal(reader: Reader, id: BillId): Promise<Original> {
  const file = await first(
    reader<Omit<Original, 'byte_size' | 'key'> & { byte_size: string; stored_as: string }>(sql`
      select f.id, f.filename, f.content_type, f.byte_size, f.sha256, f.stored_as from bills b join files f on f.id = b.file_id
      where b.id = ${id} and b.organization_id = ${reader.organizationId} and f.removed_at is null
        and f.stored_as is not null`),
  )
  if (!file) refuse('not_found')
  const { stored_as: object, ...rest } = file
  return { ...rest, byte_size: Number(file.byte_size), key: keyOf(file.id, object) }
}

/** Finds the source of each value: a person, or a place in a reading. Refuses `not_found`. */
export async function findProvenance(reader: Reader, id: BillId): Promise<Provenance> {
  const [bill, found, readings] = await Promise.all([
    findBill(reader, id),
    first(reader<{ origins: Origins }>(sql`select origins from bills where id = ${id}`)),
    reader<{ id: string; method: string; sealed: string }>(sql`
      select id, method, encode(sealed, 'hex') as sealed from bill_readings where bill_id = ${id}`),
  ])
  const readingOf = new Map(readings.map((reading) => [reading.id, { ...reading, fields: openReading(reading) }]))
  const placed = [...readingOf.values()].flatMap(({ fields }) => fields).filter(({ box }) => box)
  // a value from XML has the place where another reading found the same
  const placeOf = (read: ReadField) => placed.find(({ field, value }) => field === read.field && value === read.value)
  const data = BILL_FIELDS.flatMap((field) => {
    const [value, origin] = [bill[field], found?.origins[field]]
    if (value === null || !origin) return []
    const reading = readingOf.get(origin.event)
    const read = reading?.fields.find((one) => one.field === field)
    const { text = null, confidence = null } = read ?? {}
    const { page = null, box: points = null } = (read?.box ? read : read && placeOf(read)) ?? {}
    const box = points && points.map((point) => Math.round(point * 100) / 100)
    const method = reading?.method ?? 'user'
    return [{ field, value, method, page, box, text, confidence, event_id: origin.event }]
  })
  return { data }
}

function openReading({ id, sealed }: { id: string; sealed: string }): readonly ReadField[] {
  try {
    return (decryptForRow(id, Buffer.from(sealed, 'hex')) as { fields: ReadField[] }).fields // as keepReading() seals
  } catch (error) {
    log.error({ err: error, bill_reading_id: id }, 'findings of a bill could not be decrypted')
    return []
  }
}

/** Completes a row for an answer. Bank details that do not open are left out: the rest stays visible. */
function toBill({ sealed, ...row }: BillRow): Bill {
  const known = fieldsKnownIn(row, openDetails(row.id, sealed) ?? {})
  const all = BILL_FIELDS.map((field) => [field, known[field] ?? null])
  const whole = Object.fromEntries(all) as Record<BillField, string | null> // each field is a key
  return { ...row, ...whole, account_is_partial: namesPartOfAccount(known) }
}

/**
 * Completes a row for a change or a payment. Refuses `service_unavailable` if its bank details do not open: they must
 * not be overwritten, and the payee is unknown.
 */
export function fieldsIn({ sealed, ...row }: BillRow): BillFields {
  const details = openDetails(row.id, sealed)
  return details ? fieldsKnownIn(row, details) : refuseUnopened()
}

const fieldsKnownIn = (row: Omit<BillRow, 'sealed'>, details: BillFields): BillFields =>
  Object.fromEntries(
    BILL_FIELDS.flatMap((field) => {
      const value = row[field as keyof Plain] ?? details[field] // no bank detail is in the row itself
      return value === undefined ? [] : [[field, value]]
    }),
  )

/** Opens the bank details of a bill; null, and logged, if they do not open. */
export function openDetails(id: string, sealed: string | null): BillFields | null {
  if (sealed === null) return {}
  try {
    return (decryptForRow(id, Buffer.from(sealed, 'hex')) as { details: BillFields }).details // as sealDetails() seals
  } catch (error) {
    log.error({ err: error, bill_id: id }, 'the bank details of a bill could not be decrypted')
    return null
  }
}

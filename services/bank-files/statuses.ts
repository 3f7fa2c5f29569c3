/** Statuses of payments by file: from reports, and from what was booked. They go forward alone. */
import { bankFileFlow } from '../../domain/bank-files/flow.ts'
import type { FileStatus, StatusReason, StatusReport } from '../../domain/bank-files/messages.ts'
import { type BankStatus, ENDED, REACHED_FROM, STATUS_OF } from '../../domain/bank-files/payment-status.ts'
import { uuidOfFileId, fileIdOf } from '../../domain/bank-files/references.ts'
import { type BankFileId, isOwnId } from '../../domain/ids.ts'
import { isSameMoney, moneyOf } from '../../domain/money/money.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { onOneLine } from '../../domain/text.ts'
import { type Transaction, sql } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { move } from '../../db/processes/transition.ts'

/** Change of a payment that a bank has told of. */
export type PaymentChange = {
  readonly endToEndId: string
  readonly status: BankStatus
  readonly bankStatus?: string | undefined
  readonly detail?: string | undefined
  readonly returned?: string | undefined
  readonly charges?: string | undefined
  /** Instant by the books of the bank; now without. */
  readonly at?: string | undefined
}

/** Characters of what a bank says of a payment. */
const DETAIL_MAX = 255
export const detailOf = (reasons: readonly StatusReason[]): string =>
  onOneLine(reasons.map(({ code, text }) => [code, text].filter((word) => word !== null).join(' ')).join(', ')).slice(
    0,
    DETAIL_MAX,
  )

/** Reads the end-to-end id of a payment of ours as it was sent; null for another one. */
export function ownEndToEndId(text: string | null): string | null {
  const id = uuidOfFileId(text)
  return id && fileIdOf(id)
}

/** Applies changes that lead forward; wakes the files of the payments. */
export async function changePayments(
  tx: Transaction,
  connection: ConnectionName,
  changes: readonly PaymentChange[],
): Promise<void> {
  if (changes.length === 0) return
  const given = changes.map((one) => ({
    ends: one.endToEndId,
    status: one.status,
    reached_from: REACHED_FROM[one.status],
    bank_status: one.bankStatus ?? null,
    detail: one.detail ?? '',
    returned: one.returned ?? null,
    charges: one.charges ?? null,
    at: one.at ?? null,
  }))
  const changed = await tx<{ file_id: BankFileId | null }[]>`
    update bank_payments p set status = c.status, bank_status = coalesce(c.bank_status, p.bank_status), detail = c.detail,
      returned_amount = c.returned, charges_amount = c.charges,
      settled_charges_amount = case when c.status = 'settled' then c.charges else p.settled_charges_amount end, changes = p.changes + 1, moved_at = coalesce(c.at, business_now())
    from jsonb_to_recordset(${tx.json(given)}) c (ends text, status text, reached_from text[], bank_status text,
      detail text, returned numeric, charges numeric, at timestamptz)
    where p.connection = ${connection} and p.end_to_end_id = c.ends and p.status = any (c.reached_from)
    returning p.file_id`
  wakeFiles(tx, new Set(changed.flatMap(({ file_id: id }) => id ?? [])))
  await addLateCharges(tx, connection, changes)
  await noteReported(tx, connection, changes)
}

/** Stores charges of a booking that was heard of after the return of its payment. */
async function addLateCharges(tx: Transaction, connection: ConnectionName, changes: readonly PaymentChange[]) {
  const charged = changes.filter(({ charges, status }) => status === 'settled' && charges !== undefined)
  if (charged.length === 0) return
  await tx`
    update bank_payments p set settled_charges_amount = c.charges, changes = p.changes + 1
    from unnest(${charged.map(({ endToEndId }) => endToEndId)}::text[],
      ${charged.map(({ charges }) => charges ?? null)}::numeric[]) c (ends, charges)
    where p.connection = ${connection} and p.end_to_end_id = c.ends and p.status = 'returned'
      and p.settled_charges_amount is null`
}

/** Stores what a bank says of payments that our outbox lacks, if their ids are like ours. */
export async function noteReported(
  tx: Transaction,
  connection: ConnectionName,
  changes: readonly Pick<PaymentChange, 'endToEndId' | 'status'>[],
): Promise<void> {
  const own = changes.filter(({ endToEndId }) => isOwnId(uuidOfFileId(endToEndId) ?? ''))
  const noted = await tx<{ file_id: BankFileId | null }[]>`
    insert into bank_reported_payments as r (connection, end_to_end_id, status)
    select distinct on (c.ends) ${connection}, c.ends, c.status
    from unnest(${own.map(({ endToEndId }) => endToEndId)}::text[], ${own.map(({ status }) => status)}::text[]) c (ends, status)
    where not exists (select from bank_payments p where p.connection = ${connection} and p.end_to_end_id = c.ends)
    on conflict (connection, end_to_end_id) do update set status = excluded.status, reported_at = business_now()
    returning r.file_id`
  wakeFiles(tx, new Set(noted.flatMap(({ file_id: id }) => id ?? [])))
}

const wakeFiles = (tx: Transaction, ids: ReadonlySet<BankFileId>): void =>
  wake(tx, bankFileFlow, { ids: [...ids], why: 'payments_changed', organizationId: null, rail: 'fiat' })

/** Finds a file of ours by its message id, and locks it. */
export async function findFile(
  tx: Transaction,
  connection: ConnectionName,
  messageId: string,
): Promise<{ readonly id: BankFileId } | undefined> {
  const [row] = await tx<{ id: BankFileId }[]>`
    select id from bank_files
    where connection = ${connection} and message_id = ${ownEndToEndId(messageId) ?? messageId} and direction = 'out'
    for no key update`
  return row
}

/** Lists the end-to-end ids of payments of a file that have not ended. They include those that the outbox lacks. */
export async function openEnds(tx: Transaction, fileId: BankFileId): Promise<string[]> {
  const rows = await tx<{ end_to_end_id: string }[]>`
    select end_to_end_id from bank_payments where file_id = ${fileId} and status <> all (${[...ENDED]}::text[])
    union
    select end_to_end_id from bank_reported_payments
    where file_id = ${fileId} and status <> all (${[...ENDED]}::text[])`
  return rows.map(({ end_to_end_id: ends }) => ends)
}

/** Statuses of a whole file that the bank does not carry out. */
const REFUSED: readonly FileStatus[] = ['RJCT', 'CANC']

/**
 * Reasons by which a bank says that it has a file, or a payment, already. Nothing ends by them: what it took at first goes
 * on, and a person looks.
 */
const REPEATED = /^(?:DU0\d|AM05)$/
const isRepeat = (status: FileStatus | null, reasons: readonly StatusReason[]): boolean =>
  status === 'RJCT' && reasons.some(({ code }) => REPEATED.test(code ?? ''))

/** Books a report about a file of ours; answers what is wrong with it. */
export async function bookReport(
  tx: Transaction,
  connection: ConnectionName,
  report: StatusReport,
): Promise<{ readonly ends: readonly string[]; readonly faults: readonly string[] }> {
  const { about, status, reasons } = report
  const file = await findFile(tx, connection, about)
  const repeats = [report, ...report.payments].some((one) => isRepeat(one.status, one.reasons))
  const { named, faults } = await readPayments(tx, connection, report)
  if (repeats) faults.push(`repeated:${about}`)
  await changePayments(tx, connection, named)
  faults.push(...(await listRejectedReturns(tx, connection, named)))
  if (!file) {
    const known = await tx`
      select from bank_payments where connection = ${connection}
        and end_to_end_id = any (${named.map(({ endToEndId }) => endToEndId)}::text[]) limit 1`
    return {
      ends: named.map(({ endToEndId }) => endToEndId),
      faults: known.length > 0 ? faults : [...faults, `about_no_file:${about}`],
    }
  }
  if (repeats && status === 'RJCT') return { ends: named.map(({ endToEndId }) => endToEndId), faults }
  const whole = status && STATUS_OF[status]
  const single = new Set(named.map(({ endToEndId }) => endToEndId))
  const others = whole ? (await openEnds(tx, file.id)).filter((ends) => !single.has(ends)) : []
  if (status && whole) {
    const detail = detailOf(reasons)
    const all = others.map((endToEndId) => ({ endToEndId, status: whole, bankStatus: status, detail }))
    await changePayments(tx, connection, all)
    faults.push(...(await listRejectedReturns(tx, connection, all)))
  }
  if (status && REFUSED.includes(status)) await move(tx, bankFileFlow, file.id, { event: 'reject' })
  else await move(tx, bankFileFlow, file.id, { event: 'acknowledge' })
  return { ends: [...single, ...others], faults }
}

/**
 * Reads what a report says of single payments. Nothing is taken from one that names another amount than ours; one that is
 * rejected after the bank has booked it stays booked.
 */
async function readPayments(tx: Transaction, connection: ConnectionName, { payments }: StatusReport) {
  const own = payments.flatMap((one) => {
    const endToEndId = ownEndToEndId(one.endToEndId)
    const to = isRepeat(one.status, one.reasons) ? null : STATUS_OF[one.status]
    return endToEndId && to ? [{ one, endToEndId, to }] : []
  })
  const rows = await tx<{ ends: string; amount: string; currency: string; status: BankStatus }[]>`
    select end_to_end_id as ends, amount, currency, status from bank_payments
    where connection = ${connection} and end_to_end_id = any (${own.map(({ endToEndId }) => endToEndId)}::text[])`
  const known = new Map(rows.map((row) => [row.ends, row]))
  const [named, faults]: [PaymentChange[], string[]] = [[], []]
  for (const { one, endToEndId, to } of own) {
    const ours = known.get(endToEndId)
    if (ours && one.amount && !isSameMoney(one.amount, moneyOf(ours.amount, ours.currency))) {
      faults.push(`amount_differs:${endToEndId}`)
      continue
    }
    if (to === 'rejected' && ours?.status === 'settled') faults.push(`status_differs:${endToEndId}`)
    named.push({ endToEndId, status: to, bankStatus: one.status, detail: detailOf(one.reasons) })
  }
  return { named, faults }
}

/** Lists returns of deposits that are rejected: our books have them as back, and the bank still has the money. */
async function listRejectedReturns(
  tx: Transaction,
  connection: ConnectionName,
  changes: readonly PaymentChange[],
): Promise<string[]> {
  const ends = changes.flatMap(({ endToEndId, status }) => (status === 'rejected' ? [endToEndId] : []))
  if (ends.length === 0) return []
  const rows = await tx<{ ends: string }[]>`
    select end_to_end_id as ends from bank_payments
    where connection = ${connection} and kind = 'return' and status = 'rejected' and end_to_end_id = any (${ends}::text[])`
  return rows.map((row) => `return_rejected:${row.ends}`)
}

/** Payout that has changed, and how often. */
export type ChangedPayout = { readonly id: string; readonly changes: number }

/** Lists those of the payouts that have changed since their runs were called: they look at once. */
export async function listChanged(connection: ConnectionName, ends: readonly string[]): Promise<ChangedPayout[]> {
  const rows = await sql<ChangedPayout[]>`
    select id, changes from bank_payments
    where connection = ${connection} and kind = 'payout' and end_to_end_id = any (${[...ends]}::text[])
      and changes > changes_called`
  return [...rows]
}

/** Records about which changes the runs of payouts were called. After a crash before it they are called again. */
export async function noteCalled(connection: ConnectionName, called: readonly ChangedPayout[]): Promise<void> {
  if (called.length === 0) return
  await sql`
    update bank_payments p set changes_called = greatest(p.changes_called, c.changes)
    from unnest(${called.map(({ id }) => id)}::uuid[], ${called.map(({ changes }) => changes)}::integer[]) c (id, changes)
    where p.connection = ${connection} and p.id = c.id`
}

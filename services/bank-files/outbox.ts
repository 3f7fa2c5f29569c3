/** Outbox of a bank by files: payments wait in the file of their account and urgency. The commit is their acceptance. */
import { bankFileFlow } from '../../domain/bank-files/flow.ts'
import type { FileScheme, OutgoingPayment, StoredPage, StoredPayment } from '../../domain/bank-files/records.ts'
import { type BankFileId, newId } from '../../domain/ids.ts'
import { moneyOf } from '../../domain/money/money.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { encryptForRow } from '../../platform/encryption.ts'
import { type Fragment, type Transaction, first, sql, transaction, values } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { hashMatches, hashOf, sealHash } from '../idempotency.ts'

/** Name of a file before it is written. */
const UNNAMED = ''

/** Place of a payment: a file takes those of one account and urgency. */
type Place = { readonly connection: ConnectionName; readonly currency: string; readonly scheme: FileScheme }

/**
 * Puts a payment into the outbox, once; answers it as it is. Null if the outbox has another content under its id.
 * `flushMinutes`: the time that its file waits for others.
 */
export async function putPayment(
  connection: ConnectionName,
  { id, kind, scheme, payment }: OutgoingPayment,
  flushMinutes: number,
): Promise<StoredPayment | null> {
  const hash = hashOf({ kind, scheme, payment })
  return transaction(async (tx) => {
    const known = await findStored(tx, connection, id)
    if (known) return hashMatches(known.hash, hash) ? known : null
    const { amount, endToEndId } = payment
    const place = { connection, currency: amount.currency, scheme }
    const had = await findReported(tx, connection, endToEndId)
    const fileId = had ? had.file_id : await openFile(tx, place, flushMinutes)
    const put = await tx`
      insert into bank_payments ${values({
        connection,
        id,
        kind,
        file_id: fileId,
        end_to_end_id: endToEndId,
        amount: amount.amount,
        currency: amount.currency,
        hash: sealHash(hash),
        sealed: encryptForRow(id, payment),
        status: had?.status ?? 'pending',
      })}
      on conflict (connection, id) do nothing returning id`
    const stored = await findStored(tx, connection, id)
    if (!stored) throw new Error(`the end-to-end id of ${id} is that of another payment`)
    return put.length === 1 || hashMatches(stored.hash, hash) ? stored : null
  })
}

type ReportRow = { readonly status: string; readonly file_id: BankFileId | null }

/** Finds a payment that the bank has told of, or may have, before it was put here: it is not sent again. */
async function findReported(tx: Transaction, connection: ConnectionName, ends: string): Promise<ReportRow | undefined> {
  const [row] = await tx<ReportRow[]>`
    select status, file_id from bank_reported_payments where connection = ${connection} and end_to_end_id = ${ends}`
  return row
}

/** Tries to open a file against others that do the same. */
const TRIES = 5

/**
 * Finds the file that collects payments of a place, or begins one. Until the commit it is not written: its writer locks
 * it for update, and then sees all payments in it.
 */
async function openFile(tx: Transaction, place: Place, flushMinutes: number): Promise<BankFileId> {
  const { connection, currency, scheme } = place
  for (let tries = 0; tries < TRIES; tries += 1) {
    const [open] = await tx<{ id: BankFileId }[]>`
      select id from bank_files where connection = ${connection} and currency = ${currency} and scheme = ${scheme}
        and status = 'collecting' for key share`
    if (open) return open.id
    await beginFile(tx, place, flushMinutes)
  }
  throw new Error(`no file collects payments of ${connection}`)
}

/** Begins a file, unless another one collects. */
async function beginFile(tx: Transaction, place: Place, flushMinutes: number): Promise<BankFileId | null> {
  const { connection, currency, scheme } = place
  const id = newId<'bank_file'>()
  const begun = await tx`
    insert into bank_files (id, connection, direction, name, status, currency, scheme, due_at)
    values (${id}, ${connection}, 'out', ${UNNAMED}, 'collecting', ${currency}, ${scheme},
      business_now() + make_interval(secs => ${flushMinutes * 60}))
    on conflict do nothing returning id`
  if (begun.length === 0) return null
  wake(tx, bankFileFlow, { ids: [id], why: 'begun', status: 'collecting', organizationId: null, rail: 'fiat' })
  return id
}

type Left = Place & { readonly id: BankFileId }

/** Moves waiting payments of a file into the next one, which is due at once; the `taken` ones stay. */
export async function passOn(tx: Transaction, file: Left, taken: readonly string[] = []): Promise<void> {
  const left = await tx`
    select from bank_payments
    where file_id = ${file.id} and status = 'pending' and id <> all (${[...taken]}::uuid[]) limit 1`
  if (left.length === 0) return
  const { connection, currency, scheme } = file
  const next = await openFile(tx, { connection, currency, scheme }, 0)
  await tx`
    update bank_payments set file_id = ${next}
    where file_id = ${file.id} and status = 'pending' and id <> all (${[...taken]}::uuid[])`
}

type Row = {
  readonly id: string
  readonly end_to_end_id: string
  readonly status: StoredPayment['status']
  readonly detail: string
  readonly amount: string
  readonly currency: string
  readonly returned_amount: string | null
  readonly charges_amount: string | null
  readonly settled_charges_amount: string | null
  readonly moved_at: string
  readonly hash: string
  readonly seq: string
}

const selectStored = (): Fragment => sql`
  select p.id, p.end_to_end_id, p.detail, p.amount, p.currency, p.returned_amount, p.charges_amount,
    p.settled_charges_amount, p.moved_at, p.hash, p.seq, case when f.status = 'on_hold' and p.status in ('pending', 'processing') then 'on_hold' else p.status end as status
  from bank_payments p left join bank_files f on f.id = p.file_id`

type StoredRow = StoredPayment & { readonly hash: string; readonly seq: string }

function paymentOf({ currency, amount, ...row }: Row): StoredRow {
  const { returned_amount: returned, charges_amount: charges, settled_charges_amount: settled } = row
  const { id, end_to_end_id: endToEndId, status, detail, moved_at: movedAt, hash, seq } = row
  const some = (numeric: string | null) => (numeric === null ? null : moneyOf(numeric, currency))
  const amounts = {
    amount: moneyOf(amount, currency),
    returned: some(returned),
    charges: some(charges),
    settledCharges: some(settled),
  }
  return { id, endToEndId, status, detail, ...amounts, movedAt, hash, seq }
}

async function findStored(tx: Transaction, connection: ConnectionName, id: string): Promise<StoredRow | undefined> {
  const [row] = await tx<Row[]>`
    ${selectStored()} where p.connection = ${connection} and p.id = ${id}`
  return row && paymentOf(row)
}

/** Finds a payment of the outbox; null if it never came here. */
export async function findPayment(connection: ConnectionName, id: string): Promise<StoredPayment | null> {
  const row = await first(sql<Row[]>`
    ${selectStored()} where p.connection = ${connection} and p.id = ${id} and p.kind = 'payout'`)
  return row ? paymentOf(row) : null
}

const PAGE = 50

/** Lists payouts in the order in which they came. */
export async function listPayments(
  connection: ConnectionName,
  after: string | undefined,
): Promise<StoredPage<StoredPayment>> {
  const rows = await sql<Row[]>`
    ${selectStored()} where p.connection = ${connection} and p.kind = 'payout' and p.seq > ${after ?? '0'}::bigint
    order by p.seq limit ${PAGE}`
  return { data: rows.map(paymentOf), next: rows.length === PAGE ? (rows.at(-1)?.seq ?? null) : null }
}

/** Books of the stand-in of a bank by files. Each change is made under the lock of its bank. */
import type { ConnectionName, PayoutStatus } from '../../domain/partner.ts'
import type { Money } from '../../domain/money/money.ts'
import { type Transaction, sql } from '../../db/postgres/sql.ts'
import { config } from '../../platform/config.ts'
import type { Sender } from './deposits.ts'

const BATCH = 10_000
const FILES_AT_ONCE = 20
const STEP_SECONDS = config.sandboxSettleMs / 2000

export type LockedBank = { readonly day: string; readonly booksSums: boolean }

/** Locks the books of a bank for the transaction; answers its business day. */
export async function lockBank(tx: Transaction, partner: ConnectionName): Promise<LockedBank> {
  await tx`insert into sandbox_banks (partner) values (${partner}) on conflict do nothing`
  const [bank] = await tx<LockedBank[]>`
    select (business_now() at time zone 'UTC')::date as day, books_sums as "booksSums"
    from sandbox_banks where partner = ${partner} for update`
  if (!bank) throw new Error('a bank that was made is gone')
  return bank
}

/** Has batches booked as sums, without their payments, or not. */
export async function bookSums(partner: ConnectionName, booksSums: boolean): Promise<void> {
  await sql`
    insert into sandbox_banks (partner, books_sums) values (${partner}, ${booksSums})
    on conflict (partner) do update set books_sums = excluded.books_sums`
}

export const businessDay = async (): Promise<string> => {
  const [row] = await sql<{ day: string }[]>`select (business_now() at time zone 'UTC')::date as day`
  return row?.day ?? ''
}

type TakenFile = { readonly name: string; readonly hash: string }

/** Tells whether the file was taken, and is there only because its server died. */
export async function isLeft(tx: Transaction, partner: ConnectionName, { hash, name }: TakenFile): Promise<boolean> {
  const left = await tx`
    select from sandbox_bank_messages
    where partner = ${partner} and name = ${name} and not removed and hash = ${hash}`
  return left.length > 0
}

export async function isKnownMessage(tx: Transaction, partner: ConnectionName, messageId: string): Promise<boolean> {
  const known = await tx`
    select from sandbox_bank_messages where partner = ${partner} and message_id = ${messageId} limit 1`
  return known.length > 0
}

export async function noteTaken(
  tx: Transaction,
  partner: ConnectionName,
  { hash, messageId, name }: TakenFile & { readonly messageId: string | null },
): Promise<void> {
  await tx`
    insert into sandbox_bank_messages (partner, name, hash, message_id)
    values (${partner}, ${name}, ${hash}, ${messageId})`
}

export async function noteRemoved(partner: ConnectionName, name: string): Promise<void> {
  await sql`update sandbox_bank_messages set removed = true where partner = ${partner} and name = ${name} and not removed`
}

export async function listKnown(
  tx: Transaction,
  partner: ConnectionName,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await tx<{ id: string }[]>`
    select id from sandbox_payouts where partner = ${partner} and id = any (${[...ids]}::uuid[])`
  return new Set(rows.map(({ id }) => id))
}

/** Members of a transfer that its reports and its entry repeat. */
export type TransferDocument = {
  /** Status that was reported last. */
  readonly reported: PayoutStatus
  readonly messageId: string
  readonly batch: string
  readonly isBatchBooked: boolean
  readonly iban: string
  readonly endToEndId: string
  readonly instructionId: string | null
  readonly creditor: string
  readonly creditorAccount: string
  readonly remittance: string | null
}
export type NewTransfer = {
  readonly id: string
  readonly hash: string
  readonly amount: string
  readonly currency: string
  readonly status: 'pending' | 'rejected'
  readonly detail: string
  readonly reference: string
  readonly document: TransferDocument
}

/** Makes payouts of transfers; as many as the fault `manual` has left wait to be moved. */
export async function makeTransfers(
  tx: Transaction,
  partner: ConnectionName,
  transfers: readonly NewTransfer[],
): Promise<void> {
  const [fault] = await tx<{ times: number }[]>`
    select times from sandbox_faults where partner = ${partner} and fault = 'manual' and times > 0 for update`
  const accepted = transfers.filter(({ status }) => status === 'pending').map(({ id }) => id)
  const manual = new Set(accepted.slice(0, fault?.times ?? 0))
  if (manual.size > 0)
    await tx`update sandbox_faults set times = times - ${manual.size} where partner = ${partner} and fault = 'manual'`
  const rows = transfers.map((one) => ({ ...one, manual: manual.has(one.id) }))
  await tx`
    insert into sandbox_payouts (partner, id, body_hash, amount, currency, status, detail, reference, own_reference,
      document, manual, due_at)
    select ${partner}, t.id, t.hash, t.amount, t.currency, t.status, t.detail, t.reference, t.reference, t.document,
      t.manual, case when t.status = 'pending' and not t.manual
        then clock_timestamp() + make_interval(secs => ${STEP_SECONDS}) end
    from jsonb_to_recordset(${sql.json(rows)}) t (id uuid, hash text, amount text, currency text, status text,
      detail text, reference text, document jsonb, manual boolean)`
}

export type ChangedTransfer = {
  readonly id: string
  readonly status: PayoutStatus
  readonly detail: string
  readonly amount: string
  readonly currency: string
  readonly own_reference: string
  readonly returned: Money | null
  readonly charges: Money | null
  readonly document: TransferDocument
}

/** Lists payouts whose present status was not reported. */
export const listChanged = async (tx: Transaction, partner: ConnectionName): Promise<ChangedTransfer[]> => [
  ...(await tx<ChangedTransfer[]>`
    select id, status, detail, amount, currency, own_reference, returned, charges, document from sandbox_payouts
    where partner = ${partner} and document ? 'reported' and document ->> 'reported' <> status
    order by seq limit ${BATCH}`),
]

/** Tells whether a payout or a deposit was not reported. */
export async function hasChanges(partner: ConnectionName): Promise<boolean> {
  const [row] = await sql<{ has: boolean }[]>`
    select exists (select from sandbox_payouts
      where partner = ${partner} and document ? 'reported' and document ->> 'reported' <> status)
    or exists (select from sandbox_deposits where partner = ${partner} and document is null) as has`
  return row?.has ?? false
}

/** Lists the batches of messages of which a payment has no end yet. */
export async function listOpenBatches(tx: Transaction, partner: ConnectionName): Promise<Set<string>> {
  const rows = await tx<{ batch: string }[]>`
    select distinct document ->> 'messageId' || '/' || (document ->> 'batch') as batch from sandbox_payouts
    where partner = ${partner} and status in ('pending', 'processing', 'on_hold') and document ? 'reported'`
  return new Set(rows.map(({ batch }) => batch))
}

export async function noteReported(
  tx: Transaction,
  partner: ConnectionName,
  changed: readonly { readonly id: string; readonly status: PayoutStatus }[],
): Promise<void> {
  await tx`
    update sandbox_payouts p set document = p.document || jsonb_build_object('reported', c.status)
    from jsonb_to_recordset(${sql.json([...changed])}) c (id uuid, status text)
    where p.partner = ${partner} and p.id = c.id`
}

export type ArrivedDeposit = {
  readonly id: string
  readonly account: string
  readonly amount: string
  readonly currency: string
  readonly sender: Sender
  readonly reference: string
}

/** Takes deposits that have no entry yet: they get one in this transaction. */
export const takeArrived = async (tx: Transaction, partner: ConnectionName): Promise<ArrivedDeposit[]> => [
  ...(await tx<ArrivedDeposit[]>`
    update sandbox_deposits d set document = '{}'
    from (select id, seq from sandbox_deposits where partner = ${partner} and document is null
      order by seq limit ${BATCH}) a
    where d.partner = ${partner} and d.id = a.id
    returning d.id, d.account, d.amount, d.currency, d.sender, d.reference`),
]

export type NewFile = { readonly name: string; readonly content: string; readonly lateMs?: number }

/** Stores files to give; each is written once its time has come. */
export async function storeFiles(tx: Transaction, partner: ConnectionName, files: readonly NewFile[]): Promise<void> {
  await tx`
    insert into sandbox_bank_files (partner, name, content, due_at)
    select ${partner}, f.name, f.content, clock_timestamp() + make_interval(secs => coalesce(f."lateMs", 0) / 1000.0)
    from jsonb_to_recordset(${sql.json([...files])}) f (name text, content text, "lateMs" integer)`
}

/** Takes due files; those that another server writes are left to it. */
export const takeDueFiles = async (tx: Transaction, partner: ConnectionName): Promise<NewFile[]> => [
  ...(await tx<NewFile[]>`
    select name, content from sandbox_bank_files
    where partner = ${partner} and not written and due_at <= clock_timestamp()
    order by seq limit ${FILES_AT_ONCE} for update skip locked`),
]

export async function noteWritten(tx: Transaction, partner: ConnectionName, names: readonly string[]): Promise<void> {
  await tx`update sandbox_bank_files set written = true where partner = ${partner} and name = any (${[...names]})`
}

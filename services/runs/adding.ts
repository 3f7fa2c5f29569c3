/** Bills that are added to a draft: a row for each that its own payment would not be refused. */
import type { Person } from '../../domain/people/actor.ts'
import { payeeAddressIn } from '../../domain/bills/account.ts'
import type { Cells } from '../../domain/batches/columns.ts'
import { REFUSALS, Refusal, type RefusalType, refuse } from '../../domain/errors.ts'
import { type BatchId, type BillId, newId } from '../../domain/ids.ts'
import { type Money, moneyOf } from '../../domain/money/money.ts'
import { type BatchBills, BILLS_MAX, type NewBatchBills } from '../../domain/runs/run.ts'
import { requireDraft } from '../batches/commands.ts'
import { type LockedBill, lockAllBills } from '../bills/fields.ts'
import { textsOf } from '../bills/payment.ts'
import { storeAddress } from '../contacts/addresses.ts'
import { type JudgedRow, type NewBillRow, addBillRows } from '../run-rows/rows.ts'
import { type Tx, sql } from '../../db/postgres/sql.ts'
import { type CreditedBill, isCredit, setCredits } from './credits.ts'
import { type DayOfRun, type RunBill, passAsRow, readFacts } from './gate.ts'

type Outcome = Omit<BatchBills, 'batch'>

/** Bills by their outcome: passed by its gates, or refused. */
type BillsByOutcome = {
  readonly passed: Map<string, RunBill>
  readonly refused: Map<string, Refusal>
}

/**
 * Adds bills to a draft, a row each, and sets credit notes against those of their suppliers. A bill that its own
 * payment would refuse is answered with that refusal, and stays out; one that is in the batch already is answered as
 * added. Refuses `not_found`, `batch_not_draft`, and `unprocessable_entity` for more bills than a batch takes.
 */
export async function addBills(tx: Tx, person: Person, batchId: BatchId, asked: NewBatchBills): Promise<Outcome> {
  const ids = [...new Set(asked.bill_ids)]
  await requireDraft(tx, batchId)
  const before = await findRows(tx, batchId)
  const there = new Map(before.map((row) => [row.bill_id as string, row]))
  const fresh = ids.filter((id) => !there.has(id))
  if (before.length + fresh.length > BILLS_MAX + CREDITS_MAX) tooMany()
  const bills = new Map((await lockAllBills(tx, fresh)).map((bill) => [bill.id, bill]))
  const named = fresh.flatMap((id) => bills.get(id) ?? [])
  const payable = named.filter((bill) => !isCredit(bill))
  if (before.length + payable.length > BILLS_MAX) tooMany()
  const sorted = await sortBills(tx, person, payable, { batchId, on: dayIn(asked) })
  await keepDay(tx, batchId, sorted, { isFirst: before.length === 0, isAsked: asked.on !== undefined })
  await requireDay(tx, batchId, sorted, { on: asked.on, again: ids.filter((id) => there.has(id)) })
  const { bills: credited, refused } = await setCredits(
    tx,
    [...sorted.passed].map(([id, { money }]) => ({ billId: id as BillId, money })), // of the bills that were locked
    named.filter(isCredit),
  )
  for (const [id, refusal] of refused) sorted.refused.set(id, refusal)
  const rows = await addBillRows(tx, batchId, await toRows(tx, credited, sorted.passed))
  return answerOf(asked.bill_ids, [...before, ...rows], { credited, refused: sorted.refused })
}

/** Credit notes beside the bills of a batch. */
const CREDITS_MAX = BILLS_MAX

const tooMany = (): never => refuse('unprocessable_entity', { reason: 'too_many_bills', limit: BILLS_MAX })

/** Reads the rows of a draft that pay bills. */
const findRows = (tx: Tx, batchId: BatchId) => tx<JudgedRow[]>`
  select id, bill_id, row_number, amount, currency, '[]'::jsonb as errors from payment_batch_rows
  where payment_batch_id = ${batchId} and bill_id is not null order by row_number`

const dayIn = ({ on }: NewBatchBills): DayOfRun => {
  if (on === undefined) return {}
  return on === 'due_date' ? { on_due_date: true } : { execute_on: on }
}

async function sortBills(
  tx: Tx,
  person: Person,
  bills: readonly LockedBill[],
  run: { readonly batchId: BatchId; readonly on: DayOfRun },
): Promise<BillsByOutcome> {
  const passed = new Map<string, RunBill>()
  const refused = new Map<string, Refusal>()
  const read = await readFacts(
    tx,
    bills.map(({ id }) => id),
  )
  for (const bill of bills) {
    const outcome = await passAsRow(tx, person, bill, { ...run, read })
    if (outcome instanceof Refusal) refused.set(bill.id, outcome)
    else passed.set(bill.id, outcome)
  }
  return { passed, refused }
}

/**
 * Keeps the day of the bills as that of the batch. A batch is paid on one day: bills that are due on another are refused.
 * A day that is over counts as today, which is none.
 */
async function keepDay(
  tx: Tx,
  batchId: BatchId,
  { passed, refused }: BillsByOutcome,
  { isFirst, isAsked }: { readonly isFirst: boolean; readonly isAsked: boolean },
): Promise<void> {
  if (!isAsked) return
  const [batch] = await tx<{ day: string | null; today: string }[]>`
    select execute_on as day, local_date(${tx.organizationId}, business_now())::text as today
    from payment_batches where id = ${batchId}`
  const today = batch?.today ?? ''
  const dayOf = ({ on }: RunBill): string | null => (on && on.day > today ? on.day : null)
  const [first] = passed.values()
  const day = isFirst ? (first ? dayOf(first) : null) : (batch?.day ?? null)
  for (const [id, bill] of passed) {
    if (dayOf(bill) === day) continue
    passed.delete(id)
    refused.set(id, ofAnotherDay(day))
  }
  if (isFirst && passed.size > 0) await tx`update payment_batches set execute_on = ${day} where id = ${batchId}`
}

/** Refuses another day than that of the batch to bills that are in it already: they would keep it unseen. */
async function requireDay(
  tx: Tx,
  batchId: BatchId,
  { refused }: BillsByOutcome,
  { on, again }: Pick<NewBatchBills, 'on'> & { readonly again: readonly BillId[] },
): Promise<void> {
  if (on === undefined || again.length === 0) return
  const asked = on === 'due_date' ? sql`bills.due_date` : sql`${on}::date`
  const others = await tx<{ id: string; day: string | null }[]>`
    select bills.id, batch.execute_on::text as day from bills join payment_batches batch on batch.id = ${batchId}
    where bills.id = any (${[...again]}::uuid[])
      and batch.execute_on is distinct from (
        select ${asked} where ${asked} > local_date(${tx.organizationId}, business_now()))`
  for (const { id, day } of others) refused.set(id, ofAnotherDay(day))
}

const ONE_DAY = 'A batch is paid on one day: put bills of another day into another batch, or name one day for all.'

const ofAnotherDay = (day: string | null) =>
  new Refusal('invalid_schedule', { reason: 'another_day', execute_on: day, what_to_do: ONE_DAY })

/** Makes the row of each bill: to its contact, or to its account under the name that the bill gives. */
async function toRows(
  tx: Tx,
  credited: readonly CreditedBill[],
  passed: ReadonlyMap<string, RunBill>,
): Promise<NewBillRow[]> {
  const rows: NewBillRow[] = []
  for (const { billId, money, credits } of credited) {
    const bill = passed.get(billId)
    if (!bill) throw new Error('a credited bill has passed')
    const { asked, destination } = bill
    const address = destination.rail === 'fiat' ? await storeAddress(tx, payeeAddressIn(asked.fields)) : null
    rows.push({
      id: newId(),
      billId,
      cells: cellsOf(bill, money),
      destinationId: destination.id,
      addressId: address && address.id,
      credits,
    })
  }
  return rows
}

/** Writes the cells of a bill, as a file would have them. */
function cellsOf({ payee, asked }: RunBill, { amount, currency }: Money): Cells {
  const { payout_reason, statement_description } = textsOf({}, asked.fields)
  const { bill_number: number } = asked.fields
  const paid = { amount, currency, payout_reason, statement_description, ...(number && { reference: number }) }
  if (!payee.given) return { payment_contact_id: payee.contactId, ...paid }
  const { country_code: country, ...account } = payee.given.coordinates
  const named = Object.entries({ ...account, bank_country: country })
  return { ...Object.fromEntries(named.flatMap(([name, cell]) => (cell ? [[name, cell]] : []))), ...paid }
}

type Outcomes = { readonly credited: readonly CreditedBill[]; readonly refused: ReadonlyMap<string, Refusal> }

/** Answers each bill in the order of the request. */
function answerOf(asked: readonly BillId[], rows: readonly JudgedRow[], { credited, refused }: Outcomes): Outcome {
  const rowOf = new Map(rows.map((row) => [row.bill_id as string, row]))
  const creditOf = new Map(
    credited.flatMap(({ billId, credits }) => credits.map((credit) => [credit.billId as string, { billId, credit }])),
  )
  const added: Outcome['added'] = []
  const refusals: Outcome['refused'] = []
  for (const [index, id] of asked.entries()) {
    const used = creditOf.get(id)
    const row = rowOf.get(used?.billId ?? id)
    const refusal = refused.get(id) ?? (row ? refusalIn(row) : new Refusal('not_found'))
    if (refusal || !row) {
      const { type, message, details } = refusal ?? new Refusal('not_found')
      refusals.push({ bill_id: id, index, type, message, details: { ...details } })
    } else {
      const amount = moneyOf(used?.credit.amount ?? row.amount ?? '0', row.currency ?? '')
      added.push({ bill_id: id, index, row_number: row.row_number, amount })
    }
  }
  return { added, refused: refusals }
}

/** Reads the refusal of a row that its verdict finds faulty. */
function refusalIn({ errors: [fault] }: JudgedRow): Refusal | undefined {
  if (!fault) return undefined
  const { code, message, column } = fault
  const type: RefusalType = code in REFUSALS ? (code as RefusalType) : 'unprocessable_entity' // a key of REFUSALS
  return new Refusal(type, { reason: code, column, what_to_do: message })
}

/** A great run of bills among which traps stand, whose worker is killed while it is paid. */
import { expect, test } from 'vitest'
import { ibanOf, randomBy } from '../../dev/sample-bills/random.ts'
import { approve, fund, organization, person } from '../support/api.ts'
import { ended, submit, violations } from '../support/batches/batches.ts'
import { addBills, runOf } from '../support/batches/bills.ts'
import { newBatch } from '../support/batches/imports.ts'
import { cancel, change, requestPayment, typedBill } from '../support/bills/bills.ts'
import { owner } from '../support/database.ts'
import { closeGate, installGates } from '../support/faults/gates.ts'
import { usePartners } from '../support/partners/partners.ts'
import { startWorker } from '../support/processes.ts'

usePartners()

const [BILLS, TRAPS, SEED] = [500, 40, 7]
const PATIENCE_MS = 600_000

test('500 bills with 40 traps are paid once each, or refused, and the worker is killed meanwhile', async () => {
  await installGates({ settle: { on: 'update on payment_batches', when: 'new.rows_begun > old.rows_begun' } })
  const random = randomBy(SEED)
  const boss = await person({ authenticator: true })
  const { id } = await organization(boss, 'Payer')
  const { id: foreign } = await organization(boss, 'Another')
  await fund(id, '500000.00', 'EUR')
  const suppliers = Array.from({ length: 25 }, (_, at) => ({
    supplier_name: `Supplier ${at} GmbH`,
    supplier_tax_id: null,
    iban: ibanOf(random, 'DE'),
  }))
  const made = async (at: number, more: object = {}, by = id): Promise<string> => {
    const of = {
      ...suppliers[at % suppliers.length],
      issue_date: null,
      bill_number: `N-${at}`,
      amount: `${10 + at}.00`,
    }
    return (await typedBill(boss, by, { ...of, ...more })).id
  }
  const bills = await inTurns(BILLS, (at) => made(at))
  const trapped = shuffled(
    bills.map((_, at) => at),
    random,
  ).slice(0, TRAPS)
  /** Bills that are forbidden before they are added, and others that change later. */
  const [before, after] = [trapped.slice(0, TRAPS / 2), trapped.slice(TRAPS / 2)]
  const other = await newBatch(boss, id)
  const traps = [
    (bill: string) => cancel(boss, bill),
    (bill: string) => change(boss, bill, { not_payable: 'direct_debit' }),
    (bill: string) => change(boss, bill, { amount: null }),
    (_: string, at: number) => made(at), // a second copy
    (bill: string) => requestPayment(boss, bill),
    (bill: string) => addBills(boss, other, [bill]),
    (bill: string) => change(boss, bill, { iban: ibanOf(random, 'DE') }), // typed by the only approver
  ]
  for (const [place, at] of before.entries()) await traps[place % traps.length]?.(bills[at]!, at)
  const strangers = [await made(1, {}, foreign), crypto.randomUUID()]
  const few = await runOf(boss, id, [...bills.slice(0, BILLS - 2), ...strangers])
  const rest = await addBills(boss, few.id, bills.slice(BILLS - 2))
  const refused = [...few.refused, ...rest.body.refused].map(({ bill_id: bill }) => bill as string)
  expect(refused.toSorted()).toEqual([...before.map((at) => bills[at]!), ...strangers].toSorted())
  const { body: asked } = await submit(boss, few.id)
  for (const [place, at] of after.entries()) {
    const answer = place % 2 === 0 ? await change(boss, bills[at]!, { amount: '1.00' }) : await cancel(boss, bills[at]!)
    expect(answer.status).toBe(200)
  }
  let gate = await closeGate('settle', id)
  let worker = await startWorker()
  expect((await approve(boss, asked)).status).toBe(200)
  for (let kill = 0; kill < 3; kill += 1) {
    await gate.waiting()
    await worker.kill()
    await gate.open()
    if (kill < 2) gate = await closeGate('settle', id)
    worker = await startWorker()
  }
  expect(await ended(few.id, PATIENCE_MS)).toMatchObject({ rows_succeeded: BILLS - TRAPS, rows_failed: 0 })
  const paid = await owner<{ bill: string; amount: string; payments: number }[]>`
    select b.id as bill, sum(p.landing_amount)::text as amount, count(*)::int as payments
    from bills b join payments p on p.bill_id = b.id and p.payment_batch_id = ${few.id}
    where b.payment_id = p.id and b.status = 'payment_requested' and p.status = 'succeeded' group by b.id`
  const wanted = bills.flatMap((bill, at) =>
    trapped.includes(at) ? [] : [{ bill, amount: `${10 + at}.00`, payments: 1 }],
  )
  const inOrder = (all: readonly { bill: string }[]) => all.toSorted((one, two) => one.bill.localeCompare(two.bill))
  expect(inOrder(paid.map((one) => ({ ...one, amount: Number(one.amount).toFixed(2) })))).toEqual(inOrder(wanted))
  expect(await violations(id)).toEqual([])
  await worker.stop()
}, 900_000)

/** Makes rows, a few at once, and answers them in their order. */
async function inTurns(count: number, make: (at: number) => Promise<string>): Promise<string[]> {
  const all: string[] = []
  for (let at = 0; at < count; at += 10) {
    all.push(...(await Promise.all(Array.from({ length: Math.min(10, count - at) }, (_, more) => make(at + more)))))
  }
  return all
}

const shuffled = <Item>(all: readonly Item[], random: () => number): Item[] =>
  all
    .map((one) => ({ one, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ one }) => one)

/** Accounts that are found by their number: under another name they are another payee, in batches and in bills. */
import { expect, test } from 'vitest'
import { payoutOf } from '../../../services/payments/orders.ts'
import { asSystem } from '../../../db/postgres/sql.ts'
import type { OrganizationId, PaymentId } from '../../../domain/ids.ts'
import { ANNA, BERT, bankAt, confirmCall, payerOfTwo } from '../../support/account-changes.ts'
import { api, approvalPath, approve, fund } from '../../support/api.ts'
import { approvalOf, setRules } from '../../support/approvals/approvals.ts'
import {
  atRest,
  changeRow,
  newBatch,
  rowsOf,
  uploaded,
  importFile,
  TERMS,
  fileOf,
  readBatch,
} from '../../support/batches/imports.ts'
import { violations } from '../../support/batches/batches.ts'
import { detail, requestPayment, typedBill } from '../../support/bills/bills.ts'
import { BANK, contactWith } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const HOLDER = 'Supplier GmbH'

/** A payer with money who pays approved contacts, and one with an account of this holder. */
async function payerOf(holder = HOLDER) {
  const at = await contactWith([{ ...BANK, account_holder_name: holder }])
  await fund(at.payer.id, '900.00', 'EUR')
  await setRules(at.payer.id, at.boss, [{ action_type: 'payment_contact', steps: [{ required: 1, roles: ['owner'] }] }])
  return at
}

type Payer = Awaited<ReturnType<typeof payerOf>>

const toHolder = (holder: string, amount = '1.00') => `,,${holder},${BANK.iban},${amount},EUR,${TERMS}`

/** A draft of these rows, after the bank was asked about them. */
async function drafted(at: Payer, rows: readonly string[]) {
  const id = await newBatch(at.boss, at.payer.id)
  await importFile(at.boss, id, await uploaded(at.boss, id, fileOf(...rows)))
  await atRest(at.boss, id)
  await asked(id)
  return id
}

const asked = (id: string) =>
  until('the bank to be asked about all rows', async () => {
    const [row] = await owner`select payees_unasked from payment_batches where id = ${id}`
    return row?.['payees_unasked'] === false
  })

const codesOf = (row: { warnings: { code: string }[] }) =>
  row.warnings.map(({ code }) => code).filter((code) => !['address_missing', 'duplicate_in_file'].includes(code))

test('a row that names another holder of an approved account is asked about, warned of and paid under its own name', async () => {
  const at = await payerOf()
  const id = await drafted(at, [toHolder('No Match GmbH', '3.00'), toHolder('SUPPLIER GMBH', '2.00')])
  const [other, same] = await rowsOf(at.boss, id)
  expect([other.status, codesOf(other), other.payee, other.known_holder, other.payee_check.result]).toEqual([
    'valid',
    ['holder_differs', 'payee_no_match'],
    'No Match GmbH',
    HOLDER,
    'no_match',
  ])
  expect([codesOf(same), same.known_holder, same.payee_check.result]).toEqual([[], null, 'match'])
  const refused = await api('POST', `/payment-batches/${id}/submit`, { token: at.boss.token, body: {} })
  expect([refused.status, refused.body.error.type]).toEqual([422, 'payee_mismatch'])
  const body = { acknowledge_payee_check: true }
  const batch = (await api('POST', `/payment-batches/${id}/submit`, { token: at.boss.token, body })).body
  const approval = await approvalOf(batch, at.boss)
  expect(approval.subject.payment_batch).toMatchObject({ holders_differ: 1 })
  expect(approval.subject.payment_batch.largest[0].payee).toMatch(
    /^"No Match GmbH", IBAN …\w+, known as "Supplier GmbH"$/,
  )
  expect(approval.summary).toContain('known as "Supplier GmbH"')
  expect(approval.warnings).toEqual(expect.arrayContaining(['holder_differs', 'payee_no_match']))
  expect((await approve(at.boss, batch)).status).toBe(200)
  await until('the batch to end', async () => (await readBatch(at.boss, id)).status === 'completed')
  expect(await ordered(at, id)).toEqual(['No Match GmbH', HOLDER])
  expect(await violations(at.payer.id)).toEqual([])
})

/** Holders that the bank was told to pay, in the order of the rows. */
async function ordered({ payer }: Payer, id: string): Promise<string[]> {
  const rows = await owner<{ payment_id: PaymentId }[]>`
    select payment_id from payment_batch_rows where payment_batch_id = ${id} order by row_number`
  const payouts = await Promise.all(
    rows.map((row) => asSystem(payer.id as OrganizationId, (tx) => payoutOf(tx, row.payment_id))),
  )
  return payouts.map(({ beneficiary }) => beneficiary['account_holder_name'] ?? '')
}

test('a corrected name is the contact again, and a changed one is not', async () => {
  const at = await payerOf()
  const id = await drafted(at, [toHolder(HOLDER)])
  const [row] = await rowsOf(at.boss, id)
  const changed = (await changeRow(at.boss, id, row.id, { account_holder_name: 'No Match GmbH' })).body
  expect([codesOf(changed), changed.known_holder, changed.payee_check]).toEqual([['holder_differs'], HOLDER, null])
  await asked(id)
  expect((await rowsOf(at.boss, id))[0].payee_check.result).toBe('no_match')
  const again = (await changeRow(at.boss, id, row.id, { account_holder_name: 'supplier gmbh' })).body
  expect([codesOf(again), again.known_holder]).toEqual([[], null])
})

let bills = 0
/** A bill of this supplier with the account of the contact. */
const billOf = ({ boss, payer }: Payer, more: object) =>
  typedBill(boss, payer.id, { iban: BANK.iban, supplier_tax_id: null, bill_number: `R-${(bills += 1)}`, ...more })

const mismatch = { acknowledge_payee_check: true }

/** The approval of the payment that was asked for. */
async function asksFor(at: Payer, bill: { id: string }, body: object = mismatch) {
  const requested = await requestPayment(at.boss, bill.id, body)
  expect(requested.body).toMatchObject({ status: 'payment_requested', payment_contact_id: at.contact })
  const ref: { id: string; organization_id: string; approval_request_id: string } = requested.body
  return { ref, approval: await approvalOf(ref, at.boss) }
}

test('a bill that names another holder of a known account is asked about, warned of and paid under its own name', async () => {
  const at = await payerOf()
  const bill = await billOf(at, { supplier_name: 'No Match GmbH' })
  expect(bill.holder_differs).toBe(true)
  expect((await detail(at.boss, bill.id)).known_holder).toBe(HOLDER)
  const refused = await requestPayment(at.boss, bill.id)
  expect([refused.status, refused.body.error.type, refused.body.error.details]).toEqual([
    422,
    'payee_mismatch',
    { result: 'no_match' },
  ])
  const { approval, ref } = await asksFor(at, bill)
  expect(approval.subject.fiat_outgoing).toMatchObject({
    destination: { account_holder_name: 'No Match GmbH', known_holder: HOLDER },
    payee_check: { result: 'no_match', holder: 'No Match GmbH' },
  })
  expect(approval.summary).toMatch(/to "No Match GmbH" \(IBAN …\w+, known as "Supplier GmbH"\)/)
  expect(approval.warnings).toEqual(expect.arrayContaining(['holder_differs', 'payee_no_match']))
  const { body } = await api('GET', `${approvalPath(ref)}/evidence`, { token: at.boss.token })
  expect(JSON.parse(body.subject_body).known_as).toEqual(expect.any(String))
  expect(body.subject_body).not.toContain('Supplier')
  expect((await approve(at.boss, ref)).status).toBe(200)
  const { id } = approval.subject.fiat_outgoing
  const { beneficiary } = await asSystem(at.payer.id as OrganizationId, (tx) => payoutOf(tx, id))
  expect(beneficiary).toMatchObject({ account_holder_name: 'No Match GmbH', iban: BANK.iban })
  expect(await violations(at.payer.id)).toEqual([])
})

test('a contact that is named for a bill does not lend its name to the bill', async () => {
  const at = await payerOf()
  const bill = await billOf(at, { supplier_name: 'Any Shop', account_holder_name: 'Close Match Ltd' })
  const { approval } = await asksFor(at, bill, { ...mismatch, payment_contact_id: at.contact })
  expect(approval.subject.fiat_outgoing.payee_check).toMatchObject({ result: 'close_match', holder: 'Close Match Ltd' })
  expect(approval.warnings).toContain('holder_differs')
})

test.each([
  ['the spelling of its holder', { supplier_name: 'SUPPLIER  GmbH' }],
  ['a supplier that is called as the contact is', { supplier_name: 'Payee' }],
  ['a holder under another supplier', { supplier_name: 'No Match GmbH', account_holder_name: 'Supplier GmbH.' }],
])('a bill with %s pays the contact itself', async (_, named) => {
  const at = await payerOf()
  const bill = await billOf(at, named)
  expect([bill.holder_differs, (await detail(at.boss, bill.id)).known_holder]).toEqual([false, null])
  const { approval } = await asksFor(at, bill, {})
  expect(approval.subject.fiat_outgoing).toMatchObject({
    destination: { account_holder_name: HOLDER, known_holder: null },
    payment_contact: { id: at.contact },
    payee_check: { result: 'match', holder: HOLDER },
  })
  expect(approval.warnings).not.toContain('holder_differs')
})

test('of two contacts with the account of a bill the one of its name is paid', async () => {
  const at = await payerOf()
  await setRules(at.payer.id, at.boss, [])
  const destinations = [{ ...BANK, account_holder_name: 'Second GmbH' }]
  const list = `/organizations/${at.payer.id}/payment-contacts`
  const second = await api('POST', list, {
    token: at.boss.token,
    body: { name: 'Second', type: 'business', destinations },
  })
  const bill = await billOf(at, { supplier_name: 'Second GmbH' })
  expect(bill.holder_differs).toBe(false)
  expect((await requestPayment(at.boss, bill.id)).body).toMatchObject({ payment_contact_id: second.body.id })
})

test('what a bill pays under another name waits in vain once no contact has its account', async () => {
  const at = await payerOf()
  const { ref } = await asksFor(at, await billOf(at, { supplier_name: 'No Match GmbH' }))
  await owner`update payment_contacts set status = 'archived' where id = ${at.contact}`
  const { status, body } = await approve(at.boss, ref)
  expect([status, body.error.type]).toEqual([422, 'contact_not_approved'])
})

test('a known supplier that asks to be paid at an account of another contact waits, until a call has confirmed that account', async () => {
  const { id, boss, admin, contactOf } = await payerOfTwo()
  const supplier = { supplier_name: 'Known GmbH', supplier_tax_id: null, amount: '10.00' }
  const first = await typedBill(boss, id, { ...supplier, iban: ANNA, bill_number: 'K-1' })
  expect((await approve(boss, (await requestPayment(boss, first.id)).body)).status).toBe(200)
  const { destinations } = await contactOf({ name: 'Accomplice' }, bankAt(BERT, { account_holder_name: 'Accomplice' }))
  const second = await typedBill(boss, id, { ...supplier, iban: BERT, bill_number: 'K-2', amount: '11.00' })
  const { body: refused } = await requestPayment(boss, second.id)
  expect([refused.error.type, refused.error.details.payment_destination_id]).toEqual([
    'account_cooling_off',
    destinations[0]?.id,
  ])
  expect((await confirmCall(admin, destinations[0]?.id ?? '')).status).toBe(200)
  const { body } = await requestPayment(boss, second.id)
  expect((await approvalOf(body, admin)).warnings).toEqual(
    expect.arrayContaining(['account_changed', 'holder_differs']),
  )
  expect((await approve(admin, body)).status).toBe(200)
})

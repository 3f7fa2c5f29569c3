/** Accounts that are found by their number: under another name they are another payee, in batches and in bills. */
import { expect, test } from 'vitest'
import { payoutOf } from '../../../db/payments/steps.ts'
import { asSystem } from '../../../db/sql.ts'
import type { OrganizationId, PaymentId } from '../../../domain/ids.ts'
import { api, approve, fund } from '../../support/api.ts'
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
import { BANK, contactWith } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const HOLDER = 'Supplier GmbH'

/** A payer with money, whose policy asks for approved contacts, and a contact with an account of this holder. */
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

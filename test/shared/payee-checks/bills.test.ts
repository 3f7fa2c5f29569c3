/** Verification of the payee of a bill, before its payment is asked for. */
import { expect, test } from 'vitest'
import { fund, organization, person } from '../../support/api.ts'
import { approvalOf } from '../../support/approvals/approvals.ts'
import { detail, requestPayment, typedBill } from '../../support/bills/bills.ts'
import { fault, usePartners } from '../../support/partners/partners.ts'

usePartners()

const boss = await person({ authenticator: true })
const { id: organizationId } = await organization(boss, 'Payer')
await fund(organizationId, '1000.00', 'EUR')

let bills = 0
const IBANS = ['DE89370400440532013000', 'DE75512108001245126199']
const billOf = (supplier_name: string) =>
  typedBill(boss, organizationId, {
    supplier_name,
    iban: IBANS[bills],
    bill_number: `B-${(bills += 1)}`,
    supplier_tax_id: null,
  })

test.each(['No Match GmbH', 'Close Match Ltd'])('a bill of %s is paid only if it is acknowledged', async (supplier) => {
  const bill = await billOf(supplier)
  const { status, body } = await requestPayment(boss, bill.id)
  expect([status, body.error.type]).toEqual([422, 'payee_mismatch'])
  expect((await detail(boss, bill.id)).bill.status).toBe('extracted')
  const requested = await requestPayment(boss, bill.id, { acknowledge_payee_check: true })
  expect(requested.body.status).toBe('payment_requested')
  const approval = await approvalOf({ ...requested.body, organization_id: organizationId }, boss)
  expect(approval.subject.fiat_outgoing.payee_check.holder).toBe(supplier)
})

test('a bank that is away does not keep a bill from being paid', async () => {
  const { id } = await organization(boss, 'Other payer')
  const bill = await typedBill(boss, id, { supplier_name: 'No Match GmbH' })
  await fault('payee_checks', 'down')
  const { body } = await requestPayment(boss, bill.id)
  expect(body).toMatchObject({ status: 'payment_requested' })
})

/** Pages of approvers: a bank payment with all there is to say at once, and the rows of a batch. */
import { expect, test } from 'vitest'
import { api, fund, join, person } from '../../support/api.ts'
import { moveTo, paid, payerOfTwo, quoted } from '../../support/account-changes.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { imported, newBatch, payerAndPayee } from '../../support/batches/imports.ts'
import { BANK } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { DESK, PHONE, expectSound, openTab } from '../../support/pages/browser.ts'
import { fault, usePartners } from '../../support/partners/partners.ts'
import { executed } from '../../support/payments/quotes.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
usePartners()

const DAY_MS = 86_400_000
const ADDRESS = { street: 'Größenweg', building_number: '5½', postal_code: '10115', town: 'Köln', country_code: 'DE' }

test('address, similar name, changed account, day and limit are all said, the gravest first, on a phone and a desk', async () => {
  const { id: organizationId, boss, admin, contactOf } = await payerOfTwo()
  const { id: contact } = await contactOf({ payee_address: ADDRESS }, BANK)
  const before = await paid(boss, contact, '1500.00')
  await moveTo(admin, contact, 'DE89370400440532013000')
  await owner`update organizations set account_change_hours = 0 where id = ${organizationId}`
  const limit = { currency: 'EUR', amount_from: '2000', period: 'week', per: 'payee' }
  await setRules(organizationId, boss, [{ ...limit, steps: [{ required: 2, roles: ['owner', 'admin'] }] }])
  await fault('payee_checks', 'close_match')
  const { quote_id } = await quoted(boss, contact, '12345.67')
  const day = new Date(Date.now() + 10 * DAY_MS).toISOString().slice(0, 10)
  const made = await executed(boss, quote_id, { acknowledge_payee_check: true, execute_on: day })
  const deducted = [before, made].map(({ deducting }) => Number(deducting.amount))
  const sum = deducted.reduce((one, other) => one + other).toLocaleString('en', { minimumFractionDigits: 2 })
  const approver = await person()
  await join(organizationId, approver, 'admin')
  for (const viewport of [PHONE, DESK]) {
    const tab = await openTab(approver, { viewport })
    await tab.page.goto(`/approve/${made.approval_request_id}`)
    const said = (await tab.page.locator('main').innerText()).replaceAll(/\s+/g, ' ')
    const places = [
      '12,345.67 EUR',
      'The payee was last paid at another account',
      'The bank knows this account under a similar name',
      'First payment to this account',
      'Paid on',
      'Payee Supplier GmbH',
      'Account holder Supplier GmbH',
      'Account …3000 (DE)',
      '⚠ The account belongs to a similar name: Supplier Limited',
      'Address Größenweg 5½, 10115 Köln, DE',
      'Sent to the bank as Groessenweg 5 1/2, 10115 Koeln',
      'The account has changed',
      'Account …2051 …3000',
      'Paid to the old account 1 payment: 1,500.00 EUR',
      'Call-back None was recorded.',
      `Limit reached: with this, ${sum} EUR of the week for this payee`,
      'Approve',
    ].map((words) => [words, said.indexOf(words)] as const)
    expect(places.filter(([, at]) => at < 0)).toEqual([])
    expect(said).toContain('2 of owners or admins')
    expect(places.map(([, at]) => at)).toEqual(places.map(([, at]) => at).toSorted((one, other) => one - other))
    await expectSound(tab)
  }
})

test('the rows of a batch say which of them the bank knows under another name, and to which address they go', async () => {
  const { boss, payer } = await payerAndPayee()
  await fund(payer.id, '5000.00', 'EUR')
  const id = await newBatch(boss, payer.id)
  const columns = 'account_holder_name,iban,amount,currency,payout_reason,statement_description'
  const header = `${columns},address_street,address_town,address_country`
  const rows = ['Supplier GmbH', 'No Match GmbH', 'Close Match Ltd'].map(
    (holder) => `${holder},DE89370400440532013000,1234.00,EUR,services,Invoice 1,<b>Weg</b>,Köln,DE`,
  )
  await imported(boss, id, [header, ...rows].join('\n'))
  await until('the bank to be asked', async () => {
    const [batch] = await owner`select payees_unasked from payment_batches where id = ${id}`
    return batch?.['payees_unasked'] === false
  })
  const body = { acknowledge_payee_check: true }
  const { body: batch } = await api('POST', `/payment-batches/${id}/submit`, { token: boss.token, body })
  const tab = await openTab(boss)
  await tab.page.goto(`/approve/${batch.approval_request_id}/rows`)
  const [first, second, third] = await tab.page.locator('tbody tr').allInnerTexts()
  expect(first).toContain('<b>Weg</b>, Köln, DE')
  expect(first).toContain('1,234.00 EUR')
  expect(first).not.toContain('⚠')
  expect(second).toContain('⚠ The account belongs to another name')
  expect(third).toContain('⚠ The account belongs to a similar name: Close Match Limited')
  await expectSound(tab)
})

/** Documents of an organization that was verified: all of them name it as it was verified, not as it calls itself. */
import { expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env['ONBOARDING'] = 'required'
})
const { api, approvalPath, approve, baseUrl, createPayment, fund, payerAndPayee } = await import('../../support/api.ts')
const { billingContact } = await import('../../support/billing-contacts.ts')
const { BANK, contactWith } = await import('../../support/contacts/destinations.ts')
const { owner } = await import('../../support/database.ts')
const { exported } = await import('../../support/exports/exports.ts')
const { readPdf } = await import('../../support/exports/pdf.ts')
const { invoiceOf } = await import('../../support/invoices/invoices.ts')
const { verified } = await import('../../support/onboarding/onboarding.ts')
const { askPartner, usePartners } = await import('../../support/partners/partners.ts')
const { become, outgoing, payerBy } = await import('../../support/payments/payouts.ts')
const { executed, quoteOf } = await import('../../support/payments/quotes.ts')
const { until } = await import('../../support/until.ts')
const { useWorker } = await import('../../support/worker.ts')

usePartners()
useWorker()

const NAMES = ['Verified GmbH', 'Renamed GmbH', 'Lindenhof OHG', 'Payer']
const namesIn = (text: string): string[] => NAMES.filter((name) => text.includes(name))

async function pdf({ token }: { readonly token: string }, path: string): Promise<string> {
  const answer = await fetch(`${baseUrl}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } })
  expect(answer.status).toBe(200)
  return readPdf(new Uint8Array(await answer.arrayBuffer())).text.replace(/^Payer$/m, '') // the label of the party
}

test('the receipt of a payment names who its order named, and a receipt by service ID who is verified', async () => {
  const at = { ...(await contactWith([BANK])), rail: 'fiat' as const }
  await fund(at.payer.id, '200.00', 'EUR')
  await verified(at.payer.id)
  const payment = await executed(
    at.boss,
    (await quoteOf(at.boss, at.contact, { amount: '10.00', currency: 'EUR' })).quote_id,
  )
  await verified(at.payer.id, { name: 'Renamed GmbH' })
  await approve(at.boss, payment)
  await become(at, payment, 'succeeded')
  const text = await pdf(at.boss, `payments/${payment.id}/receipt`)
  expect(namesIn(text)).toEqual(['Verified GmbH'])
  for (const line of ['Domstraße 5', '50668 Köln', 'DE']) expect(text.split('\n')).toContain(line)
  const { body } = await api('GET', `${approvalPath(payment)}/evidence`, { token: at.boss.token })
  expect(body.approval.subject.fiat_outgoing.payer.name).toBe('Verified GmbH')

  const inside = await payerAndPayee('10.00')
  await verified(inside.payer.id)
  const transfer = await createPayment(inside.boss, inside.contactId, '1.00')
  await approve(inside.boss, transfer)
  expect(namesIn(await pdf(inside.boss, `payments/${transfer.id}/receipt`))).toEqual(['Verified GmbH'])
})

test('coins are ordered by who is verified, from whom the originator of the travel rule is made', async () => {
  const at = await payerBy('crypto')
  await verified(at.payer.id)
  const payment = await outgoing(at, '5.00')
  await verified(at.payer.id, { name: 'Renamed GmbH' })
  await approve(at.boss, payment)
  const order = await until('the order', async () => {
    const { status, body } = await askPartner('custodian', 'GET', `/payouts/${payment.id}`)
    return status === 200 && body
  })
  const address = { line1: 'Domstrasse 5', postal_code: '50668', town: 'Koeln', country_code: 'DE' }
  expect(order.payer).toEqual({ name: 'Verified GmbH', address })
})

test('a statement names who is verified, and before that who the organization says it is', async () => {
  const { boss, payer } = await payerAndPayee('10.00')
  const statements = async () => {
    const order = { type: 'balance_statement', currency: 'USD' }
    const drawn = readPdf(await exported(boss, payer.id, { ...order, format: 'pdf' })).text
    const written = String(await exported(boss, payer.id, { ...order, format: 'camt053' }))
    return [namesIn(drawn), /<Ownr><Nm>(.*?)<\/Nm>/.exec(written)?.[1], drawn.includes('Domstraße 5, 50668 Köln, DE')]
  }
  expect(await statements()).toEqual([['Payer'], 'Payer', false])
  await verified(payer.id)
  expect(await statements()).toEqual([['Verified GmbH'], 'Verified GmbH', true])
})

test('an invoice names the seller of its settings, else who is verified', async () => {
  const { boss, payer } = await contactWith([BANK])
  const contact = await billingContact(boss, payer.id)
  const { id } = await invoiceOf(boss, payer.id, contact.id)
  const seller = async () => namesIn(await pdf(boss, `invoices/${id}/pdf?draft=true`))
  expect(await seller()).toEqual(['Payer'])
  await verified(payer.id)
  expect(await seller()).toEqual(['Verified GmbH'])
  await owner`update organizations set invoice_name = 'Lindenhof OHG' where id = ${payer.id}`
  expect(await seller()).toEqual(['Lindenhof OHG'])
})

/** The public page of an invoice, opened by its link without signing in. */
import { describe, expect, test } from 'vitest'
import { newToken } from '../../../platform/encryption.ts'
import type { OrganizationId } from '../../../domain/ids.ts'
import { moveOrganization } from '../../support/organizations/status.ts'
import { type TestPerson, api, join, person } from '../../support/api.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import { historyOf, invoiceOf, pdfOf, readInvoice, step } from '../../support/invoices/invoices.ts'
import { another, sent } from '../../support/invoices/public-pages.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const FILES = ['', '/pdf', '/xml']
const open = (token: string, file = '') => api('GET', `//i/${token}${file}`)
const revoke = ({ token }: TestPerson, id: string) => api('DELETE', `/invoices/${id}/public-link`, { token })

async function told(token: string, file = '') {
  const { status, headers, body } = await open(token, file)
  const changing = new Set(['date', 'x-request-id', 'ratelimit', 'ratelimit-policy'])
  return { status, body, headers: [...headers].filter(([name]) => !changing.has(name)) }
}

test('shows the invoice in the language of the customer to who has the link, and to no cache, engine or frame', async () => {
  const { invoice, token } = await sent({ comments: 'Vielen Dank' })
  expect(invoice.public_url).toMatch(/^http:\/\/localhost:\d+\/i\/[\w-]{43}$/)
  const { status, headers, body } = await open(token)
  expect(status).toBe(200)
  for (const words of ['<html lang="de">', invoice.number, 'Lindenhof &amp; Söhne', 'Müller &amp; Söhne GmbH'])
    expect(body).toContain(words)
  for (const words of ['Vielen Dank', 'Consulting', '172,50\u00a0€ fällig am 31. März 2030'])
    expect(body).toContain(words)
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'text/html; charset=UTF-8',
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self' data:;/,
    ),
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex, nofollow, noarchive',
    'ratelimit-policy': expect.stringContaining('"public_pages"'),
  })
})

test('a token that is wrong, of another form, revoked, or of who is banned or deleted opens one and the same page', async () => {
  const [revoked, banned, deleted] = [await sent(), await sent(), await sent()]
  await revoke(revoked.boss, revoked.invoice.id)
  await moveOrganization(banned.seller.id as OrganizationId, 'ban')
  await moveOrganization(deleted.seller.id as OrganizationId, 'delete')
  const unknown = await told(newToken())
  expect(unknown).toMatchObject({ status: 404, body: expect.stringContaining('Diese Rechnung ist nicht hier') })
  const right = (await sent()).token
  const wrong = [right.slice(1), `${right}x`, right.toUpperCase(), 'x', '%00', '%zz', '..%2f', 'a'.repeat(2000)]
  for (const token of [revoked.token, banned.token, deleted.token, revoked.invoice.id, ...wrong]) {
    for (const file of FILES) expect([token, file, await told(token, file)]).toEqual([token, file, unknown])
  }
  await moveOrganization(banned.seller.id as OrganizationId, 'unban')
  expect((await open(banned.token)).status).toBe(200)
})

test('a paused organization is still paid: its page is there', async () => {
  const { seller, token } = await sent()
  await moveOrganization(seller.id as OrganizationId, 'pause')
  expect((await open(token)).status).toBe(200)
})

test('follows what becomes of the invoice', async () => {
  const { boss, seller, invoice, token } = await sent({ issue_date: '2020-01-01', due_date: '2020-01-31' })
  await pdfOf(boss, invoice.id) // the page links to it from now on
  expect((await open(token)).body).toMatch(/Überfällig<\/strong>\s*172,50\u00a0€ fällig am 31. Januar 2020/)
  await step(boss, invoice.id, 'finalize', { accepted_amount: '100' })
  const accepted = (await open(token)).body
  expect(accepted).toMatch(/Anerkannter Betrag<\/dt>\s*<dd>100,00\u00a0€/)
  expect(accepted).toContain('100,00\u00a0€ fällig am')
  expect(accepted).not.toContain('Überfällig')
  await step(boss, invoice.id, 'mark-paid', { paid_at: '2020-02-03T10:00:00Z' })
  const paid = (await open(token)).body
  expect(paid).toMatch(/Bezahlt<\/strong>\s*<time datetime="2020-02-03">3. Februar 2020/)
  expect(paid).toMatch(/Zu zahlen<\/dt>\s*<dd class="last">0,00\u00a0€/)
  const { token: english } = await another(boss, seller, {}, { language: 'en', company_name: 'Later' })
  expect((await open(english)).body).toContain('<html lang="en">')
  expect((await open(token)).body).toBe(paid)
})

test('serves the PDF that the seller has, as a file, and XML only of an invoice that has one', async () => {
  const { boss, invoice, token } = await sent()
  const { body: own } = await pdfOf(boss, invoice.id)
  const pdf = await open(token, '/pdf')
  expect([pdf.status, pdf.body]).toEqual([200, own])
  expect(Object.fromEntries(pdf.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': expect.stringMatching(/^attachment; filename="INV-000001\.pdf"/),
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex, nofollow, noarchive',
  })
  const page = (await open(token)).body
  expect(page).toContain(`href="${token}/pdf"`)
  expect(page).not.toContain(`/xml"`)
  expect(await told(token, '/xml')).toEqual(await told(newToken()))
})

describe('the link', () => {
  test('is revoked for good, once, with an event; its seller keeps the invoice', async () => {
    const { boss, invoice, token } = await sent()
    const { id } = invoice
    const answers = await Promise.all(Array.from({ length: 10 }, () => revoke(boss, id)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(9).fill(404)])
    expect(answers.find(({ status }) => status === 200)?.body).toEqual({ deleted: true, id })
    expect((await open(token)).status).toBe(404)
    expect(await readInvoice(boss, id)).toMatchObject({ state: 'sent', number: invoice.number, public_url: null })
    expect((await historyOf(boss, id)).filter((type) => type === 'invoice.link_revoked')).toHaveLength(1)
    expect((await pdfOf(boss, id)).status).toBe(200)
  })

  test('is revoked by who may change the invoice alone; a draft has none', async () => {
    const [{ boss, seller, invoice, token }, stranger] = [await sent(), await sent()]
    const member = await person()
    await join(seller.id, member, 'member')
    for (const somebody of [member, stranger.boss])
      expect(await revoke(somebody, invoice.id)).toMatchObject({ status: 404, body: { error: { type: 'not_found' } } })
    expect((await open(token)).status).toBe(200)
    const contact = await billingContact(boss, seller.id)
    const draft = await invoiceOf(boss, seller.id, contact.id)
    expect((await revoke(boss, draft.id)).status).toBe(404)
    const { invoice: own } = await another(member, seller)
    expect((await revoke(member, own.id)).status).toBe(200)
  })
})

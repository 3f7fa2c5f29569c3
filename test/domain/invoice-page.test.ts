/** The page of an invoice for its customer. */
import { describe, expect, test } from 'vitest'
import * as pages from '../../api/invoices/page.ts'
import { PAGE_POLICY, STYLE } from '../../api/invoices/page-style.ts'
import { type InvoiceDocument, INVOICE_LANGUAGES } from '../../domain/invoice-documents/document.ts'
import type { PublicInvoice } from '../../domain/invoices/public-invoice.ts'
import { WORDS } from '../../domain/invoice-documents/words.ts'
import { documentOf, lineOf } from '../support/invoices/documents.ts'
import { listed } from '../support/listed.ts'

const TOKEN = 'k3J9sQ2mZ8'
const invoicePage = async (invoice: PublicInvoice, token: string) => (await pages.invoicePage(invoice, token)).html
const refusalPage = async (status: number) => (await pages.refusalPage(status)).html

const publicInvoice = (given: Partial<PublicInvoice> = {}): PublicInvoice => ({
  document: documentOf(),
  paidOn: null,
  isOverdue: false,
  accepted: null,
  settled: '0.00',
  credited: '0.00',
  isCredited: false,
  creditNotes: [],
  due: '119.00',
  early: [],
  discount: null,
  logoId: null,
  files: { pdf: true, xml: true },
  ...given,
})

const textOf = (page: string) =>
  page
    .slice(page.indexOf('<body>'))
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/[\s\u00a0]+/g, ' ')
const said = async (given: Partial<PublicInvoice>) => textOf(await invoicePage(publicInvoice(given), TOKEN))

function filled(value: unknown, text: string): unknown {
  if (Array.isArray(value)) return value.map((one) => filled(one, text))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, KEPT.has(key) ? one : filled(one, text)]))
  return typeof value === 'string' || value === null ? text : value
}

/** Fixed words and figures, which are no free text. */
const KEPT: ReadonlySet<string> = new Set(
  `language profile tax_category quantity price total base amount tax_percentage net_total tax_total issue_date due_date
  delivery_date currency country_code`.split(/\s+/),
)

describe('the page of an invoice', () => {
  test('says a discount for early payment of what is due, and that it was deducted', async () => {
    const early = [{ percentage: '2', until: '2026-03-16', payable: '49.00' }]
    expect(await said({ credited: '69.00', due: '50.00', early })).toContain('2 % Skonto bis 16. März 2026: 49,00 €')
    const paid = await said({ paidOn: '2026-03-10', settled: '116.62', due: '0.00', discount: '2.38' })
    expect(paid).toMatch(/Rabatt 2,38 € Bereits bezahlt 116,62 € Zu zahlen 0,00 €/)
  })

  test('says who asks whom for what, until when, what for, and where to pay', async () => {
    const text = await said({})
    for (const words of listed`
      Rechnung INV-000042 | 119,00 € fällig am 1. April 2026 | Rechnungsdatum 2. März 2026
      Lindenhof Werkstätten GmbH | Stadt Musterhafen | Ihre Referenz 04011000-12345-34 | Beratung 1 100,00 19 % 100,00
      USt. 19 % auf 100,00 € 19,00 € | Zu zahlen 119,00 € | IBAN DE02 1203 0000 0000 2020 51
      Verwendungszweck INV-000042 | PDF herunterladen XML herunterladen`)
      expect(text).toContain(words)
  })

  test.each(INVOICE_LANGUAGES)('is in the language of the customer: %s', async (language) => {
    const page = await invoicePage(publicInvoice({ document: documentOf({ language }), isOverdue: true }), TOKEN)
    expect(page).toContain(`<html lang="${language}">`)
    for (const words of [WORDS[language].overdue, WORDS[language].pdf, WORDS[language].lines])
      expect(textOf(page)).toContain(words)
    for (const other of INVOICE_LANGUAGES.filter((one) => one !== language))
      expect(textOf(page)).not.toContain(WORDS[other].pdf)
  })

  test('says what was paid so far and what is left, and asks for that by the code', async () => {
    const part = await invoicePage(publicInvoice({ settled: '19.00', due: '100.00' }), TOKEN)
    expect(textOf(part)).toContain('Bereits bezahlt 19,00 € Zu zahlen 100,00 €')
    expect(textOf(part)).toContain('100,00 € fällig am 1. April 2026')
    expect(codeOf(part)).not.toBe(codeOf(await invoicePage(publicInvoice(), TOKEN)))
    expect(await said({ accepted: '90.00', due: '90.00' })).toContain('Anerkannter Betrag 90,00 € Zu zahlen 90,00 €')
    expect(await said({ accepted: '119.00' })).not.toContain('Anerkannter Betrag')
  })

  test('has no code once it is paid, and asks for nothing; none for another currency; no payment without an account', async () => {
    const paid = await invoicePage(publicInvoice({ paidOn: '2026-03-20', due: '0.00', settled: '119.00' }), TOKEN)
    expect(textOf(paid)).toContain('Bezahlt 20. März 2026')
    expect(textOf(paid)).toMatch(/Zu zahlen 0,00 €/)
    expect(textOf(paid)).not.toMatch(/IBAN|fällig am/)
    const dollars = await invoicePage(publicInvoice({ document: documentOf({ currency: 'USD' }) }), TOKEN)
    expect(textOf(dollars)).toContain('119,00 USD')
    expect([codeOf(paid), codeOf(dollars)]).toEqual([undefined, undefined])
    expect(await said({ document: documentOf({ account: null, svc_id: null }) })).not.toContain('Verwendungszweck')
  })

  test('links to the files that there are, by addresses beneath its own', async () => {
    const links = async (files: PublicInvoice['files']) => {
      const page = await invoicePage(publicInvoice({ files }), TOKEN)
      return Array.from(page.matchAll(/href="([^"]*)"/g), ([, href]) => href).slice(1)
    }
    expect(await links({ pdf: true, xml: true })).toEqual([`${TOKEN}/pdf`, `${TOKEN}/xml`])
    expect(await links({ pdf: true, xml: false })).toEqual([`${TOKEN}/pdf`])
    expect(await links({ pdf: false, xml: false })).toEqual([])
  })

  test('says why no tax is charged, each line as people wrote it, and texts of several lines', async () => {
    const free = { tax_percentage: '0', tax_category: 'E', tax_exemption_reason: '§ 4 Nr. 21 UStG' } as const
    const taxed = { lines: [lineOf(free)], taxes: [{ ...free, base: '100.00', amount: '0.00' }] }
    const document = documentOf({ ...taxed, comments: 'Vielen Dank\nfür alles' })
    const page = await invoicePage(publicInvoice({ document }), TOKEN)
    expect(textOf(page)).toContain('Von der Umsatzsteuer befreit: § 4 Nr. 21 UStG')
    expect(page).toContain('>Vielen Dank\nfür alles</p>')
  })

  test.each([
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    '</title></style><svg/onload=alert(1)>',
    '&lt;b&gt; &#60;',
    '{{7*7}} ${7*7} <!-- -->',
  ])('shows %s in any field as it is, and adds no markup', async (text) => {
    const hostile = filled(documentOf({ notes: '', comments: '' }), text) as InvoiceDocument // texts alone are replaced
    const harmless = filled(documentOf({ notes: '', comments: '' }), 'x') as InvoiceDocument // the same
    const markupOf = async (document: InvoiceDocument) => {
      const page = await invoicePage(publicInvoice({ document }), TOKEN)
      return Array.from(page.matchAll(/<[^>]*>/g), ([tag]) => tag.replaceAll(/ (d|viewBox)="[\d MhvzZ-]*"/g, ''))
    }
    expect(await markupOf(hostile)).toEqual(await markupOf(harmless))
    const page = await invoicePage(publicInvoice({ document: hostile }), TOKEN)
    const written = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    const quoted = written.replaceAll('"', '&quot;').replaceAll("'", '&#39;')
    expect(page.split(quoted).length).toBeGreaterThan(20)
  })

  test('has one style, whose hash its policy names, and no script, frame, form or address of elsewhere', async () => {
    const page = await invoicePage(publicInvoice({ logoId: '00000000-0000-4000-8000-000000000000' }), TOKEN)
    expect(page.split('<style>')).toHaveLength(2)
    expect(page).toContain(`<style>${STYLE}</style>`)
    expect(PAGE_POLICY).toMatch(/^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]{44}'; /)
    expect(page).not.toMatch(/<(script|iframe|form|object|embed|base)\b| style=| on\w+=|https?:|\/\//i)
  })
})

test('the page of a refusal says in every language what to do, and nothing of any invoice', async () => {
  const [gone, later] = [await refusalPage(404), await refusalPage(503)]
  for (const page of [gone, later])
    for (const language of INVOICE_LANGUAGES) expect(page).toContain(`lang="${language}"`)
  expect(textOf(gone)).toContain('Diese Rechnung ist nicht hier')
  expect(textOf(later)).toContain('Veuillez réessayer dans un instant')
  expect(await refusalPage(409)).toBe(later)
})

/** The modules of the code. */
const codeOf = (page: string): string | undefined => /<path\s+d="([^"]*)"/.exec(page)?.[1]

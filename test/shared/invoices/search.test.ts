import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toPrefixQueries } from '../../../domain/invoices/search.ts'
import { api, organization, person } from '../../support/api.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import { owner } from '../../support/database.ts'
import { LINES, createInvoice, draft, idsIn, invoiceOf, listInvoices, step } from '../../support/invoices/invoices.ts'
import { listed } from '../../support/listed.ts'
import { anyText, propertyRuns } from '../../support/model-runs.ts'

const boss = await person({ authenticator: true })

const found = async (organizationId: string, query: Record<string, string>) =>
  idsIn(await listInvoices(boss, organizationId, query))

describe('a search', () => {
  test('finds number, customer as it is now, lines and texts by words as people write them', async () => {
    const { id } = await organization(boss, 'Seller')
    const contact = await billingContact(boss, id, { company_name: 'Crème Brûlée & Fils S.A.', tax_id: '214/5800' })
    const line_items = [{ ...LINES[0], description: 'Ölwechsel für Straßenbahn "42"' }, LINES[1]]
    const texts = {
      comments: 'Vielen Dank',
      internal_description: 'Проект Север',
      internal_reference_number: 'PO-2030/77',
      buyer_reference: '04011000-12345-03',
    }
    const invoice = await invoiceOf(boss, id, contact.id, { line_items, ...texts })
    const other = await billingContact(boss, id, { company_name: 'Else', tax_id: null, emails: null })
    const moved = await invoiceOf(boss, id, other.id, { line_items: [LINES[1]] })
    await step(boss, invoice.id, 'submit')
    const hits = listed`
      INV-000001 | inv 000001 | inv000001 | 000001 | 00000 | Crème | creme brulee | BRÛLÉE | fils creme | 214 5800
      example.com | Ölwechsel | olwechsel | strassenbahn | STRASSE | 42 | "42" | vielen dank | dank vielen | север
      ПРОЕКТ | po-2030/77 | PO203077 | 04011000-12345-03 | 172.50 | creme & ! olwechsel`
    for (const words of hits) expect(await found(id, { full_text_search: words }), words).toEqual([invoice.id])
    for (const words of ['Crème Else', 'rulee', 'INV-000002', '1726']) {
      expect(await found(id, { full_text_search: words }), words).toEqual([])
    }
    for (const words of ['', ' ', '%', '_', "'", '"', '\\', '&', ':*', '<->', '(']) {
      expect(await found(id, { full_text_search: words }), words).toHaveLength(2)
    }
    const change = (path: string, body: object) => api('PATCH', path, { token: boss.token, body })
    await change(`/billing-contacts/${contact.id}`, { company_name: 'Κρήτη 株式会社' })
    await change(`/invoices/${moved.id}`, { billing_contact_id: contact.id })
    for (const words of ['crème', 'else']) expect(await found(id, { full_text_search: words }), words).toEqual([])
    for (const words of ['κρητη', 'ΚΡΉΤΗ', '株式'])
      expect(await found(id, { full_text_search: words }), words).toEqual([moved.id, invoice.id])
    const long = await listInvoices(boss, id, { full_text_search: 'ß'.repeat(255) })
    expect([long.status, idsIn(long)]).toEqual([200, []])
    expect((await listInvoices(boss, id, { full_text_search: 'x'.repeat(256) })).status).toBe(400)
  })

  test('takes whatever is typed', async () => {
    const typed = fc.oneof(
      anyText(255),
      fc.string({ unit: fc.constantFrom(...Array.from(`&|!()<->:*'"\\%_ aÄ1e0x.-²½٣〇ⅷ`)), maxLength: 60 }),
    )
    const property = fc.asyncProperty(typed, async (search) => {
      const asked = toPrefixQueries(search)
      if (asked.length === 0) return
      // each word is found by its own search
      const words = asked.map((one) => one.slice(0, -2)).join(' ')
      const [row] = await owner`select ${words}::tsvector @@ ${asked.join(' & ')}::tsquery as found`
      expect(row?.['found']).toBe(true)
    })
    await fc.assert(property, { numRuns: propertyRuns(200) })
  })

  test('of lines with very much text is no fault', async () => {
    const { id } = await organization(boss, 'Seller')
    const contact = await billingContact(boss, id)
    // a three-byte character that matches six letters of three bytes each
    const words = (line: number) =>
      Array.from({ length: 22 }, (_, index) => `㌖㌖㌖${String(line * 100 + index).padStart(5, '0')}`).join(' ')
    const line_items = Array.from({ length: 480 }, (_, line) => ({ ...LINES[0], description: words(line) }))
    const { status, body } = await createInvoice(boss, id, draft(contact.id, { line_items }))
    expect(status).toBe(201)
    expect(await found(id, { full_text_search: 'キロメートル㌖㌖00001' })).toEqual([body.id])
  })

  test('finds the same invoices as a look at each, page by page, however many have its words', async () => {
    const shop = await organization(boss)
    const { id: contactId } = await billingContact(boss, shop.id)
    // more than a search ranks, and more than it looks up
    await owner`
      insert into invoices (id, organization_id, status, billing_contact_id, currency, issue_date, due_date, profile,
        line_items, taxes, net_total, tax_total, total, own_words, created_by, inserted_at)
      select gen_random_uuid(), ${shop.id}, case when n % 7 = 0 then 'awaiting_approval' else 'draft' end, ${contactId}, 'EUR',
        '2030-01-01', '2030-01-31', 'none', '[]', '[]', 0, 0, 0,
        words_of(concat_ws(' ', 'always', case when n <= 250 then 'early' end, case when n % 40 = 0 then 'seldom' end,
          case when n % 3 = 0 then 'often' end, case when n = 700 then 'once' end)),
        ${boss.userId}, '2030-01-01'::timestamptz + make_interval(secs => n / 2)
      from generate_series(1, 1500) n`
    const walk = async (query: Record<string, string>) => {
      const found: string[] = []
      for (let cursor = {}; ;) {
        const { body } = await listInvoices(boss, shop.id, { limit: '100', ...query, ...cursor })
        found.push(...idsIn({ body }))
        if (!body.has_more) return found
        cursor = { cursor: body.next_cursor }
      }
    }
    const words = listed`always | early | seldom | often | once | never | early always | seldom often | alw oft earl`
    for (const search of words) {
      for (const state of ['', 'awaiting_approval']) {
        const rows = await owner<{ id: string }[]>`
          select id from invoices i where organization_id = ${shop.id} and status = coalesce(nullif(${state}, ''), status)
            and (select bool_and(exists (select from unnest(tsvector_to_array(i.own_words)) w where starts_with(w, asked)))
              from unnest(${search.split(' ')}::text[]) asked)
          order by inserted_at desc, id desc`
        const found = await walk({ full_text_search: search, ...(state && { state }) })
        expect([search, state, found]).toEqual([search, state, rows.map(({ id }) => id)])
      }
    }
  })
})

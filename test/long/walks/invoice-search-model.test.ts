import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type TestPerson, api, join, organization, person } from '../../support/api.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import { owner } from '../../support/database.ts'
import { LINES, idsIn, invoiceOf, listInvoices, step } from '../../support/invoices/invoices.ts'
import { MODEL_TIMEOUT_MS } from '../../support/model-runs.ts'
import { walkAll } from '../../support/walks.ts'

const [boss, member] = [await person({ authenticator: true }), await person()] as const

type Customer = { readonly id: string; name: string }
type Invoice = {
  readonly id: string
  readonly by: TestPerson
  customer: Customer
  comments: string | null
  description: string
  number: string | null
}
type Model = { readonly organizationId: string; readonly customers: Customer[]; invoices: Invoice[]; numbers: number }

const simple = (text: string): string => text.toLowerCase().replaceAll('ä', 'a').replaceAll('ß', 'ss')
const simpleWords = (text: string): string[] => simple(text).split(/[^a-z0-9]+/)
const TOTAL = '172.50'
const COMMON = `172 50 17250 eur ${LINES[1]!.description.toLowerCase()}` // it has two

/** Every word of an invoice; its own texts also joined without blanks. */
const wordsBy = ({ customer, comments, description, number }: Invoice): string[] => {
  const texts = [comments ?? '', description, number ?? '', TOTAL, COMMON]
  const wholes = texts.filter((text) => !text.includes(' ')).map((text) => simpleWords(text).join(''))
  return [...simpleWords(customer.name), ...texts.flatMap(simpleWords), ...wholes]
}

const isFound = (invoice: Invoice, search: string): boolean => {
  const words = wordsBy(invoice)
  return simpleWords(search).every((asked) => words.some((word) => word.startsWith(asked)))
}

const linesOf = (description: string) => [{ ...LINES[0], description }, LINES[1]]
const patch = (path: string, body: object) => api('PATCH', path, { token: boss.token, body })

type Command =
  | { readonly do: 'write'; readonly isOwn: boolean; readonly customer: number; readonly text: string }
  | { readonly do: 'rename'; readonly customer: number; readonly text: string }
  | { readonly do: 'say' | 'describe'; readonly nth: number; readonly text: string }
  | { readonly do: 'move'; readonly nth: number; readonly customer: number }
  | { readonly do: 'submit' | 'remove'; readonly nth: number }

async function carryOut(m: Model, command: Command): Promise<void> {
  if (command.do === 'write') {
    const { isOwn, text } = command
    const [customer, by] = [m.customers[command.customer]!, isOwn ? member : boss] // one of two
    const description = `Work ${text}`
    const { id } = await invoiceOf(by, m.organizationId, customer.id, { line_items: linesOf(description) })
    m.invoices.push({ id, by, customer, comments: null, description, number: null })
    return
  }
  if (command.do === 'rename') {
    const customer = m.customers[command.customer]! // one of two
    customer.name = `Firm ${command.text}`
    await patch(`/billing-contacts/${customer.id}`, { company_name: customer.name })
    return
  }
  const drafts = m.invoices.filter(({ number }) => number === null)
  const invoice = drafts[command.nth % Math.max(1, drafts.length)]
  if (!invoice) return
  const path = `/invoices/${invoice.id}`
  switch (command.do) {
    case 'say':
      invoice.comments = command.text.trim() || null
      await patch(path, { comments: invoice.comments })
      return
    case 'describe':
      invoice.description = `Job ${command.text}`
      await patch(path, { line_items: linesOf(invoice.description) })
      return
    case 'move':
      invoice.customer = m.customers[command.customer]! // one of two
      await patch(path, { billing_contact_id: invoice.customer.id })
      return
    case 'submit':
      m.numbers += 1
      invoice.number = `INV-${String(m.numbers).padStart(6, '0')}`
      await step(boss, invoice.id, 'submit')
      return
    case 'remove':
      m.invoices = m.invoices.filter((other) => other !== invoice)
      await api('DELETE', path, { token: boss.token })
  }
}

async function isAsModelled(m: Model, search: string, log: string): Promise<void> {
  for (const by of [boss, member]) {
    for (const state of ['', 'draft']) {
      const found: string[] = []
      for (let cursor = ''; ;) {
        const query = { full_text_search: search, limit: '4', ...(state && { state }), ...(cursor && { cursor }) }
        const page = await listInvoices(by, m.organizationId, query)
        found.push(...idsIn(page))
        if (!page.body.has_more) break
        cursor = page.body.next_cursor
      }
      const seen = m.invoices
        .filter((one) => (by === boss || one.by === by) && (!state || one.number === null) && isFound(one, search))
        .map(({ id }) => id)
      expect(found, `${log} · ${search} ${state}`).toEqual(seen.toReversed())
    }
  }
}

/** Inserts more new invoices than a search ranks; a few share a word with others. */
async function insertNewer(m: Model): Promise<void> {
  const customer = m.customers[2]! // of three
  const rows = await owner<{ id: string; comments: string }[]>`
    insert into invoices (id, organization_id, status, billing_contact_id, currency, issue_date, due_date, profile,
      line_items, taxes, net_total, tax_total, total, comments, own_words, created_by, inserted_at)
    select gen_random_uuid(), ${m.organizationId}, 'draft', ${customer.id}, 'EUR', '2030-01-01', '2030-01-31', 'none',
      '[]', '[]', 0, 0, 0, c.comments, words_of(c.comments), ${boss.userId}, '2100-01-01'::timestamptz + make_interval(secs => n)
    from generate_series(1, 1100) n, lateral (select case when n % 300 = 0 then 'ab ' || ${COMMON} else 'newer' end as comments) c
    returning id, comments`
  const others = { by: boss, customer, description: '', number: null }
  for (const { id, comments } of rows) if (comments !== 'newer') m.invoices.push({ id, comments, ...others })
}

const text = fc.string({ unit: fc.constantFrom(...Array.from('aabbÄß1--/  ')), minLength: 1, maxLength: 8 })
const [customer, nth] = [fc.nat(1), fc.nat(20)]
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('write' as const), isOwn: fc.boolean(), customer, text }) },
  fc.record({ do: fc.constant('rename' as const), customer, text }),
  fc.record({ do: fc.constantFrom('say' as const, 'describe' as const), nth, text }),
  fc.record({ do: fc.constant('move' as const), nth, customer }),
  fc.record({ do: fc.constantFrom('submit' as const, 'remove' as const), nth }),
)
const search = fc.oneof(
  text.filter((typed) => /[^-/ ]/.test(typed)),
  fc.constantFrom('a b', 'ab 1', 'ass', 'inv', 'inv000002', '0000', 'firm a', 'firm', 'work ab', 'EUR', '172,50'),
)

const walks = fc.record({
  commands: fc.array(command, { minLength: 15, maxLength: 25 }),
  searches: fc.array(search, { minLength: 6, maxLength: 6 }),
  isOld: fc.boolean(),
})

test(
  'a search finds just what a plain model finds, whatever is written, changed, renamed, sent and deleted',
  () =>
    walkAll(walks, async ({ commands, searches, isOld }) => {
      const { id: organizationId } = await organization(boss, 'Seller')
      await join(organizationId, member, 'member')
      const bare = { emails: null, tax_id: null, vat_id: null }
      const customers = ['Firm', 'Firm', 'Else'].map((company_name) =>
        billingContact(boss, organizationId, { ...bare, company_name }),
      )
      const named = (await Promise.all(customers)).map(({ id, company_name: name }) => ({ id, name }))
      const m: Model = { organizationId, customers: named, invoices: [], numbers: 0 }
      for (const one of commands) await carryOut(m, one)
      if (isOld) await insertNewer(m)
      for (const one of searches) await isAsModelled(m, one, JSON.stringify(commands))
    }),
  MODEL_TIMEOUT_MS,
)

test('an invoice whose customer is renamed while it is changed, sent or deleted is found by what it is then', async () => {
  const { id } = await organization(boss, 'Seller')
  const deeds = {
    change: { ask: (path: string) => patch(path, { comments: 'Said' }), finds: ' said' },
    send: { ask: (path: string) => api('POST', `${path}/submit`, { token: boss.token, body: {} }), finds: ' inv' },
    delete: { ask: (path: string) => api('DELETE', path, { token: boss.token }), finds: undefined },
  }
  const races = Object.entries({ ...deeds, again: deeds.change }).map(async ([name, { ask, finds }]) => {
    const contact = await billingContact(boss, id, { company_name: 'Before' })
    const invoice = await invoiceOf(boss, id, contact.id)
    const rename = patch(`/billing-contacts/${contact.id}`, { company_name: `After ${name}` })
    const answers = await Promise.all([rename, ask(`/invoices/${invoice.id}`)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const found = idsIn(await listInvoices(boss, id, { full_text_search: `after ${name}${finds ?? ''}` }))
    expect(found).toEqual(finds ? [invoice.id] : [])
  })
  await Promise.all(races)
  expect(idsIn(await listInvoices(boss, id, { full_text_search: 'before' }))).toEqual([])
})

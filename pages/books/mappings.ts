/** Mappings: which account of the accounting program takes what. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Account } from '../../domain/accounting/integration.ts'
import { CARD_CATEGORY, type Mapping, type MappingOptions, type NewMapping } from '../../domain/accounting/mapping.ts'
import type * as v from 'valibot'
import type { Balances } from '../../domain/accounts/account.ts'
import { markAlike } from '../../domain/look-alikes.ts'
import { type Fault, Unclear, act } from '../frame/act.ts'
import { bodyOf, companyPage, doneNotice } from '../frame/company.ts'
import { type Page, isolate, keepFields } from '../frame/layout.ts'
import { field, head, notice } from '../frame/parts.ts'
import type { Fields, Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'

/** Names a field: `map.` and the type, behind it the category of a card. */
const nameOf = (type: string, source: string | null): string =>
  source === null ? `map.${type}` : `map.${type}.${source}`

const pathOf = (company: string, rest: string): string =>
  `/organizations/${encodeURIComponent(company)}/integrations/accounting/${rest}`

export const showMappings = (viewer: Viewer): Promise<Page | Response> => mappingsPage()(viewer)

const mappingsPage = (fault?: Fault) =>
  companyPage('books', async (viewer, { company }) => {
    const { words } = viewer
    const { accounting: of } = words.books
    const [options, accounts, mappings, balances] = await Promise.all([
      viewer.call<v.InferOutput<typeof MappingOptions>>('GET', pathOf(company.id, 'mapping-options')),
      viewer.call<Rows<Account>>('GET', pathOf(company.id, 'accounts')),
      viewer.call<Rows<Mapping>>('GET', pathOf(company.id, 'mappings')),
      viewer.call<Balances>('GET', `/organizations/${company.id}/balances`),
    ])
    const chosen = bodyOf(mappings).data
    const { card_categories: categories, other_mapping_types: types } = bodyOf(options)
    const own = new Set(
      balances.ok ? balances.body.data.map(({ currency }) => `bank_account_${currency.toLowerCase()}`) : [],
    )
    for (const { mapping_type: type } of chosen) own.add(type)
    const shown = types.filter(({ type, account_type: kind }) => kind !== 'bank' || own.has(type))
    const input = (type: string, source: string | null, label: string): Markup => {
      const name = nameOf(type, source)
      const has = chosen.find((one) => one.mapping_type === type && one.source_value === source)
      return field(
        {
          id: name,
          label,
          value: fault?.sent.get(name) ?? has?.account_code,
          ...(has && { hint: has.account_name === null ? of.unknownAccount : isolate(has.account_name) }),
          more: html`list="accounts" maxlength="64"`,
        },
        '',
      )
    }
    return {
      title: of.mappings,
      ...(fault && { status: fault.status }),
      body: html`${doneNotice(viewer, of.done)} ${fault ? notice('fault', fault.text) : ''}
        ${head(of.mappings, { below: html`${of.mappingsText}` })}
        <form class="card" method="post" action="/o/${company.id}/books/accounting/mappings">
          <datalist id="accounts">
            ${bodyOf(accounts).data.map(({ code, name }) => html`<option value="${code}">${markAlike(name)}</option>`)}
          </datalist>
          <div class="pair">${shown.map(({ type }) => input(type, null, labelOf(type, words)))}</div>
          <details ${chosen.some(({ mapping_type: type }) => type === CARD_CATEGORY) ? 'open' : ''}>
            <summary>${of.cards}</summary>
            <div class="pair">${categories.map((one) => input(CARD_CATEGORY, one, categoryOf(one, words)))}</div>
          </details>
          ${keepFields([['all', 'yes']])}
          <div class="actions">
            <button>${words.home.save}</button>
            <a class="button second" href="/o/${company.id}/books/accounting">${words.pay.back}</a>
          </div>
        </form>`,
    }
  })

function labelOf(type: string, { books }: Words): string {
  const names: Readonly<Record<string, string>> = books.accounting.types
  const bank = /^bank_account_(\w+)$/.exec(type)?.[1]
  return bank ? books.accounting.bankIn(bank.toUpperCase()) : (names[type] ?? type.replaceAll('_', ' '))
}

const categoryOf = (category: string, { books }: Words): string =>
  (books.accounting.categories as Readonly<Record<string, string>>)[category] ?? category.replaceAll('_', ' ')

/** Reads the mappings that a form has; empty fields have none. */
const mappingsIn = (form: Fields): NewMapping[] =>
  form.entries.flatMap(([name, value]) => {
    const [prefix, type, source = null] = name.split('.')
    const code = value.trim()
    return prefix === 'map' && type && code ? [{ mapping_type: type, source_value: source, account_code: code }] : []
  })

/** Replaces the mappings by those of the form. */
export const replaceMappings = act({
  ask: ({ viewer, form, company }) => {
    // what is absent is cleared: half a form clears nothing
    if (form.get('all') !== 'yes') throw new Unclear(viewer.words.books.accounting.incomplete)
    return { method: 'PUT', path: pathOf(company, 'mappings'), body: { mappings: mappingsIn(form) } }
  },
  then: (_, { company }) => `/o/${company}/books/accounting/mappings?done=mapped`,
  again: (viewer, fault) => mappingsPage(fault)(viewer),
})

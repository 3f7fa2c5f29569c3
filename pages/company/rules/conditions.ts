/** Conditions of a rule: fields of its form, and what they say. */
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import { ORIGINS } from '../../../domain/approvals/routing.ts'
import type { PaymentContact } from '../../../domain/contacts/contact.ts'
import { markAlike } from '../../../domain/look-alikes.ts'
import { type CompanyShell, may } from '../../frame/company.ts'
import { type Choice, area, field, select } from '../../frame/parts.ts'
import type { Fields, Rows, Viewer } from '../../frame/viewer.ts'
import type { Naming, ShownRule } from './sentences.ts'

type Conditions = NonNullable<ShownRule['when']>

const linesIn = (text: string): string[] => text.split(/[\r\n]+/).map((line) => line.trim()).filter(Boolean) // prettier-ignore

/** Reads the conditions of a form; undefined without any. A label is a dimension and its value with a colon between. */
export function readConditions(form: Fields): Conditions | undefined {
  const contacts = [...new Set([...form.all('contacts'), form.get('contact')])].filter(Boolean)
  const labels = linesIn(form.get('labels')).map((line) => {
    const [dimension = '', ...value] = line.split(':')
    return { dimension: dimension.trim(), value: value.join(':').trim() }
  })
  const accounts = linesIn(form.get('account_codes'))
  const countries = form.get('countries').toUpperCase().split(/[\s,;]+/).filter(Boolean) // prettier-ignore
  const origins = ORIGINS.filter((one) => form.all('origins').includes(one))
  const payee = form.get('new_payee')
  const when: Conditions = {
    ...(contacts.length > 0 && { contact_ids: contacts }),
    ...(labels.length > 0 && { labels }),
    ...(accounts.length > 0 && { account_codes: accounts }),
    ...(countries.length > 0 && { countries }),
    ...(origins.length > 0 && { origins }),
    ...(payee !== '' && { new_payee: payee === 'new' }),
  }
  return Object.keys(when).length > 0 ? when : undefined
}

/** Lists payees that can be chosen, the first hundred; none for those who may not see them. */
export async function payeeChoices(viewer: Viewer, shell: CompanyShell): Promise<readonly Choice[]> {
  if (!may(shell, 'payment_contacts.list')) return []
  const path = `/organizations/${shell.company.id}/payment-contacts?limit=100`
  const answer = await viewer.call<Rows<PaymentContact>>('GET', path)
  return answer.ok ? answer.body.data.map(({ id, name }): Choice => [id, markAlike(name)]) : []
}

type Shown = {
  readonly naming: Naming
  readonly payees: readonly Choice[]
  readonly wrong: Readonly<Record<string, string>>
}

/** Shows the conditions of a rule; each that is empty does not count. */
export function conditionFields({ require, when = {} }: ShownRule, { naming, payees, wrong }: Shown): Markup {
  const { company, rules } = naming.words
  const { form: of } = rules
  const faultOf = (name: string) => Object.entries(wrong).find(([path]) => path.startsWith(`when.${name}`))?.[1]
  const { contact_ids: contacts = [], countries, labels, account_codes: accounts, new_payee: isNew } = when
  const nameOfPayee = (id: string) => payees.find(([known]) => known === id)?.[1] ?? of.otherPayee
  const others = payees.filter(([id]) => !contacts.includes(id))
  return html`<fieldset>
    <legend>${of.when}</legend>
    <p class="small">${of.whenText}</p>
    ${wrong['when'] ? html`<p class="small">${wrong['when']}</p>` : ''}
    ${contacts.map((id) => tick('contacts', id, true, nameOfPayee(id)))}
    ${select({ id: 'contact', label: of.payee, value: '', wrong: faultOf('contact_ids'), choices: [['', of.nobody], ...others] }, company.optional)}
    ${select(
      {
        id: 'new_payee',
        label: of.novelty,
        value: isNew === undefined ? '' : isNew ? 'new' : 'known',
        choices: [
          ['', of.anyNovelty],
          ['new', of.isNew],
          ['known', of.isKnown],
        ],
      },
      company.optional,
    )}
    ${field({ id: 'countries', label: of.countries, value: countries?.join(', '), hint: of.countriesHint, wrong: faultOf('countries') }, company.optional)}
    ${area({ id: 'labels', label: of.labels, value: labels?.map((one) => `${one.dimension}:${one.value}`).join('\n'), hint: of.labelsHint, wrong: faultOf('labels') }, company.optional)}
    ${area({ id: 'account_codes', label: of.accounts, value: accounts?.join('\n'), hint: of.accountsHint, wrong: faultOf('account_codes') }, company.optional)}
    <p class="small">${of.origins}</p>
    ${ORIGINS.map((one) => tick('origins', one, when.origins?.includes(one) ?? false, rules.when.ways[one]))}
    ${tick('require', 'account_code', require?.includes('account_code') ?? false, of.requireAccount)}
    ${wrong['require'] ? html`<p class="small">${wrong['require']}</p>` : ''}
  </fieldset>`
}

const tick = (name: string, value: string, isOn: boolean, text: string): Markup =>
  html`<label class="choice"
    ><input type="checkbox" name="${name}" value="${value}" ${isOn ? 'checked' : ''} /> <bdi>${text}</bdi></label
  >`

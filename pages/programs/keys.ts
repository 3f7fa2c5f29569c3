/** API keys of a company: a list, and a new one. */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { ApiKey, ApiKeyScope, ApiKeyWithSecret } from '../../domain/organizations/api-key.ts'
import { type Fault, act } from '../frame/act.ts'
import { type CompanyShell, bodyOf, companyPage, may, nextOf, queryOf } from '../frame/company.ts'
import { type Page, isolate, keepFields } from '../frame/layout.ts'
import { badge, empty, field, head, icon, notice, select, table } from '../frame/parts.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { onceByProof, showSecret } from './secret.ts'

export const showKeys = companyPage('programs', async (viewer, shell) => {
  const { words } = viewer
  const { keys: of, parts } = words.programs
  const path = `/organizations/${shell.company.id}/api-keys?${queryOf(viewer, ['cursor'])}`
  const rows = bodyOf(await viewer.call<Rows<ApiKey>>('GET', path))
  return {
    title: parts.keys.name,
    body: html`${head(parts.keys.name, { below: html`${parts.keys.text}`, actions: addButton(shell, words) })}
      <div class="card">
        ${rows.data.length > 0 ? keyTable(rows.data, shell, words) : empty('programs', of.none, of.noneYet)}
      </div>
      ${nextOf(viewer, rows)}`,
  }
})

const addButton = (shell: CompanyShell, { programs }: Words): Markup =>
  may(shell, 'api_keys.manage')
    ? html`<a class="button" href="/o/${shell.company.id}/programs/keys/new">${icon('plus')}${programs.keys.add}</a>`
    : html``

/** Shows the state of a key in a word. */
export const keyBadge = ({ status }: ApiKey, { programs }: Words): Markup =>
  badge(programs.keys.states[status], status === 'active' ? 'good' : undefined)

/** Writes the beginning of a key, by which programs that have it are found. */
export const beginOf = ({ environment, lookup }: ApiKey): string => `svc_${environment}_${lookup}_…`

const keyTable = (rows: readonly ApiKey[], { company, formats }: CompanyShell, words: Words): Markup => {
  const { keys: of } = words.programs
  return table({
    caption: words.programs.parts.keys.name,
    columns: [{ name: of.name }, { name: of.begins }, { name: of.used }, { name: of.state }],
    rows: rows.map((row) => [
      html`<a href="/o/${company.id}/programs/keys/${row.id}">${isolate(row.name)}</a>`,
      html`<code>${beginOf(row)}</code>`,
      row.last_used_at ? formats.instant(row.last_used_at) : of.neverUsed,
      keyBadge(row, words),
    ]),
  })
}

export const showNewKey = (viewer: Viewer): Promise<Page | Response> => keyForm()(viewer)

const keyForm = (fault?: Fault) =>
  companyPage('programs', (viewer, { company }) => {
    const { words } = viewer
    const { keys: of } = words.programs
    const chosen = new Set(fault?.sent.all('scopes') ?? [])
    return Promise.resolve({
      title: of.add,
      ...(fault && { status: fault.status }),
      body: html`${head(of.add)} ${fault ? notice('fault', fault.text) : ''}
        <form class="card" method="post" action="/o/${company.id}/programs/keys">
          ${keepFields([['key', randomUUID()]])}
          ${field({
            id: 'name',
            label: of.name,
            value: fault?.sent.get('name'),
            required: true,
            hint: of.nameHint,
            wrong: fault?.wrong['name'],
            more: html`maxlength="255"`,
          })}
          ${select({
            id: 'role',
            label: of.role,
            value: fault?.sent.get('role'),
            required: true,
            hint: of.roleHint,
            choices: [
              ['member', of.roles.member],
              ['admin', of.roles.admin],
            ],
          })}
          <fieldset>
            <legend>${of.may}</legend>
            ${Object.entries(of.scopes).map(
              ([scope, text]) =>
                html`<label class="choice"
                  ><input type="checkbox" name="scopes" value="${scope}" ${chosen.has(scope) ? 'checked' : ''} />
                  <span>${text} <code class="small">${scope}</code></span></label
                >`,
            )}
          </fieldset>
          <div class="actions">
            <button>${of.make}</button>
            <a class="button second" href="/o/${company.id}/programs/keys">${words.pay.back}</a>
          </div>
        </form>`,
    })
  })

/** Writes the rights of a key in words. */
export const sayScopes = (scopes: readonly ApiKeyScope[], { programs }: Words): Markup | string =>
  scopes.length === 0
    ? programs.keys.nothing
    : html`${scopes.map((scope, at) => html`${at > 0 ? html`<br />` : ''}${programs.keys.scopes[scope]}`)}`

/** Makes a key, and shows its secret by this answer alone. */
export const createKey = onceByProof(
  act<ApiKeyWithSecret>({
    ask: ({ form, company }) => ({
      path: `/organizations/${encodeURIComponent(company)}/api-keys`,
      body: { name: form.get('name').trim(), role: form.get('role'), scopes: form.all('scopes') },
    }),
    then: ({ id, secret }, { viewer }) => {
      const { keys: of } = viewer.words.programs
      return showSecret(viewer, { heading: of.made, secret, text: of.secretText, next: `/programs/keys/${id}` })
    },
    again: (viewer, fault) => keyForm(fault)(viewer),
  }),
)

/** Requests of the last days, for developers: what their programs called, and what was answered. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { LoggedRequest } from '../../domain/requests/request.ts'
import { type CompanyShell, bodyOf, companyPage, nextOf, queryOf } from '../frame/company.ts'
import { filterForm, filterOf } from '../frame/forms/filters.ts'
import { isolate, keepFields } from '../frame/layout.ts'
import { badge, empty, head, table, tabs } from '../frame/parts.ts'
import type { Rows } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { findNames } from '../frame/organizations.ts'

export const showRequests = companyPage('programs', async (viewer, shell) => {
  const { words } = viewer
  const { requests: of, parts } = words.programs
  const query = queryOf(viewer, ['status_class', 'request_id', 'api_key_id', 'delegate_id', 'cursor'])
  const answer = await viewer.call<Rows<LoggedRequest>>('GET', `/organizations/${shell.company.id}/requests?${query}`)
  // an id that nobody can have finds nothing
  const rows = answer.status === 400 ? NONE : bodyOf(answer)
  const people = rows.data.flatMap(({ user_id: id }) => id ?? [])
  const names = await findNames(viewer, shell.company.id, people)
  const failed = filterOf(viewer, 'status_class') === 'errors'
  return {
    title: parts.requests.name,
    body: html`${head(parts.requests.name, { below: html`${of.text}` })}
      ${tabs(parts.requests.name, [
        { path: '?', text: of.all, here: !failed },
        { path: '?status_class=errors', text: of.errors, here: failed },
      ])}
      ${filterForm(viewer, [
        failed ? keepFields([['status_class', 'errors']]) : html``,
        html`<label
          >${of.find} <input type="search" name="request_id" value="${filterOf(viewer, 'request_id')}" maxlength="128"
        /></label>`,
      ])}
      <div class="card">
        ${rows.data.length > 0 ? requestTable(rows.data, names, shell, words) : empty('programs', of.none, of.noneYet)}
      </div>
      ${nextOf(viewer, rows)}`,
  }
})

const NONE: Rows<LoggedRequest> = { data: [], has_more: false, next_cursor: null }

const requestTable = (
  rows: readonly LoggedRequest[],
  names: ReadonlyMap<string, string>,
  { formats }: CompanyShell,
  words: Words,
): Markup => {
  const { requests: of } = words.programs
  return table({
    caption: words.programs.parts.requests.name,
    columns: [
      { name: of.when },
      { name: of.call },
      { name: of.by },
      { name: of.answer },
      { name: of.took, figure: true },
    ],
    rows: rows.map((row) => [
      html`${formats.instant(row.received_at)}<br /><code class="small">${row.request_id}</code>`,
      html`<code>${row.operation}</code><br /><code class="small">${row.method} ${row.path}</code>`,
      sayCaller(row, names, words),
      html`${badge(String(row.status), row.status >= 400 ? 'bad' : 'good')}${
        row.error_type ? html`<br /><code class="small">${row.error_type}</code>` : ''
      }`,
      of.milliseconds(row.milliseconds),
    ]),
  })
}

/** Says who called, and by what kind of credential. */
function sayCaller(row: LoggedRequest, names: ReadonlyMap<string, string>, { programs }: Words): Markup {
  const { requests: of, delegates } = programs
  const person = row.user_id === null ? null : (names.get(row.user_id) ?? delegates.formerMember)
  return html`${isolate(row.credential_name ?? person ?? '')}<br /><span class="small"
      >${of.credentials[row.credential_kind]}${row.credential_name && person ? html`, ${isolate(person)}` : ''}</span
    >`
}

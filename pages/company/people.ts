/** Members of a company: a list with their roles. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Member } from '../../domain/organizations/member.ts'
import { ROLES } from '../../domain/permissions.ts'
import { type CompanyShell, bodyOf, companyPage, doneNotice, may, nextOf, queryOf } from '../frame/company.ts'
import { isolate } from '../frame/layout.ts'
import { badge, empty, head, icon, table, tabs, type Choice } from '../frame/parts.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { filterForm, wordsFilter, choiceFilter } from '../frame/forms/filters.ts'

export const showPeople = companyPage('company', async (viewer, shell) => {
  const { words } = viewer
  const { people } = words.company
  const query = queryOf(viewer, ['q', 'role', 'cursor'])
  const rows = bodyOf(await viewer.call<Rows<Member>>('GET', `/organizations/${shell.company.id}/members?${query}`))
  return {
    title: people.heading,
    body: html`${peopleHead(shell, words, 'people')} ${doneNotice(viewer, people.done)} ${filters(viewer)}
      <div class="card">
        ${rows.data.length > 0 ? memberTable(rows.data, shell, words) : empty('search', words.list.none, '')}
      </div>
      ${nextOf(viewer, rows)}`,
  }
})

/** Shows what both lists of people have above them. */
export function peopleHead(shell: CompanyShell, words: Words, here: 'people' | 'invitations'): Markup {
  const { people, heading } = words.company
  const at = `/o/${shell.company.id}/company`
  const actions = may(shell, 'invitations.create')
    ? html`<a class="button" href="${at}/people/invite">${icon('plus')}${people.invite}</a>`
    : html``
  return html`${head(people.heading, { below: html`<a href="${at}">${heading}</a>`, actions })}
  ${
    may(shell, 'invitations.list')
      ? tabs(people.heading, [
          { path: `${at}/people`, text: people.members, here: here === 'people' },
          { path: `${at}/people/invitations`, text: people.invitations, here: here === 'invitations' },
        ])
      : ''
  }`
}

function filters(viewer: Viewer): Markup {
  const { role, roles, people } = viewer.words.company
  const choices = ROLES.map((one): Choice => [one, roles[one]])
  return filterForm(viewer, [
    wordsFilter(viewer),
    choiceFilter(viewer, 'role', role, [['', people.allRoles], ...choices]),
  ])
}

const memberTable = (rows: readonly Member[], { company, formats }: CompanyShell, words: Words): Markup => {
  const { people, role, roles } = words.company
  return table({
    caption: people.members,
    columns: [{ name: people.name }, { name: people.email }, { name: role }, { name: people.joined }],
    rows: rows.map((one) => [
      html`<a href="/o/${company.id}/company/people/${one.id}">${one.name ? isolate(one.name) : people.noName}</a>`,
      isolate(one.email),
      html`${badge(roles[one.role])}
      ${one.totp_enabled === false ? badge(`${people.authenticator}: ${people.hasNone}`, 'warn') : ''}`,
      formats.instant(one.joined_at),
    ]),
  })
}

/** Invitations: who is asked to join, sent again or taken back. */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { PRESET_NAMES } from '../../domain/permissions.ts'
import type { Invitation } from '../../domain/invitations/invitation.ts'
import { type Fault, Unclear, act } from '../frame/act.ts'
import { type CompanyShell, bodyOf, companyPage, doneNotice, may, nextOf, queryOf } from '../frame/company.ts'
import { type Page, isolate, keepFields } from '../frame/layout.ts'
import { type Choice, type Mood, area, badge, empty, head, notice, select, sure, table } from '../frame/parts.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { peopleHead } from './people.ts'
import { filterForm, wordsFilter, choiceFilter } from '../frame/forms/filters.ts'

const SHOWN = ['pending', 'pending_approval', 'accepted'] as const

export const showInvitations = (viewer: Viewer): Promise<Page | Response> => invitationsPage()(viewer)

const invitationsPage = (fault?: Fault) =>
  companyPage('company', async (viewer, shell) => {
    const { words } = viewer
    const { invitations: of } = words.company
    const query = queryOf(viewer, ['q', 'status', 'cursor'])
    const rows = bodyOf(
      await viewer.call<Rows<Invitation>>('GET', `/organizations/${shell.company.id}/invitations?${query}`),
    )
    const log = `/o/${shell.company.id}/company/activity?stream=invitations`
    return {
      title: words.company.people.invitations,
      ...(fault && { status: fault.status }),
      body: html`${peopleHead(shell, words, 'invitations')} ${fault ? notice('fault', fault.text) : ''}
        ${doneNotice(viewer, of.done)} ${filters(viewer)}
        <div class="card">
          ${rows.data.length > 0 ? invitationTable(rows.data, shell, words) : empty('company', of.none, of.noneYet)}
        </div>
        ${nextOf(viewer, rows)}
        <p class="small">
          ${may(shell, 'transactions.list_all') ? html`<a href="${log}">${of.ended}</a>` : of.ended}
        </p>`,
    }
  })

function filters(viewer: Viewer): Markup {
  const { invitations: of } = viewer.words.company
  const choices = SHOWN.map((one): Choice => [one, of.states[one]])
  return filterForm(viewer, [wordsFilter(viewer), choiceFilter(viewer, 'status', of.state, [['', of.all], ...choices])])
}

const MOODS: Readonly<Partial<Record<Invitation['status'], Mood>>> = { pending_approval: 'warn', accepted: 'good' }

function invitationTable(rows: readonly Invitation[], shell: CompanyShell, words: Words): Markup {
  const { invitations: of, people, role, roles } = words.company
  return table({
    caption: people.invitations,
    columns: [
      { name: people.email },
      { name: role },
      { name: of.state },
      { name: of.until },
      { name: words.company.actions },
    ],
    rows: rows.map((one) => [
      isolate(one.email),
      one.preset ? `${roles[one.role]}: ${people.presets[one.preset]}` : roles[one.role],
      badge(of.states[one.status], MOODS[one.status]),
      one.status === 'accepted' ? '' : shell.formats.instant(one.expires_at),
      actionsOf(one, shell, words),
    ]),
  })
}

/** Shows what can be done about an open invitation. */
function actionsOf(one: Invitation, shell: CompanyShell, { company: { invitations: of } }: Words): Markup {
  const at = `/o/${shell.company.id}/company/people/invitations/${one.id}`
  const isOpen = one.status !== 'accepted'
  const waits = one.status === 'pending_approval' && one.approval_request_id !== null
  return html`${waits ? html`<a href="/approve/${one.approval_request_id}">${of.request}</a>` : ''}
  ${
    one.status === 'pending' && may(shell, 'invitations.resend')
      ? html`<form method="post" action="${at}/resend"><button class="second">${of.resend}</button></form>`
      : ''
  }
  ${
    isOpen && may(shell, 'invitations.delete')
      ? sure({ ask: of.revoke, text: of.revokeText, action: `${at}/revoke`, button: of.revokeNow })
      : ''
  }`
}

export const showInvite = (viewer: Viewer): Promise<Page | Response> => invitePage()(viewer)

const invitePage = (fault?: Fault) =>
  companyPage('company', ({ words }, { company }) => {
    const { invitations: of, people, role, roles, back } = words.company
    const sent = (name: string) => fault?.sent.get(name) ?? ''
    const at = `/o/${company.id}/company/people`
    return Promise.resolve({
      title: people.invite,
      ...(fault && { status: fault.status }),
      body: html`${head(people.invite, { below: html`<a href="${at}">${people.heading}</a>` })}
        ${fault ? notice('fault', fault.text) : ''}
        <form class="card" method="post" action="${at}/invite">
          ${keepFields([['key', sent('key') || randomUUID()]])}
          ${area({
            id: 'addresses',
            label: of.addresses,
            value: sent('addresses'),
            hint: of.addressesHint,
            wrong: fault && whichAddress(fault),
            required: true,
          })}
          ${select({
            id: 'role',
            label: role,
            value: sent('role') || 'member',
            hint: of.rolesHint,
            required: true,
            choices: (['member', 'admin'] as const).map((one): Choice => [one, `${roles[one]}: ${of.may[one]}`]),
          })}
          <p class="small">${people.roleHint}</p>
          ${select({
            id: 'preset',
            label: people.preset,
            value: sent('preset'),
            choices: [['', people.presets.none], ...PRESET_NAMES.map((name): Choice => [name, people.presets[name]])],
          })}
          <div class="actions"><button>${of.send}</button> <a class="button second" href="${at}">${back}</a></div>
        </form>`,
    })
  })

const addressesIn = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)

/** Says which of the addresses is wrong. */
function whichAddress({ sent, wrong }: Fault): string | undefined {
  const addresses = addressesIn(sent.get('addresses'))
  const faults = Object.entries(wrong).map(([path, message]) => {
    const [, at] = /^invitations\.(\d+)/.exec(path) ?? []
    const address = at === undefined ? undefined : addresses[Number(at)]
    return address === undefined ? message : `${address}: ${message}`
  })
  return faults.length > 0 ? faults.join('; ') : undefined
}

export const invite = act({
  ask: ({ viewer, form, company }) => {
    const addresses = addressesIn(form.get('addresses'))
    if (addresses.length === 0) throw new Unclear(viewer.words.company.invitations.noAddress, 'addresses')
    const [role, preset] = [form.get('role'), form.get('preset') || null]
    return {
      path: `/organizations/${company}/invitations/bulk`,
      body: { invitations: addresses.map((email) => ({ email, role, preset })) },
      key: form.get('key'),
    }
  },
  then: (_, { company }) => `/o/${company}/company/people/invitations?done=invited`,
  again: (viewer, fault) => invitePage(fault)(viewer),
})

const again = (viewer: Viewer, fault: Fault): Promise<Page | Response> => invitationsPage(fault)(viewer)

export const resend = act({
  ask: ({ company, id }) => ({ path: `/organizations/${company}/invitations/${id}/resend`, body: {} }),
  then: (_, { company }) => `/o/${company}/company/people/invitations?done=resent`,
  again,
})

export const revoke = act({
  ask: ({ company, id }) => ({ method: 'DELETE', path: `/organizations/${company}/invitations/${id}` }),
  then: (_, { company }) => `/o/${company}/company/people/invitations?done=revoked`,
  again,
})

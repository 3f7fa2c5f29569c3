/** One member: their role, and what ends their membership. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { markAlike } from '../../domain/look-alikes.ts'
import type { Member } from '../../domain/organizations/member.ts'
import type { Me } from '../../domain/people/person.ts'
import { PRESET_NAMES, ROLES } from '../../domain/permissions.ts'
import { type Act, type Fault, act } from '../frame/act.ts'
import { type CompanyShell, bodyOf, companyPage, doneNotice, may, notFound } from '../frame/company.ts'
import { type Page, isolate } from '../frame/layout.ts'
import { type Choice, badge, head, notice, select, sure } from '../frame/parts.ts'
import { rowsOf } from '../frame/rows.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import { removalForm } from './permissions.ts'
import type { Words } from '../words/en.ts'

export const showMember = (viewer: Viewer): Promise<Page | Response> => memberPage()(viewer)

const memberPage = (fault?: Fault) =>
  companyPage('company', async (viewer, shell) => {
    const { words } = viewer
    const id = viewer.http.req.param('id') ?? ''
    const [me, members] = await Promise.all([
      viewer.call<Me>('GET', '/me'),
      viewer.call<Rows<Member>>('GET', `/organizations/${shell.company.id}/members?user_ids=${id}`),
    ])
    const [member] = bodyOf(members).data
    if (!member) return notFound(viewer).frame
    const isViewer = bodyOf(me).id === member.id
    const { people, roles } = words.company
    const name = member.name ?? people.noName
    return {
      title: markAlike(name),
      ...(fault && { status: fault.status }),
      body: html`${head(isolate(name), {
          below: html`<a href="/o/${shell.company.id}/company/people">${people.heading}</a> ${badge(roles[member.role])}
            ${isViewer ? badge(people.you) : ''}`,
        })}
        ${fault ? notice('fault', fault.text) : ''} ${doneNotice(viewer, people.done)}
        <div class="card">
          ${rowsOf([
            [people.email, isolate(member.email)],
            [people.joined, shell.formats.instant(member.joined_at)],
            [people.authenticator, authenticatorOf(member, words)],
            [people.preset, limitOf(member, words)],
            [words.company.scim.managed, member.managed_by_scim ? words.company.scim.byProvider : null],
          ])}
        </div>
        ${mayChange(shell, member) ? roleForm(shell, member, words) : ''}
        ${mayLimit(shell, member, isViewer) ? limitForms(viewer, shell, member, fault) : ''}
        ${endings(shell, member, isViewer, words)}`,
    }
  })

const authenticatorOf = ({ totp_enabled: enabled }: Member, { company: { people } }: Words): string | null =>
  enabled === null ? null : enabled ? people.hasOne : people.hasNone

/** Tells if the viewer may change or remove a member: owners alone do so with owners. */
const mayChange = (shell: CompanyShell, { role }: Member): boolean =>
  may(shell, 'members.manage') && (shell.company.role === 'owner' || role !== 'owner')

function roleForm({ company }: CompanyShell, member: Member, { company: words }: Words): Markup {
  const choices = ROLES.filter((role) => role !== 'owner' || company.role === 'owner').map((role): Choice => [
    role,
    words.roles[role],
  ])
  return html`<form class="card" method="post" action="${pathOf(company.id, member.id)}/role">
    ${select({ id: 'role', label: words.role, value: member.role, hint: words.people.roleHint, required: true, choices })}
    <div class="actions"><button class="second">${words.people.changeRole}</button></div>
  </form>`
}

/** Names what was taken from a member; null for nothing. */
const limitOf = ({ preset, permissions_removed: removed }: Member, { company: { people } }: Words): string | null =>
  removed.length === 0 ? null : preset ? people.presets[preset] : people.otherLimit

/** Tells if the viewer may take permissions from a member: never from an owner, nor from themselves. */
const mayLimit = (shell: CompanyShell, member: Member, isViewer: boolean): boolean =>
  mayChange(shell, member) && member.role !== 'owner' && !isViewer

/** Shows the sets that limit the role, and each permission. */
const limitForms = (viewer: Viewer, shell: CompanyShell, member: Member, fault: Fault | undefined): Markup => {
  const { words, http } = viewer
  const at = pathOf(shell.company.id, member.id)
  return html`${presetForm(shell, member, words)}
  ${removalForm({ at, member, words, fault, fill: http.req.query('fill') })}`
}

function presetForm({ company }: CompanyShell, { id, preset }: Member, { company: { people } }: Words): Markup {
  const choices: Choice[] = [
    ['', people.presets.none],
    ...PRESET_NAMES.map((name): Choice => [name, people.presets[name]]),
  ]
  return html`<form class="card" method="post" action="${pathOf(company.id, id)}/preset">
    ${select({ id: 'preset', label: people.preset, value: preset ?? '', hint: people.presetHint, choices })}
    <div class="actions"><button class="second">${people.changePreset}</button></div>
  </form>`
}

const pathOf = (companyId: string, id: string): string => `/o/${companyId}/company/people/${id}`

function endings(shell: CompanyShell, member: Member, isViewer: boolean, { company: words }: Words): Markup {
  const { company } = shell
  const { people } = words
  const at = pathOf(company.id, member.id)
  if (isViewer) {
    return sure({
      ask: people.leave,
      text: people.leaveText,
      action: `/o/${company.id}/company/leave`,
      button: people.leaveNow,
    })
  }
  const hands = company.role === 'owner' && member.role !== 'owner'
  return html`${
    hands
      ? sure({
          ask: people.transfer,
          text: people.transferText,
          action: `${at}/transfer`,
          button: people.transferNow,
        })
      : ''
  }
  ${
    mayChange(shell, member)
      ? sure({ ask: people.remove, text: people.removeText, action: `${at}/remove`, button: people.removeNow })
      : ''
  }`
}

const again = (viewer: Viewer, fault: Fault): Promise<Page | Response> => memberPage(fault)(viewer)
const at = ({ company }: Pick<Act, 'company'>): string => `/organizations/${company}`

export const changeRole = act({
  ask: ({ form, company, id }) => ({
    method: 'PATCH',
    path: `${at({ company })}/members/${id}`,
    body: { role: form.get('role') },
  }),
  then: (_, { company, id }) => `${pathOf(company, id)}?done=role`,
  again,
})

export const changePreset = act({
  ask: ({ form, company, id }) => ({
    method: 'PATCH',
    path: `${at({ company })}/members/${id}`,
    body: { preset: form.get('preset') || null },
  }),
  then: (_, { company, id }) => `${pathOf(company, id)}?done=preset`,
  again,
})

export const changePermissions = act({
  ask: ({ form, company, id }) => ({
    method: 'PATCH',
    path: `${at({ company })}/members/${id}`,
    body: { permissions_removed: form.all('removed') },
  }),
  then: (_, { company, id }) => `${pathOf(company, id)}?done=preset`,
  again,
})

export const removeMember = act({
  ask: ({ company, id }) => ({ method: 'DELETE', path: `${at({ company })}/members/${id}` }),
  then: (_, { company }) => `/o/${company}/company/people?done=removed`,
  again,
})

export const transferOwnership = act({
  ask: ({ company, id }) => ({ path: `${at({ company })}/transfer-ownership`, body: { user_id: id } }),
  then: (_, { company }) => `/o/${company}/company/people?done=transferred`,
  again,
})

export const leaveCompany = act({
  ask: ({ company }) => ({ path: `${at({ company })}/leave`, body: {} }),
  then: () => '/',
  again: (viewer, fault) => leaveFault(fault)(viewer),
})

/** Says why the viewer cannot leave, on a page of its own: the address names no member. */
const leaveFault = (fault: Fault) =>
  companyPage('company', ({ words }, { company }) => {
    const { people } = words.company
    return Promise.resolve({
      title: people.leave,
      status: fault.status,
      body: html`${head(people.leave)} ${notice('fault', fault.text)}
        <p><a class="button second" href="/o/${company.id}/company/people">${people.heading}</a></p>`,
    })
  })

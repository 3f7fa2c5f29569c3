/** Members that the identity provider manages (SCIM): its address, its tokens, and the roles that its groups give. */
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import { PRESET_NAMES } from '../../../domain/permissions.ts'
import type { LoggedRequest } from '../../../domain/requests/request.ts'
import { SCIM_ROLES, type ScimGroup } from '../../../domain/scim/role.ts'
import type { ScimToken, ScimTokenWithSecret } from '../../../domain/scim/token.ts'
import { SCIM_ROOT } from '../../../domain/scim/resources.ts'
import { config } from '../../../platform/config.ts'
import { type Fault, act } from '../../frame/act.ts'
import { type CompanyShell, bodyOf, companyPage, doneNotice, nextOf, notFound, queryOf } from '../../frame/company.ts'
import { type Page, isolate, keepFields } from '../../frame/layout.ts'
import { type Choice, badge, empty, field, head, notice, select, table } from '../../frame/parts.ts'
import type { Rows, Viewer } from '../../frame/viewer.ts'
import { onceByProof, showSecret } from '../../programs/secret.ts'
import type { Words } from '../../words/en.ts'

const pathOf = (company: string): string => `/o/${company}/company/sign-in/scim`
const apiPathOf = (company: string): string => `/organizations/${encodeURIComponent(company)}/scim`

export const showScim = (viewer: Viewer): Promise<Page | Response> => scimPage()(viewer)

const scimPage = (fault?: Fault) =>
  companyPage('company', async (viewer, shell) => {
    const { company } = shell
    if (company.role !== 'owner') return notFound(viewer).frame
    const { scim: of, provider } = viewer.words.company
    const [answered, grouped] = await Promise.all([
      viewer.call<Rows<ScimToken>>('GET', `${apiPathOf(company.id)}/tokens?limit=100`),
      viewer.call<Rows<ScimGroup>>('GET', `${apiPathOf(company.id)}/groups?${queryOf(viewer, ['cursor'])}`),
    ])
    const [tokens, groups] = [bodyOf(answered).data, bodyOf(grouped)]
    return {
      title: of.heading,
      ...(fault && { status: fault.status }),
      body: html`${head(of.heading, { below: html`<a href="/o/${company.id}/company/sign-in">${provider.heading}</a>` })}
      ${fault ? notice('fault', fault.text) : ''} ${doneNotice(viewer, of.done)}
      ${aboutCard(viewer.words, shell, await lastRequestOf(viewer, company.id, tokens))}
      ${tokensCard(viewer.words, shell, tokens, fault)} ${groupsCard(viewer.words, shell, groups.data)}
      ${nextOf(viewer, groups)}`,
    }
  })

/** Reads the newest request of the provider in its log, with the token that was used last. */
async function lastRequestOf(viewer: Viewer, company: string, tokens: readonly ScimToken[]) {
  const used = tokens.filter((token) => token.last_used_at !== null)
  const [last] = used.toSorted((one, other) => (other.last_used_at ?? '').localeCompare(one.last_used_at ?? ''))
  if (!last) return undefined
  const path = `/organizations/${encodeURIComponent(company)}/requests?api_key_id=${last.id}&limit=1`
  return bodyOf(await viewer.call<Rows<LoggedRequest>>('GET', path)).data[0]
}

function aboutCard(
  { company: { scim: of } }: Words,
  { formats }: CompanyShell,
  last: LoggedRequest | undefined,
): Markup {
  return html`<div class="card">
    <p>${of.text}</p>
    <dl>
      <dt>${of.scimUrl}</dt>
      <dd><code>${config.publicUrl}${SCIM_ROOT}</code></dd>
      <dt>${of.last}</dt>
      <dd>
        ${
          last
            ? html`${formats.instant(last.received_at)}
                <code>${last.method} ${last.path}</code>
                ${badge(String(last.status), last.status < 400 ? 'good' : 'bad')}`
            : of.noneYet
        }
      </dd>
    </dl>
  </div>`
}

function tokensCard(
  { company: { scim: of } }: Words,
  { company, formats }: CompanyShell,
  tokens: readonly ScimToken[],
  fault: Fault | undefined,
): Markup {
  const at = pathOf(company.id)
  const rows = tokens.map((token) => [
    isolate(token.name),
    formats.instant(token.inserted_at),
    token.last_used_at ? formats.instant(token.last_used_at) : of.neverUsed,
    token.revoked_at
      ? badge(of.revoked)
      : html`<form method="post" action="${at}/revoke">
          ${keepFields([['token', token.id]])}<button class="second">${of.revoke}</button>
        </form>`,
  ])
  return html`<div class="card">
    <h2>${of.tokens}</h2>
    ${
      rows.length > 0
        ? table({
            caption: of.tokens,
            columns: [{ name: of.name }, { name: of.made }, { name: of.used }, { name: of.state }],
            rows,
          })
        : ''
    }
    <form method="post" action="${at}">
      ${field({
        id: 'name',
        label: of.name,
        hint: of.nameHint,
        value: fault?.sent.get('name'),
        required: true,
        wrong: fault?.wrong['name'],
        more: html`maxlength="100"`,
      })}
      <div class="actions"><button>${of.make}</button></div>
    </form>
  </div>`
}

function groupsCard({ company: words }: Words, { company }: CompanyShell, groups: readonly ScimGroup[]): Markup {
  const { scim: of } = words
  return html`<div class="card">
    <h2>${of.groups}</h2>
    <p>${of.groupsText}</p>
    ${groups.length > 0 ? groups.map((one) => groupForm(words, pathOf(company.id), one)) : empty('company', of.noGroups, of.noGroupsYet)}
  </div>`
}

function groupForm({ scim: of, roles, people }: Words['company'], at: string, group: ScimGroup): Markup {
  const { id, display_name: name, members, role, preset } = group
  const [none, presets]: [Choice, Choice[]] = [
    ['', of.noRole],
    [['', people.presets.none], ...PRESET_NAMES.map((one): Choice => [one, people.presets[one]])],
  ]
  return html`<form method="post" action="${at}/role">
    <h3>${isolate(name)} ${badge(of.members(members))}</h3>
    ${keepFields([['group', id]])}
    ${select({
      id: `role-${id}`,
      sentAs: 'role',
      label: of.role,
      value: role ?? '',
      choices: [none, ...SCIM_ROLES.map((one): Choice => [one, roles[one]])],
    })}
    ${select({ id: `preset-${id}`, sentAs: 'preset', label: people.preset, value: preset ?? '', choices: presets })}
    <div class="actions"><button class="second">${of.save}</button></div>
  </form>`
}

const again = (viewer: Viewer, fault: Fault): Promise<Page | Response> => scimPage(fault)(viewer)

/** Makes a token, and shows its secret by this answer alone. */
export const createToken = onceByProof(
  act<ScimTokenWithSecret>({
    ask: ({ form, company }) => ({
      path: `${apiPathOf(company)}/tokens`,
      body: { name: form.get('name').trim() },
    }),
    then: ({ secret }, { viewer }) => {
      const { scim: of } = viewer.words.company
      return showSecret(viewer, { heading: of.madeNow, secret, text: of.secretText, next: '/company/sign-in/scim' })
    },
    again,
  }),
  '/company/sign-in/scim',
)

export const revokeToken = act({
  ask: ({ form, company }) => ({
    path: `${apiPathOf(company)}/tokens/${encodeURIComponent(form.get('token'))}/revoke`,
    body: {},
  }),
  then: (_, { company }) => `${pathOf(company)}?done=revoked`,
  again,
})

export const setRole = act({
  ask: ({ form, company }) => ({
    method: 'PATCH',
    path: `${apiPathOf(company)}/groups/${encodeURIComponent(form.get('group'))}`,
    body: { role: form.get('role') || null, preset: (form.get('role') && form.get('preset')) || null },
  }),
  then: (_, { company }) => `${pathOf(company)}?done=saved`,
  again,
})

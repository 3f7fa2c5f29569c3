/** Page on which a person connects a client: a program or an agent gets a delegate of theirs (OAuth 2.1). */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { type AuthorizationCode, DELEGATE_DAYS, type OAuthClient } from '../../domain/people/authorization.ts'
import { DELEGATE_ACCESS, DELEGATE_DAYS_MAX, type DelegateAccess } from '../../domain/people/delegate.ts'
import { type Audience, audienceOf } from '../../domain/people/audience.ts'
import { config } from '../../platform/config.ts'
import { type Choice, notice, optionsOf } from '../frame/parts.ts'
import { type Page, type HiddenFields, isolate, keepFields, writePage } from '../frame/layout.ts'
import { messageOf } from '../frame/messages.ts'
import { type Organization, allOrganizations } from '../frame/organizations.ts'
import { askWithProof } from '../frame/proof.ts'
import { toSignIn } from '../frame/return.ts'
import type { Fields, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'

const ACTION = '/authorize'
const NAMES = [
  'response_type',
  'client_id',
  'redirect_uri',
  'code_challenge',
  'code_challenge_method',
  'scope',
  'state',
  'resource',
] as const
type AuthorizeQuery = Readonly<Record<(typeof NAMES)[number], string>>

/** Fields in which the person chooses. */
const CHOICES = ['organization_id', 'access', 'days'] as const

const audienceIn = ({ resource }: AuthorizeQuery): Audience | undefined =>
  resource === '' ? 'service' : audienceOf(resource, config.publicUrl)

/** Shows who asks, for what; signs in first. Never leads to an address that the client did not register. */
export async function showAuthorization(viewer: Viewer): Promise<Page | Response> {
  const asked = readAsked((name) => viewer.http.req.query(name) ?? '')
  return withClient(viewer, asked, (client) => {
    const fault = faultOf(asked)
    return fault ? showFault(viewer, client, asked, fault) : consentPage(viewer, client, asked)
  })
}

/** Takes the answer of the person: a delegate and a code for it, or a refusal; both go to the client. */
export async function authorize(viewer: Viewer, form: Fields): Promise<Page | Response> {
  const asked = readAsked(form.get)
  const fault = faultOf(asked)
  if (fault) return withClient(viewer, asked, (client) => showFault(viewer, client, asked, fault))
  if (form.get('decision') !== 'allow')
    return withClient(viewer, asked, (client) => leave(viewer, client, asked, { error: 'access_denied' }))
  const chosen = CHOICES.map((name) => [name, form.get(name)] as const)
  const answer = await askWithProof<AuthorizationCode>(viewer, form, {
    path: '/me/authorizations',
    body: {
      organization_id: form.get('organization_id'),
      client_id: asked.client_id,
      redirect_uri: asked.redirect_uri,
      code_challenge: asked.code_challenge,
      access: covers(accessIn(asked), form.get('access')) ? form.get('access') : 'read',
      audience: audienceIn(asked),
      expires_in_days: Number(form.get('days')),
    },
    place: '/approve',
    kept: [...fieldsOf(asked), ...chosen, ['decision', 'allow']],
  })
  if (!('ok' in answer)) return answer
  if (answer.ok) return leave(viewer, asked, asked, { code: answer.body.code })
  if (answer.status === 401) return toSignIn(viewer, addressOf(asked))
  const { error } = answer
  const again = { fault: messageOf(error), chosen: Object.fromEntries(chosen) }
  return withClient(viewer, asked, (client) => consentPage(viewer, client, asked, again))
}

const readAsked = (get: (name: string) => string): AuthorizeQuery =>
  Object.fromEntries(NAMES.map((name) => [name, get(name)])) as AuthorizeQuery // each name is there

const fieldsOf = (asked: AuthorizeQuery): HiddenFields => NAMES.map((name) => [name, asked[name]])

const addressOf = (asked: AuthorizeQuery): string => `${ACTION}?${new URLSearchParams(asked).toString()}`

/** Reads the client for a person who is signed in; shows why not, and leads nowhere. */
async function withClient(
  viewer: Viewer,
  asked: AuthorizeQuery,
  show: (client: OAuthClient) => Page | Promise<Page | Response>,
): Promise<Page | Response> {
  const query = new URLSearchParams({ client_id: asked.client_id, redirect_uri: asked.redirect_uri })
  const client = await viewer.call<OAuthClient>('GET', `/me/authorizations/client?${query.toString()}`)
  if (client.ok) return show(client.body)
  return client.status === 401 ? toSignIn(viewer, addressOf(asked)) : showRefusal(viewer, messageOf(client.error))
}

const showRefusal = ({ words: { signIn } }: Viewer, message: string): Promise<Page> =>
  writePage({
    title: signIn.connect.refused,
    place: null,
    status: 422,
    body: html`<h1>${signIn.connect.refused}</h1>
      ${notice('fault', message)}
      <p>${signIn.connect.refusedText}</p>`,
  })

/** Finds what is wrong with a request, as RFC 6749, section 4.1.2.1, and RFC 8707 name it. */
function faultOf(asked: AuthorizeQuery): string | null {
  if (asked.response_type !== 'code') return 'unsupported_response_type'
  if (asked.code_challenge_method !== 'S256' || !/^[\w-]{43}$/.test(asked.code_challenge)) return 'invalid_request'
  if (!audienceIn(asked)) return 'invalid_target'
  return asked.scope.trim() !== '' && scopesIn(asked).length === 0 ? 'invalid_scope' : null
}

const scopesIn = ({ scope }: AuthorizeQuery): DelegateAccess[] => {
  const names = scope.split(' ')
  return DELEGATE_ACCESS.filter((access) => names.includes(access))
}

/** Reads the access that is asked for: the widest of several, to read without any. */
const accessIn = (asked: AuthorizeQuery): DelegateAccess => scopesIn(asked).at(-1) ?? 'read'

const covers = (given: DelegateAccess, other: string): boolean =>
  DELEGATE_ACCESS.slice(0, DELEGATE_ACCESS.indexOf(given) + 1).some((access) => access === other)

/** Choices of the person so far: of the organization, the access and the days. */
type GrantChoices = Readonly<Partial<Record<(typeof CHOICES)[number], string>>>

/** Chooses before the person does: what the program asked for, in their primary organization. */
const choiceFor = (asked: AuthorizeQuery, organizations: readonly Organization[]): GrantChoices => ({
  organization_id: (organizations.find((one) => one.is_primary) ?? organizations[0])?.id ?? '',
  access: accessIn(asked),
  days: String(DELEGATE_DAYS),
})

type Again = { readonly fault: string; readonly chosen: GrantChoices }

/** Asks the person; again with their choices and the reason why these were not taken. */
async function consentPage(
  viewer: Viewer,
  client: OAuthClient,
  asked: AuthorizeQuery,
  again?: Again,
): Promise<Page | Response> {
  const organizations: Organization[] = []
  for await (const page of allOrganizations(viewer)) {
    if (!page) return toSignIn(viewer, addressOf(asked))
    organizations.push(...page)
  }
  const { fault } = again ?? {}
  const { connect: words } = viewer.words.signIn
  const chosen = again?.chosen ?? choiceFor(asked, organizations)
  const access = DELEGATE_ACCESS.filter((one) => covers(accessIn(asked), one))
  return writePage({
    title: words.title,
    place: null,
    status: fault ? 422 : 200,
    body: html`<h1>${words.heading[0]}${isolate(client.name)}${words.heading[1]}</h1>
      ${fault ? notice('fault', fault) : ''} ${whoAsks(client, words)}
      <p>${words.text}</p>
      <form method="post" action="${ACTION}">
        ${keepFields(fieldsOf(asked))}
        ${select(
          words.organization,
          'organization_id',
          organizations.map(({ id, name }) => [id, name]),
          chosen.organization_id,
        )}
        ${select(
          words.may,
          'access',
          access.map((one) => [one, words.access[one]]),
          chosen.access,
        )}
        <label
          >${words.days}
          <input name="days" type="number" min="1" max="${DELEGATE_DAYS_MAX}" value="${chosen.days ?? ''}" required
        /></label>
        <div class="actions">
          <button name="decision" value="allow">${words.button}</button>
          <button class="second" name="decision" value="deny" formnovalidate>${words.deny}</button>
        </div>
      </form>`,
  })
}

/** Says who asks: the name is the client's own word, the host is where its description was read. */
function whoAsks({ name, host, redirect_uri: uri }: OAuthClient, words: ConnectWords): Markup {
  const back = new URL(uri)
  const isHere = back.protocol === 'http:'
  return html`<dl>
      <dt>${words.calls}</dt>
      <dd>${isolate(name)}</dd>
      ${
        host === null
          ? ''
          : html`<dt>${words.host}</dt>
              <dd><strong>${isolate(host)}</strong></dd>`
      }
      <dt>${words.returns}</dt>
      <dd>${isHere ? words.here : isolate(back.host)}</dd>
    </dl>
    ${isHere ? html`<p class="small">${words.hereText}</p>` : ''}`
}

type ConnectWords = Words['signIn']['connect']

const select = (label: string, name: string, options: readonly Choice[], chosen: string | undefined): Markup =>
  html`<label
    >${label}
    <select name="${name}" required>
      ${optionsOf(options, chosen)}
    </select></label
  >`

type RedirectTarget = Pick<OAuthClient, 'redirect_uri'>
type Result = Readonly<Record<string, string>>

/** Leads back to the client with its answer. A page does it: forms of ours lead to no other site. */
function leave({ words }: Viewer, client: RedirectTarget, asked: AuthorizeQuery, result: Result): Promise<Page> {
  const { connect } = words.signIn
  const back = addressBack(client, asked, result)
  const done = 'code' in result
  return writePage({
    title: done ? connect.connected : connect.notConnected,
    refresh: back,
    body: html`<h1>${done ? connect.connected : connect.notConnected}</h1>
      <p>${done ? connect.connectedText : connect.notConnectedText}</p>
      <p><a href="${back}" data-again>${connect.back}</a></p>`,
  })
}

/** Shows a fault of the request. It leads nowhere by itself: a link to us must not send a person to another site. */
function showFault({ words }: Viewer, client: OAuthClient, asked: AuthorizeQuery, error: string): Promise<Page> {
  const { connect } = words.signIn
  const { host } = new URL(client.redirect_uri)
  return writePage({
    title: connect.notConnected,
    place: null,
    status: 422,
    body: html`<h1>${connect.notConnected}</h1>
      ${notice('fault', `${connect.fault} ${error}.`)}
      <p>${connect.close}</p>
      <p><a href="${addressBack(client, asked, { error })}">${connect.tell} ${isolate(host)}</a></p>`,
  })
}

function addressBack({ redirect_uri: uri }: RedirectTarget, { state }: AuthorizeQuery, result: Result): string {
  const back = new URL(uri)
  const answer = { ...result, ...(state !== '' && { state }), iss: config.publicUrl }
  for (const [name, value] of Object.entries(answer)) back.searchParams.append(name, value)
  return back.href
}

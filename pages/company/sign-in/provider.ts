/** Sign-in of a company: its identity provider, its domains, and if members have to sign in there. */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import type { IdentityProvider, ProviderDomain } from '../../../domain/identity-providers/identity-provider.ts'
import { type ApiCall, type Fault, act } from '../../frame/act.ts'
import { bodyOf, companyPage, doneNotice, notFound } from '../../frame/company.ts'
import { type Page, keepFields } from '../../frame/layout.ts'
import { badge, field, head, notice } from '../../frame/parts.ts'
import type { Fields, Viewer } from '../../frame/viewer.ts'
import type { Words } from '../../words/en.ts'

type ProviderWords = Words['company']['provider']

const pathOf = (company: string): string => `/o/${company}/company/sign-in`
const apiPathOf = (company: string): string => `/organizations/${encodeURIComponent(company)}/identity-provider`

export const showProvider = (viewer: Viewer): Promise<Page | Response> => providerPage()(viewer)

const providerPage = (fault?: Fault) =>
  companyPage('company', async (viewer, { company }) => {
    if (company.role !== 'owner') return notFound(viewer).frame
    const { heading, provider: of } = viewer.words.company
    const answer = await viewer.call<IdentityProvider>('GET', apiPathOf(company.id))
    const provider = !answer.ok && answer.error.type === 'not_found' ? null : bodyOf(answer)
    const at = pathOf(company.id)
    return {
      title: of.heading,
      ...(fault && { status: fault.status }),
      body: html`${head(of.heading, { below: html`<a href="/o/${company.id}/company">${heading}</a>` })}
      ${fault ? notice('fault', fault.text) : ''} ${doneNotice(viewer, of.done)}
      ${
        provider
          ? html`${aboutCard(of, provider)} ${domainsCard(of, at, provider.domains)} ${scimCard(viewer.words, at)}
            ${changeCards(of, at, provider)}`
          : connectForm(of, at, fault)
      }`,
    }
  })

const connectForm = (of: ProviderWords, at: string, fault: Fault | undefined): Markup => {
  const input = (id: string, label: string, hint: string, more: Markup) =>
    field({ id, label, hint, value: fault?.sent.get(id), required: true, wrong: fault?.wrong[id], more })
  return html`<form class="card" method="post" action="${at}">
    ${keepFields([['key', randomUUID()]])}
    <p>${of.text}</p>
    ${input('issuer', of.issuer, of.issuerHint, html`maxlength="512" inputmode="url"`)}
    ${input('client_id', of.clientId, of.clientIdHint, html`maxlength="255" autocomplete="off"`)}
    ${field({
      id: 'client_secret',
      label: of.secret,
      hint: of.secretHint,
      type: 'password',
      required: true,
      wrong: fault?.wrong['client_secret'],
      more: html`autocomplete="off"`,
    })}
    <div class="actions"><button>${of.connect}</button></div>
  </form>`
}

const aboutCard = (
  of: ProviderWords,
  { issuer, client_id: id, redirect_uri: back, logout_uri: out }: IdentityProvider,
): Markup =>
  html`<div class="card">
    <dl>
      <dt>${of.issuer}</dt>
      <dd>${issuer}</dd>
      <dt>${of.clientId}</dt>
      <dd><code>${id}</code></dd>
      <dt>${of.redirect}</dt>
      <dd><code>${back}</code></dd>
      <dt>${of.logout}</dt>
      <dd><code>${out}</code></dd>
    </dl>
  </div>`

const domainsCard = (of: ProviderWords, at: string, domains: readonly ProviderDomain[]): Markup =>
  html`<div class="card">
    <h2>${of.domains}</h2>
    <p>${of.domainsText}</p>
    ${domains.map((one) => domainRow(of, at, one))}
    <form method="post" action="${at}/domains">
      ${field({ id: 'domain', label: of.domain, required: true, more: html`maxlength="253" placeholder="example.com"` })}
      <div class="actions"><button class="second">${of.addDomain}</button></div>
    </form>
  </div>`

const domainRow = (
  of: ProviderWords,
  at: string,
  { domain, record_name: name, record_value: value, proved_at }: ProviderDomain,
) =>
  html`<h3>${domain} ${proved_at ? badge(of.proved, 'good') : badge(of.open)}</h3>
    ${
      proved_at
        ? ''
        : html`<p>${of.record} <code>${name}</code> <code>${value}</code></p>
            <form method="post" action="${at}/domains/verify">
              ${keepFields([['domain', domain]])}
              <div class="actions"><button class="second">${of.verify}</button></div>
            </form>`
    }
    <form method="post" action="${at}/domains/remove">
      ${keepFields([['domain', domain]])}
      <div class="actions"><button class="second">${of.removeDomain}</button></div>
    </form>`

const scimCard = ({ company: { scim: of } }: Words, at: string): Markup =>
  html`<div class="card">
    <h2>${of.heading}</h2>
    <p>${of.openText}</p>
    <div class="actions"><a class="button second" href="${at}/scim">${of.open}</a></div>
  </div>`

const changeCards = (of: ProviderWords, at: string, { required }: IdentityProvider): Markup =>
  html`<form class="card" method="post" action="${at}/change">
      <h2>${required ? of.isRequired : of.isOptional}</h2>
      <p>${of.requiredText}</p>
      ${keepFields([['required', required ? 'no' : 'yes']])}
      <div class="actions"><button class="second">${required ? of.makeOptional : of.makeRequired}</button></div>
    </form>
    <form class="card" method="post" action="${at}/secret">
      <h2>${of.newSecret}</h2>
      ${field({ id: 'client_secret', label: of.secret, type: 'password', required: true, more: html`autocomplete="off"` })}
      <div class="actions"><button class="second">${of.saveSecret}</button></div>
    </form>
    <form class="card" method="post" action="${at}/disconnect">
      <h2>${of.disconnect}</h2>
      <p>${of.disconnectText}</p>
      <div class="actions"><button class="danger">${of.disconnectNow}</button></div>
    </form>`

/** Makes what takes a form of this page, which is shown again then. */
const takes = (done: string, ask: (form: Fields, path: string) => ApiCall) =>
  act({
    ask: ({ form, company }) => ask(form, apiPathOf(company)),
    then: (_, { company }) => `${pathOf(company)}?done=${done}`,
    again: (viewer, fault) => providerPage(fault)(viewer),
  })

export const connectProvider = takes('connected', (form, path) => ({
  path,
  body: {
    issuer: form.get('issuer').trim(),
    client_id: form.get('client_id').trim(),
    client_secret: form.get('client_secret'),
  },
  key: form.get('key'),
}))

export const changeProvider = takes('saved', (form, path) => ({
  method: 'PATCH',
  path,
  body: { required: form.get('required') === 'yes' },
}))

export const changeSecret = takes('saved', (form, path) => ({
  method: 'PATCH',
  path,
  body: { client_secret: form.get('client_secret') },
}))

export const disconnectProvider = takes('disconnected', (_, path) => ({ method: 'DELETE', path }))

export const addDomain = takes('added', (form, path) => ({
  path: `${path}/domains`,
  body: { domain: form.get('domain').trim() },
}))

const domainPathOf = (form: Fields, path: string): string => `${path}/domains/${encodeURIComponent(form.get('domain'))}`

export const verifyDomain = takes('proved', (form, path) => ({ path: `${domainPathOf(form, path)}/verify`, body: {} }))

export const removeDomain = takes('saved', (form, path) => ({ method: 'DELETE', path: domainPathOf(form, path) }))

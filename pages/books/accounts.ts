/** Accounts to receive money at: what to tell a payer, as text to copy. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { BankAccount, DepositAddress } from '../../domain/accounts/receiving-account.ts'
import { type CompanyShell, companyPage, liveIn, may } from '../frame/company.ts'
import { isolate } from '../frame/layout.ts'
import { badge, empty, head, notice } from '../frame/parts.ts'
import { rowsOf } from '../frame/rows.ts'
import { throughOf } from '../frame/through.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import { nameCountry } from '../approvals/subjects/description.ts'
import type { Words } from '../words/en.ts'
import type { Language } from '../words/words.ts'

type Receiving = BankAccount | DepositAddress
const LISTED_MAX = 100

export const showAccounts = companyPage('books', async (viewer, shell) => {
  const { words } = viewer
  const { company } = shell
  const { accounts: of } = words.books
  const live = await liveIn(company)
  const [banks, addresses] = await Promise.all([
    listAccounts<BankAccount>(viewer, shell, 'bank-accounts'),
    may(shell, 'deposit_addresses.list') ? listAccounts<DepositAddress>(viewer, shell, 'deposit-addresses') : [],
  ])
  const isOpening = [...banks, ...addresses].some(({ status }) => status === 'provisioning')
  return {
    title: words.books.parts.accounts.name,
    ...(isOpening && { live }),
    body: html`${head(words.books.parts.accounts.name, { below: html`${of.text}` })}
      ${isOpening ? notice('info', html`${of.opening} <a href="">${words.books.exports.lookAgain}</a>`) : ''}
      ${company.svc_id ? serviceId(company.svc_id, words) : ''}
      <h2>${of.banks}</h2>
      ${banks.length === 0 ? html`<div class="card">${empty('home', of.none, of.noneYet)}</div>` : banks.map((one) => card(one, shell, viewer))}
      ${addresses.length === 0 ? '' : html`<h2>${of.addresses}</h2>`}
      ${addresses.map((one) => card(one, shell, viewer))}`,
  }
})

async function listAccounts<Row extends Receiving>(
  viewer: Viewer,
  { company }: CompanyShell,
  list: string,
): Promise<readonly Row[]> {
  const answer = await viewer.call<Rows<Row>>('GET', `/organizations/${company.id}/${list}?limit=${LISTED_MAX}`)
  return answer.ok ? answer.body.data : []
}

const serviceId = (id: string, { books, home }: Words): Markup =>
  html`<section class="card">
    <h2>${home.serviceId}</h2>
    <p>${books.accounts.serviceIdText}</p>
    ${copyable('svc-id', home.serviceId, id)}
  </section>`

/** Shows an account with what its payer needs, and all of it as one text. */
function card(one: Receiving, { company }: CompanyShell, { words, language }: Viewer): Markup {
  const { accounts: of } = words.books
  const network = 'network' in one ? one.network : null
  const through = throughOf({ rail: network === null ? 'fiat' : 'crypto', connection: one.connection })
  const named = network === null ? one.currency : `${one.currency}, ${network}`
  const title = through ? `${named}, ${of.through(through)}` : named
  if (one.status !== 'active') return html`<p>${title} ${badge(of.provisioning)}</p>`
  const rows = detailsOf(one, words, language)
  const text = rows.map(([name, value]) => `${name}: ${value}`).join('\n')
  return html`<section class="card">
    <h2>${title}</h2>
    ${network === null ? '' : notice('warn', of.onlyThis(one.currency, network))}
    ${rowsOf(rows.map(([name, value]) => [name, isolate(value)] as const))}
    <details>
      <summary>${of.asText}</summary>
      ${copyable(`text-${one.id}`, of.toTell(company.name), text)}
    </details>
  </section>`
}

/** Lists what a payer needs, in the order in which forms of banks ask for it. */
function detailsOf(
  { account, details }: Receiving,
  { books }: Words,
  language: Language,
): readonly (readonly [string, string])[] {
  const names: Readonly<Record<string, string>> = books.accounts.details
  const known = Object.keys(names).filter((name) => details?.[name])
  const others = Object.keys(details ?? {}).filter((name) => !Object.hasOwn(names, name))
  const rows = [...known, ...others].map(
    (name) =>
      [
        names[name] ?? name.replaceAll('_', ' '),
        name === 'country_code' ? nameCountry(details?.[name] ?? '', language) : (details?.[name] ?? ''),
      ] as const,
  )
  return rows.some(([, value]) => value === account) || !account ? rows : [[books.accounts.number, account], ...rows]
}

/** Shows a text that one tap or Ctrl+A selects whole. */
const copyable = (id: string, label: string, text: string): Markup =>
  html`<div class="field">
    <label for="${id}">${label}</label>
    <textarea id="${id}" readonly rows="${Math.max(text.split('\n').length, 1)}">${text}</textarea>
  </div>`

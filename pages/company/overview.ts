/** First page of a company: its people, rules and settings, each with its state in a line. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { ApprovalPolicy } from '../../domain/approvals/policy.ts'
import { type CompanyShell, bodyOf, companyPage, may } from '../frame/company.ts'
import { isolate } from '../frame/layout.ts'
import { head, icon } from '../frame/parts.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'

type Card = readonly [name: string, path: string, text: string]

export const showCompany = companyPage('company', async (viewer, shell) => {
  const { words } = viewer
  const { company } = shell
  const cards = await cardsOf(viewer, shell)
  return {
    title: words.company.heading,
    body: html`${head(words.company.heading, { below: isolate(company.name) })}
      <ul class="cards">
        ${cards.map(([name, path, text]) => card(name, `/o/${company.id}${path}`, text))}
      </ul>`,
  }
})

const card = (name: string, path: string, text: string): Markup =>
  html`<li>
    <a href="${path}"><strong>${name}</strong><br /><span class="small">${text}</span></a
    >${icon('onward')}
  </li>`

async function cardsOf(viewer: Viewer, shell: CompanyShell): Promise<readonly Card[]> {
  const { cards } = viewer.words.company
  const at = `/organizations/${shell.company.id}`
  const [members, invited, substitutes, policy] = await Promise.all([
    countOf(viewer, `${at}/members`),
    may(shell, 'invitations.list') ? countOpen(viewer, at) : '0',
    countOf(viewer, `${at}/substitutions?active=true`),
    viewer.call<ApprovalPolicy>('GET', `${at}/approval-policy`).then(bodyOf),
  ])
  const people = [cards.members(members), ...(invited === '0' ? [] : [cards.invited(invited)])].join(', ')
  const rules =
    policy.version === 0 || policy.rules.length === 0 ? cards.rulesDefault : cards.rulesOwn(policy.rules.length)
  const represented = substitutes === '0' ? cards.noSubstitutes : cards.substitutesNow(substitutes)
  const all: readonly (Card | null)[] = [
    [cards.people, '/company/people', people],
    [cards.rules, '/company/rules', rules],
    [cards.substitutes, '/company/substitutes', represented],
    may(shell, 'onboarding.view_own_requirements')
      ? [viewer.words.company.onboarding.card, '/company/onboarding', viewer.words.company.onboarding.cardText]
      : null,
    may(shell, 'organization.update') ? [cards.settings, '/company/settings', cards.settingsText] : null,
    shell.company.role === 'owner' ? [cards.signIn, '/company/sign-in', cards.signInText] : null,
    shell.company.role === 'owner'
      ? [viewer.words.company.networks.card, '/company/networks', viewer.words.company.networks.cardText]
      : null,
    may(shell, 'transactions.list_all') ? [cards.activity, '/company/activity', cards.activityText] : null,
    may(shell, 'api_keys.list') ? [cards.programs, '/programs', cards.programsText] : null,
    [cards.books, '/books', cards.booksText],
  ]
  return all.filter((one) => one !== null)
}

/** Counts the rows of a list, up to a hundred. */
async function countOf(viewer: Viewer, path: string): Promise<string> {
  const { data, has_more: more } = bodyOf(
    await viewer.call<Rows<unknown>>('GET', `${path}${path.includes('?') ? '&' : '?'}limit=100`),
  )
  return more ? `${data.length}+` : String(data.length)
}

/** Counts the invitations that nobody has answered. */
async function countOpen(viewer: Viewer, at: string): Promise<string> {
  const counts = await Promise.all(
    ['pending', 'pending_approval'].map((status) => countOf(viewer, `${at}/invitations?status=${status}`)),
  )
  const sum = counts.reduce((total, count) => total + Number.parseInt(count, 10), 0)
  return counts.some((count) => count.endsWith('+')) ? `${sum}+` : String(sum)
}

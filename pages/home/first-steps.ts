/** First steps of a new company: a short list that ticks itself off, and goes when all is done. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { type CompanyShell, may } from '../frame/company.ts'
import { badge, icon } from '../frame/parts.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'

type StepName = keyof Words['home']['steps']['of']
export type Step = { readonly name: StepName; readonly path: string | null; readonly isDone: boolean }

/** Reads how far a company is with what the viewer may do of its first steps. */
export async function readFirstSteps(
  viewer: Viewer,
  shell: CompanyShell,
  { hasReceived }: { readonly hasReceived: boolean },
): Promise<readonly Step[]> {
  const { id } = shell.company
  const hasAny = async (list: string, least = 1): Promise<boolean> => {
    const answer = await viewer.call<Rows<unknown>>(
      'GET',
      `/organizations/${id}/${list}${list.includes('?') ? '&' : '?'}limit=${least}`,
    )
    return answer.ok && answer.body.data.length >= least
  }
  const invites = async (): Promise<boolean> => (await hasAny('members', 2)) || hasAny('invitations')
  const steps = await Promise.all([
    may(shell, 'invitations.create') && step('invite', '/company/people/invite', invites()),
    may(shell, 'payment_contacts.create') && step('payee', '/payees/new', hasAny('payment-contacts')),
    may(shell, 'bank_accounts.list') && step('receive', '/books/accounts', Promise.resolve(hasReceived)),
    may(shell, 'payments.send_fiat') && step('pay', '/payments/new', hasAny('payments')),
  ])
  return steps.filter((one) => one !== false)
}

const step = async (name: StepName, path: string | null, isDone: Promise<boolean>): Promise<Step> => ({
  name,
  path,
  isDone: await isDone,
})

/** Shows the first steps while one is left. */
export function showFirstSteps(steps: readonly Step[], { company }: CompanyShell, { home }: Words): Markup | '' {
  if (steps.every(({ isDone }) => isDone)) return ''
  const { steps: words } = home
  return html`<section>
    <h2>${words.heading}</h2>
    <ul class="cards">
      ${steps.map(({ name, path, isDone }) => {
        const text = html`<strong>${words.of[name].name}</strong><br /><span class="small"
            >${words.of[name].text}</span
          >`
        return isDone || path === null
          ? html`<li>
              ${isDone ? icon('good') : ''}
              <div>${text} ${isDone ? badge(words.done, 'good') : ''}</div>
            </li>`
          : html`<li><a href="/o/${company.id}${path}">${text}</a>${icon('onward')}</li>`
      })}
    </ul>
  </section>`
}

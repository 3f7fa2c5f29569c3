/** Page of the verification of a company: what is asked for, and the forms that answer it. */
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import type { Onboarding } from '../../../domain/onboarding/onboarding.ts'
import type { Requirement } from '../../../domain/onboarding/requirements.ts'
import { SERVICE } from '../../../domain/onboarding/review.ts'
import type { Fault } from '../../frame/act.ts'
import { type CompanyShell, bodyOf, companyPage, doneNotice, may } from '../../frame/company.ts'
import { type Page, isolate } from '../../frame/layout.ts'
import { badge, head, notice } from '../../frame/parts.ts'
import type { Viewer } from '../../frame/viewer.ts'
import { entityForm } from './entity.ts'
import { papersCard } from './papers.ts'
import { peopleCard } from './people.ts'

export type Shown = Pick<Fault, 'text' | 'status' | 'wrong' | 'sent'> | undefined

export const showOnboarding = (viewer: Viewer): Promise<Page | Response> => onboardingPage()(viewer)

/** Statuses in which nothing can be changed. */
const LOCKED: ReadonlySet<string> = new Set(['submitted', 'in_review'])

/** Shows the verification; with a fault, the form that was sent has what was entered. */
export const onboardingPage = (fault?: Shown) =>
  companyPage('company', async (viewer, shell) => {
    const { words } = viewer
    const of = words.company.onboarding
    const path = `/organizations/${shell.company.id}/onboarding`
    const onboarding = bodyOf(await viewer.call<Onboarding>('GET', path))
    const isWhole = may(shell, 'organization.update')
    const isLocked = LOCKED.has(onboarding.status)
    if (!isWhole && onboarding.people.length === 0) {
      return { title: of.heading, body: html`${head(of.heading, {})} ${notice('info', of.notNamed)}` }
    }
    const below = html`<a href="/o/${shell.company.id}/company">${words.company.heading}</a>`
    return {
      title: of.heading,
      ...(fault && { status: fault.status }),
      body: html`${head(of.heading, { below })} ${fault ? notice('fault', fault.text) : ''}
        ${doneNotice(viewer, { saved: of.done, submitted: of.submitted })}
        <p>${badge(of.states[onboarding.status], moodOf(onboarding.status))} ${isWhole ? of.intro : of.own}</p>
        ${onboarding.status === 'verified' && isWhole ? html`<p class="small">${of.reviewedAgain}</p>` : ''}
        ${dates(viewer, shell, onboarding)} ${isLocked ? notice('info', of.locked) : ''}
        ${openList(viewer, onboarding, isWhole)} ${isWhole ? entityForm(viewer, shell, onboarding, fault) : ''}
        ${await peopleCard(viewer, shell, onboarding, fault)} ${papersCard(viewer, shell, onboarding)}
        ${isWhole ? reviewsCard(viewer, onboarding) : ''}
        ${isWhole && !isLocked ? submitForm(viewer, shell, onboarding) : ''}`,
    }
  })

const moodOf = (status: Onboarding['status']) =>
  status === 'verified' ? 'good' : status === 'rejected' ? 'bad' : status === 'draft' ? undefined : 'warn'

function dates(
  { words }: Viewer,
  { formats }: CompanyShell,
  { due_at: due, review_at: again, status }: Onboarding,
): Markup | '' {
  const of = words.company.onboarding
  if (due) return notice('warn', html`${of.until} ${formats.instant(due)}`)
  return status === 'verified' && again ? html`<p class="small">${of.again} ${formats.instant(again)}</p>` : ''
}

/** Lists what is missing, by the words of its fields. */
function openList({ words }: Viewer, { requirements, people, status }: Onboarding, isWhole: boolean): Markup | '' {
  const of = words.company.onboarding
  const open = requirements.filter((one) => one.status === 'open')
  if (status === 'rejected' || status === 'verified' || LOCKED.has(status)) return ''
  if (open.length === 0) return notice('info', isWhole ? of.nothingMissing : of.ownComplete)
  return html`<section class="card">
    <h2>${of.missing(open.length)}</h2>
    <ul>
      ${open.map((one) => html`<li>${sayField(words.company.onboarding, one, people)}</li>`)}
    </ul>
  </section>`
}

type Words = Viewer['words']['company']['onboarding']

/** Says what a requirement asks for; one of a review has its own reason. */
function sayField(of: Words, { field, reason, from }: Requirement, people: Onboarding['people']): Markup | string {
  const [what = '', first = '', second = ''] = field.split('.')
  const nameOf = (id: string): string => people.find((one) => one.id === id)?.name ?? of.unnamed
  const label = (key: string): string => of.fields[key as keyof Words['fields']] ?? key
  const asked = from === SERVICE ? '' : html` (${reason})`
  if (what === 'entity') return html`${label(first)}${asked}`
  if (what === 'documents' && first === 'identity') return html`${of.identityOf(nameOf(second))}${asked}`
  if (what === 'documents') return html`${of.kinds[first as keyof Words['kinds']] ?? first}${asked}`
  if (first in of.roles) return html`${of.people}: ${of.roles[first as keyof Words['roles']]}`
  return html`${isolate(nameOf(first))}: ${label(second)}${asked}`
}

function reviewsCard({ words }: Viewer, { reviews }: Onboarding): Markup | '' {
  const of = words.company.onboarding
  if (reviews.length === 0) return ''
  return html`<section class="card">
    <h2>${of.reviews}</h2>
    <ul>
      ${reviews.map(
        ({ reviewer, status }) =>
          html`<li>${reviewer === SERVICE ? of.byService : reviewer}: ${of.reviewStates[status]}</li>`,
      )}
    </ul>
  </section>`
}

const submitForm = ({ words }: Viewer, { company }: CompanyShell, { requirements, status }: Onboarding): Markup | '' =>
  status === 'verified' || status === 'rejected' || requirements.some((one) => one.status === 'open')
    ? ''
    : html`<form method="post" action="/o/${company.id}/company/onboarding/submit">
        <div class="actions"><button>${words.company.onboarding.submit}</button></div>
      </form>`

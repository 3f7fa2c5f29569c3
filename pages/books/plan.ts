/** Plan of a company: what it has, what is offered, what changes when, and what happened. */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { HistoryEvent } from '../../domain/event.ts'
import { MARKETING_ATTRIBUTES, type Offer } from '../../domain/subscriptions/offer.ts'
import type { LatestSubscription, SelectionResult, Subscription } from '../../domain/subscriptions/subscription.ts'
import { type ApiCall, type Fault, act } from '../frame/act.ts'
import { type CompanyShell, bodyOf, companyPage, doneNotice, may, nextOf, queryOf } from '../frame/company.ts'
import { type Page, isolate, keepFields } from '../frame/layout.ts'
import { badge, head, notice, sure, table } from '../frame/parts.ts'
import { rowsOf } from '../frame/rows.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'

export const showPlan = (viewer: Viewer): Promise<Page | Response> => planPage()(viewer)

const planPage = (fault?: Fault) =>
  companyPage('books', async (viewer, shell) => {
    const { words } = viewer
    const { plan: of, parts } = words.books
    const at = `/organizations/${shell.company.id}/subscription`
    const [latest, offers, events] = await Promise.all([
      viewer.call<LatestSubscription>('GET', at),
      may(shell, 'organization.view_subscription_offers')
        ? viewer.call<Rows<Offer>>('GET', `${at}/offers?active=true&limit=100`)
        : null,
      viewer.call<Rows<HistoryEvent>>('GET', `${at}/events?${queryOf(viewer, ['cursor'])}`),
    ])
    const { subscription } = bodyOf(latest)
    const offered = offers?.ok ? offers.body.data : []
    const history = bodyOf(events)
    return {
      title: parts.plan.name,
      ...(fault && { status: fault.status }),
      body: html`${doneNotice(viewer, of.done)} ${fault ? notice('fault', fault.text) : ''}
        ${head(parts.plan.name, { below: html`${parts.plan.text}` })}
        ${subscription ? current(subscription, shell, words) : html`<div class="card"><p>${of.none}</p></div>`}
        ${offered.length > 0 ? html`<h2>${of.offers}</h2>` : ''}
        <div class="columns">${offered.map((offer) => offerCard(offer, subscription, shell, words))}</div>
        ${history.data.length > 0 ? historyOf(history.data, shell, words) : ''} ${nextOf(viewer, history)}`,
    }
  })

/** Names an offer as it is sold: the operator's own words. */
const nameOf = ({ display_name: shown, name }: Offer): Markup => isolate(shown ?? name)

const priceOf = ({ amount, currency }: Offer, { formats }: CompanyShell, { books }: Words): Markup =>
  html`${formats.money({ amount, currency })} ${books.plan.aMonth}`

function current(one: Subscription, shell: CompanyShell, words: Words): Markup {
  const { plan: of } = words.books
  const { formats, company } = shell
  const { scheduled_offer: next, scheduled_effective_date: day, commitment_ends_at: paidUntil } = one
  const at = `/o/${company.id}/books/plan`
  const isActive = one.status === 'active'
  return html`<section class="card">
    <h2>${nameOf(one.offer)} ${isActive ? badge(of.active, 'good') : badge(of.expired)}</h2>
    ${one.renewal_failing_since ? notice('warn', of.failing) : ''}
    ${rowsOf([
      [of.price, priceOf(one.offer, shell, words)],
      [of.paidUntil, isActive && paidUntil ? formats.instant(paidUntil) : null],
      [
        of.nextTry,
        one.renewal_failing_since && one.next_renewal_attempt_at && formats.instant(one.next_renewal_attempt_at),
      ],
      [of.then, day && (next ? html`${nameOf(next)}, ${formats.day(day)}` : html`${of.ends} ${formats.day(day)}`)],
    ])}
    ${
      isActive && may(shell, 'organization.update')
        ? html`<div class="actions">
            ${
              day
                ? html`<form method="post" action="${at}/keep"><button class="second">${of.keep}</button></form>`
                : sure({ ask: of.end, text: of.endText, action: `${at}/end`, button: of.endNow })
            }
          </div>`
        : ''
    }
  </section>`
}

function offerCard(offer: Offer, has: Subscription | null, shell: CompanyShell, words: Words): Markup {
  const { plan: of } = words.books
  const isHere = has?.status === 'active' && has.offer.id === offer.id
  const isNext = has?.scheduled_offer?.id === offer.id
  const { summary, ...others } = offer.marketing_attributes
  return html`<section class="card">
    <h2>${nameOf(offer)} ${isHere ? badge(of.here, 'good') : isNext ? badge(of.next) : ''}</h2>
    <p>${priceOf(offer, shell, words)}</p>
    ${offer.description ? html`<p class="small">${isolate(offer.description)}</p>` : ''}
    ${
      summary.length > 0
        ? html`<ul>
            ${summary.map((text) => html`<li>${isolate(text)}</li>`)}
          </ul>`
        : ''
    }
    ${rowsOf(MARKETING_ATTRIBUTES.map((name) => [of.attributes[name], others[name] && isolate(others[name])] as const))}
    ${
      (isHere && !has.scheduled_effective_date) || !may(shell, 'organization.update')
        ? ''
        : sure({
            ask: isHere ? of.keep : of.select,
            text: isHere ? of.keepText : of.selectText,
            action: `/o/${shell.company.id}/books/plan`,
            button: isHere ? of.keep : of.selectNow,
            fields: keepFields([
              ['key', randomUUID()],
              ['offer', offer.id],
            ]),
          })
    }
  </section>`
}

const historyOf = (events: readonly HistoryEvent[], { formats }: CompanyShell, words: Words): Markup => {
  const { plan: of } = words.books
  const said: Readonly<Record<string, string>> = of.events
  return html`<h2>${of.history}</h2>
    <div class="card">
      ${table({
        caption: of.history,
        columns: [{ name: words.home.when }, { name: words.home.what }],
        rows: events.map(({ occurred_at: at, event_type: type }) => [
          formats.instant(at),
          said[type.slice(type.indexOf('.') + 1)] ?? type,
        ]),
      })}
    </div>`
}

/** Selects a plan, once by the key of its form. */
export const selectPlan = act<SelectionResult>({
  ask: ({ form, company }) => ({
    path: `/organizations/${encodeURIComponent(company)}/subscription/select-plan`,
    key: form.get('key'),
    body: { offer_id: form.get('offer') },
  }),
  then: ({ operation }, { company }) => `/o/${company}/books/plan?done=${operation}`,
  again: (viewer, fault) => planPage(fault)(viewer),
})

const take = (done: string, ask: (path: string) => ApiCall) =>
  act({
    ask: ({ company }) => ask(`/organizations/${encodeURIComponent(company)}/subscription`),
    then: (_, { company }) => `/o/${company}/books/plan?done=${done}`,
    again: (viewer, fault) => planPage(fault)(viewer),
  })

export const keepPlan = take('kept', (path) => ({ method: 'DELETE', path: `${path}/scheduled-change` }))
export const endPlan = take('ended', (path) => ({ method: 'DELETE', path }))

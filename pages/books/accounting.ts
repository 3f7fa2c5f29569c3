/** Connection with an accounting program: its state, its syncs, and how it begins and ends. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { ConnectionStart, Integration, SyncRun } from '../../domain/accounting/integration.ts'
import type * as v from 'valibot'
import { type Fault, act } from '../frame/act.ts'
import { type CompanyShell, bodyOf, companyPage, doneNotice, may, nextOf, queryOf } from '../frame/company.ts'
import { type Page, isolate } from '../frame/layout.ts'
import { type Mood, badge, empty, head, notice, sure, table } from '../frame/parts.ts'
import { rowsOf } from '../frame/rows.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'

const accountingPath = (company: string, rest: string): string =>
  `/organizations/${encodeURIComponent(company)}/integrations/accounting/${rest}`

export const showAccounting = (viewer: Viewer): Promise<Page | Response> => accountingPage()(viewer)

const accountingPage = (fault?: Fault) =>
  companyPage('books', async (viewer, shell) => {
    const { words } = viewer
    const { accounting: of, parts } = words.books
    const { company } = shell
    const path = `/organizations/${company.id}/integrations`
    const connections = bodyOf(await viewer.call<Rows<Integration>>('GET', path)).data
    const connected = connections.find(({ status }) => status === 'connected' || status === 'needs_reconnect')
    const runs = may(shell, 'xero.manage') ? await showRuns(viewer, shell) : ''
    return {
      title: parts.accounting.name,
      ...(fault && { status: fault.status }),
      body: html`${doneNotice(viewer, of.done)} ${fault ? notice('fault', fault.text) : ''}
      ${head(parts.accounting.name, { below: html`${parts.accounting.text}` })}
      ${connected ? connection(connected, shell, words) : nothing(shell, words)} ${runs}`,
    }
  })

const connectForm = ({ company }: CompanyShell, text: string): Markup =>
  html`<form method="post" action="/o/${company.id}/books/accounting/connect"><button>${text}</button></form>`

const nothing = (shell: CompanyShell, { books }: Words): Markup =>
  html`<div class="card">
    ${empty('books', books.accounting.none, books.accounting.noneYet, may(shell, 'integrations.connect') ? connectForm(shell, books.accounting.connect) : html``)}
  </div>`

const MOODS: Readonly<Record<Integration['status'], Mood | undefined>> = {
  connected: 'good',
  needs_reconnect: 'bad',
  disconnecting: undefined,
  disconnected: undefined,
}

function connection(one: Integration, shell: CompanyShell, words: Words): Markup {
  const { accounting: of } = words.books
  const { formats, company } = shell
  const at = `/o/${company.id}/books/accounting`
  const by = [one.connected_by.first_name, one.connected_by.last_name].filter((part) => part).join(' ')
  return html`<section class="card">
    <h2>Xero: ${isolate(one.tenant_name)} ${badge(of.states[one.status], MOODS[one.status])}</h2>
    ${one.needs_reconnect ? notice('fault', of.reconnectText) : ''}
    ${rowsOf([
      [of.connectedAt, formats.instant(one.connected_at)],
      [of.connectedBy, by && isolate(by)],
      [
        of.lastSync,
        one.last_sync && html`${formats.instant(one.last_sync.started_at)} ${runBadge(one.last_sync, words)}`,
      ],
    ])}
    <div class="actions">
      ${one.needs_reconnect && may(shell, 'integrations.connect') ? connectForm(shell, of.reconnect) : ''}
      ${
        may(shell, 'xero.manage') && !one.needs_reconnect
          ? html`<form method="post" action="${at}/sync"><button>${of.sync}</button></form>
              <a class="button second" href="${at}/mappings">${of.mappings}</a>`
          : ''
      }
      ${
        may(shell, 'integrations.disconnect')
          ? sure({ ask: of.disconnect, text: of.disconnectText, action: `${at}/disconnect`, button: of.disconnectNow })
          : ''
      }
    </div>
  </section>`
}

const RUN_MOODS: Readonly<Record<SyncRun['status'], Mood | undefined>> = {
  running: undefined,
  completed: 'good',
  failed: 'bad',
}

const runBadge = ({ status, failed, skipped }: Omit<SyncRun, 'errors'>, { books }: Words): Markup =>
  status === 'completed' && failed + skipped > 0
    ? badge(books.accounting.partly, 'warn')
    : badge(books.accounting.runStates[status], RUN_MOODS[status])

/** Shows the syncs of the last 90 days, with what could not be posted. */
async function showRuns(viewer: Viewer, { company, formats }: CompanyShell): Promise<Markup | ''> {
  const { words } = viewer
  const { accounting: of } = words.books
  const path = accountingPath(company.id, `sync-runs?${queryOf(viewer, ['cursor'])}`)
  const rows = bodyOf(await viewer.call<Rows<SyncRun>>('GET', path))
  if (rows.data.length === 0) return ''
  return html`<h2>${of.runs}</h2>
    <div class="card">
      ${table({
        caption: of.runs,
        columns: [
          { name: words.home.when },
          { name: of.trigger },
          { name: of.posted, figure: true },
          { name: of.left, figure: true },
          { name: words.home.state },
        ],
        rows: rows.data.map((run) => [
          formats.instant(run.started_at),
          of.triggers[run.trigger],
          formats.figure(String(run.pushed)),
          formats.figure(String(run.skipped + run.failed)),
          html`${runBadge(run, words)} ${faultsOf(run, words)}`,
        ]),
      })}
    </div>
    ${nextOf(viewer, rows)}`
}

function faultsOf({ failure, errors }: SyncRun, { books }: Words): Markup | '' {
  if (failure) return html`<br /><span class="small">${books.accounting.failures[failure.code]}</span>`
  if (errors.length === 0) return ''
  return html`<details>
    <summary>${books.accounting.why}</summary>
    <ul>
      ${errors.map(
        ({ kind, code, mapping_type: type }) =>
          html`<li>
            ${books.accounting.kinds[kind]}: ${books.accounting.codes[code]} ${type ? html`<code>${type}</code>` : ''}
          </li>`,
      )}
    </ul>
  </details>`
}

const again = (viewer: Viewer, fault: Fault) => accountingPage(fault)(viewer)

/** Begins a connection: its page leads to the program by a link, since no form of ours leads to another origin. */
export const connectAccounting = act<v.InferOutput<typeof ConnectionStart>>({
  ask: ({ company }) => ({ path: accountingPath(company, 'connect'), body: { provider: 'xero' } }),
  then: ({ authorize_url: url, expires_at: until }, { viewer }) =>
    companyPage('books', ({ words }, { company, formats }) => {
      viewer.http.header('cache-control', 'no-store')
      const { accounting: of } = words.books
      return Promise.resolve({
        title: of.goOn,
        body: html`${head(of.goOn)}
          <div class="card">
            <p>${of.goOnText} ${formats.instant(until)}.</p>
            <div class="actions">
              <a class="button" href="${url}" rel="noreferrer">${of.toXero}</a>
              <a class="button second" href="/o/${company.id}/books/accounting">${words.pay.back}</a>
            </div>
          </div>`,
      })
    })(viewer),
  again,
})

export const syncAccounting = act<SyncRun>({
  ask: ({ company }) => ({ path: accountingPath(company, 'sync'), body: {} }),
  then: (_, { company }) => `/o/${company}/books/accounting?done=syncing`,
  again,
})

export const disconnectAccounting = act({
  ask: ({ company }) => ({ path: accountingPath(company, 'disconnect'), body: {} }),
  then: (_, { company }) => `/o/${company}/books/accounting?done=disconnected`,
  again,
})

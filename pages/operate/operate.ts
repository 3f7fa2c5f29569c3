/** Pages of operators: what is the matter, read only. Each line names the command that acts on it. */
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { networkOf } from '../../api/http/address.ts'
import { isSecret } from '../../api/http/caller.ts'
import { registry } from '../../api/metrics.ts'
import {
  OPERATOR_HOURS,
  beginOperatorSignIn,
  endOperatorSignIn,
  isOperatorMark,
} from '../../services/operators/sign-ins.ts'
import { type OpenProcess, openProcesses } from '../../db/processes/processes.ts'
import {
  describeFailedMessages,
  describeFailingWebhooks,
  describePartners,
  describeUnmatched,
  findings,
} from '../../services/registries/operator-texts.ts'
import { countOne, refuseOver } from '../../services/rate-limits.ts'
import { workerDelays } from '../../db/processes/worker-heartbeats.ts'
import { isUuid } from '../../domain/ids.ts'
import { config } from '../../platform/config.ts'
import { log } from '../../platform/log.ts'
import { currentBuild } from '../../temporal/deployment.ts'
import { describeQueues } from '../../temporal/queues.ts'
import { showProcess } from '../../temporal/operations.ts'
import { workingBuilds } from '../../temporal/pollers.ts'
import { workflowIdOf } from '../../temporal/processes.ts'
import { charts } from './last-hour.ts'
import { notice, table } from '../frame/parts.ts'
import { type Page, type Frame, instant, writePage } from '../frame/layout.ts'
import { type Fields, type Viewer, COOKIE, cookieName } from '../frame/viewer.ts'

const LISTED_MAX = 1000
const SHOWN_MAX = 100
/** Limit of the alert WorkerBlocked. */
const BLOCKED_SECONDS = 2

const MARK = 'operator'

const markIn = ({ http }: Viewer): string => getCookie(http, cookieName(MARK)) ?? ''

/** Tells if the viewer has signed in as an operator; in the test environment without a token everybody is one. */
const isOperator = async (viewer: Viewer): Promise<boolean> =>
  !config.operatorToken || (markIn(viewer) !== '' && (await isOperatorMark(markIn(viewer))))

/** Shows the page of an operator, with its sign-out; asks for the token first. */
async function forOperator(viewer: Viewer, show: () => Promise<Frame>): Promise<Page> {
  if (!(await isOperator(viewer))) return tokenPage()
  const frame = await show()
  return writePage({ ...frame, body: html`${config.operatorToken ? signOutForm : ''} ${frame.body}` })
}

const signOutForm = html`<nav aria-label="Pages">
  <a href="/operate">Operate</a>
  <form method="post" action="/operate/sign-out"><button class="plain">Sign out</button></form>
</nav>`

const tokenPage = (fault?: string): Promise<Page> =>
  writePage({
    title: 'Operators',
    status: fault ? 401 : 200,
    body: html`<h1>Operators</h1>
      ${fault ? notice('fault', fault) : ''}
      <form method="post" action="/operate/sign-in">
        <label>Operator token <input name="token" type="password" autocomplete="current-password" required /></label>
        <div class="actions"><button>Continue</button></div>
      </form>`,
  })

/** Takes the operator's token, and keeps a mark of the sign-in for eight hours. */
export async function takeToken({ http }: Viewer, form: Fields): Promise<Page | Response> {
  const tries = await countOne('sign_in', `operator ${networkOf(http.get('address'))}`)
  if (tries.over) refuseOver(tries)
  if (!config.operatorToken || !isSecret(form.get('token'), config.operatorToken)) {
    log.warn({ address: http.get('address') }, 'a wrong operator token')
    return tokenPage('This is not it.')
  }
  const mark = await beginOperatorSignIn(http.get('address'))
  setCookie(http, cookieName(MARK), mark, { ...COOKIE, maxAge: OPERATOR_HOURS * 3600 })
  log.info({ address: http.get('address') }, 'an operator has signed in')
  return http.redirect('/operate', 303)
}

/** Ends the sign-in, here and at the service. */
export async function signOutOperator(viewer: Viewer): Promise<Response> {
  const { http } = viewer
  await endOperatorSignIn(markIn(viewer))
  deleteCookie(http, cookieName(MARK), COOKIE)
  http.header('clear-site-data', '"cache"')
  return http.redirect('/operate', 303)
}

/** Metrics to look at first, each with its limit and the command that shows more. */
const NUMBERS: readonly (readonly [metric: string, says: string, limit: number, command: string])[] = [
  [
    'processes_oldest_unseen_seconds',
    'Seconds since the oldest change that no run has looked at',
    60,
    'processes list',
  ],
  ['audit_findings_open', 'Open findings of the audit', 0, 'books findings'],
  ['organizations_with_books_stopped', 'Organizations whose books are stopped', 0, 'books findings'],
  ['unmatched_deposits', 'Deposits without an owner', 0, 'deposits unmatched'],
  ['messages_failed', 'Mails and messages that failed within a day', 0, 'messages failed'],
  ['webhook_endpoints_failing', 'Webhook endpoints that take nothing', 0, 'webhooks failing'],
  ['fx_position_usd', 'Own position that is not covered, in USD', config.fxPositionLimitUsd / 2, 'processes list'],
]

export const showOperate = (viewer: Viewer): Promise<Page> => forOperator(viewer, overview)

async function overview(): Promise<Frame> {
  const metrics = await registry.getMetricsAsJSON()
  const valueOf = (name: string): number =>
    (metrics.find((metric) => metric.name === name)?.values ?? []).reduce((sum, { value }) => sum + value, 0)
  const processes = await openProcesses(null, LISTED_MAX)
  const texts: readonly (readonly [title: string, text: string])[] = [
    ['Partners', await describePartners()],
    ['Findings', await findings()],
    ['Unmatched deposits', await describeUnmatched()],
    ['Failed messages', await describeFailedMessages()],
    ['Failing webhooks', await describeFailingWebhooks()],
  ]
  return {
    title: 'Operate',
    body: html`<h1>Operate</h1>
      <table>
        <tbody>
          ${NUMBERS.map(([name, says, limit, command]) => {
            const value = Math.round(valueOf(name) * 100) / 100
            return html`<tr>
              <th scope="row">${says}</th>
              <td class="figure">${value > limit ? html`<strong>⚠ ${value}</strong>` : String(value)}</td>
              <td><code>npm run admin -- ${command}</code></td>
            </tr>`
          })}
        </tbody>
      </table>
      <h2>The last hour of this process</h2>
      ${charts()}
      <h2>Builds and queues</h2>
      <p>${await describeBuilds()}</p>
      ${await queueTable()}
      <h2>Processes</h2>
      ${processTable(processes)} ${texts.map(([title, text]) => lines(title, text))}`,
  }
}

async function describeBuilds(): Promise<string> {
  try {
    const working = [...(await workingBuilds())].join(', ') || 'none'
    const blocked = (await workerDelays()).filter(({ seconds }) => seconds > BLOCKED_SECONDS)
    return [
      `New runs go to ${(await currentBuild()) ?? 'no build'}. Builds with workers: ${working}.`,
      ...blocked.map(
        ({ queues, seconds }) =>
          `⚠ A worker of ${queues} did not turn its event loop for ${Math.round(seconds)} seconds.`,
      ),
    ].join(' ')
  } catch {
    return 'Temporal does not answer.'
  }
}

/** Shows who polls each queue of activities, and what waits there. */
async function queueTable(): Promise<Markup | ''> {
  const queues = await describeQueues().catch(() => [])
  if (queues.length === 0) return ''
  return table({
    caption: 'Queues',
    columns: [
      { name: 'Queue' },
      { name: 'Pollers', figure: true },
      { name: 'Tasks that wait', figure: true },
      { name: 'Oldest, in seconds', figure: true },
    ],
    rows: queues.map(({ name, pollers, backlog, backlogSeconds: age }) => [
      name,
      pollers === 0 ? html`<strong>⚠ 0</strong>` : String(pollers),
      String(backlog),
      String(age),
    ]),
  })
}

/** Groups open processes by noun and state, the oldest of each first. */
function processTable(processes: readonly OpenProcess[]): Markup {
  if (processes.length === 0) return html`<p>Nothing is open.</p>`
  const groups = new Map<string, OpenProcess[]>()
  for (const one of processes) {
    const name = `${one.workflow} ${one.status ?? 'unknown'}`
    groups.set(name, [...(groups.get(name) ?? []), one])
  }
  return html`${table({
      caption: 'Open processes',
      columns: [
        { name: 'Noun and state' },
        { name: 'Open', figure: true },
        { name: 'Unseen', figure: true },
        { name: 'Oldest' },
      ],
      rows: [...groups].map(([name, ofGroup]) => {
        const oldest = ofGroup.toSorted((a, b) => (a.changed_at < b.changed_at ? -1 : 1))[0]
        const unseen = ofGroup.filter((one) => one.unseen_since).length
        return [
          name,
          String(ofGroup.length),
          String(unseen),
          oldest ? html`<a href="/operate/processes/${oldest.id}">${instant(oldest.changed_at)}</a>` : '',
        ]
      }),
    })}
    <details>
      <summary>The ${Math.min(SHOWN_MAX, processes.length)} that wait longest</summary>
      <ul>
        ${processes
          .slice(0, SHOWN_MAX)
          .map((one) => html`<li><a href="/operate/processes/${one.id}">${workflowIdOf(one)}</a>: ${one.why}</li>`)}
      </ul>
    </details>`
}

const lines = (title: string, text: string): Markup =>
  html`<h2>${title}</h2>
    <pre tabindex="0">${text}</pre>`

/** Shows one process: its row, what it waits for, its run, and where the Temporal UI has it. */
export function showOneProcess(viewer: Viewer): Promise<Page> {
  return forOperator(viewer, async () => {
    const id = viewer.http.req.param('id') ?? ''
    const text = isUuid(id) ? await showProcess(id.toLowerCase()).catch(() => null) : null
    return {
      title: `Process ${id}`,
      status: text === null ? 404 : 200,
      body: html`<p><a class="button second" href="/operate">Back</a></p>
        <h1>Process</h1>
        <pre tabindex="0">${text ?? 'There is no process of this id, and there was none.'}</pre>
        ${text === null ? '' : html`<p><code>npm run admin -- processes restart ${id}</code></p>`}`,
    }
  })
}

/** Page of operators: a verdict first, then what is unseen, queues, work, people, and the rest. It changes nothing. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { type OpenProcess, openProcesses } from '../../db/processes/processes.ts'
import {
  describeFailedMessages,
  describeFailingWebhooks,
  describePartners,
  describeUnmatched,
  findings,
} from '../../services/registries/operator-texts.ts'
import { currentBuild } from '../../temporal/deployment.ts'
import { describeQueues } from '../../temporal/queues.ts'
import { workingBuilds } from '../../temporal/pollers.ts'
import { workflowIdOf } from '../../temporal/processes.ts'
import { badge, head, table } from '../frame/parts.ts'
import { type Frame, type Page, instant } from '../frame/layout.ts'
import type { Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { forOperator } from './frame.ts'
import { charts } from './last-hour.ts'
import { listConnections } from '../../services/audit/connections.ts'
import { connectionTable } from './connections.ts'
import { asksPeople } from './process.ts'
import { readNeeds, showVerdict } from './verdict.ts'

const LISTED_MAX = 1000
const SHOWN_MAX = 50

export const showOperate = (viewer: Viewer): Promise<Page> => forOperator(viewer, () => overview(viewer.words))

async function overview(words: Words): Promise<Frame> {
  const { operate } = words
  const [needs, connections, processes, builds, queues, ...texts] = await Promise.all([
    readNeeds(words),
    listConnections(),
    openProcesses(null, LISTED_MAX),
    describeBuilds(words),
    describeQueues().catch(() => []),
    describeUnmatched(),
    findings(),
    describePartners(),
    describeFailedMessages(),
    describeFailingWebhooks(),
  ])
  const unseen = processes.filter(({ unseen_since: since }) => since !== null)
  const [waiting, working] = [processes.filter(asksPeople), processes.filter((one) => !asksPeople(one))]
  return {
    title: operate.heading,
    body: html`${head(operate.heading)} ${showVerdict(needs, words)}
      <h2>${operate.unseen}</h2>
      ${unseen.length === 0 ? html`<p class="small">${operate.noneUnseen}</p>` : list(unseen, words)}
      <h2>${operate.connections}</h2>
      ${connectionTable(connections, words)}
      <h2>${operate.queues}</h2>
      <p class="small">${builds}</p>
      ${queueTable(queues, words)}
      <h2>${operate.work}</h2>
      ${groups(working, operate.work, words)} ${details(working, words)}
      <h2>${operate.people}</h2>
      <p class="small">${operate.peopleText}</p>
      ${groups(waiting, operate.people, words)} ${details(waiting, words)}
      <h2>${operate.lastHour}</h2>
      ${charts(operate.charts)}
      ${texts.map(
        (text, at) =>
          html`<h2>${operate.lists[at]}</h2>
            <pre tabindex="0" lang="en">${text}</pre>`,
      )}`,
  }
}

async function describeBuilds({ operate }: Words): Promise<string> {
  try {
    const [current, working] = await Promise.all([currentBuild(), workingBuilds()])
    return operate.describeBuilds(current ?? '–', [...working].join(', ') || '–')
  } catch {
    return operate.missing.temporal
  }
}

/** Shows who polls each queue of activities, and what waits there. */
function queueTable(queues: Awaited<ReturnType<typeof describeQueues>>, { operate }: Words): Markup | '' {
  if (queues.length === 0) return ''
  const isWell = queues.every(({ pollers, backlog }) => pollers > 0 && backlog === 0)
  const whole = table({
    caption: operate.queues,
    columns: [
      { name: operate.queue },
      { name: operate.pollers, figure: true },
      { name: operate.backlog, figure: true },
      { name: operate.oldestSeconds, figure: true },
    ],
    rows: queues.map(({ name, pollers, backlog, backlogSeconds: age }) => [
      html`<code>${name}</code>`,
      pollers === 0 ? badge('0', 'bad') : String(pollers),
      String(backlog),
      String(age),
    ]),
  })
  if (!isWell) return whole
  return html`<details>
    <summary>${operate.queuesWell(queues.length)}</summary>
    ${whole}
  </details>`
}

/** Groups processes by noun and state, each with the one that changed longest ago. */
function groups(processes: readonly OpenProcess[], caption: string, { operate }: Words): Markup {
  if (processes.length === 0) return html`<p class="small">${operate.none}</p>`
  const ofState = new Map<string, OpenProcess[]>()
  for (const one of processes) {
    const name = `${one.workflow} ${one.status ?? '?'}`
    ofState.set(name, [...(ofState.get(name) ?? []), one])
  }
  return table({
    caption,
    columns: [{ name: operate.nounAndState }, { name: operate.open, figure: true }, { name: operate.oldest }],
    rows: [...ofState].map(([name, ofGroup]) => {
      const oldest = ofGroup.toSorted((a, b) => (a.changed_at < b.changed_at ? -1 : 1))[0]
      return [
        html`<code>${name}</code>`,
        String(ofGroup.length),
        oldest ? html`<a href="/operate/processes/${oldest.id}">${instant(oldest.changed_at)}</a>` : '',
      ]
    }),
  })
}

const details = (processes: readonly OpenProcess[], words: Words): Markup | '' =>
  processes.length === 0
    ? ''
    : html`<details>
        <summary>${words.operate.longest(Math.min(SHOWN_MAX, processes.length))}</summary>
        ${list(processes, words)}
      </details>`

const list = (processes: readonly OpenProcess[], { operate }: Words): Markup =>
  html`<ul>
    ${processes
      .slice(0, SHOWN_MAX)
      .map(
        (one) =>
          html`<li>
            <a href="/operate/processes/${one.id}">${workflowIdOf(one)}</a>:
            ${one.why}${one.unseen_since ? html`, ${operate.unseenSince} ${instant(one.unseen_since)}` : ''}
          </li>`,
      )}
  </ul>`

/** One process for operators: what it is about, whom it waits for, its run, and what can be done. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { type OpenProcess, openProcesses } from '../../db/processes/processes.ts'
import { isUuid } from '../../domain/ids.ts'
import type { Flow } from '../../domain/flow.ts'
import { PROCESSES } from '../../domain/registries/flows.ts'
import { type ProcessSubject, readSubject } from '../../services/operators/subjects.ts'
import { type ProcessRun, describeEnded, readRun, uiAddressOf } from '../../temporal/operations.ts'
import { workflowIdOf } from '../../temporal/processes.ts'
import { type Frame, type Page, instant, isolate, isolateQuoted } from '../frame/layout.ts'
import { head, notice } from '../frame/parts.ts'
import { rowsOf } from '../frame/rows.ts'
import type { Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { forOperator } from './frame.ts'

/** Tells if a process waits for people alone. */
export const asksPeople = ({ workflow, status, unseen_since: unseen }: OpenProcess): boolean =>
  unseen === null &&
  Object.values<Flow>(PROCESSES).some((flow) => flow.workflow === workflow && flow.asksPeople.includes(status ?? ''))

export const showOneProcess = (viewer: Viewer): Promise<Page> =>
  forOperator(viewer, async () => {
    const id = (viewer.http.req.param('id') ?? '').toLowerCase()
    const [process] = isUuid(id) ? await openProcesses(id, 1) : []
    return process ? openPage(process, viewer.words) : restPage(id, viewer.words)
  })

async function openPage(process: OpenProcess, words: Words): Promise<Frame> {
  const { operate } = words
  const [subject, run] = await Promise.all([readSubject(process.id), readRun(process).catch(() => 'away' as const)])
  return {
    title: workflowIdOf(process),
    body: html`${head(`${process.workflow} ${process.status ?? ''}`, { below: html`<code>${workflowIdOf(process)}</code>` })}
      ${verdictOf(process, run, words)}
      <div class="card">${rowsOf(subjectRows(process, subject, words))}</div>
      ${showRun(run, words)}
      <p><a href="/operate/runbook?section=symptoms">${operate.runbook}</a></p>`,
  }
}

/** Says what the process waits for; restarting is advised only where a worker polls for it. */
function verdictOf(process: OpenProcess, run: ProcessRun | null | 'away', { operate }: Words): Markup {
  if (run === 'away') return notice('fault', operate.missing.temporal)
  if (run && run.polled.length === 0)
    return notice(
      'fault',
      html`${operate.noWorker} <a href="/operate/runbook?section=workeraway">${operate.runbook}</a>`,
    )
  if (run?.stuck)
    return notice(
      'fault',
      html`${operate.stuck} <span lang="en">${run.stuck}</span>
        <code>npm run admin -- processes restart ${process.id}</code>`,
    )
  if (process.unseen_since) return notice('warn', html`${operate.unseenSince} ${instant(process.unseen_since)}`)
  return notice('info', asksPeople(process) ? operate.waitsForPeople : operate.moves)
}

function subjectRows(process: OpenProcess, subject: ProcessSubject | undefined, { operate }: Words) {
  const { organization, payee, amount, currency, reason, request, approvers, expires_at: until } = subject ?? {}
  const named = approvers?.slice(0, APPROVERS_SHOWN) ?? []
  const more = (approvers?.length ?? 0) - named.length
  return [
    [
      operate.organization,
      organization ? html`${isolate(organization)} <code>${process.organization_id}</code>` : null,
    ],
    [operate.amount, amount ? `${amount} ${currency ?? ''}` : null],
    [operate.payee, payee ? isolate(payee) : null],
    [operate.request, request ? isolateQuoted(request) : null],
    [operate.reason, isolate(reason ?? process.why)],
    [operate.connection, subject?.connection ?? null],
    [operate.partnerReference, subject?.partner_reference ? isolate(subject.partner_reference) : null],
    [
      operate.waitsFor,
      named.length > 0 ? html`${named.map((one) => html`${isolate(one)} `)}${more > 0 ? `+ ${more}` : ''}` : null,
    ],
    [operate.until, until ? instant(until) : process.look_at ? instant(process.look_at) : null],
    [operate.changed, instant(process.changed_at)],
  ] as const
}

const APPROVERS_SHOWN = 8

function showRun(run: ProcessRun | null | 'away', { operate }: Words): Markup {
  if (run === 'away') return html``
  if (!run) return notice('info', operate.noRun)
  const address = uiAddressOf(run.id)
  return html`<h2>${operate.run}</h2>
    <div class="card">
      ${rowsOf([
        [operate.state, html`${run.status.toLowerCase()}, ${operate.since} ${instant(run.since)}`],
        [operate.build, `${run.build ?? '–'} (${operate.builds}: ${run.polled.join(', ') || '–'})`],
        [operate.says, run.says && html`<span lang="en">${isolate(run.says)}</span>`],
        ...run.steps.map(
          ({ name, attempt, hasFailed }) =>
            [operate.step, `${name}, ${operate.attempt} ${attempt}${hasFailed ? ` (${operate.failed})` : ''}`] as const,
        ),
      ])}
      ${address ? html`<p><a href="${address}" rel="noopener">${operate.openRun}</a></p>` : ''}
    </div>`
}

async function restPage(id: string, { operate }: Words): Promise<Frame> {
  const text = isUuid(id) ? ((await describeEnded(id).catch(() => undefined)) ?? null) : null
  return {
    title: operate.process,
    status: text === null ? 404 : 200,
    body: html`${head(operate.process, { below: html`<code>${id}</code>` })}
    ${text === null ? notice('warn', operate.noProcess) : html`<p lang="en">${text}</p>`}`,
  }
}

/** Verdict on the service: what needs a person now, by what `/readyz` misses and by the rules of the alerts. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { registry } from '../../api/metrics.ts'
import { readReadiness } from '../../api/operator.ts'
import { lastBeat } from '../../db/processes/worker-heartbeats.ts'
import { config } from '../../platform/config.ts'
import { instant } from '../frame/layout.ts'
import { icon } from '../frame/parts.ts'
import type { Words } from '../words/en.ts'
import { type Alert, RULES, type Rule } from './rules.ts'

/** Task of an operator: a sentence, the section of the runbook, and the command that shows more. */
export type Task = { readonly text: Markup | string; readonly section: string; readonly command?: string }

/** Dependencies that are missed because others are, by those others. */
const FOLLOWS = { temporal: ['worker', 'version', 'queues'], worker: ['version', 'queues'] } as const

/** Lists what needs a person, what stops most first. */
export async function readNeeds({ operate }: Words): Promise<Task[]> {
  const [{ missing, faults }, alerts] = await Promise.all([readReadiness(), listAlerts()])
  const implied = new Set<string>(missing.flatMap((name) => (name in FOLLOWS ? FOLLOWS[name as 'worker'] : [])))
  const beat = missing.includes('worker') ? await lastBeat() : null
  return [
    ...missing
      .filter((name) => !implied.has(name))
      .map((name): Task => {
        const since = name === 'worker' && beat ? html` ${operate.since} ${instant(beat)}` : ''
        const section = name === 'worker' ? 'workeraway' : 'readyz-names'
        return { text: html`${operate.missing[name]}${since} → ${operate.mend[name]}`, section }
      }),
    ...faults.map((): Task => ({ text: operate.databaseBehind, section: 'a-restored-database' })),
    ...alerts.map(([alert, value]): Task => {
      const { command } = RULES[alert]
      return { text: operate.alerts[alert](shorten(value)), section: alert.toLowerCase(), command }
    }),
  ]
}

/** Lists the alerts whose limit is passed, each with its worst value. */
async function listAlerts(): Promise<(readonly [Alert, number])[]> {
  const names = Object.keys(RULES) as Alert[] // all of them
  const judged = await Promise.all(
    names.map(async (alert) => {
      const { metric, above: limit, below }: Rule = RULES[alert]
      const above = alert === 'PositionOpen' ? config.fxPositionLimitUsd / 2 : limit // which the setting moves
      const values = ((await registry.getSingleMetric(metric)?.get())?.values ?? []).map(({ value }) => value)
      const worst = below === undefined ? Math.max(0, ...values) : Math.min(1, ...values)
      const isOver = below === undefined ? worst > (above ?? 0) : worst < below
      return isOver ? [[alert, worst] as const] : []
    }),
  )
  return judged.flat()
}

const shorten = (value: number): string => String(Number(value.toPrecision(3)))

/** Shows the verdict: how many things need a person, and which. */
export const showVerdict = (needs: readonly Task[], { operate }: Words): Markup =>
  needs.length === 0
    ? html`<div class="notice done" role="status">
        ${icon('good')}
        <div>${operate.allWell}</div>
      </div>`
    : html`<div class="notice fault" role="status">
        ${icon('bad')}
        <div>
          <strong>${operate.needs(needs.length)}</strong>
          <ul>
            ${needs.map(
              ({ text, section, command }) =>
                html`<li>
                  ${text} · <a href="/operate/runbook?section=${section}">${operate.runbook}</a>${
                    command ? html` · <code>npm run admin -- ${command}</code>` : ''
                  }
                </li>`,
            )}
          </ul>
        </div>
      </div>`

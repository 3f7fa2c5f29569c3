/** The last hour of this process in numbers, as small charts: samples of its metrics, kept in memory. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { registry } from '../../api/metrics.ts'
import { log } from '../../platform/log.ts'
import type { Words } from '../words/en.ts'

const EVERY_MS = 30_000
const SAMPLES_MAX = 120 // an hour

const CHARTS = ['answers', 'slowest', 'unseen'] as const
type Sample = Readonly<Record<(typeof CHARTS)[number], number>>

let samples: Sample[] = []
/** Answers so far, by the upper bound of their time in seconds. */
let before: ReadonlyMap<number, number> | undefined

/** Samples the metrics until it is stopped. */
export function watchLastHour(everyMs = EVERY_MS): { stop: () => void } {
  const timer = setInterval(() => {
    sample(everyMs).catch((error: unknown) => log.debug({ err: error }, 'the metrics could not be sampled'))
  }, everyMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

async function sample(everyMs: number): Promise<void> {
  const unseen = await registry.getSingleMetric('processes_oldest_unseen_seconds')?.get()
  const now = await answersByTime()
  const since = new Map([...now].map(([bound, count]) => [bound, count - (before?.get(bound) ?? 0)]))
  const total = Math.max(...since.values(), 0)
  const slowest = [...since].toSorted(([a], [b]) => a - b).find(([, count]) => count >= total * 0.99)?.[0] ?? 0
  const next = {
    answers: (total * 60_000) / everyMs,
    slowest: total === 0 || !Number.isFinite(slowest) ? 0 : slowest,
    unseen: unseen?.values[0]?.value ?? 0,
  }
  if (before) samples = [...samples.slice(1 - SAMPLES_MAX), next]
  before = now
}

async function answersByTime(): Promise<ReadonlyMap<number, number>> {
  const metric = await registry.getSingleMetric('http_request_duration_seconds')?.get()
  const counts = new Map<number, number>()
  for (const { labels, value } of metric?.values ?? []) {
    if (labels.le === undefined) continue
    const bound = Number(String(labels.le).replace('+Inf', 'Infinity'))
    counts.set(bound, (counts.get(bound) ?? 0) + value)
  }
  return counts
}

const [WIDTH, HEIGHT] = [240, 48]

type ChartWords = Words['operate']['charts']

/** Draws the samples, each chart with its latest and its highest value. */
export const charts = (words: ChartWords): Markup =>
  samples.length < 2
    ? html`<p class="small">${words.soon}</p>`
    : html`<div class="charts">
        ${CHARTS.map((name) =>
          chart(
            words,
            words[name],
            samples.map((one) => one[name]),
          ),
        )}
      </div>`

function chart(words: ChartWords, says: string, values: readonly number[]): Markup {
  const highest = Math.max(...values)
  const points = values.map((value, index) => {
    const x = (index * WIDTH) / (SAMPLES_MAX - 1)
    return `${x.toFixed(1)},${(HEIGHT - (highest === 0 ? 0 : (value / highest) * HEIGHT)).toFixed(1)}`
  })
  const label = words.label(says, shorten(values.at(-1) ?? 0), shorten(highest))
  return html`<figure>
    <svg role="img" aria-label="${label}" viewBox="0 -2 ${WIDTH} ${HEIGHT + 4}">
      <polyline points="${points.join(' ')}" />
    </svg>
    <figcaption class="small">${label}</figcaption>
  </figure>`
}

const shorten = (value: number): string => String(Number(value.toPrecision(3)))

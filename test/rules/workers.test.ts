/** Workers wherever the service is started: one for each queue, and another for long work. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { WORKERS } from '../../dev/services.ts'

const textOf = (file: string) => readFileSync(file, 'utf8')
const [, list = ''] = /^export const QUEUES = \[(.+)\]/m.exec(textOf('platform/queues.ts')) ?? []
/** Names in WORKER_QUEUES: `partners` stands for a queue of each partner. */
const QUEUES = [...list.matchAll(/'(\w+)'|\.\.\.PARTNERS/g)].map(([, name = 'partners']) => name)
const BLOCKING = ['heavy', 'bills']

/** Reads the queues of each worker by a pattern. */
const queuesBy = (pattern: RegExp, file: string) =>
  [...textOf(file).matchAll(pattern)].map(([, queues = '']) => queues.split(/, ?/))

test.each([
  ['npm start', Object.values(WORKERS).map(({ WORKER_QUEUES: queues }) => queues.split(','))],
  ['docker-compose.yml', queuesBy(/WORKER_QUEUES: ([\w,]+)$/gm, 'docker-compose.yml')],
  ['ops/helm', queuesBy(/^ {4}queues: \[([\w, ]+)\]$/gm, 'ops/helm/values.yaml')],
])(
  '%s has one worker for each queue, and for what keeps a processor busy a worker that does nothing else',
  (_, workers) => {
    expect(QUEUES).toContain('main')
    expect(workers.flat().toSorted()).toEqual([...QUEUES].toSorted())
    for (const queues of workers.filter((own) => own.some((queue) => BLOCKING.includes(queue))))
      expect(queues.filter((queue) => !BLOCKING.includes(queue))).toEqual([])
  },
)

test.each([
  ['docker-compose.yml', /WORKER_HEALTH_PORT: (\d+)/g],
  ['ops/helm/templates/workers.yaml', /name: health, containerPort: (\d+)/g],
])('%s asks each worker for its health where the thread that does its work answers', (file, pattern) => {
  const text = textOf(file)
  const ports = [...text.matchAll(pattern)]
  expect(ports).toHaveLength(text.match(/node, dist\/worker\.js/g)?.length ?? 0)
  expect(text).not.toMatch(/Probe:?[^}]*\/metrics|fetch\([^)]*\/metrics/)
})

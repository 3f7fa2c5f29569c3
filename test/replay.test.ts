import { DefaultLogger, Runtime, Worker, makeTelemetryFilterString } from '@temporalio/worker'
import { expect, test, vi } from 'vitest'
import * as registry from '../activities/index.ts'
import { dataConverter } from '../activities/data-converter.ts'
import { workflowBundle } from '../bundle.ts'
import * as workflows from '../workflows/index.ts'
import { type History, PRIVATE, readable, recordedHistories } from './support/recorded.ts'

vi.hoisted(() => {
  delete process.env['ENCRYPTION_KEYS'] // the histories are sealed with the development key
})
Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } }, // refusals are wanted here
  shutdownSignals: [],
})

const recorded = recordedHistories()
const PATHS = {
  payment: [
    'approved',
    'rejected',
    'withdrawn',
    'expired',
    'refused',
    'insufficient-then-approved',
    'payee-gone',
    'resumed',
    'resumed-submitted',
    'two-approvers',
    'voided',
    'reminded',
    'paid-by-bank',
    'paid-by-blockchain',
    'held-then-refused',
    'unclear',
    'cancelled',
    'broadcast-before-cancelled',
    'reversed',
    'resumed-processing',
  ],
  'payment-contact': ['approved', 'changed', 'rejected', 'expired', 'resumed'],
  invitation: ['accepted', 'declined', 'deleted', 'expired', 'sent-again', 'approved', 'rejected'],
  swap: ['covered', 'market-closed', 'resumed', 'rested'],
  deposit: [
    'answered',
    'returned',
    'refused-then-returned',
    'return-refused',
    'recalled',
    'resumed',
    'announced',
    'announced-held',
    'unmatched',
  ],
  'receiving-account': ['opened', 'refused-then-opened'],
  audit: ['clean'],
  reconciliation: ['bank', 'custodian', 'rates'],
  delivery: ['sent', 'put-off-then-sent', 'refused', 'rested'],
}

/** What the present code says to histories, by name: undefined where it takes every step that was recorded. */
async function replay(histories: [name: string, history: History][]): Promise<Record<string, string | undefined>> {
  const verdicts: Record<string, string | undefined> = {}
  const options = { workflowBundle: { codePath: await workflowBundle() }, dataConverter }
  const named = histories.map(([workflowId, history]) => ({ workflowId, history }))
  for await (const { workflowId, error } of Worker.runReplayHistories(options, named))
    verdicts[workflowId] = error?.name
  return verdicts
}

const markersOf = (history: History) =>
  history.events
    .filter((event) => event.eventType === 'EVENT_TYPE_MARKER_RECORDED')
    .map((event) => event['markerRecordedEventAttributes'].details.data.payloads[0])
const contentOf = (payload: { data: string }) => JSON.parse(Buffer.from(payload.data, 'base64').toString())

test('every path of every workflow replays: a deploy strands nothing that is under way', async () => {
  const paths = Object.entries(PATHS).flatMap(([workflow, names]) => names.map((name) => `${workflow}-${name}`))
  expect(recorded.map(([name]) => name)).toEqual(expect.arrayContaining(paths))
  expect(await replay(recorded)).toEqual(Object.fromEntries(recorded.map(([name]) => [name, undefined])))
})

test('every workflow and every activity there is occurs in a recorded history', () => {
  const types = recorded.map(
    ([, { events }]) => events[0]?.['workflowExecutionStartedEventAttributes'].workflowType.name,
  )
  expect(new Set(types)).toEqual(new Set(Object.keys(workflows)))
  const recordings = recorded.flatMap(([, history]) => markersOf(history)).map((data) => contentOf(data).activity_type)
  expect(new Set(recordings)).toEqual(new Set(Object.keys(registry.main)))
  const asked = recorded.flatMap(([, { events }]) =>
    events.flatMap((event) => event['activityTaskScheduledEventAttributes']?.activityType.name ?? []),
  )
  expect(new Set(asked)).toEqual(new Set(Object.keys(registry.partners)))
})

test('a mail that nobody took for 24 hours has failed: the history that Temporal would then write replays', async () => {
  const refused = recorded.find(([name]) => name === 'delivery-refused')?.[1]
  if (!refused) throw new Error('the path is recorded')
  const givenUp = structuredClone(refused)
  const [failed, ...more] = givenUp.events.filter(({ eventType }) => eventType === 'EVENT_TYPE_ACTIVITY_TASK_FAILED')
  if (!failed || more.length > 0) throw new Error('it failed once')
  const { scheduledEventId, startedEventId } = failed['activityTaskFailedEventAttributes']
  failed.eventType = 'EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT'
  delete failed['activityTaskFailedEventAttributes']
  failed['activityTaskTimedOutEventAttributes'] = {
    failure: { message: 'timeout', timeoutFailureInfo: { timeoutType: 'TIMEOUT_TYPE_SCHEDULE_TO_CLOSE' } },
    scheduledEventId,
    startedEventId,
    retryState: 'RETRY_STATE_TIMEOUT',
  }
  expect(await replay([['given up', givenUp]])).toEqual({ 'given up': undefined })
})

test('a history that the code would not write is refused: a timer less, another activity, an end that came too soon', async () => {
  const approved = recorded.find(([name]) => name === 'payment-approved')?.[1]
  if (!approved) throw new Error('the path is recorded')
  const tampered = (change: (history: History) => void) => {
    const copy = structuredClone(approved)
    change(copy)
    copy.events.forEach((event, index) => (event['eventId'] = String(index + 1)))
    return copy
  }
  const withoutTimer = tampered((history) => {
    history.events = history.events.filter(({ eventType }) => !eventType.startsWith('EVENT_TYPE_TIMER_'))
  })
  const otherActivity = tampered((history) => {
    const marker = markersOf(history)[0]
    const content = { ...contentOf(marker), activity_type: 'transferInternally' }
    marker.data = Buffer.from(JSON.stringify(content)).toString('base64')
  })
  const tooSoon = tampered((history) => {
    const end = history.events.pop()
    history.events = [...history.events.slice(0, 6), ...(end ? [end] : [])]
  })
  const verdicts = await replay([
    ['without timer', withoutTimer],
    ['other activity', otherActivity],
    ['too soon', tooSoon],
    ['untouched', tampered(() => {})],
  ])
  expect(verdicts).toEqual({
    'without timer': 'DeterminismViolationError',
    'other activity': 'DeterminismViolationError',
    'too soon': 'DeterminismViolationError',
    untouched: undefined,
  })
})

test.each(recorded)('%s tells nobody who was written or paid, how much and why, nor on which machine', (_, history) => {
  const text = readable(history)
  expect(text).toMatch(
    /Audit of all books|Reconciliation with the lists of|Deposit whose sender|Money that came|Account that a partner|Cover of a swap|Payment by (service ID|fiat|crypto)|Delivery of a mail|Payment contact that waits|Invitation into/,
  ) // what an operator may read is found, so the rest would be
  for (const said of Object.values(PRIVATE)) expect(text).not.toContain(said)
  expect(text).not.toContain('example.com')
  expect(JSON.stringify(history)).not.toContain('@') // Temporal names its clients process@machine
})

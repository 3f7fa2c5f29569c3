import { readFileSync, readdirSync } from 'node:fs'
import { Worker } from '@temporalio/worker'
import { expect, test, vi } from 'vitest'
import * as registry from '../../activities/index.ts'
import { dataConverter } from '../../temporal/data-converter.ts'
import { QUEUES } from '../../platform/config.ts'
import { workflowBundle } from '../../temporal/bundle.ts'
import * as workflows from '../../workflows/index.ts'
import { type History, type HistoryEvent, PRIVATE, readable, recordedHistories } from '../support/histories/recorded.ts'
import '../support/temporal-runtime.ts'
import { BY_HAND, BY_HAND_ALONE } from './scenes.ts'

vi.hoisted(() => {
  delete process.env['ENCRYPTION_KEYS'] // the histories are sealed with the development key
})
const recorded = recordedHistories()
const PATHS: Readonly<Record<string, readonly string[]>> = {
  payment: [
    'payee-changed',
    'payee-asked-again',
    'failed-for-its-payee',
    'approved',
    'approved-at-once',
    'rejected',
    'withdrawn',
    'reminded-then-expired',
    'resumed',
    'continued-as-new',
    'paid-by-bank',
    'paid-by-blockchain',
    'failed',
    'held-then-released',
    'reversed',
    'cancelled',
    'broadcast-before-cancelled',
    'partner-away',
    'step-failed',
    'scheduled-then-paid',
    'scheduled-then-unscheduled',
    'scheduled-then-given-up',
    'scheduled-too-late',
  ],
  'payment-contact': ['approved', 'rejected', 'expired', 'changed'],
  invitation: ['approved-then-accepted', 'approved-then-declined', 'approved-then-expired', 'rejected', 'deleted'],
  'payment-batch': [
    'payees-asked',
    'imported',
    'import-failed',
    'completed',
    'short-of-funds',
    'rejected',
    'expired',
    'cancelled',
    'paused-then-banned',
    'cancelled-midway',
    'continued-as-new',
    'approved-by-two-at-once',
    'cancelled-while-approved',
    'cancelled-at-its-last-page',
    'called-back-at-once',
    'returned',
    'scheduled',
    'put-off-then-paid',
    'day-given-up',
  ],
  'incoming-payment': ['allocated', 'proposed', 'unrelated', 'proposed-in-vain'],
  cover: ['closed', 'refused-then-closed'],
  deposit: [
    'credited',
    'returned',
    'return-refused',
    'recalled',
    'announced',
    'announced-then-held',
    'announced-and-nothing',
    'announced-for-nobody',
    'called-about-meanwhile',
  ],
  'receiving-account': ['opened', 'refused-then-opened'],
  delivery: ['sent', 'refused', 'put-off-then-failed', 'put-off-until-too-late', 'discarded', 'to-a-phone'],
  audit: ['clean'],
  'event-heads': ['published'],
  'file-purge': ['done'],
  bill: ['read', 'read-with-a-model', 'tried-twice', 'given-up', 'read-again'],
  'credit-note': ['sent', 'approved', 'rejected', 'expired', 'written-at-second-try', 'mail-failed-then-sent'],
  invoice: [
    'sent-then-paid',
    'approved',
    'rejected',
    'withdrawn',
    'expired',
    'written-at-second-try',
    'reminded',
    'mail-failed-then-sent',
  ],
  export: ['completed', 'tried-twice', 'failed', 'retried'],
  subscription: ['renewed-then-ended', 'expired-unpaid', 'held-then-resumed'],
  reconciliation: ['bank', 'custodian', 'rates', 'unread-then-read'],
  'accounting-sync': ['completed', 'slowed-down', 'refused', 'given-up', 'stopped'],
  'accounting-connection': ['revoked', 'revoked-at-second-try', 'given-up'],
  'accounting-syncs': ['done'],
  'webhook-endpoint': ['delivered-then-disabled', 'refused-then-delivered', 'gone'],
}

/** Replays histories with the present code: errors by name, undefined for full agreement. */
async function replay(histories: [name: string, history: History][]): Promise<Record<string, string | undefined>> {
  const verdicts: Record<string, string | undefined> = {}
  const options = { workflowBundle: { codePath: await workflowBundle() }, dataConverter }
  const named = histories.map(([workflowId, history]) => ({ workflowId, history }))
  for await (const { workflowId, error } of Worker.runReplayHistories(options, named))
    verdicts[workflowId] = error?.name
  return verdicts
}

const eventsOf = (history: History, type: string): HistoryEvent[] =>
  history.events.filter(({ eventType }) => eventType === `EVENT_TYPE_${type}`)
const dataOf = (marker: HistoryEvent) => marker['markerRecordedEventAttributes'].details.data.payloads[0]
const contentOf = (payload: { data: string }) => JSON.parse(Buffer.from(payload.data, 'base64').toString())
const activitiesAtOurs = (history: History): string[] =>
  eventsOf(history, 'MARKER_RECORDED').map((marker) => contentOf(dataOf(marker)).activity_type)
const activitiesAtQueues = (history: History): string[] =>
  eventsOf(history, 'ACTIVITY_TASK_SCHEDULED').map(
    (event) => event['activityTaskScheduledEventAttributes'].activityType.name,
  )
const path = (name: string): History => {
  const history = recorded.find(([recordedName]) => recordedName === name)?.[1]
  if (!history) throw new Error(`${name} is not recorded`)
  return history
}

test('every path of every workflow replays: a deploy strands nothing that is under way', async () => {
  const paths = Object.entries(PATHS).flatMap(([workflow, names]) => names.map((name) => `${workflow}-${name}`))
  expect(recorded.map(([name]) => name).toSorted()).toEqual(paths.toSorted())
  expect(await replay(recorded)).toEqual(Object.fromEntries(recorded.map(([name]) => [name, undefined])))
})

test('every workflow and every activity there is occurs in a recorded history', () => {
  const types = recorded.map(
    ([, { events }]) => events[0]?.['workflowExecutionStartedEventAttributes'].workflowType.name,
  )
  expect(new Set(types)).toEqual(new Set(Object.keys(workflows)))
  const histories = recorded.map(([, history]) => history)
  expect(new Set(histories.flatMap(activitiesAtOurs))).toEqual(new Set(Object.keys(registry.main)))
  const remote = QUEUES.flatMap((queue) => (queue === 'main' ? [] : Object.keys(registry[queue])))
  expect(new Set(histories.flatMap(activitiesAtQueues))).toEqual(new Set(remote))
})

test('every activity occurs in a history whose scene uses the API alone, or is listed with the reason', () => {
  const names = recorded.map(([name]) => name)
  expect(Object.keys(BY_HAND).filter((name) => !names.includes(name))).toEqual([])
  const byApi = recorded.flatMap(([name, history]) =>
    name in BY_HAND ? [] : [...activitiesAtOurs(history), ...activitiesAtQueues(history)],
  )
  const all = new Set(QUEUES.flatMap((queue) => Object.keys(registry[queue])))
  const missing = [...all].filter((activity) => !byApi.includes(activity))
  expect(missing.toSorted()).toEqual(Object.keys(BY_HAND_ALONE).toSorted())
})

test('recorders call no function of the service, but for the paths that say so', () => {
  const recorders = readdirSync('test/histories').filter((file) => file.startsWith('record-'))
  const calls = recorders.flatMap(
    (file) =>
      readFileSync(`test/histories/${file}`, 'utf8').match(
        /(?<=^import \{.*\} from ')\.\.\/\.\.\/(services|db)\/.*(?=')/gm,
      ) ?? [],
  )
  expect(calls).toEqual(['../../services/messages/messages.ts', '../../db/postgres/sql.ts'])
})

test('what was recorded holds what the loop can meet: a timer that fired, a step that failed, a run that goes on as another', () => {
  expect(eventsOf(path('payment-reminded-then-expired'), 'TIMER_STARTED')).not.toEqual([])
  expect(eventsOf(path('payment-step-failed'), 'ACTIVITY_TASK_FAILED')).not.toEqual([])
  expect(eventsOf(path('cover-refused-then-closed'), 'TIMER_FIRED')).not.toEqual([])
  for (const name of ['payment', 'payment-batch']) {
    expect(eventsOf(path(`${name}-continued-as-new`), 'WORKFLOW_EXECUTION_CONTINUED_AS_NEW')).toHaveLength(1)
  }
  expect(eventsOf(path('payment-approved'), 'WORKFLOW_EXECUTION_SIGNALED').length).toBeGreaterThan(1)
})

test('a step that nobody took in time is repeated: the history that Temporal would then write replays', async () => {
  const timedOut = structuredClone(path('payment-step-failed'))
  for (const failed of eventsOf(timedOut, 'ACTIVITY_TASK_FAILED')) {
    const { scheduledEventId, startedEventId } = failed['activityTaskFailedEventAttributes']
    failed.eventType = 'EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT'
    delete failed['activityTaskFailedEventAttributes']
    failed['activityTaskTimedOutEventAttributes'] = {
      failure: { message: 'timeout', timeoutFailureInfo: { timeoutType: 'TIMEOUT_TYPE_SCHEDULE_TO_CLOSE' } },
      scheduledEventId,
      startedEventId,
      retryState: 'RETRY_STATE_TIMEOUT',
    }
  }
  expect(await replay([['timed out', timedOut]])).toEqual({ 'timed out': undefined })
})

test('a history that the code would not write is refused: a timer less, another activity, an end that came too soon', async () => {
  const tampered = (change: (history: History) => void) => {
    const copy = structuredClone(path('payment-approved'))
    change(copy)
    copy.events.forEach((event, index) => (event['eventId'] = String(index + 1)))
    return copy
  }
  const withoutTimer = tampered((history) => {
    history.events = history.events.filter(({ eventType }) => !eventType.startsWith('EVENT_TYPE_TIMER_'))
  })
  const otherActivity = tampered((history) => {
    const [marker] = eventsOf(history, 'MARKER_RECORDED')
    if (!marker) throw new Error('it looked')
    const content = { ...contentOf(dataOf(marker)), activity_type: 'transferInternally' }
    dataOf(marker).data = Buffer.from(JSON.stringify(content)).toString('base64')
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
    /Audit of all books|Publication of the heads|Deliveries to a webhook endpoint|Syncs? with (an )?accounting programs?|Revocation of a connection|Purge of files|Bill that is read|Invoice to a customer|Credit note to a customer|Which invoice incoming money pays|Subscription to a plan|Export to a file|Reconciliation with the lists of|Deposit whose sender|Money that came|Account that a partner|Cover of an exchange|Payment by (service ID|bank|blockchain)|Payment batch|Delivery of a message|Payment contact that waits|Invitation into/,
  ) // details for operators are found, so others would be, too
  for (const said of Object.values(PRIVATE)) expect(text).not.toContain(said)
  expect(text).not.toContain('example.com')
  expect(JSON.stringify(history)).not.toContain('@') // Temporal names its clients process@machine
})

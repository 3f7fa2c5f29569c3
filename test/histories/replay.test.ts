import { readFileSync, readdirSync } from 'node:fs'
import { Worker } from '@temporalio/worker'
import { expect, test, vi } from 'vitest'
import * as registry from '../../activities/index.ts'
import { dataConverter } from '../../temporal/data-converter.ts'
import { QUEUES } from '../../platform/queues.ts'
import { workflowBundle } from '../../temporal/bundle.ts'
import * as workflows from '../../workflows/index.ts'
import { type History, type HistoryEvent, PRIVATE, readable, recordedHistories } from '../support/histories/recorded.ts'
import '../support/temporal-runtime.ts'
import { BY_HAND, BY_HAND_ALONE } from './scenes.ts'

vi.hoisted(() => {
  delete process.env['ENCRYPTION_KEYS'] // the histories are sealed with the development key
})
const recorded = recordedHistories()

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
  expect(await replay(recorded)).toEqual(Object.fromEntries(recorded.map(([name]) => [name, undefined])))
})

const typeOf = ({ events }: History): string => events[0]?.['workflowExecutionStartedEventAttributes'].workflowType.name
const stepsOf = (history: History): string[] => [...activitiesAtOurs(history), ...activitiesAtQueues(history)]
const NAMES = QUEUES.flatMap((queue) => Object.keys(registry[queue]))
/** The activities that the code of a workflow names, in the order of their names. */
const named = (file: string): string[] => {
  const words = new Set(readFileSync(new URL(`../../workflows/${file}.ts`, import.meta.url), 'utf8').match(/\w+/g))
  return [...new Set(NAMES)].filter((name) => words.has(name)).toSorted()
}

test.each(Object.keys(workflows))('every step of %s occurs in a recorded history of it', (type) => {
  const own = recorded.filter(([, history]) => typeOf(history) === type)
  const taken = new Set(own.flatMap(([, history]) => stepsOf(history)))
  const file = type.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  expect(named(file).filter((step) => !taken.has(step))).toEqual([])
  expect(own).not.toEqual([])
})

test('every activity there is occurs in a recorded history, and so do the steps of an approval', () => {
  const taken = new Set(recorded.flatMap(([, history]) => stepsOf(history)))
  expect([...taken].toSorted()).toEqual([...new Set(NAMES)].toSorted())
  expect(named('approval').filter((step) => !taken.has(step))).toEqual([])
})

test('every activity occurs in a history whose scene uses the API alone, or is listed with the reason', () => {
  const names = recorded.map(([name]) => name)
  expect(Object.keys(BY_HAND).filter((name) => !names.includes(name))).toEqual([])
  const byApi = recorded.flatMap(([name, history]) => (name in BY_HAND ? [] : stepsOf(history)))
  const missing = [...new Set(NAMES)].filter((activity) => !byApi.includes(activity))
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
    /Audit of all books|Screening of a name|Lists of the|Proof that partners hold|Publication of the heads|Deliveries to a webhook endpoint|Syncs? with (an )?accounting programs?|Revocation of a connection|Purge of files|Bill that is read|Mail that is read|Invoice to a customer|Credit note to a customer|Which invoice incoming money pays|Subscription to a plan|Export to a file|Reconciliation with the lists of|Files? (to or from a bank|of the bank)|Deposit whose sender|Money that came|Account that a partner|Cover of an exchange|Payment by (service ID|bank|blockchain)|Payment batch|Delivery of a message|Payment contact that waits|Invitation into|Verification of an organization/,
  ) // details for operators are found, so others would be, too
  for (const said of Object.values(PRIVATE)) expect(text).not.toContain(said)
  expect(text).not.toContain('example.com')
  expect(JSON.stringify(history)).not.toContain('@') // Temporal names its clients process@machine
})

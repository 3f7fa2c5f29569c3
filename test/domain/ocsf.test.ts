/** Events as OCSF: the attributes that version 1.3 requires of each class. */
import { expect, test } from 'vitest'
import type { LoggedEvent } from '../../domain/event.ts'
import { CATALOGUE } from '../../domain/registries/event-types.ts'
import { toOcsf } from '../../domain/webhooks/ocsf.ts'
import { frameOf } from '../../partners/syslog.ts'

const [USER, SUBJECT, ORGANIZATION] = ['u', 's', 'o'].map((letter) => letter.repeat(8))

const eventOf = (type: string, stream: string, more: Partial<LoggedEvent> = {}): LoggedEvent => ({
  id: 'e',
  organization_id: ORGANIZATION!,
  stream,
  subject_id: SUBJECT!,
  kind: 'domain',
  event_type: type,
  actor_kind: 'user',
  actor_user_id: USER!,
  causation_id: null,
  correlation_id: null,
  occurred_at: '2026-11-30T12:00:00.000001Z',
  payload: null,
  provider: null,
  cause: 'test:1',
  seq: 7,
  hash: null,
  ...more,
})

/** Activities of each class that we write, and what identifies its object. */
const CLASSES: Readonly<Record<number, { activities: readonly number[]; object: 'user' | 'entity' }>> = {
  3001: { activities: [1, 3, 6, 10, 11, 99], object: 'user' },
  3002: { activities: [1, 2], object: 'user' },
  3004: { activities: [1, 3, 4, 8, 9, 12, 13, 99], object: 'entity' },
}

test.each(CATALOGUE)('$type has what its class requires', ({ type, stream }) => {
  const written = toOcsf(eventOf(type, stream)) as Record<string, any>
  const known = CLASSES[written['class_uid'] as number]
  expect(known?.activities).toContain(written['activity_id'])
  expect(written).toMatchObject({
    category_uid: 3,
    type_uid: written['class_uid'] * 100 + written['activity_id'],
    time: Date.parse('2026-11-30T12:00:00.000Z'),
    severity_id: 1,
    activity_name: expect.stringMatching(/./),
    actor: { user: { uid: USER } },
    metadata: { version: '1.3.0', product: { vendor_name: expect.any(String) }, uid: 'e', sequence: 7 },
    [known!.object]: { uid: SUBJECT },
  })
})

test('members are accounts, and all else entities', () => {
  const activityOf = (type: string, stream: string) => toOcsf(eventOf(type, stream)).type_uid
  expect(activityOf('member.joined', 'members')).toBe(300_101)
  expect(activityOf('member.left', 'members')).toBe(300_106)
  expect(activityOf('api_key.created', 'api_keys')).toBe(300_401)
  expect(activityOf('webhook_endpoint.disabled', 'webhook_endpoints')).toBe(300_409)
})

test('a sign-in is an authentication: by which way, with which outcome, from where', () => {
  const origin = { ip_address: '203.0.113.7', user_agent: 'Browser' }
  const written = (verb: string, payload: LoggedEvent['payload'], from: typeof origin | null = origin) =>
    toOcsf(eventOf(`member.${verb}`, 'members', { payload }), from)
  expect(written('signed_in', { method: 'identity_provider', breaks_glass: false, session_id: 'x' })).toMatchObject({
    type_uid: 300_201,
    activity_name: 'Logon',
    status_id: 1,
    user: { uid: SUBJECT },
    service: { name: 'business-finance-service' }, // the class asks for this or an endpoint
    auth_protocol_id: 4,
    session: { uid: 'x' },
    src_endpoint: { ip: '203.0.113.7' },
    http_request: { user_agent: 'Browser' },
  })
  expect(written('sign_in_failed', { method: 'password' }, null)).toMatchObject({
    type_uid: 300_201,
    status_id: 2,
    status: 'Failure',
    auth_protocol_id: 99,
    auth_protocol: 'password',
  })
  expect(written('sign_in_failed', { method: 'password' }, null)).not.toHaveProperty('src_endpoint')
  expect(written('signed_out', { reason: 'ended_by_person', session_id: 'x' })).toMatchObject({
    type_uid: 300_202,
    activity_name: 'Logoff',
    status_detail: 'ended_by_person',
  })
  expect(written('factor_added', { factor: 'passkey' }).type_uid).toBe(300_110)
})

test('the service acts where no person did; a delegate is named beside its person', () => {
  const actorOf = (more: Partial<LoggedEvent>) => toOcsf(eventOf('payment.created', 'payments', more)).actor
  expect(actorOf({ actor_user_id: null, actor_kind: 'worker' })).toEqual({ app_name: 'business-finance-service' })
  expect(actorOf({ provider: 'delegate:1' })).toEqual({ user: { uid: USER, type_id: 1 }, app_name: 'delegate:1' })
})

test('a frame counts octets, and its header takes no text of others', () => {
  const frame = frameOf({
    at: '2026-11-30T12:00:00.000001Z',
    hostname: 'api host',
    type: 'a'.repeat(40),
    body: '"ü😀"',
  })
  const [length, ...rest] = frame.toString().split(' ')
  const message = rest.join(' ')
  expect(Buffer.byteLength(message)).toBe(Number(length))
  expect(message).toBe(
    `<110>1 2026-11-30T12:00:00.000001Z apihost business-finance-service - ${'a'.repeat(32)} - "ü😀"`,
  )
})

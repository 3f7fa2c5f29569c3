/** More devices of a person, their answers to challenges, and the events about them. */
import { randomUUID } from 'node:crypto'
import type { SessionId, UserId } from '../../../domain/ids.ts'
import type { StepUpBinding, StepUpChallenge } from '../../../domain/step-up/step-up.ts'
import { newToken, tokenHash } from '../../../platform/encryption.ts'
import { releaseOf } from '../../../services/step-up/step-ups.ts'
import { type TestPerson, withStepUp } from '../api.ts'
import { owner } from '../database.ts'

export type TestSession = { token: string; userId: string; sessionId: string; deviceId: string }

/** A new session of the person, on a new device or an existing one. */
export async function sessionOf(
  { userId }: Pick<TestPerson, 'userId'>,
  device: { name?: string; id?: string } = {},
): Promise<TestSession> {
  const [sessionId, deviceId, token] = [randomUUID(), device.id ?? randomUUID(), `ses_${newToken()}`]
  await owner`insert into devices (id, user_id, name) values (${deviceId}, ${userId}, ${device.name ?? null})
    on conflict do nothing`
  await owner`insert into sessions (id, token_hash, user_id, device_id)
    values (${sessionId}, ${tokenHash(token)}, ${userId}, ${deviceId})`
  return { token, userId, sessionId, deviceId }
}

export type ApprovalDevice = TestSession & { id: string; credential: string; cooling_off_until: string }

/** A device of the person whose approval credential still cools off. */
export async function coolingDevice(somebody: TestPerson, name = 'Phone'): Promise<ApprovalDevice> {
  const session = await sessionOf(somebody, { name })
  const { status, body } = await withStepUp('POST', '/me/approval-credential', { token: session.token, body: {} })
  if (status !== 201) throw new Error(`approval credential: ${status} ${JSON.stringify(body)}`)
  return { ...session, ...body }
}

/** An approval device as if it were a day old, so that it may release challenges. */
export async function approvalDevice(somebody: TestPerson, name = 'Phone'): Promise<ApprovalDevice> {
  const device = await coolingDevice(somebody, name)
  await owner`update approval_credentials set cooling_off_until = business_now() where id = ${device.id}`
  return device
}

/** The challenge of a request by the person's first session. */
export async function challengeOf(asking: TestPerson, more: Partial<StepUpBinding> = {}): Promise<StepUpChallenge> {
  const release = await releaseOf({
    // ids of rows that were just written
    sessionId: asking.sessionId as SessionId,
    userId: asking.userId as UserId,
    mode: 'once',
    operation: 'POST /things/{id}',
    target: 'thing:1',
    bodyHash: 'body',
    ...more,
  })
  if ('released' in release) throw new Error('released without a proof')
  return release.challenge
}

export const eventsOf = async ({ userId }: { userId: string }, type: string) =>
  owner<
    { session_id: string; details: Record<string, unknown> }[]
  >`select * from security_events where user_id = ${userId} and type = ${type} order by id desc`

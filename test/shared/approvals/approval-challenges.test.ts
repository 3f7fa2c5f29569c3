import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { StepUpChallenge } from '../../../domain/step-up/step-up.ts'
import { api, person, withStepUp } from '../../support/api.ts'
import { decide, staffedPayer } from '../../support/approvals/approvals.ts'
import { owner } from '../../support/database.ts'
import { approvalDevice, challengeOf, coolingDevice, eventsOf, sessionOf } from '../../support/identity/devices.ts'
import { refusal } from '../../support/http/refusals.ts'
import { advance } from '../../support/identity/identity.ts'
import { MANY } from '../../support/model-runs.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

type Answering = { token: string; credential: string }

const list = async (token: string, query = '') => (await api('GET', `/me/challenges${query}`, { token })).body
const approve = ({ token, credential }: Answering, id: string, matchCode: string | null) =>
  api('POST', `/me/challenges/${id}/approve`, { token, body: { credential, match_code: matchCode } })
const deny = ({ token, credential }: Answering, id: string) =>
  api('POST', `/me/challenges/${id}/deny`, { token, body: { credential } })
const standing = async (token: string, id: string) => (await api('GET', `/step-up/${id}`, { token })).body
const wrong = ({ match_code }: StepUpChallenge) => String((Number(match_code) + 1) % 1000).padStart(3, '0')
const times = <T>(count: number, each: () => T): T[] => Array.from({ length: count }, each)
const statusesOf = (answers: { body: { status: string } }[]) => answers.map(({ body }) => body.status).toSorted()

/** A person whose phone may release what their first session asks for, and a challenge. */
async function asker() {
  const somebody = await person()
  return { somebody, phone: await approvalDevice(somebody), challenge: await challengeOf(somebody) }
}
const rowOf = async (id: string) => (await owner`select * from step_ups where id = ${id}`)[0]

describe('the list', () => {
  test('says what is asked, by which device and until when, never the number; newest first, in pages', async () => {
    const { somebody, phone, challenge: older } = await asker()
    await owner`update devices set name = 'Firefox on Linux'
      where id = (select device_id from sessions where id = ${somebody.sessionId})`
    const newer = await challengeOf(somebody, { operation: 'DELETE /other/{id}', target: 'thing:2' })
    const page = await list(phone.token)
    expect(page.data).toEqual([
      {
        id: newer.id,
        operation: 'DELETE /other/{id}',
        summary: null,
        target: 'thing:2',
        device_id: expect.any(String),
        device_name: 'Firefox on Linux',
        inserted_at: expect.any(String),
        expires_at: newer.expires_at,
      },
      expect.objectContaining({ id: older.id, operation: 'POST /things/{id}', target: 'thing:1' }),
    ])
    const first = await list(phone.token, '?limit=1')
    expect(first).toMatchObject({ has_more: true, next_cursor: newer.id })
    await deny(phone, newer.id)
    const rest = await list(phone.token, `?cursor=${first.next_cursor}`)
    expect(rest.data.map(({ id }: { id: string }) => id)).toEqual([older.id])
  })

  test('has nothing that is decided or over, that has no number, that a session asked which ended, or of others', async () => {
    const { somebody, phone, challenge: decided } = await asker()
    const over = await challengeOf(somebody, { target: 'thing:2' })
    await approve(phone, decided.id, decided.match_code)
    await owner`update step_ups set expires_at = business_now() where id = ${over.id}`
    const gone = await sessionOf(somebody)
    await challengeOf({ ...somebody, sessionId: gone.sessionId })
    await owner`update sessions set ended_at = business_now() where id = ${gone.sessionId}`
    const numberless = await challengeOf(somebody, { target: 'thing:3' })
    await owner`update step_ups set match_code = null where id = ${numberless.id}`
    await asker()
    expect(await list(phone.token)).toEqual({ data: [], has_more: false, next_cursor: null })
  })
})

describe('the number', () => {
  test('that the asking screen shows releases the challenge, also at the third try; who asked sees it, and the log and the list of devices too', async () => {
    const { somebody, phone, challenge } = await asker()
    expect(challenge).toMatchObject({ delivery: 'approval_device', match_code: expect.stringMatching(/^[0-9]{3}$/) })
    for (const tried of [2, 1]) {
      expect((await approve(phone, challenge.id, wrong(challenge))).body.remaining_attempts).toBe(tried)
    }
    const body = { status: 'verified', verified_until: challenge.expires_at, remaining_attempts: 1 }
    expect(await approve(phone, challenge.id, ` ${challenge.match_code} `)).toMatchObject({ status: 200, body })
    expect(await standing(somebody.token, challenge.id)).toMatchObject({ status: 'verified' })
    expect((await approve(phone, challenge.id, wrong(challenge))).body).toEqual(body)
    expect((await deny(phone, challenge.id)).body).toEqual(body)
    expect(await rowOf(challenge.id)).toMatchObject({ factor: 'approval_device', approval_credential_id: phone.id })
    const device = await api('GET', `/me/approval-credentials/${phone.id}`, { token: somebody.token })
    expect(device.body.last_used_at).toEqual(expect.any(String))
    expect(await eventsOf(somebody, 'step_up.verified')).toMatchObject([
      { session_id: somebody.sessionId, details: { method: 'approval_device', operation: 'POST /things/{id}' } },
      { details: { method: 'sandbox' } }, // the one that made the phone an approval device
    ])
  })

  test('is wrong twice and fails, wrong a third time and denies for good; the next request asks anew', async () => {
    const { somebody, phone, challenge } = await asker()
    const answers = []
    for (const entered of [wrong(challenge), 'none', '0']) {
      answers.push((await approve(phone, challenge.id, entered)).body)
    }
    expect(answers).toEqual([
      { status: 'failed', verified_until: null, remaining_attempts: 2 },
      { status: 'failed', verified_until: null, remaining_attempts: 1 },
      { status: 'denied', verified_until: null, remaining_attempts: 0 },
    ])
    expect((await approve(phone, challenge.id, challenge.match_code)).body).toEqual(answers[2])
    expect((await standing(somebody.token, challenge.id)).status).toBe('denied')
    expect(await eventsOf(somebody, 'step_up.denied')).toHaveLength(1)
    expect((await challengeOf(somebody)).id).not.toBe(challenge.id)
  })

  test('of many wrong ones at once three are counted, and the challenge is denied once', async () => {
    const { somebody, phone, challenge } = await asker()
    const answers = await Promise.all(times(MANY, () => approve(phone, challenge.id, wrong(challenge))))
    expect(statusesOf(answers)).toEqual([...times(MANY - 2, () => 'denied'), 'failed', 'failed'])
    expect(await rowOf(challenge.id)).toMatchObject({ status: 'denied', match_attempts: 3 })
    expect(await eventsOf(somebody, 'step_up.denied')).toHaveLength(1)
  })

  test('given many times at once verifies once, and all are told so', async () => {
    const { somebody, phone, challenge } = await asker()
    const answers = await Promise.all(times(MANY, () => approve(phone, challenge.id, challenge.match_code)))
    expect(statusesOf(answers)).toEqual(times(MANY, () => 'verified'))
    expect((await eventsOf(somebody, 'step_up.verified')).filter((e) => e.details.method !== 'sandbox')).toHaveLength(1)
  })

  test('and a denial at once: whichever comes first stays', async () => {
    const { somebody, phone, challenge } = await asker()
    const answers = await Promise.all([
      ...times(MANY / 2, () => approve(phone, challenge.id, challenge.match_code)),
      ...times(MANY / 2, () => deny(phone, challenge.id)),
    ])
    const { status } = await standing(somebody.token, challenge.id)
    expect(['verified', 'denied']).toContain(status)
    expect(new Set(statusesOf(answers))).toEqual(new Set([status]))
  })
})

describe('a device', () => {
  test('that cools off releases nothing, and is told until when; it may deny', async () => {
    const { somebody, phone, challenge } = await asker()
    const fresh = await coolingDevice(somebody, 'New phone')
    for (const entered of [challenge.match_code, wrong(challenge)]) {
      expect(await approve(fresh, challenge.id, entered)).toMatchObject({
        status: 409,
        body: { error: { type: 'invalid_state', details: { cooling_off_until: fresh.cooling_off_until } } },
      })
    }
    expect(await rowOf(challenge.id)).toMatchObject({ status: 'pending', match_attempts: 0 })
    expect((await deny(fresh, challenge.id)).body).toMatchObject({ status: 'denied', verified_until: null })
    expect((await approve(phone, challenge.id, challenge.match_code)).body.status).toBe('denied')
    expect((await standing(somebody.token, challenge.id)).status).toBe('denied')
    expect(await eventsOf(somebody, 'step_up.denied')).toMatchObject([{ session_id: somebody.sessionId }])
    expect(await rowOf(challenge.id)).toMatchObject({ approval_credential_id: fresh.id })
  })

  test('that was stopped, that is not known or that is not theirs is refused alike, and counts as no try', async () => {
    const [{ somebody, phone, challenge }, stranger] = [await asker(), await asker()]
    const lost = await approvalDevice(somebody, 'Lost phone')
    await withStepUp('DELETE', `/me/approval-credentials/${lost.id}`, { token: somebody.token })
    for (const credential of [lost.credential, stranger.phone.credential, `apc_${'x'.repeat(43)}`]) {
      const answering = { token: phone.token, credential }
      const refused = [
        await approve(answering, challenge.id, challenge.match_code),
        await approve(answering, challenge.id, wrong(challenge)),
        await deny(answering, challenge.id),
      ]
      for (const { status, body } of refused) {
        const details = { reason: 'approval_credential_unknown' }
        expect([status, body.error]).toMatchObject([403, { type: 'forbidden', details }])
      }
    }
    const tablet = await approvalDevice(somebody, 'Tablet') // from any session of the person: its secret counts
    const answering = { token: phone.token, credential: tablet.credential }
    expect((await approve(answering, challenge.id, challenge.match_code)).body.status).toBe('verified')
    expect(await rowOf(challenge.id)).toMatchObject({ approval_credential_id: tablet.id })
  })

  test('of somebody else does not find the challenge, nor one that is not there, nor one without a number', async () => {
    const [{ somebody, phone, challenge }, stranger] = [await asker(), await asker()]
    const numberless = await challengeOf(somebody, { target: 'thing:2' })
    await owner`update step_ups set match_code = null where id = ${numberless.id}`
    const answers = await Promise.all([
      approve(stranger.phone, challenge.id, challenge.match_code),
      deny(stranger.phone, challenge.id),
      approve(phone, randomUUID(), '123'),
      approve(phone, numberless.id, '123'),
      deny(phone, numberless.id),
    ])
    expect(answers.map(refusal)).toEqual(times(5, () => [404, 'not_found']))
    expect((await standing(somebody.token, challenge.id)).status).toBe('pending')
  })
})

test('an answer without a credential or a number is invalid_request and no try', async () => {
  const { phone, challenge } = await asker()
  for (const body of [{ match_code: '123' }, { credential: 'x' }, { credential: '', match_code: '1' }]) {
    const answer = await api('POST', `/me/challenges/${challenge.id}/approve`, { token: phone.token, body })
    expect(refusal(answer), JSON.stringify(body)).toEqual([400, 'invalid_request'])
  }
  expect((await approve(phone, challenge.id, wrong(challenge))).body.remaining_attempts).toBe(2)
})

test('a challenge that waited for ten minutes is expired, whatever is answered', async () => {
  const { phone, challenge } = await asker()
  await advance(10 * 60)
  const expired = { status: 'expired', verified_until: null, remaining_attempts: 3 }
  expect((await approve(phone, challenge.id, challenge.match_code)).body).toEqual(expired)
  expect((await deny(phone, challenge.id)).body).toEqual(expired)
  expect((await list(phone.token)).data).toEqual([])
})

test('a payment is released on the phone by the number that the browser shows, and by nothing else', async () => {
  const { boss, pay } = await staffedPayer()
  const phone = await approvalDevice(boss)
  const payment = await pay()
  const { id, match_code, methods } = (await decide(boss, payment, 'approve')).body.error.step_up
  expect(methods).toContain('approval_device')
  expect((await list(phone.token)).data[0]).toMatchObject({
    id,
    operation: 'POST /organizations/{organization_id}/approvals/{approval_id}/approve',
    target: expect.stringContaining(payment.approval_request_id),
  })
  const asked = await api('POST', `/step-up/${id}/complete`, { token: boss.token, body: { method: 'approval_device' } })
  expect(asked.body.status).toBe('pending')
  expect((await decide(boss, payment, 'approve')).status).toBe(403)
  expect((await approve(phone, id, match_code)).body.status).toBe('verified')
  expect(await decide(boss, payment, 'approve')).toMatchObject({ status: 200, body: { status: 'approved' } })
  const decisions = await owner`select factor from approval_decisions where step_up_id = ${id}`
  expect([...decisions]).toEqual([{ factor: 'approval_device' }])
  expect((await standing(boss.token, id)).status).toBe('consumed')
  expect((await approve(phone, id, match_code)).body.status).toBe('consumed')
})

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { tokenHash } from '../../../platform/encryption.ts'
import { type Answer, type TestPerson, api, person, verifyStepUp, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { approvalDevice, challengeOf, coolingDevice, eventsOf, sessionOf } from '../../support/identity/devices.ts'
import { refusal } from '../../support/http/refusals.ts'
import { advance, mailsTo } from '../../support/identity/identity.ts'

const add = (token: string) => api('POST', '/me/approval-credential', { token, body: {} })
const list = async (token: string, query = '') => (await api('GET', `/me/approval-credentials${query}`, { token })).body
const read = (token: string, id: string) => api('GET', `/me/approval-credentials/${id}`, { token })
const stop = (token: string, id: string) => api('DELETE', `/me/approval-credentials/${id}`, { token })
const stopProved = (token: string, id: string) => withStepUp('DELETE', `/me/approval-credentials/${id}`, { token })
const idsOf = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id)
const atOnce = async (count: number, call: () => Promise<Answer>) =>
  (await Promise.all(Array.from({ length: count }, call))).map((answer) => refusal(answer).join(' ')).toSorted()
const times = (count: number, word: string) => Array<string>(count).fill(word)

async function writtenDevices(somebody: TestPerson, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const { deviceId } = await sessionOf(somebody)
    await owner`insert into approval_credentials (user_id, device_id, credential_hash, cooling_off_until)
      values (${somebody.userId}, ${deviceId}, ${tokenHash(randomUUID())}, business_now())`
  }
}

test('a device becomes one of approvals by a step-up, used up by it; its secret is told once, and it cools off', async () => {
  const somebody = await person()
  const phone = await sessionOf(somebody, { name: 'Phone' })
  const asked = await add(phone.token)
  expect(refusal(asked)).toEqual([403, 'step_up_required'])
  await verifyStepUp(asked)
  const { status, body } = await add(phone.token)
  const { id, inserted_at, cooling_off_until, credential } = body
  const told = { id, name: 'Phone', device_id: phone.deviceId, inserted_at, cooling_off_until }
  expect([status, body]).toEqual([201, { ...told, credential: expect.stringMatching(/^apc_[\w-]{43}$/) }])
  expect((await read(phone.token, id)).body).toEqual({ ...told, last_used_at: null })
  const [row] = await owner`select cooling_off_until = inserted_at + interval '24 hours' as exact, revoked_at,
    credential_hash from approval_credentials where id = ${id}`
  expect(row).toEqual({ exact: true, revoked_at: null, credential_hash: tokenHash(credential) })
  const again = await add(phone.token)
  expect(again.body.error.type).toBe('step_up_required')
  expect(again.body.error.step_up.id).not.toBe(asked.body.error.step_up.id)
  const events = await eventsOf(somebody, 'approval_device.added')
  const written = JSON.stringify([await list(phone.token), events, await mailsTo(somebody.email)])
  for (const secret of [credential, tokenHash(credential).toString('hex')]) expect(written).not.toContain(secret)
})

test('adding and removing one are in the log and in a mail that names the device', async () => {
  const somebody = await person()
  const phone = await coolingDevice(somebody, 'My old phone')
  const text = expect.stringContaining('My old phone')
  expect(await eventsOf(somebody, 'approval_device.added')).toMatchObject([
    { session_id: phone.sessionId, device_id: phone.deviceId, details: { name: 'My old phone', replaced: false } },
  ])
  expect((await mailsTo(somebody.email))[0]).toMatchObject({ subject: 'An approval device was added', text })
  expect(await stop(somebody.token, phone.id)).toMatchObject({ status: 200, body: { deleted: true, id: phone.id } })
  expect(await eventsOf(somebody, 'approval_device.removed')).toMatchObject([
    { session_id: somebody.sessionId, details: { name: 'My old phone', approval_credential_id: phone.id } },
  ])
  expect((await mailsTo(somebody.email))[0]).toMatchObject({ subject: 'An approval device was removed', text })
})

test('one step-up makes one approval device, also of 20 requests at once', async () => {
  const somebody = await person()
  await verifyStepUp(await add(somebody.token))
  expect(await atOnce(20, () => add(somebody.token))).toEqual(['201 ', ...times(19, '403 step_up_required')])
  expect((await list(somebody.token)).data).toHaveLength(1)
  expect(await eventsOf(somebody, 'approval_device.added')).toHaveLength(1)
  expect(await eventsOf(somebody, 'step_up.used')).toHaveLength(1)
})

test('ten are the most: the eleventh is refused and leaves the step-up as it was; renewing one voids it, and is no eleventh', async () => {
  const somebody = await person()
  const phone = await coolingDevice(somebody)
  await writtenDevices(somebody, 9)
  const asked = await add(somebody.token)
  await verifyStepUp(asked)
  const refused = await add(somebody.token)
  expect(refusal(refused)).toEqual([422, 'unprocessable_entity'])
  expect(refused.body.error.details).toEqual({ limit: 10, reason: 'too_many_approval_devices' })
  const standing = await api('GET', `/step-up/${asked.body.error.step_up.id}`, { token: somebody.token })
  expect(standing.body.status).toBe('verified')
  const renewed = await withStepUp('POST', '/me/approval-credential', { token: phone.token, body: {} })
  const ids = idsOf(await list(somebody.token))
  expect([ids.length, ids[0], ids.includes(phone.id)]).toEqual([10, renewed.body.id, false])
  expect((await eventsOf(somebody, 'approval_device.added'))[0]).toMatchObject({ details: { replaced: true } })
  expect((await stop(somebody.token, renewed.body.id)).status).toBe(200)
  expect((await add(somebody.token)).status).toBe(201)
})

test('of five devices at once that would be the tenth, one is', async () => {
  const somebody = await person()
  await writtenDevices(somebody, 9)
  const sessions = await Promise.all(Array.from({ length: 5 }, () => sessionOf(somebody)))
  for (const { token } of sessions) await verifyStepUp(await add(token))
  const answers = await Promise.all(sessions.map(({ token }) => add(token)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422, 422, 422, 422])
  expect((await list(somebody.token)).data).toHaveLength(10)
})

test('the list is newest first, in pages, and a cursor still leads on when its device was stopped', async () => {
  const somebody = await person()
  const devices = [await coolingDevice(somebody), await coolingDevice(somebody), await coolingDevice(somebody)]
  const newestFirst = devices.map(({ id }) => id).toReversed()
  const page = await list(somebody.token, '?limit=1')
  expect(page).toMatchObject({ has_more: true, next_cursor: newestFirst[0] })
  await stop(somebody.token, newestFirst[0] ?? '')
  expect(idsOf(await list(somebody.token, `?cursor=${page.next_cursor}`))).toEqual(newestFirst.slice(1))
})

test('one that releases challenges is stopped after a step-up, which it gives itself, and no mail does', async () => {
  const somebody = await person()
  const { id } = await approvalDevice(somebody)
  const asked = await stop(somebody.token, id)
  expect(asked.body.error.step_up).toMatchObject({ methods: ['approval_device'], delivery: 'approval_device' })
  const fallback = await api('POST', `/step-up/${asked.body.error.step_up.id}/fallback`, {
    token: somebody.token,
    body: { method: 'messaging_code' },
  })
  expect(fallback.body.error.details).toEqual({ reason: 'method_unavailable', methods: ['approval_device'] })
  await verifyStepUp(asked)
  expect((await stop(somebody.token, id)).status).toBe(200)
})

test('one that cools off is stopped once, also by 20 requests at once, without a step-up', async () => {
  const somebody = await person()
  const { id } = await coolingDevice(somebody)
  expect(await atOnce(20, () => stop(somebody.token, id))).toEqual(['200 ', ...times(19, '404 not_found')])
  expect(await eventsOf(somebody, 'approval_device.removed')).toHaveLength(1)
  expect((await stop(somebody.token, id)).status).toBe(404)
})

test('a challenge carries a number once its device has cooled off for 24 hours, and until that is stopped', async () => {
  const somebody = await person()
  const { id } = await coolingDevice(somebody)
  const challengeNow = async () => challengeOf({ ...somebody, sessionId: (await sessionOf(somebody)).sessionId })
  await advance(24 * 3600 - 60)
  expect((await challengeNow()).match_code).toBeNull()
  await advance(60)
  expect((await challengeNow()).match_code).toMatch(/^[0-9]{3}$/)
  await owner`update sessions set last_used_at = business_now(), signed_in_at = business_now()`
  await stopProved(somebody.token, id)
  expect(await challengeNow()).toMatchObject({ match_code: null, methods: ['messaging_code'] })
})

/** End of delegates: warnings before it, another secret without a gap, a later end. */
import { expect, test } from 'vitest'
import { warnOfEnds } from '../../../services/people/ends.ts'
import { type TestPerson, api, organization, person, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { type Made, delegateOf, exchange } from '../../support/identity/delegates.ts'
import { sentTo } from '../../support/identity/identity.ts'
import { refusal } from '../../support/http/refusals.ts'

const DAY = 24 * 3600

async function company() {
  const boss = await person({ authenticator: true })
  const { id } = await organization(boss, 'Example')
  return { boss, id }
}

/** Lets time pass for one delegate alone. */
const age = ({ id }: Pick<Made, 'id'>, seconds: number) => owner`
  update delegates set expires_at = expires_at - make_interval(secs => ${seconds}),
    inserted_at = inserted_at - make_interval(secs => ${seconds}),
    extended_at = extended_at - make_interval(secs => ${seconds}),
    previous_secret_expires_at = previous_secret_expires_at - make_interval(secs => ${seconds}) where id = ${id}`

const warnings = ({ id }: Pick<Made, 'id'>) => owner<{ days: number }[]>`
  select (payload::jsonb ->> 'days')::int as days from events where subject_id = ${id} and type = 'delegate.expiring' order by id`
const daysOf = async (made: Made) => (await warnings(made)).map(({ days }) => days)

const mailsTo = async ({ email }: TestPerson) =>
  (await sentTo(email)).filter(({ subject }) => subject === 'A delegate of yours ends soon').length

const itemsOf = async ({ token }: TestPerson, id: string) =>
  (await api('GET', `/organizations/${id}/attention?kind=delegate_expiring`, { token })).body.data

const rotate = ({ token }: TestPerson, { id }: Pick<Made, 'id'>, body: object = {}) =>
  withStepUp('POST', `/me/delegates/${id}/rotate`, { token, body })

test('its person is warned seven days and one day before, once each, however often and by how many workers', async () => {
  const { boss, id } = await company()
  const made = await delegateOf(boss, id)
  await age(made, 22 * DAY)
  await warnOfEnds()
  expect([await daysOf(made), await itemsOf(boss, id)]).toEqual([[], []])
  await age(made, 1.5 * DAY)
  await Promise.all([warnOfEnds(), warnOfEnds(1), warnOfEnds()])
  await warnOfEnds()
  expect([await daysOf(made), await mailsTo(boss)]).toEqual([[7], 1])
  expect(await itemsOf(boss, id)).toMatchObject([
    { id: `delegate_expiring:${made.id}`, audience: 'viewer', actionable_by_viewer: true },
  ])
  await age(made, 6 * DAY)
  await Promise.all([warnOfEnds(), warnOfEnds()])
  expect([await daysOf(made), await mailsTo(boss)]).toEqual([[7, 1], 2])
})

test('a jump of the clock past both days warns once; ended and short ones are not warned of', async () => {
  const { boss, id } = await company()
  const [jumped, ended, short] = [
    await delegateOf(boss, id),
    await delegateOf(boss, id),
    await delegateOf(boss, id, { expires_in_days: 3 }),
  ]
  await age(jumped, 29.5 * DAY)
  await age(ended, 29.5 * DAY)
  expect((await api('DELETE', `/me/delegates/${ended.id}`, boss)).status).toBe(200)
  await warnOfEnds()
  expect([await daysOf(jumped), await daysOf(ended), await daysOf(short)]).toEqual([[1], [], []])
  expect((await itemsOf(boss, id)).map(({ subject }: any) => subject.delegate_id)).toEqual([jumped.id])
  await age(short, 2.5 * DAY)
  await warnOfEnds()
  expect(await daysOf(short)).toEqual([1])
})

test('one that is extended is warned of again, before its new end', async () => {
  const { boss, id } = await company()
  const made = await delegateOf(boss, id)
  await age(made, 29.5 * DAY)
  await warnOfEnds()
  const rotated = await rotate(boss, made, { expires_in_days: 20 })
  expect(rotated.status, JSON.stringify(rotated.body)).toBe(200)
  expect(await itemsOf(boss, id)).toEqual([])
  await warnOfEnds()
  await age(made, 14 * DAY)
  await warnOfEnds()
  expect(await daysOf(made)).toEqual([1, 7])
})

test('the former secret works until the new one is used; the session goes on', async () => {
  const { boss, id } = await company()
  const made = await delegateOf(boss, id)
  const { access_token: token } = (await exchange(made.secret)).body
  const rotated = await rotate(boss, made)
  expect(rotated.body).toMatchObject({
    id: made.id,
    rotated_at: expect.any(String),
    previous_secret_expires_at: expect.any(String),
    secret: expect.stringMatching(/^dlg_/),
  })
  expect((await exchange(made.secret)).status).toBe(200)
  expect((await exchange(rotated.body.secret)).status).toBe(200)
  expect((await exchange(made.secret)).status).toBe(401)
  expect((await api('GET', '/me/delegate', { token })).body).toMatchObject({
    id: made.id,
    previous_secret_expires_at: null,
  })
  const [logged] = (await api('GET', '/me/security-events?type=delegate.rotated', boss)).body.data
  expect(JSON.stringify(logged)).not.toContain(rotated.body.secret)
})

test('unused, it works for 24 hours; a second rotation ends the first secret at once', async () => {
  const { boss, id } = await company()
  const made = await delegateOf(boss, id)
  const second = (await rotate(boss, made)).body.secret
  const third = (await rotate(boss, made)).body.secret
  expect((await exchange(made.secret)).status).toBe(401)
  expect((await exchange(second)).status).toBe(200)
  await age(made, DAY + 1)
  expect([(await exchange(second)).status, (await exchange(third)).status]).toEqual([401, 200])
})

test('only its person rotates it, with a step-up for these days, while it lives and no client renews it', async () => {
  const { boss, id } = await company()
  const other = await person({ authenticator: true })
  const made = await delegateOf(boss, id)
  const path = `/me/delegates/${made.id}/rotate`
  const asked = await api('POST', path, { token: boss.token, body: { expires_in_days: 90 } })
  expect(refusal(asked)).toEqual([403, 'step_up_required'])
  expect(asked.body.error.step_up.summary).toBe('Give "Books" another secret for 90 days in the organization "Example"')
  expect(refusal(await api('POST', path, { token: other.token, body: {} }))).toEqual([404, 'not_found'])
  const { access_token: token } = (await exchange(made.secret)).body
  expect(refusal(await api('POST', path, { token, body: {} }))).toEqual([403, 'delegate_not_permitted'])
  await owner`
    insert into authorization_codes (code_hash, delegate_id, organization_id, client_id, redirect_uri, code_challenge, expires_at)
    values (${made.id}::text::bytea, ${made.id}, ${id}, 'client', 'uri', 'challenge', business_now())`
  expect(refusal(await api('POST', path, { token: boss.token, body: {} }))).toEqual([409, 'invalid_state'])
  await api('DELETE', `/me/delegates/${made.id}`, boss)
  expect(refusal(await api('POST', path, { token: boss.token, body: {} }))).toEqual([404, 'not_found'])
})

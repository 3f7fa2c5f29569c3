/** Networks of an organization: from where its credentials work, and how a lock-out ends. */
import { describe, expect, test } from 'vitest'
import { liftByOperator } from '../../../services/organizations/ip-allow-lists.ts'
import { api, person, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { follow } from '../../support/events.ts'
import { refusal } from '../../support/http/refusals.ts'
import { delegateOf, exchange, tokenBy, tokenOf } from '../../support/identity/delegates.ts'
import { sentTo } from '../../support/identity/identity.ts'
import { post } from '../../support/mcp/client.ts'
import { apiKey, use } from '../../support/organizations/api-keys.ts'
import { leave, remove, staffed } from '../../support/organizations/members.ts'
import { ELSEWHERE, KINDS, lift, listPath, moveOut, readList, setList } from '../../support/organizations/networks.ts'
import { OWN, send, show } from '../../support/pages/addresses.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const HERE = { cidrs: ['127.0.0.0/8'], applies_to: [...KINDS] }
const OUTSIDE = [403, 'ip_not_allowed']
const sees = (token: string, id: string) => api('GET', `/organizations/${id}`, { token })
const eventsOf = async (id: string) =>
  (
    await owner<{ type: string }[]>`
      select type from events where organization_id = ${id} and type like 'ip_allow_list.%' order by id`
  ).map(({ type }) => type)
const mailsTo = async ({ email }: { email: string }) =>
  (await sentTo(email)).map(({ subject }) => subject).filter((subject) => subject.includes('networks'))

describe('an owner', () => {
  test('sets the networks in one spelling, reads them beside the own address, and removes them', async () => {
    const { id, boss, staff } = await staffed('owner', 'admin')
    const body = { cidrs: ['127.0.0.1', '::ffff:127.0.0.0/104', '127.0.0.1/32'], applies_to: ['delegates', 'sessions'] }
    const set = await setList(boss, id, body)
    const list = { cidrs: ['127.0.0.1/32', '127.0.0.0/8'], applies_to: ['sessions', 'delegates'] }
    expect(set.body).toEqual({ ...list, your_address: '127.0.0.1', lift: null })
    expect((await setList(boss, id, list)).status).toBe(200) // the same again: no event
    expect((await readList(staff[0], id)).body).toMatchObject(list)
    expect(refusal(await readList(staff[1], id))).toEqual([403, 'forbidden'])
    expect(refusal(await setList(staff[1], id, HERE))).toEqual([403, 'forbidden'])
    const removed = await withStepUp('DELETE', listPath(id), { token: boss.token })
    expect(removed.body).toEqual({ status: 'removed' })
    expect((await readList(boss, id)).body).toMatchObject({ cidrs: [], applies_to: [] })
    expect(await eventsOf(id)).toEqual(['ip_allow_list.changed', 'ip_allow_list.removed'])
    expect(await mailsTo(staff[0])).toEqual([
      'The networks of an organization were removed',
      'The networks of an organization were changed',
    ])
  })

  test('is not locked out by their own list, unless it is for programs alone', async () => {
    const { id, boss } = await staffed()
    const refused = await setList(boss, id, { cidrs: [ELSEWHERE], applies_to: ['sessions'] })
    expect([refusal(refused), refused.body.error.details]).toEqual([
      [422, 'ip_allow_list_excludes_you'],
      { address: '127.0.0.1' },
    ])
    expect((await setList(boss, id, { cidrs: [ELSEWHERE], applies_to: ['api_keys'] })).status).toBe(200)
    expect((await sees(boss.token, id)).status).toBe(200)
  })

  test('is refused what is no list of networks', async () => {
    const { id, boss } = await staffed()
    const wrong = [
      { cidrs: ['127.0.0.1/8'] },
      { cidrs: ['0.0.0.0/0'] },
      { cidrs: [] },
      { cidrs: Array.from({ length: 101 }, (_, index) => `10.0.${index}.0/24`) },
      { cidrs: ['127.0.0.1\u0000'] },
      { cidrs: ['x'.repeat(100_000)] },
      { cidrs: [7] },
      { cidrs: '127.0.0.0/8' },
      { applies_to: [] },
      { applies_to: ['sessions', 'sessions', 'sessions', 'sessions'] },
      { applies_to: ['scim'] },
      { applies_to: ['__proto__'] },
    ]
    for (const one of wrong)
      expect(refusal(await setList(boss, id, { ...HERE, ...one })), JSON.stringify(one)).toEqual([
        400,
        'invalid_request',
      ])
  })
})

describe('outside of the networks', () => {
  test('a member sees that organization no more, with the address that was seen, and all others', async () => {
    const { id, boss, staff } = await staffed('admin')
    const [admin] = staff
    const other = await staffed()
    await owner`
      insert into members (organization_id, user_id, role) values (${other.id}, ${admin.userId}, 'admin')`
    await setList(boss, id, HERE)
    expect((await sees(admin.token, id)).status).toBe(200)
    await moveOut(id)
    const refused = await sees(admin.token, id)
    expect([refusal(refused), refused.body.error.details]).toEqual([OUTSIDE, { address: '127.0.0.1' }])
    expect(refusal(await sees(admin.token, id))).toEqual(OUTSIDE)
    expect((await sees(admin.token, other.id)).status).toBe(200)
    const mine = await api('GET', '/organizations', { token: admin.token })
    expect(mine.body.data.map((one: { id: string }) => one.id).toSorted()).toEqual([id, other.id].toSorted())
    expect((await sees((await person()).token, id)).status).toBe(404)
    const log = await api('GET', '/me/security-events?type=address.refused', { token: admin.token })
    expect(log.body.data).toMatchObject([
      { ip_address: '127.0.0.1', details: { organization: id, credential: 'sessions' } },
    ])
  })

  test('each kind is refused where the list is for it, and a delegate also gets no token', async () => {
    const { id, boss } = await staffed()
    const key = await apiKey(boss, id)
    const made = await delegateOf(boss, id)
    const token = await tokenOf(made)
    await moveOut(id, ['sessions'])
    expect((await use(key.secret, id)).status).toBe(200)
    expect((await sees(token, id)).status).toBe(200)
    await moveOut(id, ['api_keys', 'delegates'])
    expect((await sees(boss.token, id)).status).toBe(200)
    expect(refusal(await use(key.secret, id))).toEqual(OUTSIDE)
    expect(refusal(await sees(token, id))).toEqual(OUTSIDE)
    expect(refusal(await api('GET', '/me/delegate', { token }))).toEqual(OUTSIDE)
    expect((await exchange(made.secret)).body.error).toBe('unauthorized_client')
    expect((await tokenBy({ grant_type: 'client_credentials', client_secret: made.secret })).body).toMatchObject({
      error_description: expect.stringContaining('127.0.0.1'),
    })
    const asked = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { authorization: `Bearer ${token}` })
    expect([asked.status, JSON.stringify(asked.body)]).toEqual([401, expect.stringContaining('127.0.0.1')])
    await moveOut(id, ['sessions'])
    const rotated = await withStepUp('POST', `/me/delegates/${made.id}/rotate`, { token: boss.token, body: {} })
    expect(refusal(rotated)).toEqual(OUTSIDE)
  })

  test('an open stream ends before the next event', async () => {
    const { id, boss } = await staffed()
    const stream = await follow(boss, id)
    expect(stream.status).toBe(200)
    await moveOut(id)
    await lift(boss, id)
    await expect.poll(() => stream.isOver).toBe(true)
    expect(stream.events()).toEqual([])
  })

  test('pages say why, and lead an owner to where the networks are lifted', async () => {
    const { id, boss } = await staffed()
    await moveOut(id)
    const session = boss.token
    const home = await show(`/o/${id}`, { session })
    const html = await home.text()
    expect(home.status).toBe(403)
    expect(html).toContain('127.0.0.1')
    expect(html).toContain(`/o/${id}/company/networks`)
    expect(await (await show(`/o/${id}/company/networks`, { session })).text()).toContain('127.0.0.1')
    expect((await show('/approve', { session })).status).toBe(200)
  })
})

test('pages set, remove and lift the networks, and say in German what is wrong', async () => {
  const { id, boss, staff } = await staffed('owner')
  const at = `/o/${id}/company/networks`
  await setList(boss, id, HERE) // opens the step-up window
  const session = boss.token
  const form = (cidrs: string) =>
    new URLSearchParams([
      ['cidrs', cidrs],
      ['applies_to', 'sessions'],
      ['applies_to', 'api_keys'],
    ])
  const set = await send(at, form('127.0.0.1\r\n2001:db8::/32, 10.0.0.0/8'), { session })
  expect([set.status, set.headers.get('location')]).toEqual([303, `${at}?done=saved`])
  expect((await readList(boss, id)).body).toMatchObject({
    cidrs: ['127.0.0.1/32', '2001:db8::/32', '10.0.0.0/8'],
    applies_to: ['sessions', 'api_keys'],
  })
  const german = { session, headers: { ...OWN, 'accept-language': 'de' } }
  const wrong = await send(at, form('127.0.0.1 10.0.0.1/8'), german)
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('ohne Bits hinter seiner Länge')])
  const excluding = await send(at, form('10.0.0.0/8'), german)
  expect([excluding.status, await excluding.text()]).toEqual([
    422,
    expect.stringContaining('Ihre Adresse ist 127.0.0.1'),
  ])
  await lift(staff[0], id)
  expect(await (await show(at, { session })).text()).toContain('asks to lift the networks')
  expect((await send(`${at}/lift/cancel`, new URLSearchParams(), { session })).status).toBe(303)
  expect((await send(`${at}/remove`, new URLSearchParams(), { session })).status).toBe(303)
  expect((await readList(boss, id)).body).toMatchObject({ cidrs: [], lift: null })
})

describe('a lock-out', () => {
  test('ends when a second owner confirms it from outside; all owners are mailed', async () => {
    const { id, boss, staff } = await staffed('owner', 'admin')
    const [second, admin] = staff
    await moveOut(id)
    expect(refusal(await readList(boss, id))).toEqual(OUTSIDE)
    expect(refusal(await lift(admin, id))).toEqual([403, 'forbidden'])
    const asked = await lift(boss, id)
    expect(asked.body).toMatchObject({ status: 'requested', lift: { requested_by: boss.userId } })
    expect((await lift(boss, id)).body).toEqual(asked.body)
    expect(refusal(await sees(second.token, id))).toEqual(OUTSIDE)
    expect((await lift(second, id)).body).toEqual({ status: 'lifted', lift: null })
    expect((await sees(boss.token, id)).status).toBe(200)
    expect(refusal(await lift(second, id))).toEqual([409, 'invalid_state'])
    expect(await eventsOf(id)).toEqual(['ip_allow_list.lift_requested', 'ip_allow_list.lifted'])
    expect(await mailsTo(second)).toEqual([
      'The networks of an organization were lifted',
      'An owner wants to lift the networks of an organization',
    ])
  })

  test('goes on when the time of the request is over, its owner is none any more, or it is cancelled', async () => {
    const { id, boss, staff } = await staffed('owner', 'owner')
    const [second, third] = staff
    const isOpen = async () => (await lift(third, id)).body.status
    await moveOut(id)
    await lift(boss, id)
    await owner`update organizations set lift_requested_at = business_now() - interval '49 hours' where id = ${id}`
    expect((await lift(second, id)).body).toMatchObject({ status: 'requested', lift: { requested_by: second.userId } })
    await owner`update organizations set ip_allow_list = null, lift_requested_by = null, lift_requested_at = null where id = ${id}`
    await moveOut(id)
    await lift(second, id)
    await moveOut(id, ['api_keys'])
    await remove(boss, id, second.userId)
    expect(await isOpen()).toBe('requested')
    expect((await api('DELETE', listPath(id, '/lift'), { token: boss.token })).body).toEqual({ status: 'cancelled' })
    expect((await lift(boss, id)).body).toMatchObject({ status: 'requested', lift: { requested_by: boss.userId } })
    expect((await eventsOf(id)).includes('ip_allow_list.lifted')).toBe(false)
  })

  test('ends for an only owner after a day, also for one who became that meanwhile', async () => {
    const { id, boss, staff } = await staffed('owner')
    await moveOut(id, ['api_keys'])
    expect((await lift(boss, id)).body.status).toBe('requested')
    await owner`update organizations set lift_requested_at = business_now() - interval '25 hours' where id = ${id}`
    expect((await lift(boss, id)).body.status).toBe('requested') // there is a second owner
    await leave(staff[0], id)
    expect((await lift(boss, id)).body.status).toBe('lifted')
  })

  test('of two owners who ask at once, one asks and the other confirms', async () => {
    const { id, boss, staff } = await staffed('owner')
    await moveOut(id)
    const answers = await Promise.all([lift(boss, id), lift(staff[0], id)])
    expect(answers.map(({ body }) => body.status).toSorted()).toEqual(['lifted', 'requested'])
  })

  test('is ended by an operator', async () => {
    const { id, boss } = await staffed()
    await moveOut(id)
    await liftByOperator(id as never)
    expect((await sees(boss.token, id)).status).toBe(200)
    expect(await mailsTo(boss)).toEqual(['The networks of an organization were lifted'])
    await expect(liftByOperator(id as never)).rejects.toMatchObject({ type: 'invalid_state' })
  })
})

/** Invitations while Temporal is away: commands succeed, and workflows are signalled afterwards. */
import { afterAll, expect, test, vi } from 'vitest'
import { pingTemporal } from '../../../temporal/client.ts'
import { type RunningWorker, startWorker } from '../../../worker.ts'
import { organization, person } from '../../support/api.ts'
import {
  accept,
  decline,
  invite,
  remove,
  resend,
  runState,
  told,
  tokensTo,
} from '../../support/invitations/invitations.ts'
import { rolesOf } from '../../support/organizations/members.ts'
import { eventually } from '../../support/runs/runs.ts'
import '../../support/temporal-runtime.ts'

const { temporal } = await vi.hoisted(async () => {
  const { startProxy } = await import('../../support/faults/proxy.ts')
  const proxy = await startProxy(process.env['TEMPORAL_ADDRESS'] ?? '')
  process.env['TEMPORAL_ADDRESS'] = proxy.address
  return { temporal: proxy }
})
let worker: RunningWorker | undefined
afterAll(() => worker?.stop())

test('while Temporal is away people are invited, answer, and are taken back; their runs see it afterwards', async () => {
  const guests = await Promise.all([person(), person(), person(), person()])
  const boss = await person()
  const { id } = await organization(boss)
  const rows = guests.map(({ email }) => ({ email }))
  const [before, ...later] = rows
  const first = (await invite(boss, id, [before])).body[0]
  await temporal.cut()
  try {
    const made = await invite(boss, id, later)
    expect(made.status).toBe(201)
    const [one, two, three, four] = guests as [any, any, any, any] // as many as were made
    const [second, third, fourth] = made.body
    expect((await resend(boss, id, fourth.id)).status).toBe(200)
    const tokenTo = async (email: string) => (await tokensTo(email))[0] ?? ''
    expect(told(await accept(one, await tokenTo(one.email)))).toEqual([200, 'done'])
    expect(told(await accept(two, await tokenTo(two.email)))).toEqual([200, 'done'])
    expect(told(await decline(three, await tokenTo(three.email)))).toEqual([200, 'done'])
    expect(await rolesOf(id, [one, two, three, four])).toEqual(['member', 'member', undefined, undefined])
    await temporal.mend()
    await eventually(pingTemporal).toBe(true)
    worker = await startWorker({ versioned: false, reconciles: false })
    const states = () => Promise.all([first, second, third, fourth].map((one) => runState(one.id)))
    await eventually(states).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED', 'RUNNING'])
    expect(told(await remove(boss, id, fourth.id))).toEqual([200, 'done'])
    await eventually(() => runState(fourth.id)).toBe('COMPLETED')
  } finally {
    await temporal.mend().catch(() => {})
  }
}, 60_000)

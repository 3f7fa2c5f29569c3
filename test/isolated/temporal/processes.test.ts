/** Lines in `processes`, and their acknowledgement by looks. No worker runs: only the test looks. */
import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { main } from '../../../activities/index.ts'
import type { OrganizationId, PaymentId } from '../../../domain/ids.ts'
import { paymentFlow } from '../../../domain/payments/flow.ts'
import { viewPayment } from '../../../services/payments/view.ts'
import { oldestUnseenSeconds, putBackProcesses, sweepProcesses } from '../../../db/processes/processes.ts'
import { asSystem, transaction } from '../../../db/postgres/sql.ts'
import { viewOf } from '../../../db/processes/views.ts'
import { wake } from '../../../db/postgres/wakes.ts'
import { sweepAll } from '../../../temporal/sweep.ts'
import { api, approvalPath, approve, createPayment, payerAndPayee } from '../../support/api.ts'
import { owner } from '../../support/database.ts'

type Paid = { id: string; organization_id: string; approval_request_id: string }
const { boss, contactId } = await payerAndPayee('1000.00')

const refOf = ({ id, organization_id: organizationId }: Paid) =>
  ({ id, organizationId }) as { id: PaymentId; organizationId: OrganizationId } // of a payment that was made

const processOf = async ({ id }: { id: string }) => {
  const [row] = await owner`
    select workflow, why, status, version::int as version, look_at <= business_now() as due, isfinite(look_at) as timed,
      told, unseen_since is not null as unseen from processes where id = ${id}`
  return row
}

describe('a change', () => {
  test('leaves its process unseen, and each further one raises the version', async () => {
    const payment = await createPayment(boss, contactId)
    const waiting = { workflow: 'payment', why: 'created', status: 'awaiting_approval' }
    expect(await processOf(payment)).toEqual({ ...waiting, version: 1, due: true, timed: true, told: 0, unseen: true })
    expect((await approve(boss, payment)).status).toBe(200)
    expect(await processOf(payment)).toMatchObject({ why: 'settled', status: 'succeeded', version: 2, unseen: true })
  })

  test('that is refused changes nothing of the process, however often it is asked for', async () => {
    const other = await payerAndPayee('0')
    const payment = await createPayment(other.boss, other.contactId)
    for (let times = 0; times < 20; times += 1)
      expect((await approve(other.boss, payment)).body.error.type).toBe('insufficient_funds')
    expect(await processOf(payment)).toMatchObject({ why: 'created', version: 1 })
  })

  test('that is rolled back wakes nobody', async () => {
    const id = randomUUID()
    const undone = transaction(async (tx) => {
      wake(tx, paymentFlow, { ids: [id], why: 'created', organizationId: null })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await processOf({ id })).toBeUndefined()
  })

  test('of the same rows by many at once, in any order, never deadlocks and loses no version', async () => {
    const ids = Array.from({ length: 8 }, () => randomUUID())
    const wakeAll = (order: readonly string[]) =>
      transaction(async (tx) => {
        for (const id of order) wake(tx, paymentFlow, { ids: [id], why: 'created', organizationId: null })
      })
    await Promise.all(Array.from({ length: 24 }, (_, turn) => wakeAll(turn % 2 ? ids : ids.toReversed())))
    const rows = await owner`select version::int as version from processes where id = any (${ids})`
    expect(rows.map(({ version }) => version)).toEqual(ids.map(() => 24))
    await owner`delete from processes where id = any (${ids})`
  })
})

describe('a look', () => {
  test('acknowledges what it has seen: the process waits until its deadline; a driven row that nobody listed gets one', async () => {
    const payment = await createPayment(boss, contactId)
    const looked = await main.viewPayment(refOf(payment))
    const says = expect.stringMatching(/^Waits for approval since .+ UTC, until .+ UTC: /)
    const found = { again: false, status: 'awaiting_approval', at_rest: false, says }
    expect(looked).toMatchObject({ ...found, approval: { due: null, open_step: '1 of 1' } })
    expect('wait_seconds' in looked && looked.wait_seconds).toBeGreaterThan(50) // until approvers get a mail
    expect(await processOf(payment)).toMatchObject({ version: 1, due: false, timed: true, unseen: false })
    await owner`delete from processes where id = ${payment.id}`
    expect(await main.viewPayment(refOf(payment))).toEqual({ again: true })
    expect(await processOf(payment)).toMatchObject({ why: 'unlisted', version: 1 })
    expect(await main.viewPayment(refOf(payment))).toMatchObject({ again: false, at_rest: false })
  })

  test('at what has changed while it looked acknowledges nothing, and looks again', async () => {
    const payment = await createPayment(boss, contactId)
    let meanwhile: (() => Promise<unknown>) | undefined = () => approve(boss, payment)
    const look = viewOf(paymentFlow, async (reader, id: PaymentId) => {
      const found = await viewPayment(reader, id)
      await meanwhile?.() // committed between the read of the row and its acknowledgement
      meanwhile = undefined
      return found
    })
    expect(await look(refOf(payment))).toEqual({ again: true })
    expect(await processOf(payment)).toMatchObject({ version: 2, unseen: true })
    expect(await look(refOf(payment))).toMatchObject({ again: false, status: 'succeeded', at_rest: true })
    expect(await processOf(payment)).toBeUndefined()
  })

  test('at a row at rest puts its process away, and a repeat answers the same; at one that is gone it ends its run', async () => {
    const payment = await createPayment(boss, contactId)
    await api('POST', `${approvalPath(payment)}/cancel`, { token: boss.token, body: {} })
    const first = await main.viewPayment(refOf(payment))
    expect(first).toMatchObject({ again: false, status: 'cancelled', at_rest: true })
    expect(await processOf(payment)).toBeUndefined()
    expect(await main.viewPayment(refOf(payment))).toEqual(first)
    const gone = { ...refOf(payment), id: randomUUID() as PaymentId }
    await transaction(async (tx) => wake(tx, paymentFlow, { ids: [gone.id], why: 'created', organizationId: null }))
    expect(await main.viewPayment(gone)).toMatchObject({ again: false, status: 'gone', at_rest: true })
    expect(await processOf(gone)).toBeUndefined()
  })

  test('says that an approval is over; the step expires it once, a decision comes too late, a repeat changes nothing', async () => {
    const payment = await createPayment(boss, contactId)
    await owner`update approvals set expires_at = business_now() - interval '1 second'
      where id = ${payment.approval_request_id}`
    expect(await main.viewPayment(refOf(payment))).toMatchObject({ at_rest: false, approval: { due: 'expiry' } })
    await main.expireApproval(refOf(payment))
    await main.expireApproval(refOf(payment))
    expect(await main.viewPayment(refOf(payment))).toMatchObject({ again: false, status: 'cancelled', at_rest: true })
    const events = await owner`select type from events where subject_id = ${payment.id} order by occurred_at, id`
    expect(events.map(({ type }) => type)).toEqual(['payment.created', 'payment.cancelled'])
    expect((await approve(boss, payment)).body.error.type).toBe('approval_expired')
  })
})

describe('the sweep', () => {
  const unseen = async (count: number) => {
    const ids = Array.from({ length: count }, () => randomUUID())
    onTestFinished(async () => void (await owner`delete from processes where id = any (${ids})`))
    await owner`insert into processes (id, workflow, why, look_at)
      select id, 'payment', 'created', business_now() - interval '1 hour' from unnest(${ids}::uuid[]) id`
    return ids
  }

  test('of several workers at once tells no row twice, and leaves none', async () => {
    const ids = await unseen(500)
    const rounds = await Promise.all(Array.from({ length: 6 }, () => sweepProcesses(3, 200)))
    const taken = rounds.flat().map(({ id }) => id)
    expect(new Set(taken).size).toBe(taken.length)
    const rest = (await sweepProcesses(3, 1000)).map(({ id }) => id)
    expect(ids.filter((id) => !taken.includes(id) && !rest.includes(id))).toEqual([])
  })

  test('that business time has made long ends in time, and leaves the rest to the workers', async () => {
    const ids = await unseen(401)
    await sweepAll(0)
    expect(await owner`select id from processes where id = any (${ids}) and told > 0`).toHaveLength(200)
    await sweepAll()
    expect(await owner`select id from processes where id = any (${ids}) and told = 0`).toEqual([])
  })

  test('waits longer each time that nobody looks, and at most an hour', async () => {
    const [id = ''] = await unseen(1)
    const waits: number[] = []
    for (let times = 0; times < 8; times += 1) {
      await owner`update processes set look_at = business_now() - interval '4 seconds' where id = ${id}`
      expect((await sweepProcesses(3, 1000)).map((row) => row.id)).toContain(id)
      const [row] = await owner`
        select round(extract(epoch from look_at - business_now()))::int as s from processes where id = ${id}`
      waits.push(Number(row?.['s']))
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600])
  })

  test('gives back what it could not tell, unless it has changed since', async () => {
    const [same = '', changed = ''] = await unseen(2)
    const swept = (await sweepProcesses(3, 1000)).filter(({ id }) => id === same || id === changed)
    await transaction(async (tx) => wake(tx, paymentFlow, { ids: [changed], why: 'approved', organizationId: null }))
    await putBackProcesses(swept)
    expect(await processOf({ id: same })).toMatchObject({ told: 0, due: true, version: 1 })
    expect(await processOf({ id: changed })).toMatchObject({ told: 1, due: true, version: 2, why: 'approved' })
  })

  test('is measured: the oldest unseen change is a metric', async () => {
    const [id = ''] = await unseen(1)
    await owner`update processes set unseen_since = clock_timestamp() - interval '90 seconds' where id = ${id}`
    expect(await oldestUnseenSeconds()).toBeGreaterThanOrEqual(90)
    const { body } = await api('GET', '//metrics')
    expect(Number(/^processes_oldest_unseen_seconds ([\d.]+)$/m.exec(body as string)?.[1])).toBeGreaterThanOrEqual(90)
  })
})

test('the application role reads and writes no process but through its functions', async () => {
  const { organizationId } = refOf(await createPayment(boss, contactId))
  for (const trial of ['select 1 from processes', 'delete from processes', 'update processes set told = 0'])
    await expect(asSystem(organizationId, (tx) => tx.unsafe(trial))).rejects.toMatchObject({ code: '42501' })
})

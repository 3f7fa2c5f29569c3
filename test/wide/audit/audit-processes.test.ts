/** The audit of processes, of payments on hold, and of every page of organizations. */
import { expect, test } from 'vitest'
import { auditOrganizations } from '../../../activities/audits.ts'
import { administer } from '../../../admin.ts'
import { createSchedules, scheduleId, updateSchedules } from '../../../temporal/schedules.ts'
import { client } from '../../../temporal/client.ts'
import { createPayment, fund, join, organization, payerAndPayee, person } from '../../support/api.ts'
import { attention, item, summary } from '../../support/approvals/attention.ts'
import { alterEntry, findingsOf, runScheduled, serviceFindings } from '../../support/ledger/books.ts'
import { owner } from '../../support/database.ts'
import { fault, usePartners } from '../../support/partners/partners.ts'
import { advance, become, payerBy, sent } from '../../support/payments/payouts.ts'
import { terminate } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'
import { everyNth } from '../../support/model-runs.ts'

usePartners()
useWorker({ whole: true })
const standing = () => serviceFindings('process')
/** Expects that the latest change is seen and the process waits. */
const waits = ({ id }: { id: string }) => {
  const isSeen = owner`look_at > business_now() and told = 0 and unseen_since is null`
  return expect.poll(() => owner`select from processes where id = ${id} and ${isSeen}`).toHaveLength(1)
}

test('a row that no process lists is found, gets a process, and is found no more', async () => {
  const { boss, contactId } = await payerAndPayee('100.00')
  const listed = await createPayment(boss, contactId, '1.00')
  const unlisted = await createPayment(boss, contactId, '2.00')
  for (const payment of [listed, unlisted]) await waits(payment)
  await terminate(unlisted)
  await owner`delete from processes where id = ${unlisted.id}`
  expect((await runScheduled('ledger-audit')).faults).toBe(1)
  const fault = `no_process payment-${unlisted.id}`
  expect(await standing()).toEqual([fault])
  expect(await administer(['books', 'findings'])).toContain(`all organizations: process ${fault}`)
  await waits(unlisted) // the audit itself has given it a process
  expect((await runScheduled('ledger-audit')).faults).toBe(0)
  expect(await standing()).toEqual([])
})

test.each(
  everyNth(
    [
      ['was told of in vain again and again', () => owner`told = 4, look_at = business_now() + interval '16 minutes'`],
      ['has not looked for ten minutes', () => owner`unseen_since = clock_timestamp() - interval '11 minutes'`],
    ] as const,
    2,
  ),
)('a process that %s is found, until somebody has looked', async (_, stands) => {
  const { boss, contactId } = await payerAndPayee('100.00')
  const payment = await createPayment(boss, contactId, '1.00')
  await waits(payment)
  await owner`update processes set ${stands()} where id = ${payment.id}`
  expect((await runScheduled('ledger-audit')).faults).toBe(1)
  expect(await standing()).toEqual([`nobody_looked payment-${payment.id}`])
  await administer(['processes', 'restart', payment.id])
  await waits(payment)
  expect((await runScheduled('ledger-audit')).faults).toBe(0)
  expect(await standing()).toEqual([])
})

test('every organization is audited, page by page, and a page that is repeated finds the same', async () => {
  const boss = await person()
  const ids: string[] = []
  for (let i = 0; i < 51; i += 1) {
    const { id } = await organization(boss)
    await owner`insert into ledger_accounts (organization_id, kind, currency, balance)
      values (${id}, 'available', 'USD', ${i % 25 ? 0 : 1}), (${id}, 'held', 'USD', 0)`
    ids.push(id)
  }
  const first = await auditOrganizations({ after: null })
  expect([first.audited, first.after]).toEqual([50, expect.any(String)])
  expect(await auditOrganizations({ after: null })).toEqual(first)
  const { audited, faulty } = await runScheduled('ledger-audit')
  expect(audited).toBeGreaterThan(50)
  expect(faulty).toBeGreaterThanOrEqual(3)
  const wrong = await owner`select id from organizations where id in ${owner(ids)} and books_stopped_at is not null`
  expect(wrong.map((row) => row['id']).toSorted()).toEqual([ids[0], ids[25], ids[50]].toSorted())
})

test('audits of one organization at once stop it once and keep each finding once', async () => {
  const { payer } = await payerAndPayee('100.00')
  await fund(payer.id, '1.00')
  await alterEntry(payer.id, '0.01')
  await Promise.all(Array.from({ length: 6 }, () => auditOrganizations({ after: before(payer.id) })))
  const events = await owner`select type from events where subject_id = ${payer.id} and type like '%.books_stopped'`
  expect(events).toHaveLength(1)
  const found = await findingsOf(payer.id)
  expect(new Set(found.map((one) => JSON.stringify(one))).size).toBe(found.length)
  const { id } = await organization(await person())
  await expect(administer(['books', 'resume', id])).rejects.toMatchObject({ type: 'invalid_state' })
})

function before(id: string) {
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) - 1n).toString(16).padStart(32, '0')
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') as never
}

test('the schedules are there after a boot, made once by workers that start together, and a pause of an operator holds', async () => {
  await Promise.all(Array.from({ length: 5 }, () => createSchedules().then(updateSchedules)))
  const partners = ['reconciliation-bank', 'reconciliation-custodian', 'reconciliation-rates'] as const
  for (const name of ['ledger-audit', ...partners, 'file-purge'] as const) {
    const described = await client.schedule.getHandle(scheduleId(name)).describe()
    expect(described).toMatchObject({ spec: { intervals: [{ every: 3_600_000 }] }, policies: { overlap: 'SKIP' } })
  }
  const handle = client.schedule.getHandle(scheduleId('reconciliation-bank'))
  await handle.pause('an operator looks')
  await createSchedules()
  await updateSchedules()
  expect((await handle.describe()).state.paused).toBe(true)
  await handle.unpause()
  expect(await runScheduled('file-purge')).toEqual({ purged: 0 })
  expect(await runScheduled('event-heads')).toMatchObject({ faulty: 0 })
})

test('a payment on hold is told to who made it and who sees everything, until it goes on', async () => {
  const payer = await payerBy('fiat')
  const id = payer.payer.id
  const [admin, member] = [await person(), await person()]
  await join(id, admin, 'admin')
  await join(id, member, 'member')
  await fault('bank', 'manual')
  const payment = await sent(payer, '20.00')
  await become(payer, payment, 'processing')
  await advance(payment, 'on_hold', 'under review')
  await become(payer, payment, 'on_hold')
  const { data } = (await attention(payer.boss, id, '?kind=payment_on_hold')).body
  expect(data).toMatchObject([
    {
      id: `payment_on_hold:${payment.id}`,
      title: 'A payment is on hold',
      summary: '20.00 EUR to "Payee" are on hold: under review. The money stays reserved for it.',
      severity: 'blocking',
      audience: 'organization',
      actionable_by_viewer: false,
      href: `/organizations/${id}/payments/${payment.id}`,
      subject: { type: 'payment', payment_id: payment.id },
    },
  ])
  expect((await item(admin, id, data[0].id)).body).toEqual(data[0])
  expect((await attention(admin, id, '?severity=blocking&actionable=false')).body.data).toEqual(data)
  expect((await attention(admin, id, '?severity=info')).body.data).toEqual([])
  expect((await summary(admin, id)).by_kind.payment_on_hold).toEqual({ actionable: 0, total: 1 })
  expect((await summary(member, id)).by_kind.payment_on_hold).toEqual({ actionable: 0, total: 0 })
  expect((await item(member, id, data[0].id)).status).toBe(404)
  for (const to of ['processing', 'succeeded']) {
    expect((await advance(payment, to)).status).toBe(200)
    await become(payer, payment, to)
  }
  expect((await item(payer.boss, id, data[0].id)).status).toBe(404)
  expect((await attention(payer.boss, id, `?cursor=${encodeURIComponent(data[0].id)}`)).status).toBe(200)
})

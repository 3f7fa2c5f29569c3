/** `npm run histories`: walks the paths of accounting and records their histories. */
import type { WorkflowHandle } from '@temporalio/client'
import { vi } from 'vitest'
import type { OrganizationId } from '../../domain/ids.ts'
import { accounting, connectBooks, integrationsOf, mapped, runsOf } from '../support/accounting/accounting.ts'
import { organization, person } from '../support/api.ts'
import { owner } from '../support/database.ts'
import { PRIVATE } from '../support/histories/recorded.ts'
import { recordPaths, runOf, scheduledRun } from '../support/histories/recording.ts'
import { advance } from '../support/identity/identity.ts'
import { received } from '../support/invoices/allocations.ts'
import { moveOrganization } from '../support/organizations/status.ts'
import { fault, usePartners } from '../support/partners/partners.ts'
import { until } from '../support/until.ts'
import { useWorker } from '../support/worker.ts'

vi.hoisted(() => {
  process.env['TASK_QUEUE_PREFIX'] = 'recorded-accounting-'
  delete process.env['ENCRYPTION_KEYS'] // the development key opens what is recorded
})
usePartners()
useWorker({ whole: true })

/** An organization with incoming money, and books after their first sync. */
async function connected() {
  const boss = await person({ name: PRIVATE.firstName, authenticator: true })
  const { id } = await organization(boss, PRIVATE.payer)
  const { id: connectionId } = await connectBooks(boss, id)
  await until('its first sync is through', async () => (await runsOf(boss, id)).every((run) => run.ended_at))
  await mapped(boss, id)
  await received({ id }, '10.00', PRIVATE.statement)
  return { boss, id, connectionId }
}

/** A sync that meets these faults. */
async function synced(...faults: readonly Parameters<typeof fault>[1][]) {
  const { boss, id } = await connected()
  for (const name of faults) await fault('accounting', name)
  const { body } = await accounting(boss, id, 'POST', 'sync', {})
  return runOf('accounting-sync', body.id)
}

async function disconnected(refusals: number) {
  const { boss, id, connectionId } = await connected()
  if (refusals > 0) await fault('accounting', 'error', refusals)
  await accounting(boss, id, 'POST', 'disconnect', {})
  await until('its end', async () => (await integrationsOf(boss, id)).length === 0)
  return runOf('accounting-connection', connectionId)
}

/** Walks a path on which the provider is away for more than a day. */
async function inVain(table: 'accounting_connections' | 'accounting_sync_runs', begin: () => Promise<WorkflowHandle>) {
  await fault('accounting', 'error', 1000)
  const run = await begin()
  const id = run.workflowId.slice(-36)
  await until('a try', async () => (await owner`select from ${owner(table)} where id = ${id} and asks > 0`)[0])
  await advance(25 * 3600)
  await run.result()
  await owner`delete from sandbox_faults`
  return run
}

recordPaths({
  'accounting-sync-completed': () => synced(),
  'accounting-sync-slowed-down': () => synced('rate_limited'),
  'accounting-sync-refused': () => synced('expired_token', 'refused_refresh'),
  async 'accounting-sync-given-up'() {
    const { boss, id } = await connected()
    return inVain('accounting_sync_runs', async () => {
      const { body } = await accounting(boss, id, 'POST', 'sync', {})
      return runOf('accounting-sync', body.id)
    })
  },
  /** Path: its organization is paused while a sync waits for the provider. */
  async 'accounting-sync-stopped'() {
    const { boss, id } = await connected()
    await fault('accounting', 'error', 1000)
    const { body } = await accounting(boss, id, 'POST', 'sync', {})
    await until(
      'a try',
      async () => (await owner`select from accounting_sync_runs where id = ${body.id} and asks > 0`)[0],
    )
    await moveOrganization(id as OrganizationId, 'pause')
    await owner`update processes set look_at = business_now() where id = ${body.id}`
    const run = runOf('accounting-sync', body.id)
    await run.result()
    await owner`delete from sandbox_faults`
    return run
  },
  async 'accounting-connection-given-up'() {
    const { boss, id, connectionId } = await connected()
    return inVain('accounting_connections', async () => {
      await accounting(boss, id, 'POST', 'disconnect', {})
      return runOf('accounting-connection', connectionId)
    })
  },
  'accounting-connection-revoked': () => disconnected(0),
  'accounting-connection-revoked-at-second-try': () => disconnected(1),
  async 'accounting-syncs-done'() {
    await connected()
    return scheduledRun('accounting-syncs')
  },
})

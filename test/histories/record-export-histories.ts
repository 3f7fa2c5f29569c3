/** `npm run histories`: walks the paths of exports and records their histories. */
import { vi } from 'vitest'
import { api, fund, organization, person } from '../support/api.ts'
import { becomes, requestExport } from '../support/exports/exports.ts'
import { fault } from '../support/partners/partners.ts'
import { PRIVATE } from '../support/histories/recorded.ts'
import { recordPaths, runOf } from '../support/histories/recording.ts'
import { useWorker } from '../support/worker.ts'

vi.hoisted(() => {
  process.env['TASK_QUEUE_PREFIX'] = 'recorded-exports-'
  delete process.env['ENCRYPTION_KEYS'] // the development key opens what is recorded
})
useWorker({ whole: true })

/** An export with this status, after `refusals` by storage. */
async function exported(refusals: number, status: 'completed' | 'failed') {
  const boss = await person({ name: PRIVATE.firstName })
  const { id } = await organization(boss, PRIVATE.payer)
  await fund(id, '100.00')
  if (refusals > 0) await fault('storage', 'down', refusals)
  const { body } = await requestExport(boss, id, { type: 'balance_statement', format: 'csv' })
  await becomes(boss, body.id, status)
  return { boss, id: body.id as string, run: runOf('export', body.id) }
}

recordPaths({
  'export-completed': async () => (await exported(0, 'completed')).run,
  'export-tried-twice': async () => (await exported(1, 'completed')).run,
  'export-failed': async () => (await exported(6, 'failed')).run,
  async 'export-retried'() {
    const { boss, id, run } = await exported(6, 'failed')
    await api('POST', `/exports/${id}/retry`, { token: boss.token, body: {} })
    await becomes(boss, id, 'completed')
    return run
  },
})

/** `npm run histories`: walks the paths of subscriptions and records their histories. */
import type { WorkflowHandle } from '@temporalio/client'
import { vi } from 'vitest'
import { moveOrganization } from '../support/organizations/status.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import { api, person } from '../support/api.ts'
import { PRIVATE } from '../support/histories/recorded.ts'
import { recordPaths, runOf } from '../support/histories/recording.ts'
import { waits } from '../support/runs/runs.ts'
import { type Subscriber, happened, offersOf, pass, selected, subscriber } from '../support/subscriptions.ts'
import { useWorker } from '../support/worker.ts'

vi.hoisted(() => {
  process.env['TASK_QUEUE_PREFIX'] = 'recorded-subscriptions-'
  delete process.env['ENCRYPTION_KEYS'] // the development key opens what is recorded
})
useWorker({ whole: true })

/** A subscription for 49 dollars a month, of an organization with `amount`. */
async function subscribed(amount: string) {
  const at = await subscriber(await person({ name: PRIVATE.firstName, authenticator: true }), amount)
  const { subscription } = await selected(at, (await offersOf(at))['business']?.id ?? '')
  return { at, run: runOf('subscription', subscription.id) }
}

/** Ends a subscription, and waits until its month is over. */
async function endedBy({ boss, id }: Subscriber, run: WorkflowHandle): Promise<WorkflowHandle> {
  await api('DELETE', `/organizations/${id}/subscription`, { token: boss.token })
  await waits({ id: run.workflowId.slice('subscription-'.length) })
  await pass(31)
  return run
}

recordPaths({
  async 'subscription-renewed-then-ended'() {
    const { at, run } = await subscribed('98.00')
    await pass(31)
    await happened(at, 'subscription.renewed')
    return endedBy(at, run)
  },
  async 'subscription-expired-unpaid'() {
    const { at, run } = await subscribed('50.00')
    for (const [days, attempts] of [
      [31, 1],
      [3, 2],
      [4, 3],
    ] as const) {
      await pass(days)
      await happened(at, 'subscription.renewal_failed', attempts)
    }
    return run
  },
  async 'subscription-held-then-resumed'() {
    const { at, run } = await subscribed('98.00')
    const id = at.id as OrganizationId // of an organization that was just made
    await moveOrganization(id, 'pause')
    await pass(40)
    await happened(at, 'subscription.renewal_held')
    await moveOrganization(id, 'resume')
    await happened(at, 'subscription.renewed')
    return endedBy(at, run)
  },
})

/** `npm run histories`: walks the paths of webhook endpoints and records their histories. */
import { vi } from 'vitest'
import { organization, person } from '../support/api.ts'
import { PRIVATE } from '../support/histories/recorded.ts'
import { recordPaths, runOf } from '../support/histories/recording.ts'
import { advance } from '../support/identity/identity.ts'
import { until } from '../support/until.ts'
import { httpReceiver } from '../support/webhooks/receivers.ts'
import {
  type Subscribed,
  deliveriesOf,
  endpointOf,
  rename,
  subscribed,
  tried,
  webhooks,
} from '../support/webhooks/webhooks.ts'
import { useWorker } from '../support/worker.ts'

vi.hoisted(() => {
  process.env['TASK_QUEUE_PREFIX'] = 'recorded-webhooks-'
  delete process.env['ENCRYPTION_KEYS'] // the development key opens what is recorded
})
useWorker({ whole: true, chains: true })

/** An endpoint whose receiver answers these statuses, the last one repeatedly. */
async function answering(...statuses: readonly number[]): Promise<Subscribed> {
  const boss = await person({ name: PRIVATE.firstName, authenticator: true })
  const { id } = await organization(boss, PRIVATE.payer)
  const left = [...statuses]
  const receiver = await httpReceiver((_, response) => {
    response.writeHead((left.length > 1 ? left.shift() : left[0]) ?? 204).end()
  })
  return subscribed(boss, receiver, { organizationId: id, types: ['organization.updated'] })
}

const allDelivered = (at: Subscribed) =>
  until('all is delivered', async () => (await deliveriesOf(at)).every(({ status }) => status === 'succeeded'))
const disabled = (at: Subscribed) => until('it is disabled', async () => (await endpointOf(at)).status === 'disabled')

async function disable(at: Subscribed) {
  await webhooks(at.boss, at.organizationId, 'POST', `/${at.id}/disable`, {})
  return runOf('webhook', at.id)
}

recordPaths({
  async 'webhook-endpoint-delivered-then-disabled'() {
    const at = await answering(204)
    await rename(at, PRIVATE.payee)
    await tried(at, 1)
    await allDelivered(at)
    return disable(at)
  },
  async 'webhook-endpoint-refused-then-delivered'() {
    const at = await answering(500, 204)
    await rename(at, PRIVATE.payee)
    await tried(at, 1)
    await advance(6)
    await tried(at, 2)
    await allDelivered(at)
    return disable(at)
  },
  async 'webhook-endpoint-gone'() {
    const at = await answering(410)
    await rename(at, PRIVATE.payee)
    await disabled(at)
    return runOf('webhook', at.id)
  },
})

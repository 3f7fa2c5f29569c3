/** SIGKILL to the worker while a month is being paid: it is paid once. */
import { beforeAll, expect, test } from 'vitest'
import { person } from '../../support/api.ts'
import { installGates } from '../../support/faults/gates.ts'
import { MortalWorker } from '../../support/faults/mortal.ts'
import { replayAll } from '../../support/histories/replayed.ts'
import {
  chargesAreProved,
  dollarsOf,
  happened,
  historyOf,
  offersOf,
  pass,
  selected,
  subscriber,
} from '../../support/subscriptions.ts'

const boss = await person({ authenticator: true })
const worker = new MortalWorker()

beforeAll(async () => {
  await installGates({ look: { on: 'insert on subscription_changes' } })
  await worker.start()
})

test('a month whose worker dies while it pays, and one that ends without a worker, are paid once', async () => {
  const [dying, waiting] = [await subscriber(boss), await subscriber(boss)]
  const business = (await offersOf(dying))['business']?.id ?? ''
  await selected(dying, business)
  await worker.dieAt(
    'look',
    dying.id,
    () => pass(31),
    async () => {
      await selected(waiting, business)
      await pass(31)
      expect([await dollarsOf(dying), await dollarsOf(waiting)]).toEqual(['951.00', '951.00'])
    },
  )
  await happened(dying, 'subscription.renewed', 2)
  await happened(waiting, 'subscription.renewed')
  expect([await dollarsOf(dying), await dollarsOf(waiting)]).toEqual(['853.00', '902.00'])
  // and once by its operator
  await worker.stop()
  await pass(31)
  await worker.start()
  await Promise.all([happened(dying, 'subscription.renewed', 3), happened(waiting, 'subscription.renewed', 2)])
  expect(await historyOf(dying)).toEqual(['subscription.created', ...Array(3).fill('subscription.renewed')])
  for (const at of [dying, waiting]) await chargesAreProved(at)
  expect((await replayAll()).faults).toEqual([])
})

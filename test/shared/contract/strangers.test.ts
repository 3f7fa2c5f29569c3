import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { inLanes } from '../../../platform/concurrency.ts'
import type { Route } from '../../../api/http/route.ts'
import { allRoutes as routes } from '../../../sandbox/routes.ts'
import { person } from '../../support/api.ts'
import { type Ids, callWith, toldBy, world } from '../../support/contract/world.ts'
import { changeRole } from '../../support/organizations/members.ts'
import { everyNth, fullScale } from '../../support/model-runs.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

let worlds: Awaited<ReturnType<typeof world>>[]
beforeAll(async () => {
  worlds = await Promise.all([world(), world(), world()])
})

const owned = routes.filter((route) => route.owner)

/** Asks for one id everywhere but for the organization; bodies have the ids of a world, or of nothing. */
async function told(route: Route, token: string, organizationId: string, id: string, ids: Ids = {}) {
  const path = route.path
    .replaceAll('{organization_id}', organizationId)
    .replaceAll('{item_id}', `review_approval:${id}`)
    .replaceAll(/\{\w+\}/g, id)
  return toldBy(await callWith({ ...route, path }, token, ids))
}

test('whatever id a stranger asks for, the answer is the one for an id that does not exist', async () => {
  const nobody = await person()
  const asked = fc.record({
    route: fc.constantFrom(...owned),
    actor: fc.integer({ min: 0, max: 3 }),
    target: fc.integer({ min: 0, max: 2 }),
    pick: fc.nat(),
    knowsOrganization: fc.boolean(),
  })
  let compared = 0
  const numRuns = fullScale ? 150 : 20
  await fc.assert(
    fc.asyncProperty(asked, async ({ route, actor, target, pick, knowsOrganization }) => {
      const there = worlds[target]
      if (!there || actor === target) return
      const { token } = worlds[actor]?.boss ?? nobody
      const id = there.all[pick % there.all.length] ?? ''
      const real = await told(route, token, knowsOrganization ? there.ids['organization_id']! : id, id, there.ids)
      expect(real).toEqual(await told(route, token, randomUUID(), randomUUID()))
      expect(real.status).toBe(404)
      compared += 1
    }),
    { numRuns },
  )
  expect(compared).toBeGreaterThan(numRuns / 3)
})

test('under the own organization, ids of another one are not found', async () => {
  const [{ boss, ids: own }, theirs] = [worlds[0]!, worlds[1]!]
  const organizationId = own['organization_id']!
  await changeRole(boss, organizationId, boss.userId, 'owner') // opens the step-up window
  const nested = owned.filter((route) => /\{organization_id\}.*\{/.test(route.path))
  expect(nested.length).toBeGreaterThan(0)
  await inLanes([...nested.entries()], 8, async ([index, route]) => {
    const unknown = await told(route, boss.token, organizationId, randomUUID())
    for (const id of everyNth(theirs.all, 4, index)) {
      expect(await told(route, boss.token, organizationId, id, theirs.ids)).toEqual(unknown)
    }
  })
})

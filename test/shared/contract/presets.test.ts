/** Less than a role: which operations each preset leaves to an admin, in lines that a reviewer reads. */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { PRESETS, PRESET_NAMES, type Preset, mayCall } from '../../../domain/permissions.ts'
import type { Route } from '../../../api/http/route.ts'
import { routes } from '../../../api/routes.ts'
import { join, person } from '../../support/api.ts'
import { callWith, world } from '../../support/contract/world.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'

const GOLDEN = 'test/support/contract/presets.txt'

/** Operations of an organization, but those of owners alone. */
const owned = routes.filter((route) => route.owner && route.only !== 'owner')
const keysOf = ({ can = [] }: Route) => [can].flat()

const isAllowed = (route: Route, preset: Preset): boolean =>
  keysOf(route).length === 0 || mayCall({ role: 'admin', removed: PRESETS[preset] }, route, keysOf(route))

test('each operation is allowed or refused to each preset as the lines say (PRESETS=write)', () => {
  const lines = owned.map((route) => {
    const allowed = PRESET_NAMES.map((preset) => (isAllowed(route, preset) ? preset : '-'.padEnd(preset.length)))
    return `${allowed.join(' ')}  ${route.method.toUpperCase().padEnd(6)} ${route.operationId} (${keysOf(route).join(', ') || 'membership'})`
  })
  const now = `${lines.toSorted((one, other) => (one.slice(34) < other.slice(34) ? -1 : 1)).join('\n')}\n`
  if (process.env['PRESETS'] === 'write') writeFileSync(GOLDEN, now)
  expect(now).toBe(readFileSync(GOLDEN, 'utf8'))
})

test('operations that decide are these, and no preset may call one', () => {
  const deciding = owned.filter((route) => route.decides)
  expect(deciding.map(({ operationId }) => operationId).toSorted()).toEqual([
    'acceptInboundMail',
    'confirmPaymentDestination',
    'finalizeInvoice',
    'markInvoicePaid',
    'refuseInboundMail',
  ])
  const others = owned.filter((route) => keysOf(route).some((key) => /\.(?:review|decide)$/.test(key)))
  for (const route of [...deciding, ...others].filter(({ method }) => method !== 'get'))
    expect(
      PRESET_NAMES.filter((preset) => isAllowed(route, preset)),
      route.operationId,
    ).toEqual([])
  // a role that never had the key decides as before
  expect(deciding.filter((route) => mayCall({ role: 'member' }, route, keysOf(route))).length).toBeGreaterThan(0)
})

const { ids } = await world()
const reduced = new Map(
  await Promise.all(
    PRESET_NAMES.map(async (preset) => {
      const member = await person({ authenticator: true })
      await join(ids['organization_id']!, member, 'admin')
      const removed = [...PRESETS[preset]]
      await owner`update members set permissions_removed = ${removed} where user_id = ${member.userId}`
      return [preset, member.token] as const
    }),
  ),
)

describe.each(PRESET_NAMES)('%s is refused', (preset) => {
  test.each(owned.filter((route) => !isAllowed(route, preset)).map((route) => [route.operationId, route] as const))(
    '%s',
    async (_, route) => {
      const answer = await callWith(route, reduced.get(preset), ids)
      expect(refusal(answer)).toEqual(route.concealed ? [404, 'not_found'] : [403, 'forbidden'])
    },
  )
})

describe.each(PRESET_NAMES)('%s reads', (preset) => {
  const reading = owned.filter((route) => route.method === 'get' && route.shape === 'query' && !route.produces)
  test.each(reading.map((route) => [route.operationId, route] as const))('%s', async (_, route) => {
    const { status, body } = await callWith(route, reduced.get(preset), ids)
    expect([status, body.error?.details?.permission]).not.toEqual([403, expect.anything()])
  })
})

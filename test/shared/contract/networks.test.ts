/** Refusals of each operation from outside of the networks of its organization. */
import { describe, expect, test } from 'vitest'
import type { Route } from '../../../api/http/route.ts'
import { CREDENTIAL_KINDS, type CredentialKind } from '../../../domain/organizations/allow-list.ts'
import { allRoutes as routes } from '../../../sandbox/routes.ts'
import { callWith, world } from '../../support/contract/world.ts'
import { refusal } from '../../support/http/refusals.ts'
import { delegateOf, tokenOf } from '../../support/identity/delegates.ts'
import { apiKey } from '../../support/organizations/api-keys.ts'
import { moveOut } from '../../support/organizations/networks.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

/** Operations that take sessions from outside, with the reason. */
const FROM_ANYWHERE: Readonly<Record<string, string>> = {
  liftIpAllowList: 'two owners end a lock-out by it, and see nothing of the organization',
}

/** Operations for people that belong to no organization, by their paths, with the reason. */
const OF_NO_ORGANIZATION: readonly (readonly [RegExp, string])[] = [
  [
    /^\/(?:auth|me|devices|step-up)(?:\/|$)/,
    'the account of the person, and proofs for requests that come from inside',
  ],
  [/^\/organizations$/, 'the organizations of the person, by name, and a new one'],
  [/^\/invitations\//, 'the person is no member yet'],
  [/^\/(?:handles|countries|currencies|fees|payout-reasons)(?:\/|$)/, 'the same for all'],
  [/^\/payment-(?:destinations\/(?:validate|requirements)|batches\/template\.csv)$/, 'the same for all'],
]

const owned = routes.filter((route) => route.owner)
const { boss, ids } = await world()
const organizationId = ids['organization_id']!
const tokens: Readonly<Record<CredentialKind, string>> = {
  sessions: boss.token,
  api_keys: (await apiKey(boss, organizationId, { role: 'admin', scopes: ['webhooks:manage'] })).secret,
  delegates: await tokenOf(await delegateOf(boss, organizationId, { access: 'prepare' })),
}
await moveOut(organizationId)

test('operations that take sessions from outside are listed with the reason', () => {
  const named = routes.filter(({ fromAnywhere }) => fromAnywhere).map(({ operationId }) => operationId)
  expect(named).toEqual(Object.keys(FROM_ANYWHERE))
})

test('operations for people that belong to no organization are listed with the reason', () => {
  const isListed = ({ path }: Route) => OF_NO_ORGANIZATION.some(([pattern]) => pattern.test(path))
  const others = routes.filter(({ credential, owner }) => credential.startsWith('session') && !owner)
  expect(others.filter((route) => !isListed(route)).map(({ operationId }) => operationId)).toEqual([])
})

const isExempt = (kind: CredentialKind, { operationId }: Route): boolean =>
  kind === 'sessions' && operationId in FROM_ANYWHERE

describe.each(CREDENTIAL_KINDS)('%s are refused', (kind) => {
  test.each(owned.filter((route) => !isExempt(kind, route)).map((route) => [route.operationId, route] as const))(
    '%s',
    async (_, route) => {
      const answer = await callWith(route, tokens[kind], ids)
      expect(refusal(answer)).toEqual([403, 'ip_not_allowed'])
    },
  )
})

/** Substitutions of members, at business time, which other tests may have moved. */
import { type Answer, type TestPerson, api, withStepUp } from '../api.ts'
import { owner } from '../database.ts'
import { advance } from '../identity/identity.ts'
import { type TestRule, setRules, staffedPayer } from './approvals.ts'

export const substitutionsPath = (organizationId: string) => `/organizations/${organizationId}/substitutions`

/** Computes an instant some days from now. */
export async function inDays(days: number): Promise<string> {
  const [row] = await owner<{ at: Date }[]>`select business_now() + make_interval(secs => ${days * 86_400}) as at`
  return row!.at.toISOString()
}

type Naming = { readonly of?: TestPerson; readonly from?: number; readonly until?: number; readonly reason?: string }

/** Names a substitute through a step-up: from now for a week, for the caller or for another member. */
export async function nameSubstitute(
  by: TestPerson,
  organizationId: string,
  substitute: TestPerson,
  { of: principal, from = 0, until = 7, ...more }: Naming = {},
): Promise<Answer> {
  return withStepUp('POST', substitutionsPath(organizationId), {
    token: by.token,
    body: {
      ...(principal && { user_id: principal.userId }),
      substitute_id: substitute.userId,
      from: await inDays(from),
      until: await inDays(until),
      ...more,
    },
  })
}

export const endSubstitution = (by: TestPerson, organizationId: string, id: string) =>
  api('DELETE', `${substitutionsPath(organizationId)}/${id}`, { token: by.token })

/** Moves the clock; sessions outlive it. */
export const move = async (seconds: number) => {
  await advance(seconds)
  await owner`update sessions set last_used_at = business_now(), signed_in_at = business_now()`
}

/** A payment of an owner that one admin has to approve, two admins, and two members. */
export async function substitutionScene(rule: Partial<TestRule> = { steps: [{ required: 1, roles: ['admin'] }] }) {
  const world = await staffedPayer('admin', 'admin', 'member', 'member')
  const [admin, other, member, second] = world.staff
  await setRules(world.id, world.boss, [{ steps: [], ...rule }])
  return { ...world, admin, other, member, second, payment: await world.pay('5.00') }
}

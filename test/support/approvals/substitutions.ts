/** Substitutions of members, at business time, which other tests may have moved. */
import { type Answer, type TestPerson, api, withStepUp } from '../api.ts'
import { owner } from '../database.ts'

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

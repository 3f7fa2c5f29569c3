/** Calls about members, and organizations with some. */
import { type TestPerson, api, join, organization, person, withStepUp } from '../api.ts'
import { owner } from '../database.ts'

export type Role = 'owner' | 'admin' | 'member'

export const membersPath = (organizationId: string) => `/organizations/${organizationId}/members`
export const list = ({ token }: TestPerson, organizationId: string, query = '') =>
  api('GET', `${membersPath(organizationId)}${query}`, { token })
export const changeRole = ({ token }: TestPerson, organizationId: string, userId: string, role: string) =>
  withStepUp('PATCH', `${membersPath(organizationId)}/${userId}`, { token, body: { role } })
export const remove = ({ token }: TestPerson, organizationId: string, userId: string) =>
  withStepUp('DELETE', `${membersPath(organizationId)}/${userId}`, { token })
export const leave = ({ token }: TestPerson, organizationId: string) =>
  withStepUp('POST', `/organizations/${organizationId}/leave`, { token })
export const transfer = ({ token }: TestPerson, organizationId: string, userId: string) =>
  withStepUp('POST', `/organizations/${organizationId}/transfer-ownership`, { token, body: { user_id: userId } })

/** One person for each role. */
export type Staff<Roles extends readonly Role[]> = { -readonly [Index in keyof Roles]: TestPerson }

/** Adds one new member for each named role, one after the other. */
export async function staffOf<const Roles extends readonly Role[]>(organizationId: string, ...roles: Roles) {
  const staff: TestPerson[] = []
  for (const role of roles) {
    const somebody = await person()
    await join(organizationId, somebody, role)
    staff.push(somebody)
  }
  return staff as Staff<Roles> // one for each role
}

/** An organization with an owner, and one member for each named role. */
export async function staffed<const Roles extends readonly Role[]>(
  ...roles: Roles
): Promise<{ id: string; boss: TestPerson; staff: Staff<Roles> }> {
  const boss = await person()
  const { id } = await organization(boss, 'Staffed')
  return { id, boss, staff: await staffOf(id, ...roles) }
}

export async function rolesOf(organizationId: string, people: readonly TestPerson[]): Promise<(string | undefined)[]> {
  const rows = await owner<{ user_id: string; role: string }[]>`
    select user_id, role from members where organization_id = ${organizationId}`
  return people.map(({ userId }) => rows.find((row) => row.user_id === userId)?.role)
}

export const memberEvents = (organizationId: string) => owner<
  { type: string; subject_id: string; actor_user_id: string; payload: object }[]
>`
  select type, subject_id, actor_user_id, payload::jsonb as payload from events
  where organization_id = ${organizationId} and (stream = 'members' or type like 'ownership.%') order by id`

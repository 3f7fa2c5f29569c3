/** Networks of organizations: set over HTTP, or past the API so that everyone is outside. */
import { type TestPerson, api, withStepUp } from '../api.ts'
import { owner } from '../database.ts'

export const ELSEWHERE = '203.0.113.0/24'
export const KINDS = ['sessions', 'api_keys', 'delegates'] as const

export const listPath = (id: string, more = '') => `/organizations/${id}/ip-allow-list${more}`

export const setList = ({ token }: TestPerson, id: string, body: object) =>
  withStepUp('PUT', listPath(id), { token, body })
export const readList = ({ token }: TestPerson, id: string) => api('GET', listPath(id), { token })
export const lift = ({ token }: TestPerson, id: string) =>
  withStepUp('POST', listPath(id, '/lift'), { token, body: {} })

/** Leaves all callers of a test outside of the networks. */
export async function moveOut(id: string, kinds: readonly string[] = KINDS): Promise<void> {
  const list = { cidrs: [ELSEWHERE], applies_to: [...kinds] }
  await owner`update organizations set ip_allow_list = ${owner.json(list)} where id = ${id}`
}

/** API keys, created and used over HTTP. */
import { type Answer, type TestPerson, api, withStepUp } from '../api.ts'
import { owner } from '../database.ts'

export const BALANCES = { name: 'Program', role: 'member', scopes: ['balances:read'] }

export const keysPath = (organizationId: string) => `/organizations/${organizationId}/api-keys`
export const keyPath = (key: { organization_id: string; id: string }) => `${keysPath(key.organization_id)}/${key.id}`

export const create = (by: TestPerson, organizationId: string, body: object = BALANCES): Promise<Answer> =>
  withStepUp('POST', keysPath(organizationId), { token: by.token, body })

export async function apiKey(by: TestPerson, organizationId: string, more: object = {}) {
  const answer = await create(by, organizationId, { ...BALANCES, ...more })
  if (answer.status !== 201) throw new Error(`API key: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

type Key = { organization_id: string; id: string }
export const read = (by: TestPerson, key: Key) => api('GET', keyPath(key), { token: by.token })
export const change = (by: TestPerson, key: Key, body: object) =>
  withStepUp('PATCH', keyPath(key), { token: by.token, body })
export const rotate = (by: TestPerson, key: Key) =>
  withStepUp('POST', `${keyPath(key)}/rotate`, { token: by.token, body: {} })
export const revoke = (by: TestPerson, key: Key) => api('POST', `${keyPath(key)}/revoke`, { token: by.token, body: {} })

export const use = (token: string, organizationId: string, query = '') =>
  api('GET', `/organizations/${organizationId}/multi-currency-accounts${query}`, { token })

export const eventsOf = (key: Pick<Key, 'id'>) => owner<{ type: string; actor_user_id: string; payload: object }[]>`
  select type, actor_user_id, payload::jsonb as payload from events where subject_id = ${key.id} order by id`
export const typesOf = async (key: Pick<Key, 'id'>) => (await eventsOf(key)).map(({ type }) => type)
export const without = ({ secret: _secret, ...rest }: Record<string, unknown>) => rest

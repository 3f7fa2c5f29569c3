/** A provider that manages the members of a company by SCIM, as it sends its requests. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type Answer, type TestPerson, api, baseUrl, withStepUp } from '../api.ts'

export const scimPath = (id: string, more = '') => `/organizations/${id}/scim${more}`

/** Makes a token of the organization; answers its secret. */
export async function scimToken(
  boss: TestPerson,
  id: string,
): Promise<{ readonly id: string; readonly secret: string }> {
  const made = await withStepUp('POST', scimPath(id, '/tokens'), { token: boss.token, body: { name: 'Okta' } })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body as { id: string; secret: string }
}

export type ScimAnswer = Pick<Answer, 'status' | 'body'> & { readonly headers: Headers }
export type Scim = (method: string, path: string, body?: unknown) => Promise<ScimAnswer>

/** Sends requests of SCIM with a token. */
export const scimOf =
  (secret: string): Scim =>
  async (method, path, body) => {
    const answer = await fetch(`${baseUrl}/scim/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${secret}`,
        ...(body !== undefined && { 'content-type': 'application/scim+json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) }
  }

/** Body of a user with this address. */
export const userBody = (email: string, more: object = {}) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: email,
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [{ primary: true, value: email, type: 'work' }],
  active: true,
  ...more,
})

export const patchBody = (...operations: readonly object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: operations,
})

export const newAddress = (domain: string) => `u-${randomUUID()}@${domain}`

export const setGroupRole = (boss: TestPerson, id: string, group: string, body: object) =>
  withStepUp('PATCH', scimPath(id, `/groups/${group}`), { token: boss.token, body })

export const listOf = async (boss: TestPerson, id: string, more: string) =>
  (await api('GET', scimPath(id, more), { token: boss.token })).body.data

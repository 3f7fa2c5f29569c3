/** Delegates over HTTP: made by a step-up, their secret changed into a token. */
import { expect } from 'vitest'
import { type TestPerson, baseUrl, withStepUp } from '../api.ts'

export type Made = { id: string; secret: string }

export const bodyFor = (organizationId: string, more: object = {}) => ({
  organization_id: organizationId,
  name: 'Books',
  kind: 'program',
  access: 'read',
  expires_in_days: 30,
  ...more,
})

export async function delegateOf(by: TestPerson, organizationId: string, more: object = {}): Promise<Made> {
  const body = bodyFor(organizationId, more)
  const answer = await withStepUp('POST', '/me/delegates', { token: by.token, body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}

/** Asks for a token as an OAuth client does. */
export async function exchange(secret: string, grant = 'client_credentials') {
  const body = new URLSearchParams({ grant_type: grant, client_secret: secret })
  const answer = await fetch(`${baseUrl}/oauth/token`, { method: 'POST', body })
  return { status: answer.status, body: (await answer.json()) as any }
}

export const tokenOf = async ({ secret }: Made): Promise<string> => (await exchange(secret)).body.access_token

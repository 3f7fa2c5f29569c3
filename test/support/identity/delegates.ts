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

type TokenReply = { access_token: string; refresh_token: string; token_type: string; expires_in: number; error: string }

/** Asks the token endpoint with a form. */
export async function tokenBy(form: Readonly<Record<string, string>>) {
  const answer = await fetch(`${baseUrl}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
  // has either tokens or an error, as the test expects it
  return { status: answer.status, body: (await answer.json()) as TokenReply }
}

/** Asks for a token with the secret of a delegate. */
export const exchange = (secret: string, grant_type = 'client_credentials') =>
  tokenBy({ grant_type, client_secret: secret })

export const tokenOf = async ({ secret }: Made): Promise<string> => (await exchange(secret)).body.access_token

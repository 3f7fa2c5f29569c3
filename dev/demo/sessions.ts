/** Sessions of the people of the demo, for what is seeded in their names. */
import { createClient, prove, type Client } from '../../clients/typescript/src/index.ts'
import { codesOf } from './codes.ts'
import type { DemoPerson } from './organization.ts'

/** Signs a person of the demo in; the sandbox allows their step-ups as their phone would. */
export async function signIn(apiUrl: string, { email, password, totp_secret }: DemoPerson): Promise<Client> {
  const sandboxToken = process.env['SANDBOX_TOKEN']
  let token: string | undefined
  const client = createClient({
    baseUrl: apiUrl,
    token: () => Promise.resolve(token),
    ...(sandboxToken && { headers: { 'x-sandbox-token': sandboxToken } }),
  })
  const first = await client.signIn({ email, password })
  if (first.status !== 'mfa_required') throw new Error(`${email} of the demo cannot sign in: ${first.status}`)
  const { challenge_token } = first
  const session = await codesOf(totp_secret)((code) => client.completeSignIn({ challenge_token, code }))
  if (session.status !== 'authenticated') throw new Error(`${email} of the demo cannot sign in: ${session.status}`)
  token = session.token
  return client.withStepUp(prove.sandbox)
}

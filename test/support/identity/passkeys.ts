/** Passkeys registered over HTTP. */
import { type Answer, type TestPerson, api, withStepUp } from '../api.ts'
import { owner } from '../database.ts'
import { type Authenticator, type Registration, softwareAuthenticator } from './software-authenticator.ts'

export const passkeyOptions = async (by: TestPerson) =>
  (await api('POST', '/me/passkeys/options', { token: by.token })).body

/** Tries to register a passkey, through its step-up. */
export async function tryPasskey(
  by: TestPerson,
  authenticator: Authenticator = softwareAuthenticator(),
  how?: Registration,
): Promise<Answer> {
  const credential = authenticator.register(await passkeyOptions(by), how)
  return registerPasskey(by, credential)
}

export async function passkey(by: TestPerson, authenticator: Authenticator = softwareAuthenticator()) {
  const answer = await tryPasskey(by, authenticator)
  if (answer.status !== 201) throw new Error(`passkey: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

export const listPasskeys = async (by: TestPerson, query = '') =>
  (await api('GET', `/me/passkeys${query}`, { token: by.token })).body
export const registerPasskey = (by: TestPerson, credential: unknown, key?: string) =>
  withStepUp('POST', '/me/passkeys', { token: by.token, body: { name: 'Laptop', credential }, ...(key && { key }) })
export const removePasskey = (by: TestPerson, id: string) =>
  withStepUp('DELETE', `/me/passkeys/${id}`, { token: by.token })

export const passkeyEvents = (of: TestPerson) => owner`
  select type, session_id, details from security_events
  where user_id = ${of.userId} and type like 'passkey.%' order by inserted_at`

/** Sessions of a person: sign in, renew, sign out. */
import { type Client, createClient } from './client.ts'
import { getPasskey } from './prove.ts'
import type { Authenticated, SignIn } from './schemas.ts'
import type { TransportOptions } from './transport.ts'

/** Questions to a person at sign-in. */
export type Asks = {
  readonly credentials: () => Promise<SignIn>
  /** Code of the authenticator app, or a recovery code. */
  readonly code: () => Promise<string>
}

/** Signs a person in; their client signs in again when the session has ended. */
export async function signIn(options: Omit<TransportOptions, 'token'>, asks: Asks): Promise<Client> {
  const anonymous = createClient(options)
  let token = (await authenticate(anonymous, asks)).token
  let renewing: Promise<void> | undefined
  const renewOnce = async () => {
    try {
      token = (await authenticate(anonymous, asks)).token
    } finally {
      renewing = undefined
    }
  }
  return anonymous.withToken(async (refused) => {
    // one sign-in for all requests that had this token, also for one that notices late
    if (refused === token) await (renewing ??= renewOnce())
    return token
  })
}

async function authenticate(client: Client, asks: Asks): Promise<Authenticated> {
  const answer = await client.signIn(await asks.credentials())
  if (answer.status === 'authenticated') return answer
  const { challenge_token } = answer
  if (answer.status === 'totp_setup_required') throw new Error('an authenticator app must be set up first')
  const completed =
    answer.status === 'webauthn_required'
      ? await client.completeSignInWithPasskey({ challenge_token, credential: await getPasskey(answer.webauthn) })
      : await client.completeSignIn({ challenge_token, code: await asks.code() })
  if (completed.status !== 'authenticated') throw new Error(`the sign-in was not completed: ${completed.status}`)
  return completed
}

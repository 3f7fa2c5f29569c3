/** Ways to prove that a person is there. None of them stores or computes a secret. */
import type { Prove } from './client.ts'
import type { WebauthnCredential, WebauthnOptions } from './schemas.ts'

/** Proves by an authenticator app: asks a person for the code that it shows. */
export const totp =
  (ask: (summary: string | null) => Promise<string>): Prove =>
  async ({ summary }) => ({ method: 'totp', code: await ask(summary) })

/** Proves by a passkey, in a browser. */
export const browser: Prove = async ({ webauthn }) => {
  if (!webauthn) throw new Error('the person has no passkey')
  return { method: 'webauthn', challenge_id: webauthn.challenge_id, credential: await getPasskey(webauthn) }
}

/** Globals of a browser for passkeys; Node has no types of them. */
type Browser = {
  readonly navigator: { readonly credentials: { get(options: object): Promise<{ toJSON(): unknown } | null> } }
  readonly PublicKeyCredential: { parseRequestOptionsFromJSON(options: object): object }
}

/** Asks the browser for an assertion of one of the passkeys. */
export async function getPasskey(options: WebauthnOptions): Promise<WebauthnCredential> {
  const { navigator, PublicKeyCredential } = globalThis as unknown as Browser
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({
    challenge: options.challenge,
    rpId: options.rp_id,
    timeout: options.timeout,
    userVerification: options.user_verification,
    allowCredentials: options.allow_credentials.map((one) => ({ ...one, transports: [...one.transports] })),
  })
  const credential = await navigator.credentials.get({ publicKey })
  if (!credential) throw new Error('no passkey was given')
  return credential.toJSON() as WebauthnCredential
}

/** Proves in the test environment, where the sandbox verifies a step-up. */
export const sandbox: Prove = async ({ id }, client) => {
  await client.decideSandboxStepUp({ id, decision: 'allow' })
  return undefined
}

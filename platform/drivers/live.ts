/** Connections that live refuses: to the sandbox, in clear, or with a secret that others know. */
import { DEVELOPMENT, faultsOf, isHttps, isMonotonous } from '../live.ts'
import { SANDBOX_FIREBLOCKS, publicOf } from './sandbox.ts'

type LiveConnection = {
  readonly name: string
  readonly standIn: boolean
  readonly settings: { readonly driver: string; readonly privateKey?: string; readonly callbackKey?: string }
  readonly kind: string
  readonly url: string
  readonly key: string
  readonly callbackSecret: string | null
}

type Member = 'url' | 'key' | 'callback_secret' | 'private_key' | 'callback_key'

/** Tells whether a key in PEM is one of those that the sandbox shows to all. */
const isOfSandbox = (pem: string | undefined): boolean =>
  pem !== undefined && [SANDBOX_FIREBLOCKS.ourPublicKey, SANDBOX_FIREBLOCKS.theirPublicKey].includes(publicOf(pem))

/** Decodes a secret, which may be written with or without padding. */
const bytesOf = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64')

/** Drivers whose callbacks are signed by a secret that we share; others have a key of their own, or no callbacks. */
const SIGNED_BY_SECRET = new Set(['http', 'increase'])

/** Lists why live does not take these connections; quotes no value. */
export function connectionFaults(
  connections: readonly LiveConnection[],
  sandboxUrl: string,
  byFile: boolean,
): string[] {
  const sandbox = new URL(sandboxUrl).host
  const known = bytesOf(DEVELOPMENT.callbackSecret)
  const nameIn = ({ name }: LiveConnection, member: Member) =>
    byFile ? `PARTNERS_FILE: ${name}.${member}` : `${name}_${member}`.toUpperCase()
  const faults = connections.flatMap((one) => {
    const { url, key, settings } = one
    const isFiles = settings.driver === 'iso20022' || settings.driver === 'lists'
    return faultsOf([
      [!isFiles && !isHttps(url), `${nameIn(one, 'url')}: live asks for https`],
      [one.standIn || new URL(url).host === sandbox, `${nameIn(one, 'url')}: the sandbox is refused in live`],
      [key === DEVELOPMENT.partnerKey, `${nameIn(one, 'key')}: the key of the sandbox is refused in live`],
      [isOfSandbox(settings.privateKey), `${nameIn(one, 'private_key')}: the key of the sandbox is refused in live`],
      [isOfSandbox(settings.callbackKey), `${nameIn(one, 'callback_key')}: the key of the sandbox is refused in live`],
      [key !== '' && isMonotonous(key), `${nameIn(one, 'key')}: too easy to guess for live`],
    ])
  })
  const moving = connections.filter(({ kind }) => kind === 'fiat' || kind === 'crypto')
  const signing = moving
    .filter(({ settings }) => SIGNED_BY_SECRET.has(settings.driver))
    .flatMap((one) => {
      const secret = bytesOf(one.callbackSecret ?? '')
      const name = nameIn(one, 'callback_secret')
      return faultsOf([
        [one.callbackSecret === null, `${name}: required in live`],
        [secret.equals(known), `${name}: the sandbox's is refused in live`],
        [
          one.callbackSecret !== null && isMonotonous(secret),
          `${name}: one that is no random bytes is refused in live`,
        ],
      ])
    })
  const nobody = byFile
    ? 'PARTNERS_FILE: one that serves the rail fiat or crypto is required in live'
    : 'BANK_URL or CUSTODIAN_URL is required in live, which refuses a sandbox partner'
  return [...faultsOf([[moving.length === 0, nobody]]), ...faults, ...signing]
}

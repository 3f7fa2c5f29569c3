/** An authenticator in software: creates passkeys and signs (W3C Web Authentication), rightly or wrongly. */
import { type KeyObject, createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { RegistrationOptions, WebauthnCredential, WebauthnOptions } from '../../../domain/factors/passkey.ts'

type Algorithm = 'ES256' | 'Ed25519' | 'RS256'
type Kind = { algorithm?: Algorithm; synced?: boolean }
const ORIGIN = 'http://localhost:3000'

/** Deviations of an answer from a right one. */
export type Deviation = {
  origin?: string
  crossOrigin?: boolean
  rpId?: string
  challenge?: string
  /** `webauthn.create`, `webauthn.get` or `payment.get`. */
  type?: string
  /** Payment that the browser claims to have shown. */
  payment?: object
  userPresent?: boolean
  userVerified?: boolean
  synced?: boolean
  counter?: number
  signature?: Buffer
  userHandle?: string | null
}
export type Registration = Deviation & {
  attestation?: 'none' | 'self' | 'certificate'
  transports?: string[]
  credentialId?: Buffer
}
export type Authenticator = ReturnType<typeof softwareAuthenticator>

type Passkey = { id: string; key: KeyObject; rpId: string; userHandle: string; counter: number }

/** One authenticator. A synced one never counts, like those of platforms; others count each use from 1. */
export function softwareAuthenticator({ algorithm = 'ES256', synced = false }: Kind = {}) {
  const passkeys = new Map<string, Passkey>()

  function register(options: RegistrationOptions, how: Registration = {}) {
    const { publicKey, privateKey } = newKeys(algorithm)
    const credentialId = how.credentialId ?? randomBytes(32)
    const id = credentialId.toString('base64url')
    const rpId = options.rp.id
    passkeys.set(id, { id, key: privateKey, rpId, userHandle: options.user.id, counter: 0 })
    const attested = Buffer.concat([Buffer.alloc(16), uint(credentialId.length, 2), credentialId, coseOf(publicKey)])
    const authData = authenticatorData({ rpId, synced, counter: 0, ...how }, attested)
    const client = clientData({ type: 'webauthn.create', challenge: options.challenge, ...how })
    const signature = how.signature ?? signed(privateKey, authData, client)
    const self = { alg: COSE_ALGORITHM[algorithm], sig: signature }
    const statement = { none: {}, self, certificate: { ...self, x5c: [Buffer.from('a certificate')] } }
    const attestation = how.attestation ?? 'none'
    const object = mapOf({
      fmt: attestation === 'none' ? 'none' : 'packed',
      attStmt: mapOf(statement[attestation]),
      authData,
    })
    return {
      id,
      rawId: id,
      type: 'public-key' as const,
      response: {
        clientDataJSON: client.toString('base64url'),
        attestationObject: Buffer.from(isoCBOR.encode(object)).toString('base64url'),
        transports: how.transports ?? ['internal'],
      },
      clientExtensionResults: {},
      authenticatorAttachment: 'platform',
    }
  }

  /** Answers `navigator.credentials.get()` as JSON, with its first allowed passkey. */
  function assert(options: WebauthnOptions, how: Deviation = {}): WebauthnCredential {
    const allowed = options.allow_credentials.find(({ id }) => passkeys.has(id))
    const passkey = passkeys.get(allowed?.id ?? '')
    if (!passkey) throw new Error('this authenticator holds none of the passkeys')
    if (!synced) passkey.counter += 1
    const { id, rpId, counter, userHandle } = passkey
    const authData = authenticatorData({ rpId, synced, counter, ...how })
    const client = clientData({ type: 'webauthn.get', challenge: options.challenge, ...how })
    return {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: (how.signature ?? signed(passkey.key, authData, client)).toString('base64url'),
        userHandle: how.userHandle === undefined ? userHandle : how.userHandle,
      },
      clientExtensionResults: {},
      authenticatorAttachment: 'platform',
    }
  }

  return { register, assert }
}

type Value = Parameters<typeof isoCBOR.encode>[0]
const mapOf = (members: Readonly<Record<string, Value>>) => new Map(Object.entries(members))

const COSE_ALGORITHM = { ES256: -7, Ed25519: -8, RS256: -257 } as const

function newKeys(algorithm: Algorithm) {
  if (algorithm === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  if (algorithm === 'Ed25519') return generateKeyPairSync('ed25519')
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
}

function signed(key: KeyObject, authData: Buffer, client: Buffer): Buffer {
  const data = Buffer.concat([authData, sha256(client)])
  return sign(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', data, key)
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

function clientData({ type, challenge, origin = ORIGIN, crossOrigin = false, payment }: Deviation): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin, payment }))
}

/** W3C Web Authentication 6.1: hash of the relying party's id, flags, counter, and what is attested. */
function authenticatorData(
  { rpId = '', userPresent = true, userVerified = true, synced = false, counter = 0 }: Deviation,
  attested?: Buffer,
): Buffer {
  const [present, verified, backedUp, attests] = [0x01, 0x04, 0x08 | 0x10, 0x40]
  const flags =
    (userPresent ? present : 0) | (userVerified ? verified : 0) | (synced ? backedUp : 0) | (attested ? attests : 0)
  return Buffer.concat([sha256(rpId), Buffer.of(flags), uint(counter, 4), attested ?? Buffer.alloc(0)])
}

/** RFC 9053: the public key as a COSE map. */
function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '', n = '', e = '' } = key.export({ format: 'jwk' })
  const bytes = (text: string) => Buffer.from(text, 'base64url')
  const members: Record<string, Record<number, number | Buffer>> = {
    ec: { 1: 2, 3: -7, [-1]: 1, [-2]: bytes(x), [-3]: bytes(y) },
    ed25519: { 1: 1, 3: -8, [-1]: 6, [-2]: bytes(x) },
    rsa: { 1: 3, 3: -257, [-1]: bytes(n), [-2]: bytes(e) },
  }
  const ofKey = Object.entries(members[key.asymmetricKeyType ?? ''] ?? {})
  return Buffer.from(isoCBOR.encode(new Map(ofKey.map(([name, value]) => [Number(name), value]))))
}

function uint(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}

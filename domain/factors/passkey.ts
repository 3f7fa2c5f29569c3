/** Passkeys: requests to browsers, their answers (W3C Web Authentication Level 3), and what a person sees. */
import * as v from 'valibot'
import { model, integer, line, opaque, timestamp, uuid } from '../text.ts'

export const PASSKEYS_MAX = 20 // a person
const NAME_CHARACTERS_MAX = 100
const TRANSPORTS_MAX = 10
const TRANSPORT_CHARACTERS_MAX = 32
// in base64url: an id has at most 1,023 bytes; the others are several times what authenticators produce
const ID_CHARACTERS_MAX = 1364
const BINARY_CHARACTERS_MAX = 8192
const ATTESTATION_CHARACTERS_MAX = 32_768
const SHORT_CHARACTERS_MAX = 64

/** COSE algorithms of the keys that are taken: EdDSA, ES256, RS256. */
export const PASSKEY_ALGORITHMS = [-8, -7, -257] as const

const publicKey = v.literal('public-key')
const descriptor = model('PasskeyDescriptor', { id: v.string(), transports: v.array(v.string()), type: publicKey })

/** Passkey authentication options. `timeout` is in milliseconds, binary values are base64url. */
export const WebauthnOptions = model('WebauthnOptions', {
  challenge_id: uuid,
  challenge: v.string(),
  rp_id: v.string(),
  timeout: integer,
  user_verification: v.string(),
  allow_credentials: v.array(descriptor),
})
export type WebauthnOptions = v.InferOutput<typeof WebauthnOptions>

const answered = {
  id: opaque(1, ID_CHARACTERS_MAX),
  rawId: opaque(1, ID_CHARACTERS_MAX),
  type: publicKey,
  clientExtensionResults: v.optional(v.record(v.string(), v.unknown())),
  authenticatorAttachment: v.nullish(line(1, SHORT_CHARACTERS_MAX)),
}
const binary = opaque(1, BINARY_CHARACTERS_MAX)

/** An assertion as `PublicKeyCredential.toJSON()` gives it (AuthenticationResponseJSON). */
export const WebauthnCredential = model('WebauthnCredential', {
  ...answered,
  response: model('AssertionResponse', {
    clientDataJSON: binary,
    authenticatorData: binary,
    signature: binary,
    userHandle: v.nullish(opaque(0, SHORT_CHARACTERS_MAX * 2)),
  }),
})
export type WebauthnCredential = v.InferOutput<typeof WebauthnCredential>

/** A new credential as `PublicKeyCredential.toJSON()` gives it (RegistrationResponseJSON). */
export const NewCredential = model('NewCredential', {
  ...answered,
  response: model('AttestationResponse', {
    clientDataJSON: binary,
    attestationObject: opaque(1, ATTESTATION_CHARACTERS_MAX),
    transports: v.nullish(v.pipe(v.array(line(1, TRANSPORT_CHARACTERS_MAX)), v.maxLength(TRANSPORTS_MAX))),
  }),
})
export type NewCredential = v.InferOutput<typeof NewCredential>

export const PasskeyName = model('PasskeyName', { name: line(1, NAME_CHARACTERS_MAX) })
export const NewPasskey = model('NewPasskey', { ...PasskeyName.entries, credential: NewCredential })
export type NewPasskey = v.InferOutput<typeof NewPasskey>

/** PublicKeyCredentialCreationOptionsJSON of Web Authentication Level 3. */
export const RegistrationOptions = model('RegistrationOptions', {
  rp: model('RegistrationParty', { id: v.string(), name: v.string() }),
  user: model('RegistrationUser', { id: v.string(), name: v.string(), displayName: v.string() }),
  challenge: v.string(),
  pubKeyCredParams: v.array(model('RegistrationAlgorithm', { type: publicKey, alg: integer })),
  timeout: integer,
  excludeCredentials: v.array(descriptor),
  authenticatorSelection: model('AuthenticatorSelection', {
    residentKey: v.literal('preferred'),
    userVerification: v.literal('required'),
  }),
  attestation: v.literal('none'),
})
export type RegistrationOptions = v.InferOutput<typeof RegistrationOptions>

/** `synced`: it may live on several devices; `device_id` is the one that registered it. */
export const Passkey = model('Passkey', {
  id: uuid,
  name: v.string(),
  device_id: v.nullable(uuid),
  this_device: v.boolean(),
  synced: v.boolean(),
  transports: v.array(v.string()),
  inserted_at: timestamp,
  last_used_at: v.nullable(timestamp),
})
export type Passkey = v.InferOutput<typeof Passkey>

/** Passkeys: requests to browsers, their answers (W3C Web Authentication Level 3), and what a person sees. */
import * as v from 'valibot'
import { model, integer, line, nullableText, opaque, timestamp, uuid, describe } from '../text.ts'

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
const descriptor = model('PasskeyDescriptor', {
  id: describe(v.string(), 'Id of the passkey in base64url.'),
  transports: v.array(v.string()),
  type: publicKey,
})

/** Passkey authentication options. `timeout` is in milliseconds, binary values are base64url. */
export const WebauthnOptions = model('WebauthnOptions', {
  challenge_id: uuid,
  challenge: v.string(),
  rp_id: describe(v.string(), 'Domain that the passkeys are for.'),
  timeout: integer,
  user_verification: describe(v.string(), 'Whether the authenticator verifies the person: `required`.'),
  allow_credentials: describe(v.array(descriptor), 'Passkeys that may answer.'),
})
export type WebauthnOptions = v.InferOutput<typeof WebauthnOptions>

const answered = {
  id: describe(opaque(1, ID_CHARACTERS_MAX), 'Id of the passkey in base64url.'),
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
    authenticatorData: describe(binary, 'Data of the authenticator, in base64url.'),
    signature: binary,
    userHandle: describe(v.nullish(opaque(0, SHORT_CHARACTERS_MAX * 2)), 'Handle of the person in base64url.'),
  }),
})
export type WebauthnCredential = v.InferOutput<typeof WebauthnCredential>

/**
 * Signature of a passkey for a step-up, all in base64url: the key is in COSE (RFC 9052). The challenge in the client data
 * is the SHA-256 of the target and `nonce`, one on each line; without a nonce it was random.
 */
export const SignedAssertion = model('SignedAssertion', {
  public_key: describe(v.string(), 'Public key of the passkey: COSE, in base64url.'),
  authenticator_data: describe(v.string(), 'Data of the authenticator, in base64url.'),
  signature: v.string(),
  nonce: describe(nullableText, 'Random text with which the target was hashed to the challenge.'),
})
export type SignedAssertion = v.InferOutput<typeof SignedAssertion>

/** A new credential as `PublicKeyCredential.toJSON()` gives it (RegistrationResponseJSON). */
export const NewCredential = model('NewCredential', {
  ...answered,
  response: model('AttestationResponse', {
    clientDataJSON: binary,
    attestationObject: describe(opaque(1, ATTESTATION_CHARACTERS_MAX), 'Attestation of the new passkey, in base64url.'),
    transports: v.nullish(v.pipe(v.array(line(1, TRANSPORT_CHARACTERS_MAX)), v.maxLength(TRANSPORTS_MAX))),
  }),
})
export type NewCredential = v.InferOutput<typeof NewCredential>

export const PasskeyName = model('PasskeyName', { name: line(1, NAME_CHARACTERS_MAX) })
export const NewPasskey = model('NewPasskey', { ...PasskeyName.entries, credential: NewCredential })
export type NewPasskey = v.InferOutput<typeof NewPasskey>

/** PublicKeyCredentialCreationOptionsJSON of Web Authentication Level 3. */
export const RegistrationOptions = model('RegistrationOptions', {
  rp: describe(
    model('RegistrationParty', { id: describe(v.string(), 'Domain that the passkey is for.'), name: v.string() }),
    'Service that the passkey is for.',
  ),
  user: describe(
    model('RegistrationUser', {
      id: describe(v.string(), 'Handle of the person in base64url.'),
      name: v.string(),
      displayName: describe(v.string(), 'Name of the person for the list of passkeys.'),
    }),
    'Person whom the passkey is for.',
  ),
  challenge: v.string(),
  pubKeyCredParams: describe(
    v.array(
      model('RegistrationAlgorithm', { type: publicKey, alg: describe(integer, 'COSE number of the algorithm.') }),
    ),
    'Signature algorithms that are accepted, best first.',
  ),
  timeout: integer,
  excludeCredentials: describe(v.array(descriptor), 'Passkeys that the person has already.'),
  authenticatorSelection: describe(
    model('AuthenticatorSelection', {
      residentKey: describe(v.literal('preferred'), 'Always `required`: the passkey stays on the authenticator.'),
      userVerification: describe(v.literal('required'), 'Always `required`: the authenticator verifies the person.'),
    }),
    'Properties that the authenticator must have.',
  ),
  attestation: describe(v.literal('none'), 'Always `none`: the maker of the authenticator is not asked for.'),
})
export type RegistrationOptions = v.InferOutput<typeof RegistrationOptions>

/** `synced`: it may live on several devices; `device_id` is the one that registered it. */
export const Passkey = model('Passkey', {
  id: uuid,
  name: v.string(),
  device_id: v.nullable(uuid),
  this_device: v.boolean(),
  synced: describe(v.boolean(), 'True if the passkey is copied between devices of the person.'),
  transports: v.array(v.string()),
  inserted_at: timestamp,
  last_used_at: v.nullable(timestamp),
})
export type Passkey = v.InferOutput<typeof Passkey>

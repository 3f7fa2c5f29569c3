/** Getting in: sign-up, confirmation, password, authenticator code, session. */
import * as v from 'valibot'
import { WebauthnCredential, WebauthnOptions } from '../factors/passkey.ts'
import { Me } from '../people/person.ts'
import { enteredCode } from '../factors/entered-code.ts'
import { model, email, integer, line, opaque, timestamp, uuid, describe } from '../text.ts'

export const SIGN_UP_HOURS = 24 // of the token of a confirmation mail
export const RESET_MINUTES = 60 // of the token of a reset mail
export const FACTOR_RESET_DAYS = 7 // after its cooling-off, in which a sign-in carries a reset out
export const TRUST_DAYS = 30 // of a trusted device, or one with a login credential
export const CHALLENGE_MINUTES = 10 // of a challenge token
export const CODE_ATTEMPTS_MAX = 5 // wrong codes that exhaust a challenge token
export const SESSION_IDLE_MINUTES = 30
export const SESSION_DAYS_MAX = 30 // from sign-in; use does not extend it
export const JUST_SIGNED_IN_MINUTES = 10 // in which a sign-in with a proof is a fresh one, if a route says so
export const MAILBOX_HOURS = 24 // in which a password that a mail set proves no more than the mailbox
export const SESSION_TOUCH_SECONDS = 1 // a use younger than this is not written again
/** Not `svc_`: that prefix marks API keys. */
export const SESSION_TOKEN_PREFIX = 'ses_'
/** Prefix of a session that the identity provider of an organization opened. */
export const COMPANY_TOKEN_PREFIX = 'ses_company_'

const PASSWORD_CHARACTERS_MIN = 12
const PASSWORD_CHARACTERS_MAX = 1024
const TOKEN_CHARACTERS_MAX = 512

const password = opaque(0, PASSWORD_CHARACTERS_MAX)
/** A token of any shape: one of the wrong shape is a wrong one. */
export const token = opaque(1, TOKEN_CHARACTERS_MAX)

export const SignUp = model('SignUp', {
  email,
  password,
  first_name: v.nullish(line(1, 255)),
  last_name: v.nullish(line(1, 255)),
  invitation_token: describe(
    v.nullish(token),
    'Token of an invitation, to join its organization with the new account.',
  ),
})
export type SignUp = v.InferOutput<typeof SignUp>

/** `sign_up_token`: of the client that signed up; any other client sends a `password`. */
export const Confirmation = model('EmailConfirmation', {
  token,
  sign_up_token: v.nullish(token),
  password: describe(
    v.nullish(password),
    'Password of the new account, instead of the one of the sign-up: needed without its `sign_up_token`.',
  ),
})
export type Confirmation = v.InferOutput<typeof Confirmation>

export const FactorsObjection = model('FactorsObjection', { token })

/** Requests of the service's own mobile apps for a trust token, and one that they hold. */
const flag = v.nullish(v.boolean())
export const trust = {
  remember_me: flag,
  trust_transport: flag,
  trust_tokens: flag,
  trust_token: v.nullish(opaque(0, TOKEN_CHARACTERS_MAX)),
}

/** Tells if any of the three flags asks for a trust token. */
export const wantsTrust = (given: Pick<SignIn, 'remember_me' | 'trust_transport' | 'trust_tokens'>): boolean =>
  [given.remember_me, given.trust_transport, given.trust_tokens].includes(true)

export type ChallengePurpose = 'mfa' | 'totp_setup' | 'webauthn'

export const Forgot = model('PasswordForgotten', { email })
export const Reset = model('PasswordReset', { token, password })
export type Reset = v.InferOutput<typeof Reset>
export const PasswordChange = model('PasswordChange', {
  current_password: describe(password, 'Present password.'),
  password,
})
export type PasswordChange = v.InferOutput<typeof PasswordChange>

export const SignIn = model('SignIn', {
  email: v.pipe(opaque(0, 255), v.trim(), v.toLowerCase()),
  password,
  device_id: describe(v.nullish(opaque(0, 255)), 'Id of the device from an earlier sign-in; absent for a new device.'),
  ...trust,
})
export type SignIn = v.InferOutput<typeof SignIn>

export const Mfa = model('SignInCode', {
  challenge_token: token,
  code: describe(enteredCode, 'Code of the authenticator app, or a recovery code.'),
})
export type Mfa = v.InferOutput<typeof Mfa>

const authenticated = v.literal('authenticated')

export const ConfirmationAnswer = model('EmailConfirmationAnswer', {
  status: authenticated,
  token: describe(v.string(), 'Session token: send it as bearer.'),
  user: Me,
  device_id: uuid,
})
export const SignUpAnswer = v.pipe(
  v.variant('status', [
    model('ConfirmationRequired', { status: v.literal('confirmation_required'), sign_up_token: v.string() }),
    ConfirmationAnswer,
  ]),
  v.title('SignUpAnswer'),
)
export type SignUpAnswer = v.InferOutput<typeof SignUpAnswer>

export const AuthenticatedSession = model('Authenticated', {
  status: authenticated,
  token: describe(v.string(), 'Session token: send it as bearer.'),
  user: Me,
  device_id: uuid,
  trust_token: v.optional(v.string()),
})
export type AuthenticatedSession = v.InferOutput<typeof AuthenticatedSession>

const challenged = { challenge_token: v.string(), device_id: uuid }
const TotpSetupRequired = model('TotpSetupRequired', { status: v.literal('totp_setup_required'), ...challenged })
export const SignInAnswer = v.pipe(
  v.variant('status', [
    AuthenticatedSession,
    model('MfaRequired', { status: v.literal('mfa_required'), ...challenged }),
    TotpSetupRequired,
    model('WebauthnRequired', {
      status: v.literal('webauthn_required'),
      ...challenged,
      webauthn: describe(WebauthnOptions, 'Passkey options to answer with.'),
    }),
  ]),
  v.title('SignInAnswer'),
)
export type SignInAnswer = v.InferOutput<typeof SignInAnswer>

/** The last one: after a passkey or a recovery code, if an organization requires an authenticator. */
export const MfaAnswer = v.pipe(
  v.variant('status', [
    AuthenticatedSession,
    model('MfaFailed', { status: v.literal('mfa_failed') }),
    model('ChallengeExpired', { status: v.literal('challenge_expired') }),
    TotpSetupRequired,
  ]),
  v.title('SignInCodeAnswer'),
)
export type MfaAnswer = v.InferOutput<typeof MfaAnswer>

export const ChallengeToken = model('ChallengeToken', { challenge_token: token })
export const PasskeyAnswer = model('SignInPasskey', { challenge_token: token, credential: WebauthnCredential })
export type PasskeyAnswer = v.InferOutput<typeof PasskeyAnswer>
export const SetupCodes = model('AuthenticatorCodes', {
  code: describe(enteredCode, 'Code that the authenticator app shows.'),
  messaging_code: describe(enteredCode, 'Code from the message.'),
})
export type SetupCodes = v.InferOutput<typeof SetupCodes>

export const Setup = model('AuthenticatorSetup', {
  uri: describe(v.string(), 'Link of the authenticator app, `otpauth://…`, for a QR code.'),
  secret_encoded: describe(v.string(), 'Secret of the authenticator app in base32, to type instead of scanning.'),
})
export type Setup = v.InferOutput<typeof Setup>

export const RecoveryCodes = model('RecoveryCodes', {
  codes: describe(v.array(v.string()), 'Recovery codes; each works once. They are shown only here.'),
})
export const RecoveryCodeCount = model('RecoveryCodeCount', {
  remaining: describe(integer, 'Number of codes that are left.'),
  inserted_at: v.nullable(timestamp),
})
export type RecoveryCodeCount = v.InferOutput<typeof RecoveryCodeCount>

/** Finds why a password is weak: too short (NIST SP 800-63B), one character over and over, or the address. */
export function weaknessOf(plain: string, address: string): string | null {
  const characters = Array.from(plain)
  if (characters.length < PASSWORD_CHARACTERS_MIN) return 'too_short'
  if (new Set(characters).size === 1) return 'repeated_character'
  return plain.trim().toLowerCase() === address ? 'same_as_email' : null
}

export const LOGIN_CREDENTIAL_PREFIX = 'dlc_'

const DEVICE_ID_CHARACTERS_MAX = 255
const SECRET_CHARACTERS_MAX = 512

export const LoginCredentialResult = model('LoginCredentialResult', {
  credential: describe(v.string(), 'Login credential of the device; it is shown only here.'),
  device_id: uuid,
  expires_at: timestamp,
})
export type LoginCredentialResult = v.InferOutput<typeof LoginCredentialResult>

export const DeviceSignIn = model('DeviceSignIn', {
  device_id: opaque(1, DEVICE_ID_CHARACTERS_MAX),
  credential: describe(opaque(1, SECRET_CHARACTERS_MAX), 'Login credential of the device.'),
  ...trust,
})
export type DeviceSignIn = v.InferOutput<typeof DeviceSignIn>

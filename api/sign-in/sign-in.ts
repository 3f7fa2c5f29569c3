/** Sign-up, sign-in, sign-out, passwords, and objections to a reset of factors. */
import * as v from 'valibot'
import { endSession } from '../../services/people/sessions.ts'
import { objectToFactorReset } from '../../services/sign-in/factor-resets.ts'
import {
  changePassword,
  preparePasswordChange,
  prepareReset,
  requestReset,
  resetPassword,
} from '../../services/sign-in/password-change.ts'
import { findMailedLink } from '../../services/sign-in/mailed-links.ts'
import { hashPassword } from '../../platform/passwords.ts'
import {
  activateAtSignIn,
  completeSignIn,
  completeWithPasskey,
  setUpAtSignIn,
} from '../../services/sign-in/second-factor.ts'
import {
  addLoginCredential,
  afterFirstFactor,
  proveByCredential,
  proveByPassword,
} from '../../services/sign-in/sign-in.ts'
import { confirmSignUp, prepareConfirmation, signUp } from '../../services/sign-in/sign-up.ts'
import {
  ChallengeToken,
  Confirmation,
  ConfirmationAnswer,
  DeviceSignIn,
  FactorsObjection,
  Forgot,
  LoginCredentialResult,
  Mfa,
  MfaAnswer,
  PasskeyAnswer,
  PasswordChange,
  Reset,
  Setup,
  SignIn,
  SignInAnswer,
  SignUp,
  SignUpAnswer,
} from '../../domain/sign-in/sign-in.ts'
import { AskedLink, MailedLink } from '../../domain/sign-in/mailed-link.ts'
import { networkOf } from '../http/address.ts'
import { mails, passwordChecks, signInCodes, signIns, signInsPerNetwork, signUpMails } from '../http/limits.ts'
import { operations } from '../http/operation.ts'
import type { Context, Limit } from '../http/route.ts'

const { command } = operations('Authentication')

export const auth = [
  command('post', '/auth/sign-up', 'signUp')
    .says('Sign up', 'A mail asks to confirm the address, unless the body has the token of an invitation to it.')
    .for('anyone')
    .takes(SignUp)
    .limited(signInsPerNetwork, signUpMails)
    .refuses('weak_password', 'token_invalid', 'invitation_expired')
    .answers(SignUpAnswer, 201)
    .prepares(async ({ body }) => ({ passwordHash: await hashPassword(body.password, body.email) }))
    .does(signUp),
  command('post', '/auth/email/confirm', 'confirmEmail')
    .says(
      'Confirm the address of a sign-up and sign in',
      'The password of the sign-up counts with its `sign_up_token` alone; any other client sends one.',
    )
    .for('anyone')
    .takes(Confirmation)
    .limited(signInsPerNetwork)
    .refuses('token_invalid', 'password_required', 'weak_password')
    .answers(ConfirmationAnswer)
    .prepares(async ({ body }) => ({ confirmed: await prepareConfirmation(body) }))
    .does(({ tx, confirmed, origin }) => confirmSignUp(tx, confirmed, origin)),
  command('post', '/auth/mailed-links', 'readMailedLink')
    .says(
      'Read the address of a link',
      'For the page that a mail links to, which names the address and asks before it acts. It uses nothing up.',
    )
    .for('anyone')
    .takes(AskedLink)
    .limited(signInsPerNetwork)
    .refuses('token_invalid', 'invitation_expired')
    .answers(MailedLink)
    .does(({ tx, body }) => findMailedLink(tx, body)),
  command('post', '/auth/sign-in', 'signIn')
    .says('Sign in with email and password')
    .for('anyone')
    .takes(SignIn)
    .limited(signInsPerNetwork, signIns)
    .refuses('invalid_credentials', 'email_not_confirmed', 'forbidden')
    .answers(SignInAnswer)
    .prepares(async ({ body, origin }) => ({ first: await proveByPassword(body, origin) }))
    .does(({ tx, first, origin }) => afterFirstFactor(tx, first, origin)),
  command('post', '/auth/mfa', 'completeSignIn')
    .says('Complete a sign-in with an authenticator or recovery code')
    .for('anyone')
    .takes(Mfa)
    .limited(signInCodes)
    .answers(MfaAnswer)
    .does(completeSignIn),
  command('post', '/auth/webauthn', 'completeSignInWithPasskey')
    .says('Complete a sign-in with a passkey, in a browser')
    .for('anyone')
    .takes(PasskeyAnswer)
    .limited(signInCodes)
    .answers(MfaAnswer)
    .does(completeWithPasskey),
  command('post', '/auth/sign-in/totp/setup', 'setUpAuthenticatorAtSignIn')
    .says('Set up the authenticator that an organization requires', 'The secret is shown once.')
    .for('anyone')
    .takes(ChallengeToken)
    .limited(signInCodes)
    .refuses('token_invalid')
    .answers(Setup)
    .does(({ tx, body }) => setUpAtSignIn(tx, body.challenge_token)),
  command('post', '/auth/sign-in/totp/activate', 'activateAuthenticatorAtSignIn')
    .says('Complete a sign-in with a new authenticator', 'Takes the first code of the authenticator that was set up.')
    .for('anyone')
    .takes(Mfa)
    .limited(signInCodes)
    .answers(MfaAnswer)
    .does(activateAtSignIn),
  command('post', '/auth/sign-out', 'signOut')
    .says('End the session of the token sent')
    .for('anyone')
    .answers(v.object({ message: v.literal('goodbye') }))
    .does(async ({ tx, bearer, origin }) => {
      if (bearer) await endSession(tx, bearer, origin)
      return { message: 'goodbye' as const }
    }),
]

/** Sign-ins of one device, known or not, from one network. */
const ofDevice: Limit<Context<'origin', { readonly body: DeviceSignIn }>> = {
  policy: 'sign_in',
  key: ({ origin, body }) => `${networkOf(origin.address)} ${body.device_id.toLowerCase()}`,
}

/** A credential that stands in for the password on one device; for the service's own apps. */
export const deviceLogin = [
  command('post', '/auth/login-credential', 'createLoginCredential')
    .says('Trust this device to sign in without a password', 'For 30 days.')
    .takes(v.object({}))
    .answers(LoginCredentialResult)
    .proved('window', undefined, { weakens: true, unlessJustProved: true })
    .does(addLoginCredential),
  command('post', '/auth/sign-in/device', 'signInOnDevice')
    .says("Sign in with a device's credential in place of the password")
    .for('anyone')
    .takes(DeviceSignIn)
    .limited(signInsPerNetwork, ofDevice)
    .refuses('invalid_credentials', 'forbidden')
    .answers(SignInAnswer)
    .prepares(async ({ body, origin }) => ({ first: await proveByCredential(body, origin) }))
    .does(({ tx, first, origin }) => afterFirstFactor(tx, first, origin)),
]

export const passwords = [
  command('post', '/auth/password/forgot', 'forgotPassword')
    .says('Request a mail that resets the password', 'The answer is the same for every address.')
    .for('anyone')
    .takes(Forgot)
    .limited(signInsPerNetwork, mails)
    .answers(v.object({ status: v.literal('reset_requested') }))
    .does(async ({ tx, body, origin }) => {
      await requestReset(tx, body.email, origin)
      return { status: 'reset_requested' as const }
    }),
  command('post', '/auth/password/reset', 'resetPassword')
    .says('Set a new password with the token of the mail', 'Every session ends.')
    .for('anyone')
    .takes(Reset)
    .limited(signInsPerNetwork)
    .refuses('token_invalid', 'weak_password')
    .answers(v.object({ status: v.literal('password_reset') }))
    .prepares(async ({ body }) => ({ checked: await prepareReset(body) }))
    .does(async ({ tx, checked, origin }) => {
      await resetPassword(tx, checked, origin)
      return { status: 'password_reset' as const }
    }),
  operations('Me')
    .command('post', '/me/password', 'changePassword')
    .says('Change the password; every other session ends')
    .takes(PasswordChange)
    .limited(passwordChecks)
    .refuses('password_incorrect', 'weak_password', 'invalid_state')
    .answers(v.object({ status: v.literal('password_changed') }))
    .prepares(async ({ person, body }) => ({ hashes: await preparePasswordChange(person, body) }))
    .does(async (context) => {
      await changePassword(context)
      return { status: 'password_changed' as const }
    }),
]

export const factorResets = [
  command('post', '/auth/factors/keep', 'keepFactors')
    .says(
      'Keep the second factors that an operator wants to remove',
      'Takes the token of the message that announced the removal.',
    )
    .for('anyone')
    .takes(FactorsObjection)
    .limited(signInsPerNetwork)
    .refuses('token_invalid')
    .answers(v.object({ status: v.literal('factors_kept') }))
    .does(async ({ tx, body, origin }) => {
      await objectToFactorReset(tx, body.token, origin)
      return { status: 'factors_kept' as const }
    }),
]

/** Getting in and out: sign-up, confirmation, sign-in with its second factor, sign-out. */
import * as v from 'valibot'
import {
  ChallengeToken,
  Confirmation,
  ConfirmationAnswer,
  Mfa,
  MfaAnswer,
  PasskeyAnswer,
  Setup,
  SignIn,
  SignInAnswer,
  SignUp,
  SignUpAnswer,
} from '../../domain/sign-in/sign-in.ts'
import { findMe } from '../../db/people/people.ts'
import { endSession } from '../../db/people/sessions.ts'
import {
  type MfaOutcome,
  activateAtSignIn,
  completeSignIn,
  completeWithPasskey,
  setUpAtSignIn,
} from '../../db/sign-in/second-factor.ts'
import { type SignInOutcome, signIn } from '../../db/sign-in/sign-in.ts'
import { type NewMember, confirmSignUp, signUp } from '../../db/sign-in/sign-up.ts'
import { signInCodes, signIns, signUpMails, signInsPerNetwork } from '../http/limits.ts'
import { route } from '../http/route.ts'

const shared = { method: 'post', tag: 'Authentication', credential: 'none' } as const

export const auth = [
  route({
    ...shared,
    path: '/auth/sign-up',
    operationId: 'signUp',
    refuses: [410],
    summary: 'Sign up; a mail asks to confirm the address, unless the token of an invitation to it is sent',
    limits: [signInsPerNetwork, signUpMails],
    body: SignUp,
    returns: SignUpAnswer,
    status: 201,
    handle: async ({ body, origin }) => {
      const invited = await signUp(body, origin)
      return invited ? toConfirmed(invited) : { status: 'confirmation_required' as const }
    },
  }),
  route({
    ...shared,
    path: '/auth/email/confirm',
    operationId: 'confirmEmail',
    summary: 'Confirm the address of a sign-up and sign in',
    limits: [signInsPerNetwork],
    body: Confirmation,
    returns: ConfirmationAnswer,
    handle: async ({ body, origin }) => toConfirmed(await confirmSignUp(body.token, origin)),
  }),
  route({
    ...shared,
    path: '/auth/sign-in',
    operationId: 'signIn',
    summary: 'Sign in with email and password',
    limits: [signInsPerNetwork, signIns],
    body: SignIn,
    returns: SignInAnswer,
    refuses: [403],
    handle: async ({ body, origin }) => toSignInAnswer(await signIn(body, origin)),
  }),
  route({
    ...shared,
    path: '/auth/mfa',
    operationId: 'completeSignIn',
    summary: 'Complete a sign-in with an authenticator code, or a recovery code in its place',
    limits: [signInCodes],
    body: Mfa,
    returns: MfaAnswer,
    handle: async ({ body, origin }) => toMfaAnswer(await completeSignIn(body, origin)),
  }),
  route({
    ...shared,
    path: '/auth/webauthn',
    operationId: 'completeSignInWithPasskey',
    summary: 'Complete a sign-in with a passkey, in a browser',
    limits: [signInCodes],
    body: PasskeyAnswer,
    returns: MfaAnswer,
    handle: async ({ body, origin }) =>
      toMfaAnswer(await completeWithPasskey(body.challenge_token, body.credential, origin)),
  }),
  route({
    ...shared,
    path: '/auth/sign-in/totp/setup',
    operationId: 'setUpAuthenticatorAtSignIn',
    summary: 'Set up the authenticator that an organization requires; the secret is shown once',
    limits: [signInCodes],
    body: ChallengeToken,
    returns: Setup,
    handle: ({ body }) => setUpAtSignIn(body.challenge_token),
  }),
  route({
    ...shared,
    path: '/auth/sign-in/totp/activate',
    operationId: 'activateAuthenticatorAtSignIn',
    summary: 'Complete a sign-in with the first code of the authenticator that was set up',
    limits: [signInCodes],
    body: Mfa,
    returns: MfaAnswer,
    handle: async ({ body, origin }) => toMfaAnswer(await activateAtSignIn(body, origin)),
  }),
  route({
    ...shared,
    path: '/auth/sign-out',
    operationId: 'signOut',
    summary: 'End the session of the token sent',
    returns: v.object({ message: v.literal('goodbye') }),
    handle: async ({ bearer, origin }) => {
      if (bearer) await endSession(bearer, origin)
      return { message: 'goodbye' as const }
    },
  }),
]

/** The answer to somebody who has just become a person. */
const toConfirmed = async ({ token, userId, deviceId }: NewMember) =>
  ({ status: 'authenticated', token, user: await findMe(userId), device_id: deviceId }) as const

/** The answer of a sign-in: whoever is in learns who they are. */
export async function toSignInAnswer(outcome: SignInOutcome): Promise<v.InferInput<typeof SignInAnswer>> {
  if (outcome.status !== 'authenticated') return outcome
  const { userId, ...answer } = outcome
  return { ...answer, user: await findMe(userId) }
}

async function toMfaAnswer(outcome: MfaOutcome): Promise<v.InferInput<typeof MfaAnswer>> {
  if (outcome.status !== 'authenticated') return outcome
  const { userId, ...answer } = outcome
  return { ...answer, user: await findMe(userId) }
}

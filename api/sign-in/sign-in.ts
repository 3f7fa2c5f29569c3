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
import { operations } from '../http/operation.ts'

const { command } = operations('Authentication')

export const auth = [
  command('post', '/auth/sign-up', 'signUp')
    .says('Sign up; a mail asks to confirm the address, unless the token of an invitation to it is sent')
    .open()
    .takes(SignUp)
    .limited(signInsPerNetwork, signUpMails)
    .refuses(410)
    .answers(SignUpAnswer, 201)
    .handles(async ({ body, origin }) => {
      const invited = await signUp(body, origin)
      return invited ? toConfirmed(invited) : { status: 'confirmation_required' as const }
    }),
  command('post', '/auth/email/confirm', 'confirmEmail')
    .says('Confirm the address of a sign-up and sign in')
    .open()
    .takes(Confirmation)
    .limited(signInsPerNetwork)
    .answers(ConfirmationAnswer)
    .handles(async ({ body, origin }) => toConfirmed(await confirmSignUp(body.token, origin))),
  command('post', '/auth/sign-in', 'signIn')
    .says('Sign in with email and password')
    .open()
    .takes(SignIn)
    .limited(signInsPerNetwork, signIns)
    .refuses(403)
    .answers(SignInAnswer)
    .handles(async ({ body, origin }) => toSignInAnswer(await signIn(body, origin))),
  command('post', '/auth/mfa', 'completeSignIn')
    .says('Complete a sign-in with an authenticator code, or a recovery code in its place')
    .open()
    .takes(Mfa)
    .limited(signInCodes)
    .answers(MfaAnswer)
    .handles(async ({ body, origin }) => toMfaAnswer(await completeSignIn(body, origin))),
  command('post', '/auth/webauthn', 'completeSignInWithPasskey')
    .says('Complete a sign-in with a passkey, in a browser')
    .open()
    .takes(PasskeyAnswer)
    .limited(signInCodes)
    .answers(MfaAnswer)
    .handles(async ({ body, origin }) =>
      toMfaAnswer(await completeWithPasskey(body.challenge_token, body.credential, origin)),
    ),
  command('post', '/auth/sign-in/totp/setup', 'setUpAuthenticatorAtSignIn')
    .says('Set up the authenticator that an organization requires; the secret is shown once')
    .open()
    .takes(ChallengeToken)
    .limited(signInCodes)
    .answers(Setup)
    .handles(({ body }) => setUpAtSignIn(body.challenge_token)),
  command('post', '/auth/sign-in/totp/activate', 'activateAuthenticatorAtSignIn')
    .says('Complete a sign-in with the first code of the authenticator that was set up')
    .open()
    .takes(Mfa)
    .limited(signInCodes)
    .answers(MfaAnswer)
    .handles(async ({ body, origin }) => toMfaAnswer(await activateAtSignIn(body, origin))),
  command('post', '/auth/sign-out', 'signOut')
    .says('End the session of the token sent')
    .open()
    .answers(v.object({ message: v.literal('goodbye') }))
    .handles(async ({ bearer, origin }) => {
      if (bearer) await endSession(bearer, origin)
      return { message: 'goodbye' as const }
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

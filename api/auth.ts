/** Getting in and out: sign-up, confirmation, sign-in, authenticator code, sign-out. */
import * as v from 'valibot'
import {
  Confirmation,
  ConfirmationAnswer,
  Mfa,
  MfaAnswer,
  SignIn,
  SignInAnswer,
  SignUp,
  SignUpAnswer,
} from '../db/model/sign-in.ts'
import { findMe } from '../db/people.ts'
import { endSession } from '../db/sessions.ts'
import { type SignedIn, completeSignIn, signIn } from '../db/sign-ins.ts'
import { confirmSignUp, signUp } from '../db/sign-ups.ts'
import { route } from './route.ts'

const shared = { method: 'post', tag: 'Authentication', credential: 'none' } as const

export const auth = [
  route({
    ...shared,
    path: '/auth/sign-up',
    operationId: 'signUp',
    summary: 'Sign up; a mail asks to confirm the address',
    body: SignUp,
    returns: SignUpAnswer,
    status: 201,
    handle: async ({ body }) => {
      await signUp(body)
      return { status: 'confirmation_required' as const }
    },
  }),
  route({
    ...shared,
    path: '/auth/email/confirm',
    operationId: 'confirmEmail',
    summary: 'Confirm the address of a sign-up and sign in',
    body: Confirmation,
    returns: ConfirmationAnswer,
    handle: async ({ body }) => {
      const { token, userId } = await confirmSignUp(body.token)
      return { status: 'authenticated' as const, token, user: await findMe(userId) }
    },
  }),
  route({
    ...shared,
    path: '/auth/sign-in',
    operationId: 'signIn',
    summary: 'Sign in with email and password',
    body: SignIn,
    returns: SignInAnswer,
    handle: async ({ body }) => {
      const outcome = await signIn(body)
      return outcome.status === 'authenticated' ? toAuthenticated(outcome) : outcome
    },
  }),
  route({
    ...shared,
    path: '/auth/mfa',
    operationId: 'completeSignIn',
    summary: 'Complete a sign-in with an authenticator code',
    body: Mfa,
    returns: MfaAnswer,
    handle: async ({ body }) => {
      const outcome = await completeSignIn(body)
      return outcome.status === 'authenticated' ? toAuthenticated(outcome) : outcome
    },
  }),
  route({
    ...shared,
    path: '/auth/sign-out',
    operationId: 'signOut',
    summary: 'End the session of the token sent',
    returns: v.object({ message: v.literal('goodbye') }),
    handle: async ({ bearer }) => {
      if (bearer) await endSession(bearer)
      return { message: 'goodbye' as const }
    },
  }),
]

const toAuthenticated = async ({ status, token, device_id, userId }: SignedIn) => ({
  status,
  token,
  user: await findMe(userId),
  device_id,
})

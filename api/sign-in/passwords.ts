/** Passwords: forgotten, set anew with a mailed token, changed. */
import * as v from 'valibot'
import { Forgot, PasswordChange, Reset } from '../../domain/sign-in/sign-in.ts'
import { changePassword, requestReset, resetPassword } from '../../db/sign-in/password-change.ts'
import { mails, passwordChecks, signInsPerNetwork } from '../http/limits.ts'
import { route } from '../http/route.ts'

export const passwords = [
  route({
    method: 'post',
    path: '/auth/password/forgot',
    operationId: 'forgotPassword',
    summary: 'Ask for a mail that sets a new password; the answer is the same for every address',
    tag: 'Authentication',
    credential: 'none',
    limits: [signInsPerNetwork, mails],
    body: Forgot,
    returns: v.object({ status: v.literal('reset_requested') }),
    handle: async ({ body, origin }) => {
      await requestReset(body.email, origin)
      return { status: 'reset_requested' as const }
    },
  }),
  route({
    method: 'post',
    path: '/auth/password/reset',
    operationId: 'resetPassword',
    summary: 'Set a new password with the token of the mail; every session ends',
    tag: 'Authentication',
    credential: 'none',
    limits: [signInsPerNetwork],
    body: Reset,
    returns: v.object({ status: v.literal('password_reset') }),
    handle: async ({ body, origin }) => {
      await resetPassword(body, origin)
      return { status: 'password_reset' as const }
    },
  }),
  route({
    method: 'post',
    path: '/me/password',
    operationId: 'changePassword',
    summary: 'Change the password; every other session ends',
    tag: 'Me',
    limits: [passwordChecks],
    body: PasswordChange,
    returns: v.object({ status: v.literal('password_changed') }),
    handle: async ({ person, body, origin }) => {
      await changePassword(person, body, origin)
      return { status: 'password_changed' as const }
    },
  }),
]

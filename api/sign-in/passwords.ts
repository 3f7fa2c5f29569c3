/** Passwords: forgotten, set anew with a mailed token, changed. */
import * as v from 'valibot'
import { Forgot, PasswordChange, Reset } from '../../domain/sign-in/sign-in.ts'
import { changePassword, requestReset, resetPassword } from '../../db/sign-in/password-change.ts'
import { mails, passwordChecks, signInsPerNetwork } from '../http/limits.ts'
import { operations } from '../http/operation.ts'

export const passwords = [
  operations('Authentication')
    .command('post', '/auth/password/forgot', 'forgotPassword')
    .says('Ask for a mail that sets a new password; the answer is the same for every address')
    .open()
    .takes(Forgot)
    .limited(signInsPerNetwork, mails)
    .answers(v.object({ status: v.literal('reset_requested') }))
    .handles(async ({ body, origin }) => {
      await requestReset(body.email, origin)
      return { status: 'reset_requested' as const }
    }),
  operations('Authentication')
    .command('post', '/auth/password/reset', 'resetPassword')
    .says('Set a new password with the token of the mail; every session ends')
    .open()
    .takes(Reset)
    .limited(signInsPerNetwork)
    .answers(v.object({ status: v.literal('password_reset') }))
    .handles(async ({ body, origin }) => {
      await resetPassword(body, origin)
      return { status: 'password_reset' as const }
    }),
  operations('Me')
    .command('post', '/me/password', 'changePassword')
    .says('Change the password; every other session ends')
    .takes(PasswordChange)
    .limited(passwordChecks)
    .answers(v.object({ status: v.literal('password_changed') }))
    .handles(async ({ person, body, origin }) => {
      await changePassword(person, body, origin)
      return { status: 'password_changed' as const }
    }),
]

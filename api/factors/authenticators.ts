/** The authenticator app of a signed-in person, and the recovery codes that stand in for it. */
import * as v from 'valibot'
import { checkRemovable, removeAuthenticator } from '../../db/factors/authenticators.ts'
import { beginSetup, completeSetup } from '../../db/factors/authenticator-setup.ts'
import type { Person } from '../../domain/actor.ts'
import type { UserId } from '../../domain/ids.ts'
import { Me } from '../../domain/people/person.ts'
import { RecoveryCodeCount, RecoveryCodes, Setup, SetupCodes } from '../../domain/sign-in/sign-in.ts'
import { findMe } from '../../db/people/people.ts'
import { checkFactor, countRecoveryCodes, newRecoveryCodes } from '../../db/factors/recovery-codes.ts'
import { setupCodes } from '../http/limits.ts'
import { operations } from '../http/operation.ts'

/** Asks for a step-up, unless the deed would be refused anyway. */
const unless =
  (check: (userId: UserId) => Promise<void>) =>
  async ({ person }: { readonly person: Person }): Promise<{ target: string }> => {
    await check(person.userId)
    return { target: `user:${person.userId}` }
  }

const Activated = v.object({ status: v.literal('activated'), user: Me })
const Removed = v.object({ status: v.literal('removed'), user: Me })

export const authenticators = [
  operations('Authentication')
    .command('post', '/auth/totp/setup', 'setUpAuthenticator')
    .says('Begin to add an authenticator; the secret is shown once and a messaging code is sent')
    .answers(Setup)
    .handles(({ person }) => beginSetup(person)),
  operations('Authentication')
    .command('post', '/auth/totp/activate', 'activateAuthenticator')
    .says('Add the authenticator with its code and the messaging code')
    .takes(SetupCodes)
    .limited(setupCodes)
    .answers(Activated)
    .handles(async ({ person, body, origin }) => {
      await completeSetup(person, body, origin)
      return { status: 'activated' as const, user: await findMe(person.userId) }
    }),
  operations('Authentication')
    .command('delete', '/auth/totp', 'removeAuthenticator')
    .says('Remove the authenticator; refused while an organization of yours requires one')
    .refuses(404)
    .answers(Removed)
    .proved('once', unless(checkRemovable))
    .handles(async ({ person, stepUpId, origin }) => {
      await removeAuthenticator(person, stepUpId, origin)
      return { status: 'removed' as const, user: await findMe(person.userId) }
    }),
  operations('Me')
    .command('post', '/me/recovery-codes', 'createRecoveryCodes')
    .says('Make ten new recovery codes, told once; earlier ones are void')
    .answers(RecoveryCodes)
    .proved('window', unless(checkFactor))
    .handles(async ({ person, origin }) => ({ codes: await newRecoveryCodes(person, origin) })),
  operations('Me')
    .query('/me/recovery-codes', 'countRecoveryCodes')
    .says('See how many recovery codes are left')
    .answers(RecoveryCodeCount)
    .does(({ person }) => countRecoveryCodes(person.userId)),
]

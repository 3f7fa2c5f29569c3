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
import { route } from '../http/route.ts'

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
  route({
    method: 'post',
    path: '/auth/totp/setup',
    operationId: 'setUpAuthenticator',
    summary: 'Begin to add an authenticator; the secret is shown once and a messaging code is sent',
    tag: 'Authentication',
    returns: Setup,
    handle: ({ person }) => beginSetup(person),
  }),
  route({
    method: 'post',
    path: '/auth/totp/activate',
    operationId: 'activateAuthenticator',
    summary: 'Add the authenticator with its code and the messaging code',
    tag: 'Authentication',
    limits: [setupCodes],
    body: SetupCodes,
    returns: Activated,
    handle: async ({ person, body, origin }) => {
      await completeSetup(person, body, origin)
      return { status: 'activated' as const, user: await findMe(person.userId) }
    },
  }),
  route({
    method: 'delete',
    path: '/auth/totp',
    operationId: 'removeAuthenticator',
    summary: 'Remove the authenticator; refused while an organization of yours requires one',
    tag: 'Authentication',
    stepUp: { mode: 'once', bind: unless(checkRemovable) },
    returns: Removed,
    refuses: [404],
    handle: async ({ person, stepUpId, origin }) => {
      await removeAuthenticator(person, stepUpId, origin)
      return { status: 'removed' as const, user: await findMe(person.userId) }
    },
  }),
  route({
    method: 'post',
    path: '/me/recovery-codes',
    operationId: 'createRecoveryCodes',
    summary: 'Make ten new recovery codes, told once; earlier ones are void',
    tag: 'Me',
    stepUp: { mode: 'window', bind: unless(checkFactor) },
    returns: RecoveryCodes,
    handle: async ({ person, origin }) => ({ codes: await newRecoveryCodes(person, origin) }),
  }),
  route({
    method: 'get',
    path: '/me/recovery-codes',
    operationId: 'countRecoveryCodes',
    summary: 'See how many recovery codes are left',
    tag: 'Me',
    returns: RecoveryCodeCount,
    handle: ({ person }) => countRecoveryCodes(person.userId),
  }),
]

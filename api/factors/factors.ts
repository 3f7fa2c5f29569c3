/** Factors of the signed-in person: authenticator app, recovery codes, passkeys, phone numbers. */
import * as v from 'valibot'
import { model } from '../../domain/text.ts'
import {
  beginSetup,
  completeSetup,
  removeAuthenticator,
  requireNoAuthenticator,
  requireRemovable,
} from '../../services/factors/authenticators.ts'
import {
  addPasskey,
  findPasskey,
  listPasskeys,
  registrationOptions,
  removePasskey,
  renamePasskey,
} from '../../services/factors/passkeys.ts'
import {
  confirmPhoneNumber,
  isConfirmedNumber,
  removePhoneNumber,
  sendPhoneCode,
} from '../../services/factors/phone-numbers.ts'
import { countRecoveryCodes, newRecoveryCodes, requireSecondFactor } from '../../services/factors/recovery-codes.ts'
import { findMe } from '../../services/people/people.ts'
import { hasFactorOfOwn } from '../../services/step-up/ways.ts'
import type { Person } from '../../domain/people/actor.ts'
import { NewPasskey, Passkey, PasskeyName, RegistrationOptions } from '../../domain/factors/passkey.ts'
import {
  NewPhoneNumber,
  PhoneCodeSent,
  PhoneNumberConfirmation,
  PhoneNumberParams,
} from '../../domain/factors/phone-number.ts'
import { type UserId, id } from '../../domain/ids.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { Me } from '../../domain/people/person.ts'
import { RecoveryCodeCount, RecoveryCodes, Setup, SetupCodes } from '../../domain/sign-in/sign-in.ts'
import { phoneCodes, setupCodes } from '../http/limits.ts'
import { operations } from '../http/operation.ts'

/** Asks for a step-up, unless the command would be refused anyway. */
const unless =
  (require: (userId: UserId) => Promise<void>) =>
  async ({ person }: { readonly person: Person }): Promise<{ target: string }> => {
    await require(person.userId)
    return { target: `user:${person.userId}` }
  }

const WEAKENS = { weakens: true } as const

const { command, query } = operations('Me')
const ofAuthenticator = operations('Authentication')

export const authenticators = [
  ofAuthenticator
    .command('post', '/auth/totp/setup', 'setUpAuthenticator')
    .says('Begin to add an authenticator', 'The secret is shown once, and a messaging code is sent.')
    .refuses('totp_already_enabled')
    .answers(Setup)
    // it would take the place of another factor at the next sign-in
    .proved(
      'window',
      async ({ person }) => {
        await requireNoAuthenticator(person.userId)
        return { target: `user:${person.userId}`, needless: !(await hasFactorOfOwn(person.userId)) }
      },
      WEAKENS,
    )
    .does(({ tx, person }) => beginSetup(tx, person)),
  ofAuthenticator
    .command('post', '/auth/totp/activate', 'activateAuthenticator')
    .says('Add the authenticator with its code and the messaging code')
    .takes(SetupCodes)
    .limited(setupCodes)
    .refuses('code_invalid', 'invalid_state', 'totp_already_enabled')
    .answers(model('AuthenticatorActivated', { status: v.literal('activated'), user: Me }))
    .does(async (context) => {
      const refusal = await completeSetup(context)
      return refusal ?? { status: 'activated', user: await findMe(context.person.userId, context.tx) }
    }),
  ofAuthenticator
    .command('delete', '/auth/totp', 'removeAuthenticator')
    .says('Remove the authenticator', 'Refused while an organization of yours requires one.')
    .refuses('not_found', 'invalid_state')
    .answers(model('AuthenticatorRemoved', { status: v.literal('removed'), user: Me }))
    .proved('once', unless(requireRemovable), WEAKENS)
    .does(async (context) => {
      await removeAuthenticator(context)
      return { status: 'removed', user: await findMe(context.person.userId, context.tx) }
    }),
  command('post', '/me/recovery-codes', 'createRecoveryCodes')
    .says('Create ten recovery codes', 'They are shown once; earlier codes become void.')
    .refuses('invalid_state')
    .answers(RecoveryCodes)
    .proved('window', unless(requireSecondFactor), WEAKENS)
    .does(newRecoveryCodes),
  query('/me/recovery-codes', 'countRecoveryCodes')
    .says('See how many recovery codes are left')
    .answers(RecoveryCodeCount)
    .does(({ person }) => countRecoveryCodes(person.userId)),
]

const PasskeyParams = v.object({ id: id<'passkey'>() })

export const passkeys = [
  query('/me/passkeys', 'listPasskeys')
    .says('List your passkeys, newest first')
    .filters(v.object(PageQuery))
    .answers(pageOf(Passkey))
    .does(({ person, query }) => listPasskeys(person, query)),
  command('post', '/me/passkeys/options', 'getPasskeyOptions')
    .says('Read the options to create a passkey', 'For `PublicKeyCredential.parseCreationOptionsFromJSON()`.')
    .refuses('unprocessable_entity')
    .answers(RegistrationOptions)
    .does(({ tx, person }) => registrationOptions(tx, person)),
  command('post', '/me/passkeys', 'createPasskey')
    .says(
      'Register a passkey',
      'Takes the credential of the browser as its `toJSON()` gives it. A mail reports the new passkey.',
    )
    .takes(NewPasskey)
    .refuses('unprocessable_entity', 'invalid_state')
    .creates(Passkey, ({ person, claim }) => findPasskey(person, claim.id))
    .proved('window', undefined, WEAKENS)
    .does(addPasskey),
  command('patch', '/me/passkeys/{id}', 'renamePasskey')
    .says('Give a passkey another name')
    .named(PasskeyParams)
    .takes(PasskeyName)
    .answers(Passkey)
    .does(({ tx, person, params, body }) => renamePasskey(tx, person, params.id, body.name)),
  command('delete', '/me/passkeys/{id}', 'deletePasskey')
    .says('Remove a passkey; a mail tells of it')
    .named(PasskeyParams)
    .deletes()
    .proved(
      'window',
      async ({ person, params }) => {
        await findPasskey(person, params.id)
        return { target: `user:${person.userId}` }
      },
      WEAKENS,
    )
    .does(removePasskey),
]

export const phoneNumbers = [
  command('post', '/me/phone-numbers', 'addPhoneNumber')
    .says('Add a phone number', 'A code is sent to it; each repeat sends another.')
    .takes(NewPhoneNumber)
    .refuses('invalid_state', 'unprocessable_entity')
    .answers(PhoneCodeSent)
    .does(({ tx, person, body }) => sendPhoneCode(tx, person, body.e164)),
  command('post', '/me/phone-numbers/confirm', 'confirmPhoneNumber')
    .says('Confirm a phone number with the code that was sent to it')
    .takes(PhoneNumberConfirmation)
    .limited(phoneCodes)
    .refuses('code_invalid')
    .answers(Me)
    .proved('window', undefined, { ...WEAKENS, unlessJustProved: true })
    .does(confirmPhoneNumber),
  command('delete', '/me/phone-numbers/{e164}', 'removePhoneNumber')
    .says('Remove a phone number', 'The number is told. One that was never confirmed needs no step-up.')
    .named(PhoneNumberParams)
    .answers(Me)
    .proved(
      'window',
      async ({ person, params }) => {
        const confirmed = await isConfirmedNumber(person.userId, params.e164)
        return { target: `user:${person.userId}`, needless: !confirmed, found: { confirmed } }
      },
      { ...WEAKENS, unlessJustProved: true },
    )
    .does(({ found, ...context }) => removePhoneNumber({ ...context, confirmed: found?.confirmed ?? false })),
]

/** The signed-in person's passkeys. */
import * as v from 'valibot'
import { id } from '../../domain/ids.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { NewPasskey, Passkey, PasskeyName, RegistrationOptions } from '../../domain/factors/passkey.ts'
import { Deleted } from '../../domain/text.ts'
import {
  addPasskey,
  findPasskey,
  listPasskeys,
  registrationOptions,
  removePasskey,
  renamePasskey,
} from '../../db/factors/passkeys.ts'
import { operations } from '../http/operation.ts'

const { command, query } = operations('Me')

export const passkeys = [
  query('/me/passkeys', 'listPasskeys')
    .says('List your passkeys, newest first')
    .filters(v.object(PageQuery))
    .answers(pageOf(Passkey))
    .does(({ person, query }) => listPasskeys(person, query)),
  command('post', '/me/passkeys/options', 'getPasskeyOptions')
    .says('Ask for what a browser makes a passkey from: PublicKeyCredential.parseCreationOptionsFromJSON takes it')
    .answers(RegistrationOptions)
    .handles(({ person }) => registrationOptions(person)),
  command('post', '/me/passkeys', 'createPasskey')
    .says('Register a passkey with what the browser answered, as its toJSON() gives it; a mail tells of it')
    .takes(NewPasskey)
    .creates(Passkey, ({ person, claim }) => findPasskey(person, claim.id))
    .proved('window')
    .makes(({ person, claim, body, origin }) => addPasskey(person, claim, body, origin)),
  command('patch', '/me/passkeys/{id}', 'renamePasskey')
    .says('Give a passkey another name')
    .named(v.object({ id: id<'passkey'>() }))
    .takes(PasskeyName)
    .answers(Passkey)
    .handles(({ person, params, body }) => renamePasskey(person, params.id, body.name)),
  command('delete', '/me/passkeys/{id}', 'deletePasskey')
    .says('Remove a passkey; a mail tells of it')
    .named(v.object({ id: id<'passkey'>() }))
    .answers(Deleted)
    .proved('window', async ({ person, params }) => {
      await findPasskey(person, params.id)
      return { target: `user:${person.userId}` }
    })
    .handles(async ({ person, params, origin }) => {
      await removePasskey(person, params.id, origin)
      return { deleted: true as const, id: params.id }
    }),
]

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
import { route } from '../http/route.ts'

const shared = { tag: 'Me' } as const

export const passkeys = [
  route({
    ...shared,
    method: 'get',
    path: '/me/passkeys',
    operationId: 'listPasskeys',
    summary: 'List your passkeys, newest first',
    query: v.object(PageQuery),
    returns: pageOf(Passkey),
    handle: ({ person, query }) => listPasskeys(person, query),
  }),
  route({
    ...shared,
    method: 'post',
    path: '/me/passkeys/options',
    operationId: 'getPasskeyOptions',
    summary: 'Ask for what a browser makes a passkey from: PublicKeyCredential.parseCreationOptionsFromJSON takes it',
    returns: RegistrationOptions,
    handle: ({ person }) => registrationOptions(person),
  }),
  route({
    ...shared,
    method: 'post',
    path: '/me/passkeys',
    operationId: 'createPasskey',
    summary: 'Register a passkey with what the browser answered, as its toJSON() gives it; a mail tells of it',
    stepUp: { mode: 'window' },
    body: NewPasskey,
    returns: Passkey,
    status: 201,
    create: ({ person, claim, body, origin }) => addPasskey(person, claim, body, origin),
    replay: ({ person, claim }) => findPasskey(person, claim.id),
  }),
  route({
    ...shared,
    method: 'patch',
    path: '/me/passkeys/{id}',
    operationId: 'renamePasskey',
    summary: 'Give a passkey another name',
    params: v.object({ id: id<'passkey'>() }),
    body: PasskeyName,
    returns: Passkey,
    handle: ({ person, params, body }) => renamePasskey(person, params.id, body.name),
  }),
  route({
    ...shared,
    method: 'delete',
    path: '/me/passkeys/{id}',
    operationId: 'deletePasskey',
    summary: 'Remove a passkey; a mail tells of it',
    stepUp: {
      mode: 'window',
      // nobody proves who they are for a passkey that is not there
      bind: async ({ person, params }) => {
        await findPasskey(person, params.id)
        return { target: `user:${person.userId}` }
      },
    },
    params: v.object({ id: id<'passkey'>() }),
    returns: Deleted,
    handle: async ({ person, params, origin }) => {
      await removePasskey(person, params.id, origin)
      return { deleted: true as const, id: params.id }
    },
  }),
]

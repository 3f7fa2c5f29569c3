import * as v from 'valibot'
import { expectTypeOf, test } from 'vitest'
import { operations } from '../../api/http/operation.ts'
import type { Transaction } from '../../db/postgres/sql.ts'

// The test is done by tsc: a missing error is an error (npm run check:types)
const { query, command } = operations('Things')
const get = () => query('/things', 'getThing').says('Read it').answers(v.unknown())
const post = () => command('post', '/things', 'doThing').says('Do it').answers(v.unknown())

test('a context that lacks what its operation does not declare does not compile', () => {
  post().does(async ({ tx }) => expectTypeOf(tx).toEqualTypeOf<Transaction>())
  // @ts-expect-error no body, no query
  get().does(async ({ query: asked, body }) => [asked, body])
  // @ts-expect-error the path names nothing
  get().does(async ({ params }) => params.payment_id)
  const [open, programs] = [post().open(), get().programs()]
  // @ts-expect-error no sign-in is needed
  open.handles(async ({ person }) => person)
  // @ts-expect-error a program may ask too
  programs.does(async ({ person }) => person)
  // @ts-expect-error it is of no organization
  get().does(async ({ org }) => org)
  // @ts-expect-error it is of no organization
  get().does(async ({ read }) => read)
  // @ts-expect-error it is of no organization
  post().handles(async ({ write }) => write)
  // @ts-expect-error a query makes nothing
  get().does(async ({ claim }) => claim)
  // @ts-expect-error it takes no file
  post().does(async ({ file }) => file)
  // @ts-expect-error it takes JSON
  post().does(async ({ message }) => message)
  // @ts-expect-error it asks for no proof
  post().does(async ({ stepUpId }) => stepUpId)
  expectTypeOf(post).toBeFunction()
})

test('a rule that nothing could check does not compile', () => {
  // @ts-expect-error a permission is held in an organization
  post().can('organization.read')
  // @ts-expect-error and so is a role
  post().onlyOwner()
  const open = post().open()
  // @ts-expect-error no person proves who they are
  open.proved('once')
  // @ts-expect-error a query does nothing that a proof could be for
  get().proved('once')
  // @ts-expect-error this is no refusal
  expectTypeOf(post().refuses('nonsense')).toBeObject()
})

import * as v from 'valibot'
import { expect, expectTypeOf, test } from 'vitest'
import { operations } from '../../api/http/operation.ts'
import type { Transaction, Tx } from '../../db/sql.ts'
import type { Id } from '../../domain/ids.ts'

// The test is done by tsc: a missing error is an error (npm run check:types)
const { query, command } = operations('Things')
const get = () => query('/things', 'getThing').says('Read it').answers(v.unknown())
const post = () => command('post', '/things', 'doThing').says('Do it').answers(v.unknown())

test('an operation asks for a session and answers 200 unless it says otherwise', () =>
  expect(get().does(async ({ person }) => person.userId)).toMatchObject({ credential: 'session', status: 200 }))

test('a context holds what the operation declares', () => {
  const declared = command('post', '/payments/{payment_id}/{word}', 'doThing')
    .says('Do it')
    .of('payment')
    .named(v.object({ word: v.string() }))
    .filters(v.object({ b: v.number() }))
    .takes(v.object({ c: v.boolean() }))
    .uploads({ field: 'file', maxBytes: 1 })
    .raw()
    .answers(v.unknown())
    .proved('once', async () => ({ target: 'thing', found: { id: 7 } }))
    .prepares(async ({ write }) => ({ prepared: typeof write }))
    .does(async (context) => {
      expectTypeOf(context.params.payment_id).toEqualTypeOf<Id<'payment'>>()
      expectTypeOf(context.params.word).toEqualTypeOf<string>()
      expectTypeOf(context.query).toEqualTypeOf<{ b: number }>()
      expectTypeOf(context.body).toEqualTypeOf<{ c: boolean }>()
      expectTypeOf(context.found).toEqualTypeOf<{ id: number } | undefined>()
      expectTypeOf(context.tx).toEqualTypeOf<Tx>()
      expectTypeOf(context.prepared).toBeString()
      // @ts-expect-error one transaction is open already
      return [context.person, context.org, context.read, context.claim, context.file, context.message, context.write]
    })
  expect([declared.stepUp?.mode, declared.shape]).toEqual(['once', 'command'])
})

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

import * as v from 'valibot'
import { expectTypeOf, test } from 'vitest'
import { bytes, operations, page, raw, stream, upload } from '../../api/http/operation.ts'
import type { Transaction } from '../../db/postgres/sql.ts'

// The test is done by tsc: a missing error is an error (npm run check:types)
const { query, command, byHand } = operations('Things')
const decideInTurn = <Result>(work: () => Promise<Result>) => work()
const get = () => query('/things', 'getThing').says('Read it').answers(v.unknown())
const post = () => command('post', '/things', 'doThing').says('Do it').answers(v.unknown())

test('a context that lacks what its operation does not declare does not compile', () => {
  post().does(async ({ tx }) => expectTypeOf(tx).toEqualTypeOf<Transaction>())
  // @ts-expect-error no body, no query
  get().does(async ({ query: asked, body }) => [asked, body])
  // @ts-expect-error the path names nothing
  get().does(async ({ params }) => params.payment_id)
  const [open, programs] = [post().for('anyone'), get().for('programs')]
  // @ts-expect-error no sign-in is needed
  open.does(async ({ person }) => person)
  // @ts-expect-error a program may ask too
  programs.does(async ({ person }) => person)
  // @ts-expect-error it is of no organization
  get().does(async ({ org }) => org)
  // @ts-expect-error it is of no organization
  get().does(async ({ read }) => read)
  // @ts-expect-error it is of no organization
  post().does(async ({ write }) => write)
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
  const open = post().for('anyone')
  // @ts-expect-error no person proves who they are
  open.proved('once')
  // @ts-expect-error a query does nothing that a proof could be for
  get().proved('once')
  const delegable = post().delegates('prepare')
  // @ts-expect-error a delegate proves nothing
  delegable.proved('once')
  const proved = post().proved('once')
  // @ts-expect-error and what asks for a proof takes no delegate
  proved.delegates('prepare')
  // @ts-expect-error a query makes nothing to prepare for
  get().prepares(async () => ({}))
  // @ts-expect-error this is no body
  post().takes(page())
  // @ts-expect-error and this no answer
  post().answers(raw)
  // @ts-expect-error what has no row to answer names how to find it
  post().retries('row')
  // @ts-expect-error this is no refusal
  expectTypeOf(post().refuses('nonsense')).toBeObject()
})

test('a form gives what it is of, and nothing else', () => {
  const [file, message, sent] = [post().takes(upload('file', 1)), post().takes(raw), post().takes(stream)]
  file.does(async ({ file: given }) => expectTypeOf(given).toEqualTypeOf<Buffer>())
  message.does(async ({ message: { body } }) => expectTypeOf(body).toEqualTypeOf<Uint8Array>())
  // @ts-expect-error it comes as a stream
  sent.does(async ({ message: given }) => given)
  const csv = get().answers(bytes('text/csv'))
  // @ts-expect-error these are bytes
  csv.does(async () => ({ page: 1 }))
  // @ts-expect-error the path names no payment
  get().answers(bytes('text/csv'), ({ payment_id }) => payment_id)
  const posted = query('/things', 'findThings', 'post').says('Find them').answers(v.unknown())
  // @ts-expect-error a query that is posted makes nothing, too
  posted.does(async ({ claim }) => claim)
  const manual = byHand('post', '/things', 'doThing').says('Do it').answers(v.unknown())
  // @ts-expect-error it opens its own transactions
  manual.does(async ({ tx }) => tx)
  // @ts-expect-error and waits for no turn
  manual.does(async () => ({}), decideInTurn)
  expectTypeOf(manual).toBeObject()
})

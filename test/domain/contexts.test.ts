import * as v from 'valibot'
import { expect, expectTypeOf, test } from 'vitest'
import { route } from '../../api/http/route.ts'

// What tsc says is the test here: an expected error that does not come is one (npm run check:types).
const named = { path: '/things', operationId: 'doThing', summary: 'Do it', tag: 'Things', returns: v.unknown() }
const get = { ...named, method: 'get' } as const
const post = { ...named, method: 'post' } as const
const open = { ...post, credential: 'none' } as const
const owner = { kind: 'organization', param: 'organization_id' } as const
const upload = { field: 'file', maxBytes: 1 }
const once = { mode: 'once' } as const

test('a session is asked for, and 200 answered, unless said otherwise', () => {
  const declared = route({ ...get, handle: async ({ person }) => person.userId })
  expect(declared).toMatchObject({ credential: 'session', status: 200 })
})

test('a handler finds what its route declares', () => {
  const [params, query, body] = [v.object({ a: v.string() }), v.object({ b: v.number() }), v.object({ c: v.boolean() })]
  const declared = route({
    ...post,
    owner,
    params,
    query,
    body,
    upload,
    raw: true,
    stepUp: { ...once, bind: async () => ({ target: 'thing', found: { id: 7 } }) },
    handle: async (context) => {
      expectTypeOf(context.params).toEqualTypeOf<{ a: string }>()
      expectTypeOf(context.query).toEqualTypeOf<{ b: number }>()
      expectTypeOf(context.body).toEqualTypeOf<{ c: boolean }>()
      expectTypeOf(context.found).toEqualTypeOf<{ id: number } | undefined>()
      return [context.person, context.org, context.read, context.write, context.claim, context.file, context.message]
    },
  })
  expect(declared.stepUp?.mode).toBe('once')
})

test('a handler that reads what its route does not declare does not compile', () => {
  route({
    ...get,
    handle: async (context) => {
      expectTypeOf([context.params, context.query, context.body]).toEqualTypeOf<undefined[]>()
    },
  })
  // @ts-expect-error nobody has to sign in for it
  route({ ...open, handle: async ({ person }) => person })
  // @ts-expect-error a program may ask too
  route({ ...get, credential: 'session or key', handle: async ({ person }) => person })
  // @ts-expect-error it is of no organization
  route({ ...get, handle: async ({ org }) => org })
  // @ts-expect-error it is of no organization
  route({ ...get, handle: async ({ read }) => read })
  // @ts-expect-error it is of no organization
  route({ ...post, handle: async ({ write }) => write })
  // @ts-expect-error a GET makes nothing
  route({ ...get, handle: async ({ claim }) => claim })
  // @ts-expect-error it takes no file
  route({ ...post, handle: async ({ file }) => file })
  // @ts-expect-error it takes JSON
  route({ ...post, handle: async ({ message }) => message })
  // @ts-expect-error it asks for no proof
  route({ ...post, handle: async ({ stepUpId }) => stepUpId })
  // @ts-expect-error whose organization it is has not been looked at when requests are counted
  route({ ...post, owner, limits: [{ policy: 'mails', key: ({ org }) => org.role }], handle: async () => null })
  expectTypeOf(route).toBeFunction()
})

test('a rule that nothing could check does not compile', () => {
  // @ts-expect-error a permission is held in an organization
  route({ ...post, can: 'organization.read', handle: async () => null })
  // @ts-expect-error and so is a role
  route({ ...post, only: 'owner', handle: async () => null })
  // @ts-expect-error nobody is there to prove who they are
  route({ ...open, stepUp: once, handle: async () => null })
  // @ts-expect-error a GET does nothing that a proof could be for
  route({ ...get, stepUp: once, handle: async () => null })
  expectTypeOf(route).toBeFunction()
})

/** Each operation under /api/v1 refuses parameters that it does not declare; those at the root ignore them. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { knowsParameters, queryNamesOf, requireKnownParameters } from '../../../api/http/parameters.ts'
import type { Route } from '../../../api/http/route.ts'
import { config } from '../../../platform/config.ts'
import { allRoutes as routes } from '../../../sandbox/routes.ts'
import { api, baseUrl, organization, person } from '../../support/api.ts'

const { token } = await person()
const boss = await person()
const { id } = await organization(boss)

/** Values of parameters of paths that are no ids. */
const WORDS: Readonly<Record<string, string>> = {
  item_id: `review_approval:${randomUUID()}`,
  n: '1',
  country_code: 'DE',
  domain: 'nowhere.example',
  svc_id: 'acme',
  e164: '+4930901820',
}

const pathOf = (route: Route): string =>
  (route.root ? '/' : '') + route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => WORDS[name] ?? randomUUID())

const call = (route: Route, query: string) =>
  api(route.method.toUpperCase(), `${pathOf(route)}?${query}`, {
    token: route.credential === 'sandbox' ? config.sandboxToken : token,
  })

const strict = routes.filter(knowsParameters)
const named = (some: readonly Route[]) => some.map((route) => [route.operationId, route] as const)

describe('an unknown parameter is refused, and what is known is said, by', () => {
  test.each(named(strict))('%s', async (_, route) => {
    const { status, body } = await call(route, 'no_such_thing=1')
    expect([status, body.error.type]).toEqual([400, 'unknown_parameter'])
    expect(body.error.details).toEqual({
      errors: [{ path: 'no_such_thing', code: 'unknown', message: 'is no parameter of this operation' }],
      known: queryNamesOf(route),
    })
  })
})

describe('each declared parameter is known, once, as a list and in brackets, to', () => {
  test.each(named(strict.filter(({ query }) => query)))('%s', async (_, route) => {
    expect(queryNamesOf(route)).not.toEqual([])
    for (const name of queryNamesOf(route))
      for (const query of [`${name}=`, `${name}[]=`, `${name}=a&${name}=b`, `${encodeURIComponent(name)}%5B%5D=`])
        if (route.produces !== 'text/event-stream')
          expect((await call(route, query)).body.error?.type, query).not.toBe('unknown_parameter')
  })
})

describe('an unknown parameter is ignored by', () => {
  test.each(named(routes.filter((route) => !knowsParameters(route))))('%s', async (_, route) => {
    const [without, withOne] = await Promise.all(
      ['', '?utm_source=mail'].map(async (query) => {
        const answer = await fetch(`${baseUrl}${pathOf(route).slice(1)}${query}`, {
          method: route.method.toUpperCase(),
        })
        expect(await answer.text()).not.toContain('unknown_parameter')
        return [answer.status, answer.headers.get('content-type')]
      }),
    )
    expect(withOne).toEqual(without)
    expect(() => requireKnownParameters(route, `${baseUrl}/?utm_source=mail`)).not.toThrow()
  })
})

const payments = (query: string) => api('GET', `/organizations/${id}/payments${query}`, { token: boss.token })

test.each([
  ['stauts=failed', 'stauts', 'status'],
  ['limit=1&Cursor=', 'Cursor', 'cursor'],
  ['amountMin=1', 'amountMin', 'amount_min'],
])('of payments, %s: the closest parameter is named', async (query, path, closest) => {
  const { status, body } = await payments(`?${query}`)
  expect([status, body.error.type]).toEqual([400, 'unknown_parameter'])
  const message = `is no parameter of this operation: did you mean ${closest}?`
  expect(body.error.details.errors).toEqual([{ path, code: 'unknown', message, closest }])
})

test.each(['__proto__=1', '__proto__[]=1', 'constructor=1', 'toString[]=1', 'status[]=failed&filter[status]=1', '=1'])(
  'of payments, %s is refused',
  async (query) => {
    const { status, body } = await payments(`?${query}`)
    expect([status, body.error.type]).toEqual([400, 'unknown_parameter'])
  },
)

test.each(['', '?', '?&', '?limit=1&', '?limit=1&limit[]=1#'])(
  'of payments, nothing is unknown in "%s"',
  async (query) => {
    expect((await payments(query)).body.error?.type ?? 'none').not.toBe('unknown_parameter')
  },
)

test('of many unknown parameters ten are named, each by its first 64 characters', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `${index}${'x'.repeat(100)}`)
  const { status, body } = await payments(`?${names.map((name) => `${name}=1`).join('&')}`)
  expect(status).toBe(400)
  expect(body.error.details.errors.map(({ path }: { path: string }) => path)).toEqual(
    names.slice(0, 10).map((name) => name.slice(0, 64)),
  )
})

test('who asks is known before: without a credential the answer is 401', async () => {
  const { status, body } = await api('GET', `/organizations/${id}/payments?stauts=failed`)
  expect([status, body.error.type]).toEqual([401, 'not_authenticated'])
})

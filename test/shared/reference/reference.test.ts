/** Countries, subdivisions and currencies over HTTP; test/domain/reference.test.ts checks the lists. */
import { describe, expect, test } from 'vitest'
import { type Call, api, baseUrl, person } from '../../support/api.ts'
import { refusal } from '../../support/http/refusals.ts'

const { token } = await person()
const get = (path: string, headers: Call['headers'] = {}) => api('GET', path, { token, headers })
const fetched = (path: string, headers: Record<string, string>) =>
  fetch(`${baseUrl}/api/v1${path}`, { headers: { authorization: `Bearer ${token}`, ...headers } })
const PATHS = ['/countries', '/countries/US/subdivisions', '/currencies'] as const

test('a subdivision has its code, its name and all translations; a country what numbers begin with, and its currency', async () => {
  const { body } = await get('/countries/USA/subdivisions?limit=1&cursor=US-AZ')
  expect(body).toMatchObject({ has_more: true, next_cursor: 'US-CA', data: [{ code: 'US-CA', name: 'California' }] })
  expect(Object.keys(body.data[0])).toEqual(['code', 'name', 'translations'])
  expect(body.data[0].translations).toContainEqual({ locale: 'ja', name: 'カリフォルニア' })
  const translations = expect.arrayContaining([{ locale: 'fr', name: 'Suisse' }])
  const swiss = { alpha2: 'CH', alpha3: 'CHE', name: 'Switzerland', calling_codes: ['+41'], currency: 'CHF' }
  expect((await get('/countries?cursor=CG&limit=1')).body.data).toEqual([{ ...swiss, translations }])
  expect(refusal(await get('/countries/XK/subdivisions'))).toEqual([404, 'not_found'])
})

test('a list is whole without limit and cursor; after a cursor alone a page has 50 items', async () => {
  for (const [path, count, first] of [
    ['/countries', 249, 'AD'],
    ['/countries/US/subdivisions', 57, 'US-AK'],
    ['/countries/GB/subdivisions', 220, 'GB-ABC'],
    ['/currencies', 169, 'AED'],
  ] as const) {
    const { body } = await get(path)
    expect([path, body.data.length, body.has_more, body.next_cursor]).toEqual([path, count, false, null])
    expect((await get(`${path}?cursor=${first}`)).body.data).toEqual(body.data.slice(1, 51))
    expect((await get(`${path}?limit=50`)).body).toMatchObject({ data: body.data.slice(0, 50), has_more: true })
  }
})

describe('caches', () => {
  test('of the caller alone keep a list for a day; that have a page are told so, however they name it', async () => {
    for (const path of [...PATHS, '/payout-reasons', '/meta/errors', '/meta/event-types']) {
      const { headers } = await get(path)
      const etag = headers.get('etag') ?? ''
      if (PATHS.some((one) => one === path)) {
        expect(headers.get('cache-control')).toBe('private, max-age=86400, immutable')
        expect(headers.get('vary')).toBe('authorization, accept-encoding')
        expect([headers.get('content-type'), headers.get('content-encoding')]).toEqual(['application/json', null])
        expect(etag).toMatch(/^"[\w-]{43}-0-\d+"$/)
      }
      for (const had of [etag, `W/${etag}`, `"other", ${etag}`, `W/"a,b",${etag}`, '*']) {
        const again = await get(path, { 'if-none-match': had })
        expect([path, had, again.status, again.body]).toEqual([path, had, 304, ''])
        for (const name of ['etag', 'cache-control', 'vary']) expect(again.headers.get(name)).toBe(headers.get(name))
      }
    }
  })

  test('that take gzip get the same page packed, as bytes with a name of their own; who has either is told so', async () => {
    const packed = ['gzip', 'br, GZIP', 'br;q=1, gzip;q=0.5, *;q=0', 'gzip ; q=1.0', 'gzip;q=0.001']
    const weights = ['gzip;q=0', 'gzip; q=0.000', 'gzip;q=x', 'gzip;q=0.0001']
    const none = ['', 'br', 'identity', '*', 'x-gzip', 'gzipped', ...weights]
    const plain = [...none, `gzip;q=0.${'1'.repeat(300)}`, `${'br,'.repeat(100)}gzip`]
    for (const list of PATHS) {
      const path = `${list}?limit=3` // the whole of one is a megabyte
      const { headers, body } = await get(path)
      const etag = headers.get('etag') ?? ''
      for (const accepted of [...packed, ...plain]) {
        const answer = await fetched(path, { 'accept-encoding': accepted })
        expect(await answer.json()).toEqual(body)
        const shown = ['content-encoding', 'etag', 'vary'].map((name) => answer.headers.get(name))
        const vary = headers.get('vary')
        const expected = packed.includes(accepted) ? ['gzip', `${etag.slice(0, -1)}-gzip"`, vary] : [null, etag, vary]
        expect([accepted, ...shown]).toEqual([accepted, ...expected])
      }
      const tags = [etag, `${etag.slice(0, -1)}-gzip"`]
      for (const had of tags)
        for (const accepted of ['gzip', 'identity']) {
          const again = await fetched(path, { 'accept-encoding': accepted, 'if-none-match': had })
          const told = ['etag', 'content-encoding'].map((name) => again.headers.get(name))
          expect([again.status, await again.text(), ...told]).toEqual([304, '', had, null])
        }
    }
  })

  test('that have another page, or none, get the whole; no answer for whom the service does not know', async () => {
    const { headers, body } = await get('/countries?limit=2')
    const etag = headers.get('etag') ?? ''
    for (const had of ['""', '"x"', etag.slice(1, -1), `"${etag}"`, '', ',']) {
      const again = await get('/countries?limit=2', { 'if-none-match': had })
      expect([had, again.status, again.body]).toEqual([had, 200, body])
    }
    const other = await get('/countries?limit=3', { 'if-none-match': etag })
    expect([other.status, other.headers.get('etag') === etag]).toEqual([200, false])
    const stranger = await api('GET', '/countries?limit=2', { headers: { 'if-none-match': etag } })
    expect([stranger.status, stranger.headers.get('cache-control')]).toEqual([401, 'no-store'])
    const refused = await get('/currencies?cursor=x', { 'if-none-match': '*' })
    expect([refused.status, refused.headers.get('etag')]).toEqual([400, null])
  })
})

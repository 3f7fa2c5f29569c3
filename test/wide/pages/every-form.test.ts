/** All forms, as app.ts lists what takes them: who may send them, from where, and what comes of nonsense. */
import { beforeAll, describe, expect, test } from 'vitest'
import { SENT, SHOWN } from '../../../pages/app.ts'
import { inLanes } from '../../../platform/concurrency.ts'
import { baseUrl } from '../../support/api.ts'
import { OWN, fill, send, show } from '../../support/pages/addresses.ts'
import { type Company, digestOf, newSession, seedCompany } from '../../support/pages/company.ts'
import { type Form, formsIn, textsIn } from '../../support/pages/markup.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { type RunningWorker, startWorker } from '../../../worker.ts'

usePartners()

let company: Company
/** Forms of the pages, by the address that takes them. */
const drawn = new Map<string, Form[]>()
const addresses = Object.keys(SENT)
const LANES = 4

beforeAll(async () => {
  process.env['TEMPORAL_DEBUG'] = '1'
  const worker: RunningWorker = await startWorker({ versioned: false, reconciles: false, ticks: true })
  company = await seedCompany()
  await worker.stop() // from here on, only forms do anything
  const { token: session } = await newSession(company.boss)
  const shapes = addresses.map((address): [string, RegExp] => [
    address,
    new RegExp(`^${address.replaceAll(/:[a-z]+/g, '[\\da-f-]{36}')}$`),
  ])
  const paths = Object.keys(SHOWN).flatMap((address) => (address.endsWith('/stream') ? [] : fill(address, company.ids)))
  await inLanes(paths, LANES, async (path) => {
    for (const form of formsIn(await (await show(path, { session })).text(), path)) {
      const address = shapes.find(([, shape]) => shape.test(form.action))?.[0]
      if (form.method === 'post' && address) drawn.set(address, [...(drawn.get(address) ?? []), form])
    }
  })
})

/** Makes the body of a form: as its page draws it, or with nothing for one that no page of the company has now. */
const bodyOf = ({ isOfFiles, fields }: Pick<Form, 'isOfFiles' | 'fields'>): URLSearchParams | FormData => {
  if (!isOfFiles) return new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value]))
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  return form
}

/** Forms that an address takes from the company: those of its pages, else an empty one for each thing. */
const formsOf = (address: string): readonly Form[] =>
  drawn.get(address) ??
  fill(address, company.ids).map((action) => ({ method: 'post', action, isOfFiles: false, fields: [['reason', 'x']] }))

/** Sends every form in some way; expects of each answer what is checked, and that nothing was done. */
async function sendAll(
  sessionOf: () => Promise<string | undefined>,
  headers: Record<string, string>,
  check: (answer: Response, action: string, html: string) => void,
): Promise<void> {
  const before = await digestOf(company)
  await inLanes(
    addresses.flatMap((address) => formsOf(address)),
    LANES,
    async (form) => {
      const session = await sessionOf()
      const answer = await send(form.action, bodyOf(form), { headers, ...(session !== undefined && { session }) })
      check(answer, form.action, await answer.text())
    },
  )
  expect(await digestOf(company)).toEqual(before)
}

const bossAgain = async () => (await newSession(company.boss)).token

test('most forms are drawn by pages of the company, and those that act do', () => {
  expect(drawn.size).toBeGreaterThan(addresses.length / 2)
})

test.each([
  ['without an origin', {}],
  ['from another origin', { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }],
  ['from another site', { origin: baseUrl, 'sec-fetch-site': 'cross-site' }],
  ['from a sibling of our host', { origin: baseUrl, 'sec-fetch-site': 'same-site' }],
  ['from the origin null', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
])('no form is taken %s', (_, headers) =>
  sendAll(bossAgain, headers, (answer, action) => expect([action, answer.status]).toEqual([action, 403])),
)

/** Forms of people who are not signed in, which tell nobody what they may not know. */
const OPEN = /^\/(?:sign-in|sign-out|language|operate|authorize|confirm-|reset-|invitation|unlock|keep|sign-up|forgot)/

test('nobody without a session does anything by a form: the way leads to the sign-in, with what was entered', () =>
  sendAll(
    () => Promise.resolve(undefined),
    OWN,
    (answer, action, html) => {
      expect(answer.status, action).toBeLessThan(500)
      if (OPEN.test(action)) return
      const leads = answer.headers.get('location')?.startsWith('/sign-in') ?? false
      expect([action, leads || (answer.status === 401 && html.includes('/sign-in'))]).toEqual([action, true])
    },
  ))

test('a stranger does nothing by a form of the company: it is not found', () =>
  sendAll(
    async () => (await newSession(company.stranger)).token,
    OWN,
    (answer, action) => {
      expect(answer.status, action).toBeLessThan(500)
      if (action.startsWith('/o/') || /^\/approve\/[\da-f]{8}-/.test(action))
        expect([403, 404], `${action} ${answer.status} ${answer.headers.get('location')}`).toContain(answer.status)
    },
  ))

describe('nonsense in a form is refused on a page', () => {
  const LONG = 'ä'.repeat(20_000)
  const many = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}${n}=1`).join('&')
  const URLENCODED = 'application/x-www-form-urlencoded'
  const namesOf = (form: Form) => (form.fields.length > 0 ? form.fields.map(([name]) => name) : ['reason'])
  const each = (form: Form, value: string, rename = (name: string) => name) =>
    namesOf(form)
      .map((name) => `${encodeURIComponent(rename(name))}=${value}`)
      .join('&')

  test.each<[string, (form: Form) => string, string]>([
    ['nothing', () => '', URLENCODED],
    ['10,000 fields', () => many('f', 10_000), URLENCODED],
    [
      'values of 20,000 letters',
      (form) =>
        namesOf(form)
          .slice(0, 1)
          .map((name) => `${name}=${LONG}`)
          .join('&'),
      URLENCODED,
    ],
    ['NUL in each value', (form) => each(form, 'a%00b'), URLENCODED],
    ['halves of a pair of surrogates', (form) => each(form, '%ED%A0%80x%ED%B0%80'), URLENCODED],
    ['bytes that are no text', (form) => each(form, '%FF%FE%C0'), URLENCODED],
    ['names of lists', (form) => each(form, '1', (name) => `${name}[]`), URLENCODED],
    [
      'names of members',
      (form) => each(form, '1', (name) => `${name}[__proto__][x]`) + '&__proto__=1&constructor=1',
      URLENCODED,
    ],
    ['each value twice', (form) => `${each(form, '1')}&${each(form, '2')}`, URLENCODED],
    ['JSON', () => '{"a":1}', 'application/json'],
    ['another type', () => 'a=1', 'text/plain'],
    ['parts without a boundary', () => 'a=1', 'multipart/form-data'],
    [
      'parts that end too early',
      () => '--edge\r\ncontent-disposition: form-data; name="file"; filename="a',
      'multipart/form-data; boundary=edge',
    ],
    ['parts without names', () => '--edge\r\n\r\nx\r\n--edge--\r\n', 'multipart/form-data; boundary=edge'],
  ])('%s', async (_, bodyFor, type) => {
    const faults: string[] = []
    await inLanes(
      addresses.flatMap((address) => formsOf(address).slice(0, 1)),
      LANES,
      async (form) => {
        const headers = { ...OWN, 'content-type': type }
        const answer = await send(form.action, bodyFor(form), { session: await bossAgain(), headers })
        const html = await answer.text()
        const isPage = answer.status < 400 || (answer.headers.get('content-type') ?? '').startsWith('text/html')
        if (answer.status >= 500 || !isPage)
          faults.push(`${answer.status} ${form.action}: ${textsIn(html).join(' ').slice(0, 300)}`)
      },
    )
    expect(faults).toEqual([])
  })
})

/** Tables that only owners and admins change. */
const OF_MANAGERS =
  /^(?:members|api_keys|webhook_endpoints|approval_policies|organization_settings|decisions|invitations|subscriptions|accounting_connections)\./
const managed = async () => Object.entries(await digestOf(company)).filter(([table]) => OF_MANAGERS.test(table))

test('a member of the lowest role gets a page for each form, and changes nothing that is for owners and admins', async () => {
  const { token: session } = await newSession(company.member)
  const before = await managed()
  expect(before.length).toBeGreaterThan(6)
  const faults: string[] = []
  for (const form of addresses.flatMap((address) => formsOf(address))) {
    if (form.action === '/sign-out' || form.action.includes('/sessions/')) continue
    const answer = await send(form.action, bodyOf(form), { session })
    const html = await answer.text()
    const isPage = answer.status < 400 || (answer.headers.get('content-type') ?? '').startsWith('text/html')
    if (answer.status >= 500 || !isPage) faults.push(`${answer.status} ${form.action} ${textsIn(html).join(' ')}`)
  }
  expect(faults).toEqual([])
  expect(await managed()).toEqual(before)
})

test('a form with a key, sent twice at once and once more, does its work once', async () => {
  const keyed = [...drawn.values()].flat().filter(({ fields }) => fields.some(([name]) => name === 'key'))
  expect(keyed.length).toBeGreaterThan(0)
  for (const form of keyed) {
    const session = await bossAgain()
    const [one, two] = await Promise.all([
      send(form.action, bodyOf(form), { session }),
      send(form.action, bodyOf(form), { session }),
    ])
    const three = await send(form.action, bodyOf(form), { session })
    const ends = [one, two, three].map((answer) => [answer.status < 500, answer.headers.get('location')])
    const leads = ends.map(([, location]) => location).filter((location) => location !== null)
    expect(
      ends.every(([isFine]) => isFine),
      `${form.action} ${JSON.stringify(ends)}`,
    ).toBe(true)
    expect(new Set(leads).size, `${form.action} ${JSON.stringify(ends)}`).toBeLessThan(2)
  }
})

/** All pages, as app.ts lists them: who sees them, what they are made of, where they lead, and what they weigh. */
import { request } from 'node:http'
import { beforeAll, expect, test } from 'vitest'
import { SENT, SHOWN } from '../../../pages/app.ts'
import { DE } from '../../../pages/words/de.ts'
import { EN } from '../../../pages/words/en.ts'
import { pageOfItem } from '../../../pages/home/attention.ts'
import { inLanes } from '../../../platform/concurrency.ts'
import { baseUrl, organization } from '../../support/api.ts'
import { fill, show } from '../../support/pages/addresses.ts'
import { itemsFor } from '../../support/pages/attention.ts'
import { type Company, newSession, seedCompany } from '../../support/pages/company.ts'
import { formsIn, inlineIn, linksIn, loadedBy, textsIn } from '../../support/pages/markup.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
usePartners()

type Drawn = { readonly address: string; readonly path: string; readonly answer: Response; readonly html: string }

/** Streams never end. */
const STREAM = '/approve/stream'
let company: Company
let pages: Drawn[]

/** Come to from programs and providers of others, with what they want; alone they are refused. */
const LED_TO_BY_OTHERS = ['/authorize', '/sign-in/company/callback']
/** The same file for everybody. */
const OF_EVERYBODY = '/o/:company/batches/template'
/** A person may be a member of several companies. */
const OF_BOTH = '/o/:company/company/people/:id'
/** Shows parts to those who write pages, in English. */
const SHOWCASE = '/design'

const isPage = ({ answer }: Drawn): boolean => (answer.headers.get('content-type') ?? '').startsWith('text/html')

/** Shows each page once for each of its things, in a row: a person has one preview at a time. */
async function drawAll(session: string | undefined, headers: Record<string, string> = {}): Promise<Drawn[]> {
  const drawn: Drawn[] = []
  const paths = Object.keys(SHOWN).flatMap((address) =>
    address === STREAM ? [] : fill(address, company.ids).map((path) => [address, path] as const),
  )
  for (const [address, path] of paths) {
    const answer = await show(path, { headers, ...(session !== undefined && { session }) })
    drawn.push({ address, path, answer, html: await answer.text() })
  }
  return drawn
}

beforeAll(async () => {
  company = await seedCompany()
  pages = await drawAll((await newSession(company.boss)).token)
})

test('each address of a page shows the company its things, or leads on', () => {
  const faults = pages.filter(({ address, answer }) => answer.status >= 400 && !LED_TO_BY_OTHERS.includes(address))
  expect(faults.map(({ path, answer, html }) => `${answer.status} ${path} ${textsIn(html).join(' ')}`)).toEqual([])
  expect(pages.filter(isPage).length).toBeGreaterThan(20)
})

test('no page runs what stands within it, is framed, kept or sniffed, or tells others where its viewer was', () => {
  for (const { path, answer, html } of pages) {
    const headers = Object.fromEntries(answer.headers)
    const policy = headers['content-security-policy'] ?? ''
    expect(headers['x-content-type-options'], path).toBe('nosniff')
    expect(headers['referrer-policy'], path).toMatch(/^(?:same-origin|no-referrer)$/)
    if (answer.status < 300) expect(policy, path).toContain("frame-ancestors 'none'")
    expect(policy, path).not.toMatch(/unsafe|\*|https?:/)
    if (isPage({ address: '', path, answer, html }) && answer.status < 300) {
      expect(headers['cache-control'], path).toBe('no-store')
      expect(policy, path).toContain("default-src 'none'")
      expect(inlineIn(html), path).toEqual([])
    }
  }
})

const shapeOf = (address: string): RegExp => new RegExp(`^${address.replaceAll(/:[a-z]+/g, '[^/]+')}$`)
const [SHOWN_SHAPES, SENT_SHAPES] = [Object.keys(SHOWN).map(shapeOf), Object.keys(SENT).map(shapeOf)]
/** Addresses outside the pages that pages lead to. */
const OUTSIDE = /^\/(?:docs|openapi\.json|invoices\/[\w-]+)(?:[/#?]|$)|^mailto:/

test('each form and each link of a page leads to what is there', () => {
  const lost = pages.filter(isPage).flatMap(({ address, path, html }) => {
    if (address === SHOWCASE) return []
    const forms = formsIn(html, path).flatMap(({ method, action }) => {
      const shapes = method === 'post' ? SENT_SHAPES : SHOWN_SHAPES
      return shapes.some((shape) => shape.test(action)) ? [] : [`${path}: form ${action}`]
    })
    const links = linksIn(html).flatMap((link) => {
      if (OUTSIDE.test(link)) return []
      const { origin, pathname } = new URL(link, baseUrl + path)
      const isKnown = origin === baseUrl && SHOWN_SHAPES.some((shape) => shape.test(pathname))
      return isKnown ? [] : [`${path}: link ${link}`]
    })
    return [...forms, ...links]
  })
  expect([...new Set(lost)]).toEqual([])
})

test.each([
  ['a stranger', () => newSession(company.stranger).then(({ token }) => token)],
  ['nobody', () => Promise.resolve(undefined)],
])('to %s no page shows what belongs to the company', async (who, sessionOf) => {
  const drawn = await drawAll(await sessionOf())
  const { ids } = company
  const shown = drawn.filter(({ address }) => /^\/(?:o|approve)\/:/.test(address) && address !== OF_EVERYBODY)
  expect(shown.length).toBeGreaterThan(10)
  for (const { path, answer, html } of shown) {
    if (who === 'nobody') expect([path, answer.headers.get('location')?.split('?')[0]]).toEqual([path, '/sign-in'])
    else expect([path, answer.status]).toEqual([path, 404])
    for (const id of Object.values(ids)) if (!path.includes(id)) expect(html, path).not.toContain(id)
  }
  expect(drawn.filter(({ answer }) => answer.status >= 500).map(({ path }) => path)).toEqual([])
})

test('a thing of one company is not found under another one, also by a member of both', async () => {
  const { id } = await organization(company.boss, 'Second company')
  const { token } = await newSession(company.boss)
  const own = Object.keys(SHOWN).filter((address) => /^\/o\/:company\/.*:/.test(address) && address !== OF_BOTH)
  expect(own.length).toBeGreaterThan(20)
  const shown: string[] = []
  for (const path of own.flatMap((address) => fill(address, { ...company.ids, organization_id: id }))) {
    const { status } = await show(path, { session: token })
    if (status !== 404) shown.push(`${status} ${path}`)
  }
  expect(shown).toEqual([])
})

test.each(['owner', 'member'] as const)(
  'each item of attention leads to a page that its viewer sees: %s',
  async (role) => {
    const { token } = await newSession(role === 'owner' ? company.boss : company.member)
    const lost: string[] = []
    await inLanes(itemsFor(company, role), 4, async (item) => {
      const [page, led] = [pageOfItem(item), await show(item.href, { session: token })]
      expect([item.kind, led.status, led.headers.get('location')]).toEqual([item.kind, 302, page])
      const { status } = await show(page ?? '', { session: token })
      if (status !== 200) lost.push(`${status} ${item.kind} ${page}`)
    })
    expect(lost).toEqual([])
  },
)

const FIRST_BYTES_MAX = 40 * 1024
const NEXT_BYTES_MAX = 8 * 1024

/** Reads how many bytes of a body go over the wire to a browser, which takes gzip. */
function bytesSent(path: string, session: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { cookie: `session=${session}`, accept: 'text/html', 'accept-encoding': 'gzip, deflate, br' }
    request(baseUrl + path, { headers }, (answer) => {
      let bytes = 0
      answer.on('data', (chunk: Buffer) => (bytes += chunk.length)).on('end', () => resolve(bytes))
    })
      .on('error', reject)
      .end()
  })
}

test('a page weighs at most 40 KB with all that it loads first, and 8 KB next, as it is sent', async () => {
  const { token } = await newSession(company.boss)
  const weights = new Map<string, number>()
  const weigh = async (path: string) => {
    const known = weights.get(path) ?? (await bytesSent(path, token))
    weights.set(path, known)
    return known
  }
  const heavy: string[] = []
  for (const { path, html } of pages.filter(isPage)) {
    const next = await weigh(path)
    const loads = loadedBy(html).filter((one) => one.startsWith('/pages/'))
    let first = next
    for (const one of loads) first += await weigh(one)
    if (process.env['WEIGHTS']) console.log(String(next).padStart(7), String(first).padStart(7), path)
    if (next > NEXT_BYTES_MAX || first > FIRST_BYTES_MAX) heavy.push(`${path}: ${next} of ${first} bytes`)
  }
  expect(heavy).toEqual([])
})

/** Lists the texts of a language: sentences that take values are those for one and two of each. */
function leavesOf(words: unknown): string[] {
  if (typeof words === 'string') return [words]
  if (typeof words !== 'object' || words === null) return []
  return Object.values(words).flatMap(leavesOf)
}

test('a German page has no English word of ours, and no page shows a value that is none', async () => {
  const german = await drawAll((await newSession(company.boss)).token, { 'accept-language': 'de' })
  const known = new Set(['Payer', 'Payee', ...leavesOf(DE)]) // names of the fixture
  const english = new Set(
    leavesOf(EN).filter((text) => /[a-z]{3}/.test(text) && !known.has(text) && text !== EN.frame.language),
  ) // languages are named in their own
  const left = german.filter(isPage).flatMap(({ address, path, html }) => {
    if (address === SHOWCASE) return []
    expect(html, path).toContain('<html lang="de">')
    return textsIn(html).flatMap((text) => (english.has(text) ? [`${path}: ${text}`] : []))
  })
  expect([...new Set(left)]).toEqual([])
  for (const { path, html } of [...pages, ...german].filter(isPage))
    // bytes of a PDF may be any
    for (const text of textsIn(html)) expect(text, path).not.toMatch(/\bundefined\b|\[object |\bNaN\b|=>|Invalid Date/)
})

/** Acts that mails and refusals name: each has a page, so that nobody needs the API for it. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { REFUSALS, type RefusalReason, type RefusalType } from '../../../domain/errors.ts'
import { REASONS } from '../../../domain/reasons.ts'
import { MAILED_PAGES } from '../../../domain/sign-in/mailed-link.ts'
import { SENT, SHOWN } from '../../../pages/app.ts'
import { FILES } from '../../rules/files.ts'

const pages = Object.keys(SHOWN)
const shapeOf = (path: string): string => path.replaceAll(/:\w+|\$\{[^}]+\}/g, ':')
const shapes = new Set(pages.map((page) => shapeOf(page)))

/** Addresses of other makers of pages: invoices of customers. */
const ELSEWHERE = /^\/(?:i\/|approvals$)/

test('each link of a mail leads to a page', () => {
  const source = readFileSync('platform/mail-links.ts', 'utf8')
  const links = [...source.matchAll(/config\.(?:appUrl|publicUrl)\}(\/[^`#]*)/g)].map(([, path = '']) => path)
  expect(links.length).toBeGreaterThan(4)
  const places = links.flatMap((path) => (path === '/${page}' ? MAILED_PAGES.map((page) => `/${page}`) : [path]))
  expect(places.filter((path) => !shapes.has(shapeOf(path)) && !ELSEWHERE.test(path))).toEqual([])
})

test('mails take their links from one place', () => {
  const makers = FILES.filter((file) => /^(?:services|domain|activities)\/.*\.ts$/.test(file)).filter((file) =>
    /config\.(?:appUrl|publicUrl)\}\/(?!api\/|i\/)/.test(readFileSync(file, 'utf8')),
  )
  expect(makers).toEqual([])
})

/** Acts that a sentence may ask of a person: the words that ask for it, and the page that does it. */
const ACTS: readonly (readonly [asks: RegExp, page: string])[] = [
  [/set up an authenticator/i, '/approve/devices/authenticator'],
  [/approval device|end your other sessions|use another factor/i, '/approve/devices'],
  [/begin the setup/i, '/approve/devices/authenticator'],
  [/(?:longer|less common|choose a) password/i, '/me/password'],
  [/confirm your email|e-mail address is not confirmed/i, '/confirm-email'],
  [/withdraw|reject|approve (?:a|it|this|the)|decide/i, '/approve/:id'],
  [
    /acknowledge it to pay|ask(?:ed)? for the payment|choose (?:another|an earlier|a later) (?:one|day)/i,
    '/o/:company/payments/new',
  ],
  [/name (?:a day|one) by execute_on/i, '/o/:company/payments/new'],
  [/correct the name or the account/i, '/o/:company/payees/:id'],
  [/end one first/i, '/o/:company/company/substitutes'],
  [/unschedule/i, '/o/:company/payments/:id'],
  [/add it to the contact|confirm this one by a call|confirm it by a call|default first/i, '/o/:company/payees/:id'],
  [/please code them/i, '/o/:company/bills/:id/code'],
  [/sign in (?:there|with your own password|at the identity provider)/i, '/sign-in/company'],
  [/add a passkey/i, '/approve/devices/passkeys/new'],
  [/prove a domain/i, '/o/:company/company/sign-in'],
  [/ask for less/i, '/o/:company/payments/new'],
]

type Word = RefusalType | RefusalReason

/** Sentences that ask for no act of a page: programs, files and times are mended elsewhere. */
const NO_ACT: ReadonlySet<Word> = new Set<Word>([
  'rate_limited',
  'service_unavailable',
  'wrong_challenge',
  'exchange_paused',
  'rates_outdated',
  'bank_details_unreadable',
  'sealed_unreadable',
  'documents_pending',
  'range_too_long',
  'step_up_required',
])

test('each refusal that asks a person for an act names one that has a page', () => {
  const said = Object.entries({
    ...Object.fromEntries(Object.entries(REFUSALS).map(([type, [, sentence]]) => [type, sentence])),
    ...REASONS,
  }) as [Word, string][] // the keys are those of both
  const asking = said.filter(
    ([word, sentence]) => /please|: (?:withdraw|unschedule|reject|ask|decide)/i.test(sentence) && !NO_ACT.has(word),
  )
  expect(asking.length).toBeGreaterThan(20)
  const unknown = asking.filter(([, sentence]) => !ACTS.some(([asks]) => asks.test(sentence)))
  expect(unknown.map(([word, sentence]) => `${word}: ${sentence}`)).toEqual([])
  const missing = ACTS.filter(([, page]) => !(page in SHOWN) && !(page in SENT))
  expect(missing).toEqual([])
})

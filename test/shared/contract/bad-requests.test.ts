/** Refusals of requests tell developers what is wrong. */
import type * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { parse } from '../../../api/http/validation.ts'
import { openApiDocument } from '../../../api/openapi/document.ts'
import { allRoutes as routes } from '../../../sandbox/routes.ts'
import { Refusal } from '../../../domain/errors.ts'
import { api, organization, person } from '../../support/api.ts'

const boss = await person()
const { id } = await organization(boss)
const { token } = boss

const WHEN = 'must be a day such as 2026-03-01, or a time with its offset from UTC such as 2026-03-01T09:30:00Z'
const NO_DAY = 'must be a time that exists, on a day that the calendar has'
const TIME = 'must be a time with its offset from UTC such as 2026-03-01T09:30:00Z'
const AMOUNT = 'must be a plain decimal number such as 10.50'
const ONCE = 'takes one value, not a list'

async function faultsOf(path: string) {
  const answer = await api('GET', `/organizations/${id}/${path}`, { token })
  expect([answer.status, answer.body.error.type]).toEqual([400, 'invalid_request'])
  return answer.body.error.details.errors
}

test.each([
  ['payments?from=yesterday', 'from', 'day_or_time', WHEN],
  ['payments?to=2026-03-01T09:30:00', 'to', 'day_or_time', WHEN],
  ['swaps?from=', 'from', 'day_or_time', WHEN],
  ['deposits?from=2026-02-30', 'from', 'no_such_time', NO_DAY],
  ['transactions?to=2026-02-30T10:00:00Z', 'to', 'no_such_time', NO_DAY],
  ['payments?from=2026-03-01&from=2026-03-02', 'from', 'string', ONCE],
  ['balances?as_of=2026-11-21', 'as_of', 'iso_timestamp', TIME],
  ['balances?as_of=2026-02-30T10:00:00Z', 'as_of', 'no_such_time', NO_DAY],
  ['payments?amount_min=-1', 'amount_min', 'regex', AMOUNT],
  ['transactions?amount_max=1e3', 'amount_max', 'regex', AMOUNT],
  ['approvals?mine=yes', 'mine', 'picklist', 'must be one of: true, false'],
  ['payments?limit=1.5', 'limit', 'regex', 'must be a whole number'],
  ['payments?limit=1&limit=2', 'limit', 'string', ONCE],
  ['payments?cursor=abc', 'cursor', 'uuid', 'must be a uuid'],
  ['transactions?type=payment&type=deposit', 'type', 'picklist', ONCE],
  ['payments?status[]=failed', 'status', 'picklist', ONCE],
  ['payments?rail=bank', 'rail', 'picklist', 'must be one of: fiat, crypto, svc_id'],
  ['payments?currency=12345678901234567', 'currency', 'max_length', 'must have at most 16 characters'],
])('%s', async (path, field, code, message) => {
  expect(await faultsOf(path)).toEqual([{ path: field, code, message }])
})

test.each<[string, object, string, string, string]>([
  ['no text', { name: 7 }, 'name', 'string', 'must be text'],
  ['a list for a text', { name: ['a'] }, 'name', 'string', ONCE],
  ['no text at all', { name: null }, 'name', 'string', 'must be text'],
])('of a body: %s', async (_, body, path, code, message) => {
  const answer = await api('POST', '/organizations', { token, body })
  expect(answer.body.error.details.errors).toEqual([{ path, code, message }])
})

test('of many lists for objects the first fifty are told', () => {
  const { body } = routes.find(({ operationId }) => operationId === 'createInvitations') ?? {}
  const errors = Array.from({ length: 50 }, (_, index) => expect.objectContaining({ path: `invitations.${index}` }))
  const many = { invitations: Array.from({ length: 100 }, () => []) }
  expect(() => body && parse(body, many)).toThrow(expect.objectContaining({ details: { errors } }))
})

test('numbers, truths, lists and their bounds are told apart', async () => {
  const bad = { action_type: 'withdrawal', steps: [{ required: 9 }], self_approval: 'yes', expires_after_hours: 1.5 }
  const body = { rules: [bad, { ...bad, steps: [], self_approval: true, expires_after_hours: '1' }] }
  const answer = await api('PUT', `/organizations/${id}/approval-policy`, { token, body })
  expect(answer.status).toBe(400)
  expect(answer.body.error.details.errors).toEqual(
    expect.arrayContaining([
      { path: 'rules.0.steps.0.required', code: 'max_value', message: 'must be at most 5' },
      { path: 'rules.0.self_approval', code: 'boolean', message: 'must be true or false' },
      { path: 'rules.0.expires_after_hours', code: 'integer', message: 'must be a whole number' },
      { path: 'rules.1.steps', code: 'min_length', message: 'must have at least 1 item' },
      { path: 'rules.1.expires_after_hours', code: 'number', message: 'must be a number' },
    ]),
  )
})

test('a name of several lines, or that reads backwards, is refused, and says why', async () => {
  const at = `/organizations/${id}`
  const kinds = [
    ['Acme"\r\n\r\nYour account is locked', 'must be on one line: character 6 is U+000D'],
    ['\u202eGA knaB ehcstueD', 'must not contain signs that control, order or hide others: character 1 is U+202E'],
  ] as const
  for (const [name, message] of kinds) {
    const one = { code: 'control', message }
    const organizations = await api('PATCH', at, { token, body: { name, card_name: name, invoice_name: name } })
    const people = await api('PATCH', '/me', { token, body: { first_name: name, last_name: name } })
    expect(organizations.body.error.details.errors).toEqual(
      ['name', 'card_name', 'invoice_name'].map((path) => ({ path, ...one })),
    )
    expect(people.body.error.details.errors).toEqual(['first_name', 'last_name'].map((path) => ({ path, ...one })))
  }
  const hidden = await api('PATCH', '/me', { token, body: { first_name: 'A\u200bda', last_name: 'می\u200cخواهم' } })
  expect(hidden).toMatchObject({ status: 200, body: { first_name: 'Ada', last_name: 'می\u200cخواهم' } })
  const long = { company_address: '1 Main Street\n12345 Town', invoice_notes: 'Thank you!\n\tAcme ❤️' }
  expect(await api('PATCH', at, { token, body: long })).toMatchObject({ status: 200, body: long })
  const backwards = await api('PATCH', at, { token, body: { invoice_notes: 'pay\u2067 me' } })
  expect(backwards.body.error.details.errors).toEqual([
    {
      path: 'invoice_notes',
      code: 'control',
      message: expect.stringMatching(
        /^must not contain signs that control, order or hide others: character \d+ is U\+/,
      ),
    },
  ])
})

const charactersOf = (hexadecimal: string): string[] =>
  hexadecimal
    .trim()
    .split(/\s+/)
    .map((code) => String.fromCodePoint(Number.parseInt(code, 16)))

/** Refused in every text: controls, odd line ends, bidi controls, and zero-width characters. */
const HOSTILE = charactersOf(`
  0 1 8 b c 1b 7f 85 9b 2028 2029
  202a 202b 202c 202d 202e 2066 2067 2068 2069 206a 206f
  115f 1160 17b4 3164 ffa0 fff9 fffb 1d173 e0001 e0041`)
/** Refused where a text has one line. */
const OF_LINES = ['\t', '\n', '\r', '\r\n']

/** Fields of several lines, except those of stand-ins. */
const SEVERAL_LINES: ReadonlySet<string> = new Set([
  'comment',
  'comments',
  'company_address',
  'internal_description',
  'internal_notes',
  'invoice_notes',
  'reason',
  'text',
])
/** Postal addresses; by blockchain, and in sender details, they have one line. */
const LONG_ADDRESS: ReadonlySet<string> = new Set(['createBillingContact', 'updateBillingContact'])
/** Fields that only the service reads: secrets, codes, ids, and numbers kept as E.164. */
const OPAQUE: ReadonlySet<string> = new Set(
  `password current_password client_secret attempt_token callback credential challenge_token token sign_up_token invitation_token trust_token code messaging_code
  match_code device_id e164 id rawId clientDataJSON authenticatorData signature userHandle attestationObject`.split(
    /\s+/,
  ),
)
/** Fields that are only compared: an unknown address or account is a wrong one. */
const COMPARED: ReadonlySet<string> = new Set(['signIn email', 'createSandboxUnmatchedDeposit account'])

type Schema = Record<string, any>
const document: Schema = JSON.parse(JSON.stringify(openApiDocument(routes)))
const resolved = (schema: Schema): Schema => {
  const path: string[] | undefined = schema['$ref']?.slice(2).split('/')
  return path ? resolved(path.reduce<any>((value, key) => value[key], document)) : schema
}

/** A text or object of a body: its path, and a body of it alone and the selectors of its variant. */
type Place = { kind?: string; path: string; name: string; body: (value: unknown) => unknown }

function placesIn(given: Schema, place: Place): Place[] {
  const { path, body } = place
  const schema = resolved(given)
  const options: Schema[] = [...(schema['anyOf'] ?? []), ...(schema['oneOf'] ?? [])]
  if (options.length > 0) return options.flatMap((option) => placesIn(option, place))
  if (schema['items']) return placesIn(schema['items'], { ...place, path: `${path}.0`, body: (value) => body([value]) })
  const types = [schema['type']].flat()
  if (types.includes('object')) {
    const members = Object.entries<Schema>(schema['properties'] ?? {})
    const fixed = Object.fromEntries(members.map(([name, { const: only }]) => [name, only]))
    const inside = members.flatMap(([name, member]) =>
      placesIn(member, {
        path: path ? `${path}.${name}` : name,
        name,
        body: (value) => body({ ...fixed, [name]: value }),
      }),
    )
    return [{ ...place, kind: 'object' }, ...inside]
  }
  const isText = types.includes('string') && !schema['enum'] && schema['const'] === undefined
  return isText ? [{ ...place, kind: 'text' }] : []
}

const withBody = routes.flatMap((route) => {
  if (!route.body) return []
  const operation = document['paths'][(route.root ? '' : '/api/v1') + route.path][route.method]
  const { schema } = operation.requestBody.content['application/json']
  const places = placesIn(schema, { path: '', name: '', body: (value) => value })
  return [[route.operationId, route.body, places] as const]
})
const withTexts = withBody.flatMap(([operation, schema, places]) => {
  const texts = places.filter(({ kind }) => kind === 'text')
  return texts.length > 0 ? [[operation, schema, texts] as const] : []
})

test('a list is no object, wherever a body takes one', () => {
  const found: string[] = []
  for (const [operation, schema, places] of withBody) {
    for (const { kind, path, body } of places) {
      if (kind !== 'object') continue
      found.push(`${operation} ${path}`)
      const refused = expect.objectContaining({ path, code: 'object', message: 'must be an object' })
      expect(() => parse(schema, body([])), `${operation} ${path}`).toThrow(
        expect.objectContaining({ details: { errors: expect.arrayContaining([refused]) } }),
      )
    }
  }
  expect(found).toContain('completeStepUp credential.clientExtensionResults')
  expect(found).toContain('createSandboxDeposit sender')
})

function refusedIn(schema: v.GenericSchema, body: unknown): string[] {
  try {
    parse(schema, body)
    return []
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { errors } = error.details as { errors: { path: string }[] }
    return errors.map(({ path }) => path)
  }
}

/** Reasons of discounts and charges have one line. */
const isOfDiscount = (path: string) => /(discount|charge)s?(\.\d+)?\.reason$/.test(path)

const isLong = (operation: string, name: string, path: string) =>
  (SEVERAL_LINES.has(name) && !operation.includes('Sandbox') && !isOfDiscount(path)) ||
  (name === 'address' && LONG_ADDRESS.has(operation))

describe('a character that controls, orders or hides others is refused in every text of', () => {
  test.each(withTexts)('%s', (operation, schema, fields) => {
    const wrong = fields.flatMap(({ path, name, body }) => {
      if (OPAQUE.has(name) || COMPARED.has(`${operation} ${name}`)) return []
      const refuses = (character: string) => refusedIn(schema, body(`a${character}b`)).includes(path)
      const taken = HOSTILE.filter((character) => !refuses(character))
      const long = isLong(operation, name, path)
      return [...taken, ...OF_LINES.filter((character) => refuses(character) === long)].map(
        (character) => `${path} ${JSON.stringify(character)}`,
      )
    })
    expect(wrong).toEqual([])
  })
})

test('the walk finds the names that others see, and every exception is a field', () => {
  const found = new Set(withTexts.flatMap(([operation, , fields]) => fields.map(({ path }) => `${operation} ${path}`)))
  const names = [
    'createOrganization name',
    'updateOrganization card_name',
    'updateMe first_name',
    'signUp last_name',
    'createPaymentContact destinations.0.account_holder_name',
    'createPaymentDestination label',
    'createPayment statement_description',
    'updateTransaction category',
    'createApiKey name',
    'renamePasskey name',
    'renameDevice name',
  ]
  expect(names.filter((name) => !found.has(name))).toEqual([])
  const fields = new Set(withTexts.flatMap(([, , all]) => all.map(({ name }) => name)))
  expect([...OPAQUE, ...SEVERAL_LINES].filter((name) => !fields.has(name))).toEqual([])
})

test('of a body above 8 KiB the first fault is told, as all of them would take the others too long', async () => {
  const faultsOf = async (rules: number) => {
    const body = { rules: Array.from({ length: rules }, () => ({})) }
    const answer = await api('PUT', `/organizations/${id}/approval-policy`, { token, body })
    expect(answer.status).toBe(400)
    return answer.body.error.details.errors as unknown[]
  }
  expect(await faultsOf(100)).toHaveLength(50)
  expect(await faultsOf(20_000)).toEqual([{ path: 'rules.0.action_type', code: 'required', message: 'is required' }])
})

test.each([
  ['tomorrow', 'iso_date', 'must be a day such as 2026-03-01'],
  ['2026-02-30', 'no_such_time', NO_DAY],
])('the day %s is one fault', async (day, code, message) => {
  const body = { quote_id: id, payout_reason: 'services', statement_description: 'Invoice 1', execute_on: day }
  const answer = await api('POST', '/payments/execute', { token, body })
  expect(answer.body.error.details.errors).toEqual([{ path: 'execute_on', code, message }])
})

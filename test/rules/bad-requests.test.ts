/** What is wrong with a request is said in words that its developer can use. */
import { expect, test } from 'vitest'
import { parse } from '../../api/http/validation.ts'
import { routes } from '../../api/routes.ts'
import { api, organization, person } from '../support/api.ts'

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

type Listed = { path: string; input: unknown }
const within = (name: string, { path, input }: Listed): Listed => ({
  path: path === '' ? name : `${name}.${path}`,
  input: name === '0' ? [input] : { [name]: input },
})

/** Every place of a schema that takes an object, as an input with a list there. */
function listsIn(schema: any): Listed[] {
  if (schema.wrapped) return listsIn(schema.wrapped)
  if (schema.item) return listsIn(schema.item).map((one) => within('0', one))
  const here = { path: '', input: [] }
  if (schema.type === 'variant') {
    const marked = ({ entries }: any, { path, input }: Listed): Listed[] =>
      path === '' ? [] : [{ path, input: { ...(input as object), [schema.key]: entries[schema.key].literal } }]
    return [here, ...schema.options.flatMap((one: any) => listsIn(one).flatMap((found) => marked(one, found)))]
  }
  if (!schema.entries) return schema.type === 'record' ? [here] : []
  const members = Object.entries(schema.entries).flatMap(([name, one]) =>
    listsIn(one).map((found) => within(name, found)),
  )
  return [here, ...members]
}

const lists = routes.flatMap(({ operationId, body }) =>
  body ? listsIn(body).map(({ path, input }) => [operationId, path, body, input] as const) : [],
)
test('a list is no object, wherever a body takes one', () => {
  const places = lists.map(([operation, path]) => `${operation} ${path}`)
  expect(places).toContain('completeStepUp credential.clientExtensionResults')
  expect(places).toContain('createSandboxDeposit sender')
  for (const [operation, path, body, input] of lists) {
    const refused = expect.objectContaining({ path, code: 'object', message: 'must be an object' })
    expect(() => parse(body, input), `${operation} ${path}`).toThrow(
      expect.objectContaining({ details: { errors: expect.arrayContaining([refused]) } }),
    )
  }
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

/** The contract's shapes in the published document: numbers, open words, challenges. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FILES } from './files.ts'

const document = JSON.parse(readFileSync('openapi.json', 'utf8'))
const { schemas, parameters: shared, responses: answers } = document.components
for (const operation of Object.values<any>(document.paths).flatMap((item) => Object.values<any>(item))) {
  operation.parameters = operation.parameters?.map((one: any) => shared[one.$ref?.split('/').at(-1)] ?? one)
  for (const [status, { $ref }] of Object.entries<any>(operation.responses))
    if (Number(status) < 300 && $ref) operation.responses[status] = answers[$ref.split('/').at(-1)]
}
const sorted = (names: readonly string[]) => [...new Set(names)].toSorted()

/** The schemas of the document, each with the name of its member. */
function schemasOf(value: any, name = ''): [string, any][] {
  if (typeof value !== 'object' || value === null) return []
  const here: [string, any][] = Array.isArray(value) || name === 'properties' ? [] : [[name, value]]
  return [
    ...here,
    ...Object.entries(value)
      .filter(([key]) => key !== 'example')
      .flatMap(([key, one]) => schemasOf(one, Array.isArray(value) ? name : key)),
  ]
}

test('what is counted is an integer; no number is anything else but what a card may spend, and where and how surely a value was read', () => {
  const numbers = schemasOf(document).filter(([, { type }]) => [type].flat().includes('number'))
  expect(sorted(numbers.map(([name]) => name))).toEqual(['card_limit', 'confidence', 'items'])
})

test('no limit of a list is out of bounds: it is clamped', () => {
  const limits = schemasOf(document.paths).filter(([, { name, in: place }]) => name === 'limit' && place === 'query')
  expect(limits.length).toBeGreaterThan(20)
  for (const [, { description }] of limits) expect(description).toContain('1..100')
  const schemas = limits.map(([, { schema }]) => schema)
  const ofWholeLists = schemas.filter((schema) => !('default' in schema))
  for (const schema of schemas) expect({ default: 50, ...schema }).toEqual({ type: 'integer', default: 50 })
  expect(ofWholeLists.length).toBe(3) // countries, subdivisions, currencies
})

test('an open vocabulary names the words that are known, and takes any other', () => {
  const { AttentionItem, AttentionSummary, StepUpChallenge } = schemas
  const { kind, action, subject } = AttentionItem.properties
  for (const words of [kind, AttentionSummary.properties.truncated.items, StepUpChallenge.properties.methods.items])
    expect(words.anyOf).toEqual([{ $ref: expect.any(String) }, { type: 'string', description: expect.any(String) }])
  for (const variants of [action, subject]) {
    const propertyName = variants === action ? 'kind' : 'type'
    expect(variants).toMatchObject({ 'x-open': true, discriminator: { propertyName } })
    expect(Object.values(variants.discriminator.mapping)).toEqual(variants.oneOf.map(({ $ref }: any) => $ref))
  }
  const filters = document.paths['/api/v1/organizations/{organization_id}/attention'].get.parameters
  expect(filters.find(({ name }: any) => name === 'kind').schema).not.toHaveProperty('enum')
})

test('a query that is true or false is a boolean', () => {
  const queries = schemasOf(document.paths).filter(([, { in: place }]) => place === 'query')
  const flags = queries.filter(([, { schema }]) => schema.type === 'boolean' || schema.enum?.includes('true'))
  expect(sorted(flags.map(([, { name }]) => name))).toEqual([
    'actionable',
    'active',
    'coded',
    'credits',
    'draft',
    'incomplete',
    'mark',
    'mine',
    'open',
    'overdue',
    'payable',
    'remarked',
    'scheduled',
    'with_warnings',
  ])
  for (const [, { schema }] of flags) expect(schema).toEqual({ type: 'boolean' })
})

test('the challenge of a refusal is the one that a fallback answers, with all members of the contract', () => {
  const ref = { $ref: '#/components/schemas/StepUpChallenge' }
  expect(schemas.ErrorBody.properties.step_up).toMatchObject(ref)
  const fallback = document.paths['/api/v1/step-up/{id}/fallback'].post.responses[200]
  expect(fallback.content['application/json'].schema).toEqual(ref)
  const { webauthn, ...members } = schemas.StepUpChallenge.properties
  const words = (of: object) => sorted(Object.keys(of)).join(' ')
  expect(words(members)).toBe('delivery expires_at id match_code methods payment step_up_authentication_id summary')
  expect(webauthn.anyOf[0]).toEqual({ $ref: '#/components/schemas/WebauthnOptions' })
  const options = 'allow_credentials challenge challenge_id rp_id timeout user_verification'
  expect(words(schemas.WebauthnOptions.properties)).toBe(options)
})

/** Finds the named schemas that the values refer to, but for the envelope of errors. */
function answersOf(values: unknown): unknown[] {
  const found = new Set<string>(['Error'])
  const visit = (value: unknown): void => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (!name || found.has(name)) continue
      found.add(name)
      visit(schemas[name])
    }
  }
  visit(values)
  found.delete('Error')
  return [...found].map((name) => schemas[name])
}

test('an answer has every member, null if there is nothing to say, but where the contract leaves one out', () => {
  const responses = schemasOf(document.paths).flatMap(([name, value]) => (name === 'responses' ? [value] : []))
  const objects = schemasOf([responses, answersOf(responses)]).filter(([, { properties }]) => properties)
  const absent = objects.flatMap(([, { properties, required = [] }]) =>
    Object.keys(properties).filter((name) => !required.includes(name)),
  )
  // of a wallet; of a logged policy; of a rule, as it was written (a limit has a period, some have conditions); of a verdict, as in the envelope of errors; of a token
  // (RFC 6749); of a sign-in method that asked for one; of a credit note; of a payment on a
  // date
  const known = `account_codes barred contact_ids countries credit_note delegate_self_approval details error execute_on hard labels limits
    max_deducting memo new_payee origins per period refresh_token require scope trust_token when`
  expect(sorted(absent)).toEqual(known.split(/\s+/))
})

/** Words of the contract without a use yet. */
const NOT_YET = ['decision_expired']
test('every type of an error is refused somewhere, but for those that nothing refuses yet', () => {
  const sources = FILES.filter(
    (file) =>
      /^(activities|api|db|services|documents|domain|sandbox)\/.*\.ts$/.test(file) && file !== 'domain/errors.ts',
  )
  const source = sources.map((file) => readFileSync(file, 'utf8')).join('\n')
  const types: string[] = schemas.ErrorType.anyOf[0].enum
  expect(types.filter((type) => !source.includes(`'${type}'`)).toSorted()).toEqual(NOT_YET)
})

test('no answer about an organization has the id of a device, with which its person signs in, but evidence a pseudonym', () => {
  const paths = Object.entries<any>(document.paths).filter(
    ([path]) => !/\/v1\/(auth|me|devices|step-up|sandbox)\b/.test(path),
  )
  const answers = answersOf(paths.flatMap(([, item]) => Object.values<any>(item).map(({ responses }) => responses)))
  const having = answers.flatMap((answer) => schemasOf(answer)).filter(([, { properties }]) => properties?.device_id)
  expect(having.map(([, { properties }]) => properties.device_id.description)).toEqual([
    expect.stringMatching(/^Pseudonym of the device/),
  ])
})

/** Entities at the stand-in of Increase, by the official client and by the driver. */
import { randomUUID } from 'node:crypto'
import Increase from 'increase'
import { beforeAll, expect, test } from 'vitest'
import type { EntityOrder } from '../../../partners/driver.ts'
import { increaseDriver } from '../../../partners/increase/driver.ts'
import { KEY, useIncrease, ACCOUNT, allOf, increaseClient } from '../../support/partners/increase.ts'
import { useReceiver } from '../../support/partners/partners.ts'

const receiver = useReceiver()
const increase = useIncrease(receiver.url)

let bank: Increase
let driver: ReturnType<typeof increaseDriver>
beforeAll(() => {
  bank = increaseClient(increase.url())
  const settings = { driver: 'increase', account: ACCOUNT, achLimit: '1.00', instant: 'rtp', verifies: true } as const
  const endpoint = { party: 'usd', url: increase.url(), key: KEY, timeoutMs: 10_000, queues: ['usd'] }
  driver = increaseDriver({ endpoint, callbackSecret: null, settings })
})

const HOME = { line1: '33 Liberty Street', line2: null, postal_code: '10045', city: 'New York', country_code: 'US' }
const AT_COLOGNE = { line1: 'Ring 7', line2: null, postal_code: '50668', city: 'Köln', country_code: 'DE' }
const paper = (kind: 'articles' | 'identity' | 'other', person: string | null = null) => ({
  id: randomUUID(),
  kind,
  person_id: person,
  file_name: `${kind}.pdf`,
  content_type: 'application/pdf',
  read: () => Promise.resolve(Buffer.from('%PDF-1.4 \u00e4\u0000')),
})
const named = (more: Partial<EntityOrder['people'][number]> = {}): EntityOrder['people'][number] => ({
  id: randomUUID(),
  roles: ['director', 'beneficial_owner'],
  name: 'Ada Lovelace',
  born_on: '1990-12-10',
  nationality: 'US',
  address: HOME,
  identity_number: '078-05-1120',
  share: '100.00',
  ...more,
})

/** Submission of a company in New York, owned and led by one person. */
function submission(entity: Partial<EntityOrder['entity']> = {}, more: Partial<EntityOrder> = {}): EntityOrder {
  const company = {
    legal_name: 'Ada Bakery Inc',
    trading_name: null,
    form: 'company',
    registration: { number: '4711', country: 'US', register: null },
    tax_id: '60-2214076',
    incorporated_on: '2015-04-01',
    address: HOME,
    website: 'https://example.com/',
    activity: { scheme: 'naics', code: '311811', description: 'Bread' },
    expected: null,
    ...entity,
  } as const
  return { id: randomUUID(), round: 1, entity: company, people: [named()], documents: [paper('articles')], ...more }
}
const verify = (order: EntityOrder) => driver.verifyEntity?.(order)
const find = (order: EntityOrder) => driver.findEntity?.(order)
/** Lists the entities of an organization by the name that they were given. */
const entitiesOf = async ({ entity }: EntityOrder) =>
  (await allOf(bank.entities.list())).filter(({ description }) => description === entity.legal_name)
const unique = (name: string) => `${name} ${randomUUID()}`

test('a company is one entity with its owner and its papers, however often it is handed over', async () => {
  const order = submission({ legal_name: unique('Ada Bakery Inc') })
  expect(await find(order)).toBeNull()
  expect(await verify(order)).toEqual({ status: 'verified', asks: [] })
  expect(await verify(order)).toEqual({ status: 'verified', asks: [] })
  expect(await find(order)).toEqual({ status: 'verified', asks: [] })
  const [entity, ...others] = await entitiesOf(order)
  expect(others).toEqual([])
  expect(entity).toMatchObject({
    structure: 'corporation',
    status: 'active',
    corporation: {
      name: order.entity.legal_name,
      address: { line1: HOME.line1, city: 'New York', state: 'NY', zip: '10045', country: 'US' },
      industry_code: '311811',
      legal_identifier: { category: 'us_employer_identification_number', value: '602214076' },
      beneficial_owners: [
        {
          prongs: ['ownership', 'control'],
          individual: {
            name: 'Ada Lovelace',
            date_of_birth: '1990-12-10',
            identification: { method: 'social_security_number', number_last4: '1120' },
          },
        },
      ],
    },
    validation: { status: 'valid', issues: [] },
  })
  expect(await bank.entities.retrieve(entity?.id ?? '')).toEqual(entity)
  const [attached] = entity?.supplemental_documents ?? []
  const file = await bank.files.retrieve(attached?.file_id ?? '')
  expect(file).toMatchObject({
    purpose: 'entity_supplemental_document',
    description: 'articles',
    mime_type: 'application/pdf',
  })
  expect(file.idempotency_key).toBe(order.documents[0]?.id)
})

test('an owner abroad is identified by the number and the picture of the document', async () => {
  const person = named({ nationality: 'DE', address: AT_COLOGNE, identity_number: 'C01X00T47' })
  const identity = paper('identity', person.id)
  const name = unique('Ada GmbH')
  const registration = { number: 'HRB 1', country: 'DE', register: null }
  const entity = { legal_name: name, registration, tax_id: 'DE136695976', address: AT_COLOGNE }
  const order = submission(entity, { people: [person], documents: [identity, paper('articles')] })
  expect(await verify(order)).toEqual({ status: 'verified', asks: [] })
  const [made] = await entitiesOf(order)
  expect(made?.corporation).toMatchObject({
    legal_identifier: { category: 'other', value: 'DE136695976' },
    beneficial_owners: [{ individual: { identification: { method: 'other', number_last4: '0T47' } } }],
  })
  const [file] = await allOf(bank.files.list({ idempotency_key: identity.id }))
  expect(file).toMatchObject({ purpose: 'identity_document' })
  expect(made?.supplemental_documents.map(({ file_id: id }) => id)).not.toContain(file?.id)
})

test('a sole trader is a person, by a tax number of the United States alone', async () => {
  const person = named({ roles: ['controlling_person'], share: null })
  const order = submission({ legal_name: unique('Ada'), form: 'sole_trader' }, { people: [person] })
  const abroad = { ...order, people: [{ ...person, identity_number: 'C01X00T47' }] }
  expect(await verify(abroad)).toMatchObject({
    status: 'needs_more',
    asks: [{ field: `people.${person.id}.identity_number` }],
  })
  expect(await verify(order)).toEqual({ status: 'verified', asks: [] })
  expect(await entitiesOf(order)).toMatchObject([
    { structure: 'natural_person', natural_person: { name: 'Ada Lovelace' } },
  ])
})

test('what Increase cannot know is asked for, or refused, and nothing is made', async () => {
  const director = named({ roles: ['director'], share: null, identity_number: null })
  const incomplete = submission(
    { legal_name: unique('Gaps Inc'), tax_id: '12', address: { ...HOME, postal_code: '00000' } },
    { people: [director] },
  )
  const answer = await verify(incomplete)
  expect(answer?.status).toBe('needs_more')
  expect(answer?.asks.map(({ field }) => field)).toEqual([
    'entity.address',
    'entity.tax_id',
    `people.${director.id}.identity_number`,
  ])
  const city = submission({ legal_name: unique('City'), form: 'public_body' })
  expect(await verify(city)).toEqual({ status: 'rejected', asks: [] })
  expect(await find(city)).toEqual({ status: 'rejected', asks: [] })
  expect([...(await entitiesOf(incomplete)), ...(await entitiesOf(city))]).toEqual([])
  const long = submission({ legal_name: `${unique('Long')} ${'x'.repeat(200)}` })
  const refused = await verify(long)
  expect(refused).toMatchObject({ status: 'needs_more', asks: [{ field: 'entity.legal_name' }] })
})

test('names decide: rejected, late, and asked until a paper is there', async () => {
  const rejected = submission({ legal_name: unique('No Verify Inc') })
  expect(await verify(rejected)).toEqual({ status: 'rejected', asks: [] })
  expect(await entitiesOf(rejected)).toMatchObject([{ status: 'disabled' }])
  const late = submission({ legal_name: unique('Late Verify Inc') })
  expect(await verify(late)).toEqual({ status: 'in_review', asks: [] })
  expect(await find(late)).toEqual({ status: 'in_review', asks: [] })
  expect(await find(late)).toEqual({ status: 'verified', asks: [] })

  const asked = submission({ legal_name: unique('More Papers Inc') })
  expect(await verify(asked)).toMatchObject({ status: 'needs_more', asks: [{ field: 'documents.other' }] })
  const again = { ...asked, round: 3, documents: [...asked.documents, paper('other')] }
  expect(await verify(again)).toEqual({ status: 'verified', asks: [] })
  expect(await verify(again)).toEqual({ status: 'verified', asks: [] })
  expect((await entitiesOf(again)).map(({ status }) => status)).toEqual(['active', 'archived'])
})

test('issues of a validation are fields of what was submitted', async () => {
  const order = submission({ legal_name: unique('Issues Inc') })
  await verify(order)
  const [{ id } = { id: '' }] = await entitiesOf(order)
  const [person] = order.people
  const fieldsOf = async (category: Increase.Simulations.EntityUpdateValidationParams.Issue['category']) => {
    const shown = await bank.simulations.entities.updateValidation(id, { issues: [{ category }] })
    expect(shown.validation).toMatchObject({ status: 'invalid', issues: [{ category }] })
    const view = await find(order)
    return [view?.status, ...(view?.asks.map(({ field }) => field) ?? [])]
  }
  expect(await fieldsOf('entity_tax_identifier')).toEqual(['needs_more', 'documents.other'])
  expect(await fieldsOf('entity_address')).toEqual(['needs_more', 'entity.address'])
  expect(await fieldsOf('beneficial_owner_address')).toEqual(['needs_more', `people.${person?.id}.address`])
  expect(await fieldsOf('beneficial_owner_identity')).toEqual(['needs_more', `people.${person?.id}.identity_number`])
  await bank.simulations.entities.updateValidation(id, { issues: [] })
  expect(await find(order)).toEqual({ status: 'verified', asks: [] })
  const events = await allOf(bank.events.list({ associated_object_id: id }))
  expect(events.at(-1)).toMatchObject({ category: 'entity.created', associated_object_type: 'entity' })
})

test('a key makes one object, and another body is refused under it', async () => {
  const idempotencyKey = randomUUID()
  const upload = (text: string) =>
    bank.files.create(
      { file: new File([text], 'a.pdf', { type: 'application/pdf' }), purpose: 'other' },
      { idempotencyKey },
    )
  const made = await upload('one')
  expect(await upload('one')).toEqual(made)
  await expect(upload('two')).rejects.toThrow(Increase.IdempotencyKeyAlreadyUsedError)
  await expect(bank.entities.create({ structure: 'corporation' })).rejects.toThrow(Increase.InvalidParametersError)
  await expect(bank.entities.retrieve('entity_none')).rejects.toThrow(Increase.ObjectNotFoundError)
})

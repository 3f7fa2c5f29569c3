/** Entities of the stand-in: corporations and people, verified as their names decide, or as a simulation says. */
import type Increase from 'increase'
import * as v from 'valibot'
import { type RowOf, amendOpened } from '../../db/increase/accounts.ts'
import { decideEntity } from '../entities.ts'
import {
  type Answer,
  type Desk,
  type Question,
  invalidOperation,
  invalidParameters,
  ok,
  parse,
  valuesOf,
} from './answers.ts'
import { listKept, openOnce, requireOpened } from './opened.ts'
import { showEntity } from './views/entities.ts'

type Row = RowOf<'entity'>

const Text = v.pipe(v.string(), v.minLength(1), v.maxLength(200))
const Country = v.pipe(v.string(), v.regex(/^[A-Z]{2}$/, 'must be a country'))
const Day = v.pipe(v.string(), v.isoDate('must be a day'))
const Address = v.pipe(
  v.strictObject({
    line1: Text,
    line2: v.exactOptional(Text),
    city: Text,
    state: v.exactOptional(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/, 'must be a state'))),
    zip: v.exactOptional(Text),
    country: Country,
  }),
  v.check(
    ({ country, state, zip }) => country !== 'US' || (state !== undefined && zip !== undefined),
    'must have a state and a ZIP code in the United States',
  ),
)
const TaxNumber = v.strictObject({
  method: v.picklist(['social_security_number', 'individual_taxpayer_identification_number']),
  number: v.pipe(v.string(), v.regex(/^\d{9}$/, 'must be nine digits')),
})
const Document = v.strictObject({
  method: v.literal('other'),
  number: Text,
  other: v.strictObject({ country: Country, description: Text, file_id: v.string() }),
})
const Individual = v.pipe(
  v.strictObject({
    name: Text,
    date_of_birth: Day,
    address: Address,
    identification: v.variant('method', [TaxNumber, Document]),
    confirmed_no_us_tax_id: v.exactOptional(v.boolean()),
  }),
  v.check(
    (one) => one.identification.method !== 'other' || one.confirmed_no_us_tax_id === true,
    'must be confirmed to have no tax number of the United States',
  ),
)
const Owner = v.strictObject({
  individual: Individual,
  prongs: v.pipe(v.array(v.picklist(['ownership', 'control'])), v.minLength(1)),
})
const Identifier = v.pipe(
  v.strictObject({
    value: Text,
    category: v.exactOptional(v.picklist(['us_employer_identification_number', 'other'])),
  }),
  v.check(({ value, category }) => category === 'other' || /^\d{9}$/.test(value), 'must be nine digits'),
)
const Corporation = v.strictObject({
  name: Text,
  address: Address,
  legal_identifier: Identifier,
  beneficial_owners: v.pipe(
    v.array(Owner),
    v.check((owners) => owners.some(({ prongs }) => prongs.includes('control')), 'must have a control person'),
  ),
  website: v.exactOptional(Text),
  industry_code: v.exactOptional(v.pipe(v.string(), v.regex(/^\d{2,6}$/, 'must be a NAICS code'))),
})
const Papers = v.exactOptional(v.array(v.strictObject({ file_id: v.string() })))
const Common = { description: v.exactOptional(Text), supplemental_documents: Papers }
const NewEntity = v.variant('structure', [
  v.strictObject({ ...Common, structure: v.literal('corporation'), corporation: Corporation }),
  v.strictObject({ ...Common, structure: v.literal('natural_person'), natural_person: Individual }),
]) satisfies v.GenericSchema<unknown, Increase.EntityCreateParams>

/** Lists the files that an order names. */
function filesOf(order: v.InferOutput<typeof NewEntity>): string[] {
  const people =
    order.structure === 'corporation'
      ? order.corporation.beneficial_owners.map(({ individual }) => individual)
      : [order.natural_person]
  const pictures = people.flatMap(({ identification: by }) => (by.method === 'other' ? [by.other.file_id] : []))
  return [...pictures, ...(order.supplemental_documents ?? []).map(({ file_id: file }) => file)]
}

/** Makes an entity, once for each key. */
export async function createEntity({ desk, body, key }: Question): Promise<Answer> {
  const order = parse(NewEntity, body)
  for (const file of filesOf(order)) await requireOpened(desk, 'file', file)
  const document = { kind: 'entity', key, order, status: 'active', issues: null, asked: 0 } as const
  return openOnce(desk, { document, content: { body }, show: (row) => show(desk, row) })
}

/** Shows an entity as its name decides, by its papers; their descriptions are their kinds. */
async function show(desk: Desk, row: Row): Promise<Increase.Entity> {
  const { order, asked } = row.document
  const files = (order.supplemental_documents ?? []).map(({ file_id: file }) => requireOpened(desk, 'file', file))
  const papers = (await Promise.all(files)).flatMap(({ document }) => document.description ?? [])
  const name = order.corporation?.name ?? order.description ?? ''
  return showEntity(row, decideEntity({ legal_name: name, papers, asked }))
}

/** Shows an entity to one who asks: what is pending is decided by the next time. */
async function showAsked(desk: Desk, row: Row): Promise<Increase.Entity> {
  const shown = await show(desk, row)
  if (shown.validation?.status === 'pending') await amendOpened(desk.partner, row, { asked: row.document.asked + 1 })
  return shown
}

export const getEntity = async ({ desk, id }: Question): Promise<Answer> =>
  ok(await showAsked(desk, await requireOpened(desk, 'entity', id)))

/** Lists entities, newest first. */
export async function listEntities({ desk, query }: Question): Promise<Answer> {
  const statuses = valuesOf(query, 'status.in')
  return listKept(
    'entity',
    { desk, query },
    {
      show: (row) => showAsked(desk, row),
      leaves: (one) => statuses === undefined || statuses.includes(one.status),
    },
  )
}

/** Archives an entity for good. */
export async function archiveEntity({ desk, id }: Question): Promise<Answer> {
  const row = await requireOpened(desk, 'entity', id)
  if (row.document.status === 'archived') throw invalidOperation('The entity is archived.')
  await amendOpened(desk.partner, row, { status: 'archived' })
  return ok(await show(desk, await requireOpened(desk, 'entity', id)))
}

const CATEGORIES = [
  'entity_tax_identifier',
  'entity_address',
  'beneficial_owner_identity',
  'beneficial_owner_address',
] as const
const Simulated = v.strictObject({
  issues: v.array(v.strictObject({ category: v.picklist(CATEGORIES) })),
}) satisfies v.GenericSchema<unknown, Increase.Simulations.EntityUpdateValidationParams>

/** Lets the validation end as it is wanted: valid without issues. */
export async function updateValidation({ desk, id, body }: Question): Promise<Answer> {
  const issues = parse(Simulated, body).issues.map(({ category }) => category)
  const row = await requireOpened(desk, 'entity', id)
  const isOfPeople = issues.some((category) => category.startsWith('beneficial_owner'))
  if (isOfPeople && !row.document.order.corporation) throw invalidParameters('must be of a corporation', 'issues')
  await amendOpened(desk.partner, row, { issues })
  return ok(await show(desk, await requireOpened(desk, 'entity', id)))
}

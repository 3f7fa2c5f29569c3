/** Organizations in the words of Increase, which asks for more than the service does. */
import type { EntityCreateParams } from 'increase/resources/entities'
import type { PostalAddress } from '../../domain/party.ts'
import type { EntityDocument, EntityOrder, EntityPerson, EntityQuestion, EntityView } from '../driver.ts'
import { findState } from './states.ts'

export type Wish = EntityView['asks'][number]

/** Draft of an entity: complete only without wishes. `papers` are those whose files it names. */
export type EntityDraft = {
  readonly wishes: readonly Wish[]
  readonly papers: readonly EntityDocument[]
  readonly content: EntityCreateParams | null
}

/** Names the file at Increase of a paper. */
export type FileOf = (paper: EntityDocument) => string

type Individual = EntityCreateParams.Corporation.BeneficialOwner['individual']
type Prong = EntityCreateParams.Corporation.BeneficialOwner['prongs'][number]

/** Part of a draft that is being written. */
type Draft = {
  readonly order: EntityOrder
  readonly fileOf: FileOf
  readonly wishes: Wish[]
  readonly papers: EntityDocument[]
}

/** Forms that are corporations at Increase; a sole trader is a natural person there. */
const CORPORATE: ReadonlySet<string> = new Set(['company', 'partnership', 'nonprofit'])

/**
 * Tells whether Increase has a structure for an organization. It has one for authorities of the United States, by kinds
 * that nobody is asked about here: a public body is refused.
 */
export const isCarried = ({ entity: { form } }: EntityQuestion): boolean =>
  CORPORATE.has(form) || form === 'sole_trader'

/** Writes an organization as an entity, and notes what is missing. */
export function draftEntity(order: EntityOrder, fileOf: FileOf): EntityDraft {
  const draft: Draft = { order, fileOf, wishes: [], papers: [] }
  const body = order.entity.form === 'sole_trader' ? draftPerson(draft) : draftCorporation(draft)
  const own = order.documents.filter(({ kind }) => kind !== 'identity')
  const supplemental = own.map((paper) => ({ file_id: fileOf(paper) }))
  const content = body && {
    ...body,
    description: order.entity.legal_name,
    ...(supplemental.length > 0 && { supplemental_documents: supplemental }),
  }
  return { wishes: draft.wishes, papers: [...draft.papers, ...own], content }
}

function draftCorporation(draft: Draft): EntityCreateParams | null {
  const { entity } = draft.order
  const address = entity.address ? addressOf(draft, entity.address, 'entity.address') : lacks(draft, 'entity.address')
  const identifier = identifierOf(draft)
  const owners = listOwners(draft.order).map(({ person, prongs }) => ({
    individual: individualOf(draft, person),
    prongs,
  }))
  if (owners.length === 0) lacks(draft, 'people.controlling_person')
  if (!address || !identifier || draft.wishes.length > 0) return null
  const { website, activity } = entity
  return {
    structure: 'corporation',
    corporation: {
      name: entity.legal_name,
      address,
      legal_identifier: identifier,
      beneficial_owners: owners.flatMap(({ individual, prongs }) => (individual ? [{ individual, prongs }] : [])),
      ...(website && { website }),
      ...(activity?.scheme === 'naics' && { industry_code: activity.code }),
    },
  }
}

/** Writes a sole trader: Increase takes a person by a tax number of the United States alone. */
function draftPerson(draft: Draft): EntityCreateParams | null {
  const [person] = listTraders(draft.order)
  if (!person) return lacks(draft, 'people.controlling_person')
  const { identity_number: number } = person
  if (!number || !US_TAX_NUMBER.test(number)) return wish(draft, `people.${person.id}.identity_number`, TRADER_NUMBER)
  const individual = individualOf(draft, person)
  return individual && { structure: 'natural_person', natural_person: individual }
}

/** Lists the people whom an entity at Increase names, in its order. */
export const listNamed = (order: EntityQuestion): readonly EntityPerson[] =>
  order.entity.form === 'sole_trader' ? listTraders(order) : listOwners(order).map(({ person }) => person)

const listTraders = ({ people }: EntityQuestion): readonly EntityPerson[] =>
  [people.find(({ roles }) => roles.includes('controlling_person')) ?? people[0]].filter((one) => one !== undefined)

/**
 * Lists the owners, and one controlling person as Increase wants: the one of that role, else a director, else an owner.
 * Other directors are not named.
 */
function listOwners({ people }: EntityQuestion): readonly { person: EntityPerson; prongs: Prong[] }[] {
  const by = (role: EntityPerson['roles'][number]) => people.find(({ roles }) => roles.includes(role))
  const controls = by('controlling_person') ?? by('director') ?? by('beneficial_owner')
  return people.flatMap((person) => {
    const owns: Prong[] = person.roles.includes('beneficial_owner') ? ['ownership'] : []
    const prongs: Prong[] = person === controls ? [...owns, 'control'] : owns
    return prongs.length > 0 ? [{ person, prongs }] : []
  })
}

const EIN = /^\d{2}-?\d{7}$/

/** Writes the tax number: nine digits of an entity of the United States, and of others as it is. */
function identifierOf(draft: Draft): EntityCreateParams.Corporation.LegalIdentifier | null {
  const { tax_id: number, registration, address } = draft.order.entity
  if (!number) return lacks(draft, 'entity.tax_id')
  if ((registration?.country ?? address?.country_code) !== UNITED_STATES) return { value: number, category: 'other' }
  if (!EIN.test(number)) return wish(draft, 'entity.tax_id', 'The employer identification number has nine digits.')
  return { value: number.replace('-', ''), category: 'us_employer_identification_number' }
}

function individualOf(draft: Draft, person: EntityPerson): Individual | null {
  const at = (field: string) => `people.${person.id}.${field}`
  const { name, born_on: born, address: home } = person
  const address = home ? addressOf(draft, home, at('address')) : lacks(draft, at('address'))
  const identity = identityOf(draft, person)
  if (!name) return lacks(draft, at('name'))
  if (!born) return lacks(draft, at('born_on'))
  return address && identity && { name, date_of_birth: born, address, ...identity }
}

/** Form of the tax numbers of people: those that begin with 9 are of people without a social security number. */
const US_TAX_NUMBER = /^\d{3}-\d{2}-\d{4}$/
const [OWNER_NUMBER, TRADER_NUMBER] = [
  'Increase compares it: the tax number of the United States, as 123-45-6789; without one, that of the document.',
  'Increase takes sole traders by their tax number of the United States alone, as 123-45-6789.',
]

/** Identifies a person by a tax number of the United States, else by the document. */
function identityOf(
  draft: Draft,
  { id, nationality, identity_number: number }: EntityPerson,
): Pick<Individual, 'identification' | 'confirmed_no_us_tax_id'> | null {
  if (!number) return wish(draft, `people.${id}.identity_number`, OWNER_NUMBER)
  if (US_TAX_NUMBER.test(number)) {
    const method = number.startsWith('9') ? 'individual_taxpayer_identification_number' : 'social_security_number'
    return { identification: { method, number: number.replaceAll('-', '') } }
  }
  const paper = draft.order.documents.find(({ kind, person_id: of }) => kind === 'identity' && of === id)
  if (!paper) return lacks(draft, `documents.identity.${id}`)
  if (!nationality) return lacks(draft, `people.${id}.nationality`)
  draft.papers.push(paper)
  const other = { country: nationality, description: 'Identity document', file_id: draft.fileOf(paper) }
  return { identification: { method: 'other', number, other }, confirmed_no_us_tax_id: true }
}

const UNITED_STATES = 'US'

function addressOf(
  draft: Draft,
  { line1, line2, postal_code: zip, city, country_code: country }: PostalAddress,
  field: string,
): EntityCreateParams.Corporation.Address | null {
  const state = country === UNITED_STATES ? findState(zip) : undefined
  if (country === UNITED_STATES && !state) return wish(draft, field, 'Its postal code is of no state.')
  return { line1, ...(line2 && { line2 }), city, zip, country, ...(state && { state }) }
}

function wish({ wishes }: Draft, field: string, reason: string): null {
  wishes.push({ field, reason })
  return null
}
const lacks = (draft: Draft, field: string): null => wish(draft, field, 'Increase asks for it.')

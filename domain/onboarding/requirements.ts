/** Requirements of an onboarding: what is asked for, what is there, and what reviews asked for besides. */
import * as v from 'valibot'
import { compareDecimals } from '../money/decimal.ts'
import { describe, model, timestamp } from '../text.ts'
import type { DocumentKind } from './document.ts'
import type { EntityForm, LegalEntity } from './entity.ts'
import type { PersonFacts, PersonRole } from './person.ts'

/**
 * Requirement. Fields are paths: `entity.legal_name`, `people.director` (nobody is named), `people.<id>.born_on`,
 * `documents.articles`, `documents.identity.<person id>`.
 */
export const Requirement = model('OnboardingRequirement', {
  field: describe(v.string(), 'Path of what is asked for, such as `entity.tax_id` or `people.<id>.born_on`.'),
  reason: describe(v.string(), 'Why it is asked for.'),
  status: v.picklist(['open', 'done']),
  from: describe(v.string(), '`service`, or the connection whose provider asks.'),
  due_at: describe(v.nullable(timestamp), 'Payments stop then unless it is there.'),
})
export type Requirement = v.InferOutput<typeof Requirement>

/** Wish of a review beyond what every entity is asked for. */
export type Ask = { readonly field: string; readonly reason: string; readonly from: string }

export type KnownPerson = {
  readonly id: string
  readonly roles: readonly PersonRole[]
  readonly facts: PersonFacts
}
export type KnownDocument = { readonly kind: DocumentKind; readonly person_id: string | null; readonly there: boolean }

/** Facts about an organization. `touched`: fields that were given since a review asked for more. */
export type OnboardingFacts = {
  readonly entity: LegalEntity | null
  readonly people: readonly KnownPerson[]
  readonly documents: readonly KnownDocument[]
  readonly asks: readonly Ask[]
  readonly touched: readonly string[]
}

/** Facts before an organization has said anything. */
export const NOTHING_KNOWN: OnboardingFacts = { entity: null, people: [], documents: [], asks: [], touched: [] }

const REGISTERED: ReadonlySet<EntityForm> = new Set(['company', 'partnership', 'nonprofit'])
const OWNED: ReadonlySet<EntityForm> = new Set(['company', 'partnership'])

type Check = { readonly field: string; readonly reason: string; readonly done: boolean }

const ENTITY_REASONS: Readonly<Partial<Record<keyof LegalEntity, string>>> = {
  legal_name: 'Payments name who pays.',
  form: 'The kind of entity decides what the law asks for.',
  registration: 'The register proves that the entity exists.',
  tax_id: 'Banks report it to tax offices.',
  incorporated_on: 'Banks ask how long the entity exists.',
  address: 'Payments name the address of who pays.',
  activity: 'Banks ask what the entity earns its money with.',
  expected: 'Banks compare payments with what was expected.',
}

function entityChecks(entity: LegalEntity | null): Check[] {
  const isOptional = (field: string) =>
    entity?.form === 'sole_trader' && (field === 'registration' || field === 'incorporated_on')
  return Object.entries(ENTITY_REASONS)
    .filter(([field]) => !isOptional(field))
    .map(([field, reason]) => ({
      field: `entity.${field}`,
      reason,
      done: entity !== null && entity[field as keyof LegalEntity] !== null,
    }))
}

/** Lists the roles that the form of the entity needs. */
function rolesChecks({ entity, people }: OnboardingFacts): Check[] {
  if (!entity) return []
  const has = (role: PersonRole) => people.some(({ roles }) => roles.includes(role))
  const controlled = {
    field: 'people.controlling_person',
    reason: 'Banks ask who controls the entity: an owner of 25 % or more, else who leads it.',
    done: has('controlling_person') || (OWNED.has(entity.form) && has('beneficial_owner')),
  }
  const directed = { field: 'people.director', reason: 'Banks ask who acts for the entity.', done: has('director') }
  return entity.form === 'sole_trader' ? [controlled] : [controlled, directed]
}

function personChecks({ id, roles, facts }: KnownPerson): Check[] {
  const at = (field: string, reason: string, done: boolean) => ({ field: `people.${id}.${field}`, reason, done })
  const isOwner = roles.includes('beneficial_owner')
  return [
    at('name', 'Banks compare it with the identity document.', facts.name !== null),
    at('born_on', 'It tells people of one name apart.', facts.born_on !== null),
    at('nationality', 'Banks ask for it.', facts.nationality !== null),
    at('address', 'Banks ask for it.', facts.address !== null),
    ...(isOwner
      ? [
          at(
            'share',
            'A beneficial owner holds 25 % or more.',
            facts.share !== null && compareDecimals(facts.share, '25') >= 0,
          ),
        ]
      : []),
  ]
}

function documentChecks({ entity, people, documents }: OnboardingFacts): Check[] {
  const has = (kind: DocumentKind, person: string | null = null) =>
    documents.some((one) => one.kind === kind && one.person_id === person && one.there)
  const paper = (kind: DocumentKind, reason: string) => ({ field: `documents.${kind}`, reason, done: has(kind) })
  const form = entity?.form
  const papers = [
    ...(form && REGISTERED.has(form) ? [paper('register_extract', 'It proves the entry in the register.')] : []),
    ...(form === 'company' || form === 'nonprofit' ? [paper('articles', 'They say who may act for the entity.')] : []),
    ...(form === 'sole_trader' ? [paper('proof_of_address', 'No register proves the address of a sole trader.')] : []),
  ]
  const identities = people.map(({ id }) => ({
    field: `documents.identity.${id}`,
    reason: 'Banks compare the person with it.',
    done: has('identity', id),
  }))
  return [...papers, ...identities]
}

/** Tells whether what a review asked for was given since: a field, or something in it. */
const isAnswered = ({ field }: Ask, touched: readonly string[]): boolean =>
  touched.some((one) => one === field || one.startsWith(`${field}.`) || field.startsWith(`${one}.`))

/** Lists all requirements, open ones first. `dueAt` is that of a review which stops payments then. */
export function listRequirements(known: OnboardingFacts, dueAt: string | null): Requirement[] {
  const own = [
    ...entityChecks(known.entity),
    ...rolesChecks(known),
    ...known.people.flatMap(personChecks),
    ...documentChecks(known),
  ].map((check): Requirement => ({ ...requirementOf(check), from: 'service', due_at: dueAt }))
  const asked = known.asks.map((ask): Requirement => ({
    ...requirementOf({ ...ask, done: isAnswered(ask, known.touched) }),
    from: ask.from,
    due_at: dueAt,
  }))
  const all = [...asked, ...own]
  return [...all.filter(({ status }) => status === 'open'), ...all.filter(({ status }) => status === 'done')]
}

const requirementOf = ({ field, reason, done }: Check) => ({ field, reason, status: done ? 'done' : 'open' }) as const

/** Lists the fields that are open, each once. */
export const openFields = (requirements: readonly Requirement[]): string[] => [
  ...new Set(requirements.filter(({ status }) => status === 'open').map(({ field }) => field)),
]

/** Keeps what a person may see who fills in their own part: requirements about them. */
export const aboutPerson = (requirements: readonly Requirement[], people: ReadonlySet<string>): Requirement[] =>
  requirements.filter(({ field }) => {
    const [what, first = '', second = ''] = field.split('.')
    return (what === 'people' && people.has(first)) || (what === 'documents' && people.has(second))
  })

/** Formats of published lists: how each writes its root, its subjects, and its day of publication. */
import type { ListCode, ListedSubject } from '../../domain/screening/lists.ts'
import type { Element } from '../xml/element.ts'
import {
  birthOf,
  birthsIn,
  childrenOf,
  countryCoded,
  countryNamed,
  dayIn,
  distinct,
  elementsAt,
  nameOf,
  textsAt,
  yearsBetween,
} from './values.ts'

/** Format of a list. */
export type ListFormat = {
  readonly list: ListCode
  /** Name of the root element. */
  readonly root: string
  /** Paths of the subjects below the root, each of which is read and dropped as it ends. */
  readonly subjects: readonly string[]
  /** Reads a subject; null for what is neither a person nor an entity, as a ship. Names may be empty. */
  readonly read: (element: Element) => ListedSubject | null
  readonly publishedOn: (root: Element) => string | null
  /** Reads how many subjects the list says that it has; null if it does not say. */
  readonly count: (root: Element) => number | null
}

const attribute = (element: Element, name: string): string | undefined => element.attributes.get(name)?.trim()

const EU: ListFormat = {
  list: 'eu',
  root: 'export',
  subjects: ['sanctionEntity'],
  read: (element) => {
    const kind = childrenOf(element, 'subjectType').map((type) => attribute(type, 'code'))
    const births = childrenOf(element, 'birthdate')
    const countries = ['citizenship', 'address', 'birthdate'].flatMap((name) => childrenOf(element, name))
    return {
      reference: attribute(element, 'euReferenceNumber') || attribute(element, 'logicalId') || '',
      of: kind.includes('person') ? 'person' : 'entity',
      names: distinct(
        childrenOf(element, 'nameAlias').map((alias) => {
          const [whole, ...parts] = ['wholeName', 'firstName', 'middleName', 'lastName'].map((name) =>
            attribute(alias, name),
          )
          return nameOf(whole) ?? nameOf(...parts)
        }),
      ),
      born: distinct(
        births.map((birth) =>
          birthOf(attribute(birth, 'year') ?? '', attribute(birth, 'month'), attribute(birth, 'day')),
        ),
      ),
      countries: distinct(countries.map((place) => countryCoded(attribute(place, 'countryIso2Code')))),
    }
  },
  publishedOn: (root) => dayIn(attribute(root, 'generationDate')),
  count: () => null,
}

const UN_NAMES = ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME']

const UN: ListFormat = {
  list: 'un',
  root: 'CONSOLIDATED_LIST',
  subjects: ['INDIVIDUALS/INDIVIDUAL', 'ENTITIES/ENTITY'],
  read: (element) => {
    const kind = element.name
    const births = childrenOf(element, `${kind}_DATE_OF_BIRTH`)
    const countries = ['NATIONALITY/VALUE', `${kind}_ADDRESS/COUNTRY`].flatMap((path) => textsAt(element, path))
    return {
      reference: textsAt(element, 'REFERENCE_NUMBER')[0] ?? textsAt(element, 'DATAID')[0] ?? '',
      of: kind === 'INDIVIDUAL' ? 'person' : 'entity',
      names: distinct([
        nameOf(...UN_NAMES.map((name) => textsAt(element, name)[0])),
        ...['NAME_ORIGINAL_SCRIPT', `${kind}_ALIAS/ALIAS_NAME`].flatMap((path) =>
          textsAt(element, path).map((name) => nameOf(name)),
        ),
      ]),
      born: distinct(births.flatMap(birthsOfUn)),
      countries: distinct(countries.map(countryNamed)),
    }
  },
  publishedOn: (root) => dayIn(attribute(root, 'dateGenerated')),
  count: () => null,
}

/** Reads a birth of the list of the UN: a day, a year, or a span of years. */
function birthsOfUn(birth: Element): readonly (string | null)[] {
  const [[date], [year], [from], [to]] = ['DATE', 'YEAR', 'FROM_YEAR', 'TO_YEAR'].map((name) =>
    textsAt(birth, name),
  ) as [readonly string[], readonly string[], readonly string[], readonly string[]]
  const day = dayIn(date)
  if (day) return [birthOf(...(day.split('-') as [string, string, string]))]
  if (from !== undefined && birthOf(from) !== null) return yearsBetween(Number(from), Number(birthOf(to ?? '') ?? from))
  return [birthOf(year ?? '')]
}

const ofacName = (element: Element): string | null =>
  nameOf(textsAt(element, 'firstName')[0], textsAt(element, 'lastName')[0])

const OFAC: ListFormat = {
  list: 'ofac',
  root: 'sdnList',
  subjects: ['sdnEntry'],
  read: (element) => {
    const [type = ''] = textsAt(element, 'sdnType')
    if (type === 'Vessel' || type === 'Aircraft') return null
    const countries = ['nationalityList/nationality', 'citizenshipList/citizenship', 'addressList/address'].flatMap(
      (path) => textsAt(element, `${path}/country`),
    )
    return {
      reference: textsAt(element, 'uid')[0] ?? '',
      of: type === 'Individual' ? 'person' : 'entity',
      names: distinct([ofacName(element), ...elementsAt(element, 'akaList/aka').map(ofacName)]),
      born: distinct(textsAt(element, 'dateOfBirthList/dateOfBirthItem/dateOfBirth').flatMap(birthsIn)),
      countries: distinct(countries.map(countryNamed)),
    }
  },
  publishedOn: (root) => dayIn(textsAt(root, 'publshInformation/Publish_Date')[0]), // so it is spelled there
  count: (root) => {
    const [count] = textsAt(root, 'publshInformation/Record_Count')
    return count !== undefined && /^\d{1,7}$/.test(count) ? Number(count) : null
  },
}

export const FORMATS: readonly ListFormat[] = [EU, UN, OFAC]

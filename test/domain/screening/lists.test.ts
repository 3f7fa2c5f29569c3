/** Readers of published lists of sanctions: what they read, and how each hostile or broken file is refused. */
import { describe, expect, test } from 'vitest'
import { UnreadableBill } from '../../../domain/bills/reader.ts'
import type { ListCode, ListPart, ListedSubject } from '../../../domain/screening/lists.ts'
import { UnreadableList, readListParts } from '../../../documents/reading/lists.ts'
import { readList } from '../../../documents/screening/read.ts'
import { birthsIn, countryNamed } from '../../../documents/screening/values.ts'
import {
  EU_ENTITY,
  EU_PERSON,
  OFAC_ENTITY,
  OFAC_PERSON,
  OFAC_SHIP,
  UN_PERSON,
  euList,
  ofacList,
  unList,
} from '../../support/screening/samples.ts'

const withoutKeys = ({ reference, of, names, born, countries }: ListedSubject): ListedSubject => ({
  reference,
  of,
  names,
  born,
  countries,
})

function readWhole(text: string | Uint8Array, list: ListCode) {
  const parts: ListPart[] = [...readList(typeof text === 'string' ? Buffer.from(text) : text, list)]
  return {
    head: parts[0]?.head,
    subjects: parts.flatMap((part) => part.subjects.map(withoutKeys)),
  }
}

function refusalOf(text: string | Uint8Array, list: ListCode = 'eu'): string {
  try {
    readWhole(text, list)
  } catch (error) {
    if (error instanceof UnreadableBill) return error.message
    throw error
  }
  return 'it is read'
}

describe('read', () => {
  test('the list of the EU', () =>
    expect(readWhole(euList(), 'eu')).toEqual({
      head: { list: 'eu', publishedOn: '2026-11-20', subjects: 2 },
      subjects: [
        {
          reference: 'EU.9001.10',
          of: 'person',
          names: ['Viktor Brandis', 'Виктор Брандис'],
          born: ['1961-03-07', '1959'],
          countries: ['BY'],
        },
        {
          reference: 'EU.9002.20',
          of: 'entity',
          names: ['Listed Trading LLC', 'Severny Metall'],
          born: [],
          countries: ['RU'],
        },
      ],
    }))

  test('the list of the UN', () =>
    expect(readWhole(unList(), 'un')).toEqual({
      head: { list: 'un', publishedOn: '2026-11-21', subjects: 2 },
      subjects: [
        {
          reference: 'XXi.901',
          of: 'person',
          names: ['HASSAN KHALID', 'حسن خالد', 'Hasan Khaled'],
          born: ['1970-02-03', '1968', '1969', '1970', '1966'],
          countries: ['IR', 'SY'],
        },
        {
          reference: 'XXe.902',
          of: 'entity',
          names: ['GOLDEN ORIENT SHIPPING', 'Golden Orient Lines'],
          born: [],
          countries: ['KP'],
        },
      ],
    }))

  test('the list of OFAC, without its ships', () =>
    expect(readWhole(ofacList(), 'ofac')).toEqual({
      head: { list: 'ofac', publishedOn: '2026-11-22', subjects: 2 },
      subjects: [
        {
          reference: '99001',
          of: 'person',
          names: ['Omar QADHAFI-SAMPLE', 'Umar GADDAFI SAMPLE'],
          born: ['1948-12-10', '1950', '1952', '1953', '1955-09'],
          countries: ['LY'],
        },
        { reference: '99002', of: 'entity', names: ['SAMPLE CARIBBEAN AIRLINES'], born: [], countries: ['CU'] },
      ],
    }))

  test('a list without a day of publication, and one in UTF-16', () => {
    expect(readWhole(euList(EU_ENTITY, 'yesterday'), 'eu').head?.publishedOn).toBe(null)
    const wide = Buffer.from(`\ufeff${euList().replace('UTF-8', 'UTF-16')}`, 'utf16le')
    expect(readWhole(wide, 'eu').subjects).toEqual(readWhole(euList(), 'eu').subjects)
  })

  test('a list of many, in parts of 500 and in their order', () => {
    const many = Array.from({ length: 1201 }, (_, at) => EU_ENTITY.replace('EU.9002.20', `EU.${at}`)).join('')
    const parts = [...readList(Buffer.from(euList(many)), 'eu')]
    expect(parts.map(({ head, subjects }) => [head?.subjects, subjects.length])).toEqual([
      [1201, 500],
      [undefined, 500],
      [undefined, 201],
    ])
    expect(parts.flatMap(({ subjects }) => subjects.map(({ reference }) => reference))).toEqual(
      Array.from({ length: 1201 }, (_, at) => `EU.${at}`),
    )
  })

  test.each([
    ['07 Mar 1961', ['1961-03-07']],
    ['circa 1961', ['1961']],
    ['circa Mar 1961', ['1961-03']],
    ['31 Feb 1961', []],
    ['between 1961 and 1963', ['1961', '1962', '1963']],
    ['unknown', []],
  ])('a birth %s', (words, births) => expect(birthsIn(words)).toEqual(births))

  test.each([
    ['Russia', 'RU'],
    ['Russian Federation', 'RU'],
    ["Côte d'Ivoire", 'CI'],
    ['Burma', 'MM'],
    ['Korea, North', 'KP'],
    ['Türkiye', 'TR'],
    ['undetermined', undefined],
  ])('the country %s', (name, code) => expect(countryNamed(name)).toBe(code))
})

const LAUGHS = `<!DOCTYPE export [<!ENTITY a "ha">${Array.from({ length: 9 }, (_, at) => `<!ENTITY b${at} "&a;&a;">`).join('')}]>`
const headed = (head: string) => euList().replace('<export', `${head}<export`)

describe('refused', () => {
  test.each<[string, string | Uint8Array, string, ListCode?]>([
    ['a billion laughs', headed(LAUGHS), 'The XML has a document type definition.'],
    [
      'an external entity',
      headed('<!DOCTYPE export [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
      'The XML has a document type definition.',
    ],
    ['an inclusion', euList('<x:include xmlns:x="http://www.w3.org/2001/XInclude"/>'), 'The XML includes other files.'],
    ['elements in each other', euList('<a>'.repeat(100_000)), 'The XML is more than 64 elements deep.'],
    ['a value of 2 MB', euList(`<a>${'x'.repeat(2_000_000)}</a>`), 'The XML has a single value of more than 1 MB.'],
    ['nothing', '', 'The XML is damaged in line 1.'],
    ['a page', '<html><body/></html>', 'The file is no list that is read here.'],
    ['another list', unList(), 'The file is the list un, not eu.'],
    [
      'the advanced list of OFAC',
      '<Sanctions/>',
      'The file is the advanced format of OFAC: take the file SDN.XML.',
      'ofac',
    ],
    ['a list of nobody', euList(''), 'The list has no subject.'],
    [
      'a subject without a number',
      euList(EU_PERSON.replaceAll(/(?:euReferenceNumber|logicalId)="[^"]*"/g, '')),
      'The list has a subject 1 without a number.',
    ],
    [
      'a number twice',
      euList(EU_PERSON + EU_ENTITY + EU_PERSON),
      'The list has two subjects of one number: subject 3.',
    ],
    [
      'a subject without a name',
      euList(EU_PERSON + EU_ENTITY.replaceAll(/wholeName="[^"]*"/g, '')),
      'The list has a subject 2 without a name.',
    ],
    [
      'a subject of 301 names',
      euList(
        EU_ENTITY.replace(
          '<address',
          `${Array.from({ length: 301 }, (_, at) => `<nameAlias wholeName="Name ${at}"/>`).join('')}<address`,
        ),
      ),
      'The list has a subject 1 of more than 300 names.',
    ],
    [
      'a part of a list',
      ofacList(OFAC_PERSON + OFAC_ENTITY, 3),
      'The list has 2 subjects, and says that it has 3.',
      'ofac',
    ],
    ['ships alone', ofacList(OFAC_SHIP, 1), 'The list has no subject.', 'ofac'],
    ['subjects of another list inside', euList(UN_PERSON), 'The list has no subject.'],
    [
      'subjects of another namespace',
      euList().replaceAll('<sanctionEntity ', '<sanctionEntity xmlns="urn:other" '),
      'The list has no subject.',
    ],
    [
      'a letter that is cut',
      Buffer.from(euList().replace('Brandis', 'Br\xe4ndis'), 'latin1'),
      'The XML is not in the encoding that it declares.',
    ],
  ])('%s', (_, file, reason, list) => expect(refusalOf(file, list)).toBe(reason))

  test('a list that is cut at any place', () => {
    const bytes = Buffer.from(euList(EU_ENTITY))
    const reasons = new Set<string>()
    for (let at = 0; at < bytes.length; at += 7) reasons.add(refusalOf(bytes.subarray(0, at)).replace(/\d+/, 'N'))
    expect([...reasons]).toEqual(['The XML is damaged in line N.'])
  })
})

describe('in the process that reads files', () => {
  const take = async (text: string, list: ListCode) => {
    const parts: ListPart[] = []
    for await (const part of readListParts(Buffer.from(text), list)) parts.push(part)
    return parts
  }

  test('a list is read as here', async () =>
    expect(await take(euList(), 'eu')).toEqual([...readList(Buffer.from(euList()), 'eu')]))

  test('a refusal comes with its sentence', async () =>
    await expect(take('<html/>', 'eu')).rejects.toEqual(new UnreadableList('The file is no list that is read here.')))

  test('a list that takes too much memory ends its own process', async () => {
    const names = Array.from(
      { length: 290 },
      (_, at) => `<nameAlias wholeName="${String(at).padEnd(250, 'x')}"/>`,
    ).join('')
    const one = (at: number) => `<sanctionEntity euReferenceNumber="${at}">${names}</sanctionEntity>`
    const hostile = euList(Array.from({ length: 1200 }, (_, at) => one(at)).join(''))
    await expect(take(hostile, 'eu')).rejects.toThrow('The file takes too much time or memory.')
    expect(await take(euList(), 'eu')).toHaveLength(1)
  })
})

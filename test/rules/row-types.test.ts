/** Rows that tests saw are compared with the types that statements declare (test/row-types). */
import { expect, test } from 'vitest'
import { rootFolder } from '../../dev/settings.ts'
import { listFaults } from '../row-types/compared.ts'
import { readDeclared } from '../row-types/declared.ts'
import type { Columns, Place } from '../row-types/seen.ts'

const [UUID, TEXT, INTEGER, NUMERIC, JSON] = [2950, 25, 23, 1700, 3802]
const COLUMNS: Columns = [
  ['id', UUID],
  ['status', TEXT],
  ['count', INTEGER],
]

const place = (...facts: string[]): Place => ({ facts: new Set(facts), members: [], places: new Map() })
const values = (places: Record<string, Place>): Place => ({ ...place(), places: new Map(Object.entries(places)) })
const list = (members: string[], text: Place): Place => ({
  ...place('array'),
  places: new Map([['[]', { ...place(), members: [members], places: new Map([['text', text]]) }]]),
})

const faultsOf = (columns: Columns, row: Place): string[] =>
  readDeclared(`${rootFolder}/test/row-types/example`, ([statement], checker) =>
    statement ? listFaults(checker, statement.row, { columns: [columns], row }) : ['no statement'],
  )

test('names a statement by its text, also one that a function returns; one of a parameter has no name', () => {
  const names = readDeclared(`${rootFolder}/test/row-types/example`, (all) => all.map((one) => one.names.length))
  expect(names).toEqual([1, 1, 0])
})

test('rows as they are declared have no fault', () => {
  const lines = list(['text'], place('string'))
  const row = values({ id: place('string'), status: place('"open', '"closed'), count: place('number', 'null'), lines })
  expect(faultsOf([...COLUMNS, ['lines', JSON]], row)).toEqual([])
})

test.each<[fault: string, columns: Columns, row: Place]>([
  ['count is missing', COLUMNS.slice(0, 2), values({})],
  ['id comes twice', [['id', UUID], ...COLUMNS], values({})],
  ['count is text, not number | null', [...COLUMNS.slice(0, 2), ['count', NUMERIC]], values({})],
  ['id is null, not string', COLUMNS, values({ id: place('null') })],
  ['status is "lost, not', COLUMNS, values({ status: place('"lost') })],
  ['status is string, not', COLUMNS, values({ status: place('string') })],
  ['lines[].text is missing', COLUMNS, values({ lines: list([], place()) })],
  ['lines[].text is number, not string', COLUMNS, values({ lines: list(['text'], place('number')) })],
])('finds that %s', (fault, columns, row) => expect(faultsOf(columns, row)).toEqual([expect.stringContaining(fault)]))

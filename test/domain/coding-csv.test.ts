/** Charts and dimensions by CSV: as spreadsheets write it, with the line of each fault. */
import { expect, test } from 'vitest'
import { type CodesFile, chartOf, dimensionsOf } from '../../domain/coding/csv.ts'
import { Refusal } from '../../domain/errors.ts'
import { UnreadableFile } from '../../domain/batches/columns.ts'
import { readCodes } from '../../documents/coding/read.ts'

const rows = (text: string, kind: CodesFile = 'chart') => readCodes(Buffer.from(text), kind)
const chart = (text: string) => chartOf(rows(text))
function faultOf(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return error.details?.['errors']
    if (error instanceof UnreadableFile) return [error.fault.code, error.fault.line]
    throw error
  }
  return undefined
}

test('columns come in any order, with the marks, separators and guards of spreadsheets', () => {
  const text =
    '\uFEFFName;Code;kind;rate;account_type\r\n"Office; paper";4930;;;\r\n\r\n19 %;VSt19;tax_code;19,5;\r\n\'=Sum;1;account;;Asset'
  expect(chart(text)).toEqual({
    accounts: [
      { code: '4930', name: 'Office; paper', account_type: 'expense' },
      { code: '1', name: '=Sum', account_type: 'asset' },
    ],
    tax_codes: [{ code: 'VSt19', name: '19 %', rate: '19.5' }],
  })
  const areas = 'dimension,dimension_name,value,value_name\ndep,Department,it,IT\nproject,,,\ndep,,sales,\n'
  expect(dimensionsOf(rows(areas, 'dimensions'))).toEqual({
    dimensions: [
      { code: 'dep', name: 'Department', values: [{ code: 'it', name: 'IT' }, { code: 'sales', name: 'sales' }] },
      { code: 'project', name: 'project', values: [] },
    ],
  }) // prettier-ignore
})

test('faults name their line', () => {
  expect(faultOf(() => chart('code,name\n1,One\n\n1,Two\n'))).toMatchObject([{ line: 4 }])
  expect(faultOf(() => chart('code,name,kind\n1,One,other'))).toEqual([{ line: 2, column: 'kind', message: 'must be account or tax_code' }]) // prettier-ignore
  expect(faultOf(() => chart('code,name,kind,rate\n1,One,,\nV,Tax,tax_code,120'))).toMatchObject([{ line: 3, column: 'rate' }]) // prettier-ignore
  expect(faultOf(() => chart('code\n1'))).toMatchObject([{ line: 2, column: 'name' }])
  expect(faultOf(() => chart('code,colour\n1,red'))).toEqual(['unknown_column', 1])
  expect(faultOf(() => chart('name\nOne'))).toEqual(['missing_column', 1])
  expect(faultOf(() => chart('code,name,code\n1,One,2'))).toEqual(['duplicate_column', 1])
  expect(faultOf(() => chart(''))).toEqual(['empty_file', null])
  expect(faultOf(() => chart('code,name\n1,"One'))).toEqual(['unbalanced_quotes', 2])
  const values = Array.from({ length: 2001 }, (_, at) => `dep,v${at}`).join('\n')
  expect(faultOf(() => dimensionsOf(rows(`dimension,value\n${values}`, 'dimensions')))).toHaveLength(1)
  const many = Array.from({ length: 40_001 }, (_, at) => `d,v${at}`).join('\n')
  expect(faultOf(() => rows(`dimension,value\n${many}`, 'dimensions'))).toEqual(['too_many_rows', 40_002])
})

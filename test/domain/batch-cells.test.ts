import { expect, test } from 'vitest'
import { bankDetailsOf, cellsIn, openCells, read, sealCells } from '../../services/batches/cells.ts'

const COLUMNS = ['iban', 'account_holder_name', 'currency', 'amount'] as const
const codes = (row: readonly string[]) => read(cellsIn(COLUMNS, row)).errors.map(({ code }) => code)

test('cells open as they were written, for their own row alone', () => {
  const cells = cellsIn(COLUMNS, ['de02 1203 0000 0000 2020 51', ' Payee\0 ', 'EUR', '1.00', 'beyond', ''])
  const sealed = sealCells('a', cells).toString('hex')
  expect(openCells({ id: 'a', sealed })).toMatchObject(cells)
  expect(cells).toEqual({
    cells: { iban: 'de02 1203 0000 0000 2020 51', account_holder_name: ' Payee\0 ', currency: 'EUR', amount: '1.00' },
    more: ['beyond', ''],
    short: false,
  })
  expect(() => openCells({ id: 'b', sealed })).toThrow('another row')
})

test('what a row pays to is read from its cells in the one way of destinations', () => {
  const sealed = (cells: readonly string[]) => sealCells('a', cellsIn(COLUMNS, cells)).toString('hex')
  const row = (cells: readonly string[]) => ({ id: 'a', sealed: sealed(cells) })
  expect(bankDetailsOf(row(['de02 1203 0000 0000 2020 51', 'Payee', 'EUR', '1.00']))).toMatchObject({
    country_code: 'DE',
    iban: 'DE02120300000000202051',
  })
  expect(() => bankDetailsOf(row(['', 'Payee', 'EUR', '1.00']))).toThrow('names no bank account')
})

test('a row with fewer or more cells than the header says nothing else', () => {
  expect(codes(['x'])).toEqual(['too_few_cells'])
  expect(codes(['x', 'y', 'z', '1', ''])).toEqual(['too_many_cells'])
})

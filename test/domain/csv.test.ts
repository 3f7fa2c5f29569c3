import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLine, resultLine } from '../../domain/batches/results.ts'
import { SEPARATORS, type Separator, inert, isPlain, quoteCell, withoutGuards } from '../../domain/csv.ts'
import { always } from '../support/property.ts'

const sign = fc.constantFrom(...Array.from('=+-@＝＋－＠\t\r\n,;"\' \u00a0\u200b\u001f1a|'))
const text = fc.string({ unit: sign, maxLength: 12 })
const separator = fc.constantFrom(...SEPARATORS)
const lineOf = (cells: readonly string[], between: Separator): string =>
  `${cells.map((cell) => quoteCell(inert(cell, between))).join(between)}\r\n`

/** The cells that a spreadsheet shows for any separator: quotes enclose only cells that begin with one. */
function shown(file: string, between: string): string[] {
  const cells: string[] = []
  let at = 0
  while (at < file.length) {
    let cell = ''
    if (file[at] === '"') {
      for (at += 1; at < file.length && (file[at] !== '"' || file[at + 1] === '"'); at += 1) {
        cell += file[at]
        if (file[at] === '"') at += 1
      }
      at += 1
    }
    for (; at < file.length && ![between, '\r', '\n'].includes(file[at] ?? ''); at += 1) cell += file[at]
    cells.push(cell)
    at += 1
  }
  return cells
}

test.each([
  ['RE 1;=1+41;x', "RE 1;'=1+41;x"],
  ['a note\n=1+41', "a note\n'=1+41"],
  ['a\r\n@x', "a\r\n'@x"],
  ['a\t+1', "a\t'+1"],
  ['a; -1', "a;' -1"],
  ['a;"=1+41"', `a;'"=1+41"`],
  ['a;＝1', "a;'＝1"],
  [' =1', "' =1"],
  ["'=1", "''=1"],
  ['a;b - c, =d', 'a;b - c, =d'],
])('in a file with commas %j is written as %j', (given, written) => expect(inert(given, ',')).toBe(written))

test('no spreadsheet sees a formula in a text, whatever separates its cells', () =>
  always(20000, fc.array(text, { minLength: 1, maxLength: 4 }), separator, (cells, written) => {
    const line = lineOf(['id', ...cells], written)
    for (const read of [',', ';', '\t']) {
      for (const cell of shown(line, read)) expect(cell).not.toMatch(/^[\s\p{Cc}\p{Cf}"]*[=+\-@＝＋－＠]/u)
    }
    const own = shown(line, written).slice(1, cells.length + 1)
    expect(own.map((cell) => withoutGuards(cell, written))).toEqual(cells)
  }))

test('what is plain needs neither guard nor quotes', () => {
  always(1000, fc.oneof(text, fc.string()), separator, (cell, written) => {
    if (isPlain(cell)) expect(quoteCell(inert(cell, written))).toBe(cell)
  })
  expect(['Łódź', 'a - b', '', 'x@y.com'].every(isPlain)).toBe(true)
})

/** A row of the file of results. */
const row = {
  cells: { payee_svc_id: 'acme', amount: '10.00' },
  status: 'succeeded',
  errors: [],
  payment_id: 'p',
  status_detail: 'settled',
  fee: '0',
  currency: 'USD',
  settled_at: '2026-01-01T00:00:00Z',
} as const

test('a line has the cells as they were written, and then status, error, payment, fee and time', () =>
  expect(resultLine(['payee_svc_id', 'amount'], ',', row)).toBe(
    'acme,10.00,succeeded,,p,0.00,2026-01-01T00:00:00Z\r\n',
  ))

test('a cell that begins like a formula gets an apostrophe, and an amount that is a number does not', () => {
  for (const cell of ['=1+1', '+1', '-1', '@x', '\tx', '\rx']) {
    const line = resultLine(['internal_notes'], ',', { ...row, cells: { internal_notes: cell } })
    expect(line.split(',succeeded')[0]?.replaceAll('"', '')).toBe(`'${cell}`)
  }
  const behind = resultLine(['internal_notes'], ',', { ...row, cells: { internal_notes: 'RE 1;=1+41;x\n=2' } })
  expect(behind).toMatch(/^"RE 1;'=1\+41;x\n'=2",succeeded/)
  expect(resultLine(['amount'], ',', { ...row, cells: { amount: '-1.00' } })).toMatch(/^-1\.00,/)
  expect(resultLine(['amount'], ',', { ...row, cells: { amount: '-1+cmd' } })).toMatch(/^'-1\+cmd,/)
})

test('what is wrong with the cells is told, and else why the payment failed', () => {
  const errors = [{ column: 'amount', code: 'malformed', message: 'is no number' }]
  const invalid = 'invalid,amount malformed: is no number,p,0.00,2026-01-01T00:00:00Z\r\n'
  expect(resultLine([], ',', { ...row, status: 'invalid', errors })).toBe(invalid)
  const failed = resultLine([], ',', { ...row, status: 'failed', status_detail: 'insufficient_funds' })
  expect(failed).toMatch(/^failed,insufficient_funds,/)
})

test('whatever stands in cells, a line of results is read back', () =>
  always(1000, fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2 }), separator, (cells, between) =>
    expect(shown(csvLine(cells, between), between).slice(0, cells.length)).toEqual(cells),
  ))

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLine, resultLine } from '../../domain/batches/results.ts'
import { always } from '../support/property.ts'

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

test('whatever stands in cells, a reader of RFC 4180 reads it back', () =>
  always(
    1000,
    fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2 }),
    fc.constantFrom(',', ';'),
    (cells, between) => expect(parse(csvLine(cells, between), between)).toEqual(cells),
  ))

function parse(text: string, between: string): string[] {
  const cells: string[] = []
  let rest = text.replace(/\r\n$/, '')
  for (;;) {
    const pattern = new RegExp(`^(?:"((?:[^"]|"")*)"|([^${between}"]*))(?=${between}|$)`, 's')
    const [all = '', quotedText, plain] = pattern.exec(rest) ?? []
    cells.push(quotedText === undefined ? (plain ?? '') : quotedText.replaceAll('""', '"'))
    rest = rest.slice(all.length)
    if (rest === '') return cells
    rest = rest.slice(1)
  }
}

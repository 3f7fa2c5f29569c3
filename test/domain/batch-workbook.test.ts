import fc from 'fast-check'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'
import { CELLS_MAX } from '../../documents/batches/table.ts'
import { readWorkbook } from '../../documents/batches/xlsx.ts'
import { type FileRow, ROWS_MAX, UnreadableFile } from '../../domain/batches/columns.ts'
import { readParts } from '../../documents/reading/process.ts'
import {
  HEADER,
  header,
  longFormats,
  manySheets,
  partsOf,
  relation,
  relations,
  row,
  text,
} from '../support/batches/workbooks.ts'
import { type ZipPart, zipOf } from '../support/exports/zip.ts'
import { propertyRuns } from '../support/model-runs.ts'

async function read(file: Buffer) {
  const found: { rows: FileRow[]; empty: number[] } = { rows: [], empty: [] }
  for await (const { rows, emptyRows, emptyColumns } of readWorkbook(file)) {
    found.rows.push(...rows)
    found.empty = [emptyRows, emptyColumns]
  }
  return found
}

async function faultOf(file: Buffer) {
  try {
    await read(file)
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    return [error.fault.line, error.fault.code]
  }
  return undefined
}

const cellsOf = async (rows: string, more = {}) =>
  (await read(zipOf(partsOf(header + rows, more)))).rows.map(({ cells }) => cells)

const cell = fc.string({ unit: 'grapheme', maxLength: 8 }).map((one) => `${one.replaceAll(/[\p{Cc}\p{Cs}]/gu, '')}x`)
const rowOf = fc.tuple(
  cell,
  fc.integer({ min: 0, max: 10 ** 14 }).map((cents) => cents / 100),
  cell,
  cell,
  cell,
)

test('whatever a writer of workbooks writes is read as its texts and numbers, row by row', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(rowOf, { minLength: 1, maxLength: 20 }), async (rows) => {
      const { rows: found } = await read(
        Buffer.from(await writeXlsx({ sheets: [{ name: 'A', rows: [HEADER, ...rows] }] })),
      )
      const shown = rows.map(([payee, amount, ...more]) => [payee, String(amount), ...more])
      expect(found.map(({ cells }) => cells)).toEqual(shown)
      expect(found.map(({ line }) => line)).toEqual(rows.map((_, index) => index + 2))
    }),
    { numRuns: propertyRuns(200) },
  )
})

test('formulas of a program that cannot calculate have no result, wherever it writes 0', async () => {
  const file = (cell: string, book: string) => zipOf(partsOf(header + row([cell]), { book }))
  const book = '<calcPr calcId="124519" fullCalcOnLoad="1"/>'
  const zero = '<c><f>A1+B1</f><v>0</v></c>'
  expect((await faultOf(file(zero, book)))?.[1]).toBe('formula_without_value')
  expect(await faultOf(file(zero, ''))).toBe(undefined)
  for (const cell of ['<c><v>0</v></c>', '<c><f>1+1</f><v>2</v></c>']) {
    expect(await faultOf(file(cell, book)), cell).toBe(undefined)
  }
})

describe('a cell is read as its text', () => {
  test.each([
    ['a shared one, of runs, without what says how to pronounce it', '<c t="s"><v>1</v></c>', 'Müller & Co'],
    ['one with an escaped character', text('a_x000A_b'), 'a\nb'],
    ['the result of a formula', '<c t="str"><f>A1</f><v>total</v></c>', 'total'],
    ['a number of a formula', '<c><f>1+1</f><v>2</v></c>', '2'],
    ['a decimal as a spreadsheet shows it', '<c><v>0.10000000000000001</v></c>', '0.1'],
    ['an amount', '<c s="0"><v>1234.5</v></c>', '1234.5'],
    ['fifteen digits', '<c><v>123456789012345</v></c>', '123456789012345'],
    ['a small number with an exponent', '<c><v>1.5E3</v></c>', '1500'],
    ['digits that are lost', '<c><v>1.2345678901234568E+17</v></c>', '1.2345678901234568E+17'],
    ['sixteen digits, of which the last is lost', '<c><v>1234567890123450</v></c>', '1.23456789012345E+15'],
    ['a number that was formatted as text later', '<c s="4"><v>12345678</v></c>', '12345678'],
    ['a number with an exponent by its format', '<c s="5"><v>12345678</v></c>', '12345678'],
    ['zeros that its format shows', '<c s="2"><v>21000021</v></c>', '021000021'],
    ['a day', '<c s="1"><v>46327</v></c>', '2026-11-01'],
    ['a time of a day, by a format of its own', '<c s="3"><v>46327.75</v></c>', '2026-11-01T18:00:00'],
    ['a day by ISO 8601', '<c t="d"><v>2026-11-01</v></c>', '2026-11-01'],
    ['a truth', '<c t="b"><v>1</v></c>', 'TRUE'],
    ['an error', '<c t="e"><v>#N/A</v></c>', '#N/A'],
    ['what is no number of XML, as a text', '<c><v>0x10</v></c>', '0x10'],
    ['a number by a format named in German', '<c s="6"><v>46327</v></c>', '46327'],
    ['an amount by a format with a currency', '<c s="7"><v>46327.5</v></c>', '46327.5'],
  ])('%s', async (_, written, read) => {
    const strings = '<si><t>x</t></si><si><r><t>Müller </t></r><r><t>&amp; Co</t></r><rPh><t>ミュラー</t></rPh></si>'
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="000000000"/><numFmt numFmtId="165" formatCode="[$-407]d. mmm &quot;um&quot; hh:mm"/><numFmt numFmtId="166" formatCode="Standard"/><numFmt numFmtId="167" formatCode="#,##0.00 USD"/></numFmts>' +
      '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
      '<cellXfs><xf numFmtId="4"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="49"/><xf numFmtId="48"/><xf numFmtId="166"/><xf numFmtId="167"/></cellXfs>'
    expect(await cellsOf(row([written]), { strings, styles })).toEqual([[read, '', '', '', '']])
  })

  test('days count from 1904 if the workbook says so', async () => {
    const styles = '<cellXfs><xf numFmtId="14"/></cellXfs>'
    const days = row(['<c s="0"><v>0</v></c>'])
    expect(await cellsOf(days, { styles, book: '<workbookPr date1904="1"/>' })).toEqual([
      ['1904-01-01', '', '', '', ''],
    ])
    expect(await cellsOf(days, { styles })).toEqual([['1899-12-31', '', '', '', '']])
  })
})

test('what a sheet has beside its data is no row, and no cell has the text of another', async () => {
  const rows = row(['<c><is><t>other</t></is><v>5</v></c>', text('own')])
  const anchor = '<anchor><from><xdr:col>1</xdr:col><xdr:row>3</xdr:row></from></anchor>'
  const parts = partsOf(header + rows).map((part) => ({
    ...part,
    content: String(part.content).replace('</worksheet>', `<controls>${anchor}</controls></worksheet>`),
  }))
  const { rows: found, empty } = await read(zipOf(parts))
  expect([found.map(({ cells }) => cells), empty]).toEqual([[['5', 'own', '', '', '']], [0, 0]])
})

test('rows have their numbers in the sheet, and what carries no data is passed over and counted', async () => {
  const far = `<c r="F3"><v></v></c><c r="G3" s="1"/>`
  const rows = `<row r="3">${text('a', ' r="A3"')}${text('b', ' r="E3"')}${far}</row><row r="5"><c r="A5"/></row><row r="9">${text('c', ' r="A9"')}</row>`
  const named = row([...HEADER.map((name) => text(name)), '<c/>', text(' ')])
  const { rows: found, empty } = await read(zipOf(partsOf(named + rows), 'a comment'))
  expect(found).toEqual([
    { rowNumber: 1, line: 3, cells: ['a', '', '', '', 'b'] },
    { rowNumber: 2, line: 9, cells: ['c', '', '', '', ''] },
  ])
  expect(empty).toEqual([1, 2])
  expect(await faultOf(zipOf(partsOf(`${named}<row>${text('z', ' r="G2"')}</row>`)))).toEqual([2, 'unnamed_column'])
  const last = (await read(zipOf(partsOf(`${header}<row>${text('z', ' r="XFD2"')}</row>`)))).rows[0]?.cells
  expect([last?.length, last?.at(-1)]).toEqual([CELLS_MAX + 1, 'z'])
})

describe('what cannot be read is refused', () => {
  const sound = partsOf(header + row([text('a')]))
  const without = (name: string) => sound.filter((part) => part.name !== name)
  const withPart = (name: string, given: Partial<ZipPart>) =>
    sound.map((part) => (part.name === name ? { ...part, ...given } : part))
  const SHEET = 'xl/worksheets/sheet1.xml'
  const sheet = (content: string) => zipOf(withPart(SHEET, { content }))
  const withRelation = (target: string) =>
    withPart('_rels/.rels', { content: relations(relation('a', 'officeDocument', target)) })
  const damaged = [null, 'workbook_damaged']

  test.each([
    ['CSV', Buffer.from(HEADER.join(',')), [null, 'not_a_workbook']],
    ['nothing', Buffer.alloc(0), [null, 'not_a_workbook']],
    ['one with a password', Buffer.from('d0cf11e0a1b11ae1', 'hex'), [null, 'workbook_protected']],
    ['an encrypted part', zipOf(withPart(SHEET, { flags: 1 })), [null, 'workbook_protected']],
    ['an archive that is cut', zipOf(sound).subarray(0, -30), damaged],
    ['another method', zipOf(withPart(SHEET, { method: 12 })), damaged],
    ['another checksum', zipOf(withPart(SHEET, { crc: 1 })), damaged],
    ['two parts of a name', zipOf([...sound, ...sound]), damaged],
    ['no workbook in it', zipOf(without('xl/workbook.xml')), damaged],
    ['no relations', zipOf(without('_rels/.rels')), damaged],
    ['a relation that is no address', zipOf(withRelation('http://[')), damaged],
    ['one with a broken escape', zipOf(withRelation('xl/%zz')), damaged],
    ['no sheet', zipOf(without(SHEET)), damaged],
    ['a document type', sheet('<!DOCTYPE x [<!ENTITY a "aaaa">]><worksheet/>'), damaged],
    ['XML that is cut', sheet('<worksheet><sheetData>'), damaged],
    ['a deep tree', sheet('<a>'.repeat(1000)), damaged],
    ['bytes that are not UTF-8', zipOf(withPart(SHEET, { content: Buffer.from([0x3c, 0xff]) })), damaged],
    ['rows that go back', sheet(`<sheetData><row r="5"/><row r="4"/></sheetData>`), damaged],
    [
      'a cell of two values',
      sheet(`<sheetData><row r="1"><c><v>1</v><v>2</v></c></row></sheetData>`),
      [1, 'workbook_damaged'],
    ],
    ['cells that go back', sheet(`<sheetData><row><c r="B1"/><c r="A1"/></row></sheetData>`), damaged],
    [
      'a text that is not there',
      sheet(`<sheetData><row><c t="s"><v>7</v></c></row></sheetData>`),
      [1, 'workbook_damaged'],
    ],
    ['half of a character', sheet(`<sheetData>${row([text('a_xD83D_')])}</sheetData>`), damaged],
    ['a row that no sheet has', sheet('<sheetData><row r="1048577"/></sheetData>'), damaged],
    [
      'a tag of many attributes',
      sheet(`<x ${Array.from({ length: 300 }, (_, index) => `a${index}=""`).join(' ')}/>`),
      damaged,
    ],
    ['a long comment', sheet(`<!--${'x'.repeat(2 * 1024 * 1024)}-->`), [null, 'workbook_too_large']],
    [
      'a name far beyond all columns',
      zipOf(
        partsOf(
          `<row>${HEADER.slice(1)
            .map((name) => text(name))
            .join('')}${text('payee_svc_id', ' r="CV1"')}</row>`,
        ),
      ),
      [1, 'unknown_column'],
    ],
    ['nothing in it', sheet(`<worksheet/>`), [null, 'empty_file']],
    ['a header alone', zipOf(partsOf(header)), [null, 'no_rows']],
    ['a formula without result', zipOf(partsOf(header + row(['<c><f>A1</f></c>']))), [2, 'formula_without_value']],
    ['too many rows', zipOf(partsOf(header + row([text('a')]).repeat(ROWS_MAX + 1))), [ROWS_MAX + 2, 'too_many_rows']],
    ['a sheet of 65 MB', sheet(`<row>${' '.repeat(65 * 1024 * 1024)}</row>`), [null, 'workbook_too_large']],
    [
      'a long text in many cells',
      zipOf(
        partsOf(header + row(Array(60).fill('<c t="s"><v>0</v></c>')).repeat(10), {
          strings: `<si><t>${'x'.repeat(30_000)}</t></si>`,
        }),
      ),
      [11, 'workbook_too_large'],
    ],
    [
      'a thousand parts',
      zipOf(Array.from({ length: 1001 }, (_, i) => ({ name: `${i}`, content: '' }))),
      [null, 'workbook_too_large'],
    ],
  ])('a workbook is refused if it is %s', async (_, file, fault) => expect(await faultOf(file)).toEqual(fault))

  test('a format that no spreadsheet writes', async () =>
    expect(
      await faultOf(zipOf(partsOf(header, { styles: `<numFmt numFmtId="164" formatCode="${'"'.repeat(256)}"/>` }))),
    ).toEqual(damaged))

  test('whatever bytes a sound one has lost or got, it is rows or a fault', async () => {
    const bytes = zipOf(partsOf(header + row([text('a')]).repeat(20)))
    const change = fc.record({ at: fc.nat(bytes.length - 1), byte: fc.nat(255) })
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), fc.nat(bytes.length), async (changes, end) => {
        const changed = Buffer.from(bytes)
        for (const { at, byte } of changes) changed[at] = byte
        await faultOf(changed)
        await faultOf(bytes.subarray(0, end))
      }),
      { numRuns: propertyRuns(500) },
    )
  })
})

test.each([
  ['a hundred thousand sheets and relations', manySheets(100_000)],
  ['as many styles with the longest format', longFormats(100_000)],
])('a small workbook of %s is read by the process that reads files', async (_, file) => {
  expect(file.length).toBeLessThan(60_000)
  const found: (readonly string[])[] = []
  for await (const { rows } of readParts('table', { bytes: file, isWorkbook: true }, { msMax: 600_000 }))
    found.push(...rows.map(({ cells }) => cells))
  expect(found).toEqual([['a', '', '', '', '']])
})

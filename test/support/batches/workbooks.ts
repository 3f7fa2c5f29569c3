/** Workbooks, sound and hostile ones. */
import { type ZipPart, zipOf } from '../exports/zip.ts'

export const HEADER = ['payee_svc_id', 'amount', 'currency', 'payout_reason', 'statement_description']

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
export const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`
export const relations = (...inside: string[]) =>
  `<?xml version="1.0"?><Relationships>${inside.join('')}</Relationships>`

/** Parts of a workbook whose sheet has these rows, in XML. */
export const partsOf = (
  rows: string,
  { strings = '', styles = '', book = '', sheets = '', related = '' } = {},
): ZipPart[] => [
  { name: '_rels/.rels', content: relations(relation('a', 'officeDocument', 'xl/workbook.xml')) },
  {
    name: 'xl/workbook.xml',
    content: `<workbook xmlns:r="${OFFICE}">${book}<sheets>${sheets}<sheet name="A" state="hidden" r:id="r9"/><sheet name="B" r:id="r1"/></sheets></workbook>`,
  },
  {
    name: 'xl/_rels/workbook.xml.rels',
    content: relations(
      related,
      relation('r1', 'worksheet', 'worksheets/sheet1.xml'),
      relation('r9', 'worksheet', 'worksheets/hidden.xml'),
      relation('r2', 'sharedStrings', '/xl/sharedStrings.xml'),
      relation('r3', 'styles', 'styles.xml'),
    ),
  },
  { name: 'xl/sharedStrings.xml', content: `<sst>${strings}</sst>` },
  { name: 'xl/styles.xml', content: `<styleSheet>${styles}</styleSheet>` },
  { name: 'xl/worksheets/sheet1.xml', content: `<worksheet><sheetData>${rows}</sheetData></worksheet>` },
]
export const text = (words: string, more = '') => `<c${more} t="inlineStr"><is><t>${words}</t></is></c>`
export const row = (cells: readonly string[]) => `<row>${cells.join('')}</row>`
export const header = row(HEADER.map((name) => text(name)))

/** Packs a workbook with sheets without a relation, and as many relations to other sheets. */
export const manySheets = (count: number): Buffer =>
  zipOf(
    partsOf(header + row([text('a')]), {
      sheets: '<sheet r:id="x"/>'.repeat(count),
      related: `<Relationship Id="y" Type="worksheet"/>`.repeat(count),
    }),
  )

/** Packs a workbook with styles that all have one format, of quotes that are not closed. */
export const longFormats = (count: number, length = 255): Buffer =>
  zipOf(
    partsOf(header + row([text('a')]), {
      styles:
        `<numFmts><numFmt numFmtId="164" formatCode="${"'".repeat(length - 1)}["/></numFmts>` +
        `<cellXfs>${'<xf numFmtId="164"/>'.repeat(count)}</cellXfs>`,
    }),
  )

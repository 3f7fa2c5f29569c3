/** Values and doubts of readings, and the readings of typed pages. */
import { withPdf } from '../../../documents/pdf/pdf.ts'
import type { BillField } from '../../../domain/bills/fields.ts'
import type { Reading } from '../../../domain/bills/reader.ts'
import { readPages } from '../../../documents/bills/text/reading.ts'
import type { Page } from '../../../domain/bills/page.ts'
import { typedPage } from './typed-page.ts'

type Found = { readonly fields: readonly { readonly field: BillField; readonly value: string }[] }

export const valueOf = ({ fields }: Found, wanted: BillField) =>
  fields.find(({ field }) => field === wanted)?.value ?? null
export const valuesOf = (found: Found, ...wanted: BillField[]) => wanted.map((field) => valueOf(found, field))
export const codesOf = ({ doubts }: Pick<Reading, 'doubts'>) => doubts.map(({ code, fields }) => [code, ...fields])

export const readTyped = (...pages: (readonly string[])[]) =>
  readPages(
    pages.map((lines, index) => typedPage(lines, { number: index + 1 })),
    'text-layer',
  )
export const valueOn = (lines: readonly string[], wanted: BillField) => valueOf(readTyped(lines), wanted)

export const pagesOf = (pdf: Uint8Array): Promise<Page[]> =>
  withPdf(pdf, async (open) => Array.from({ length: open.pageCount }, (_, index) => open.page(index + 1)))

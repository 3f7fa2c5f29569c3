/** Scanned bills: askew, with noise, and with a stamp over them. */
import { beforeAll, describe, expect, test } from 'vitest'
import { readDocument } from '../../activities/bills/read-document.ts'
import { mergeReadings } from '../../domain/bills/merged.ts'
import { LAYOUTS } from '../support/bills/layouts.ts'
import { printed } from '../support/bills/printed.ts'
import { billOf } from '../support/bills/random.ts'
import { pdfOf, scanned } from '../support/bills/scans.ts'

describe('a scanned page in German', () => {
  const bill = billOf(4001, 'de')
  let fields: Map<string, string>
  beforeAll(async () => {
    const [layout] = LAYOUTS
    if (!layout) throw new Error('there is a layout')
    const bytes = await pdfOf(await scanned(await printed(bill, layout), 7))
    const found = mergeReadings(await readDocument({ bytes, contentType: 'application/pdf' })).fields
    fields = new Map(found.map(({ field, value }) => [field, value]))
  }, 180_000)

  test('is read within the memory that any file may take', () => {
    expect(fields.size).toBeGreaterThan(5)
  })

  test('keeps the umlauts of names', () => {
    expect(fields.get('supplier_name')).toBe(bill.seller.name)
  })

  test('has its number as it is printed', () => {
    expect(fields.get('bill_number')).toBe(bill.number)
  })
})

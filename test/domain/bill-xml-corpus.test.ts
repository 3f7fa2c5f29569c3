/** Bills in XML, read as `npm run bench:bills` scores them. */
import { describe, expect, test } from 'vitest'
import { readXml } from '../../documents/bills/xml/read.ts'
import { BILL_FIELDS } from '../../domain/bills/fields.ts'
import { UnreadableBill } from '../../domain/bills/reader.ts'
import type { Truth } from '../../dev/sample-bills/model.ts'
import { HALVES, xmlFiles } from '../../dev/sample-bills/xml-files.ts'

function found(bytes: Buffer): Omit<Truth, 'kind' | 'language'> {
  try {
    const { fields, notPayable } = readXml(bytes, 'file')
    const value = (name: string) => fields.find(({ field }) => field === name)?.value ?? null
    // every field is a key
    const all = Object.fromEntries(BILL_FIELDS.map((name) => [name, value(name)])) as NonNullable<Truth['fields']>
    return { fields: all, not_payable: notPayable, refused: null }
  } catch (error) {
    if (!(error instanceof UnreadableBill)) throw error
    return { fields: null, not_payable: null, refused: error.code }
  }
}

describe.each(HALVES)('of the half %s', (half) => {
  test('every field of every bill in XML is what the file says', () => {
    const files = xmlFiles().filter((file) => file.half === half)
    expect(files.length).toBeGreaterThan(30)
    for (const { name, bytes, truth } of files) {
      const { kind: _kind, language: _language, ...said } = truth
      expect(found(bytes), name).toEqual(said)
    }
  })
})

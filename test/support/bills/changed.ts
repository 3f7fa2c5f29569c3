/** A plain bill in XML, read as it is or with some of its text changed. */
import { expect } from 'vitest'
import { readXml } from '../../../documents/bills/xml/read.ts'
import type { Reading } from '../../../domain/bills/reader.ts'
import { type Form, electronic } from '../../../dev/sample-bills/electronic.ts'
import type { BillModel } from '../../../dev/sample-bills/model.ts'
import { billOf } from '../../../dev/sample-bills/random.ts'

export const PAYEE = 'DE02120300000000202051'
export const PAYER = 'DE02500105170137075030'
export const account = { iban: PAYEE, number: null, branch: null, bic: null, holder: null, bankName: null }

/** A bill of one line: 100.00 and 19 % are 119.00. */
export const plain = (given: Partial<BillModel> = {}): BillModel =>
  billOf(1, 'de', {
    currency: 'EUR',
    issueDate: '2026-03-01',
    dueDate: '2026-03-31',
    termDays: null,
    payeeName: null,
    lines: [{ text: 'Ware', quantity: 1, price: 10_000n, rate: 19 }],
    allowance: 0n,
    charge: 0n,
    prepaid: 0n,
    rounding: 0n,
    meansCode: '58',
    reference: '000123',
    accounts: [account],
    payerIban: null,
    ...given,
  })

export const BOTH = ['ubl-peppol', 'cii-en16931'] as const

export const read = (xml: string): Reading => readXml(Buffer.from(xml), 'file')
export const fieldsOf = ({ fields }: Reading) => Object.fromEntries(fields.map(({ field, value }) => [field, value]))

const summaryOf = (reading: Reading) => ({
  fields: fieldsOf(reading),
  doubts: reading.doubts.map(({ code, fields }) => [code, ...fields]),
  reading,
})

/** A replacement in a text. */
export type Change = readonly [from: string | RegExp, to: string]

/** Reads a text with these changes; each must find its text. */
export function readWith(xml: string, ...changes: readonly Change[]) {
  const changed = changes.reduce((text, [from, to]) => {
    const next = text.replace(from, to)
    expect(next, String(from)).not.toBe(text)
    return next
  }, xml)
  return summaryOf(read(changed))
}

export const readChanged = (form: Form, bill: BillModel, ...changes: readonly Change[]) =>
  readWith(electronic(bill, form), ...changes)

/** Expects these fields; one that is undefined must not be there. */
export function expectFields(fields: Readonly<Record<string, string>>, wanted: Readonly<Record<string, unknown>>) {
  expect(Object.fromEntries(Object.keys(wanted).map((field) => [field, fields[field]]))).toEqual(wanted)
}

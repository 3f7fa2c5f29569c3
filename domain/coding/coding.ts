/** Coding of the lines of a bill: account, tax code and labels of each, or of the parts that it is split into. */
import * as v from 'valibot'
import { distinct } from '../distinct.ts'
import { describe, integer, model, nullableText, open } from '../text.ts'
import { code, percent } from './chart.ts'
import { Labels, newLabels } from './label.ts'

const LINES_MAX = 1000
/** Most parts of a line. */
export const PARTS_MAX = 50

/** Provenance of a coding. */
const CODERS = ['rule', 'memory', 'person'] as const

/** Amount of a part: negative in a line that is. */
const signed = v.pipe(
  v.string(),
  v.regex(/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,8})?$/, 'must be a plain decimal number such as 10.50'),
  v.metadata({ jsonSchema: { type: 'string', pattern: String.raw`^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,8})?$` } }),
)

const labels = describe(v.optional(newLabels, []), 'One value for each dimension.')

const NewPart = model('NewCodingPart', {
  amount: describe(v.optional(signed), 'Part of the amount of the line; absent with `share`, and for the whole.'), // prettier-ignore
  share: describe(v.optional(percent), 'Part of the line in percent.'),
  account_code: describe(v.optional(v.nullable(code), null), 'Code of an account of the chart.'),
  tax_code: describe(v.optional(v.nullable(code), null), 'Code of a tax code of the chart.'),
  labels,
})
export type NewPart = v.InferOutput<typeof NewPart>

/** Body of PUT /bills/{bill_id}/coding: lines that it does not name are not coded any more. */
export const NewBillCoding = model('NewBillCoding', {
  lines: describe(
    v.pipe(
      v.array(
        model('NewCodingLine', {
          line: describe(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(LINES_MAX)), 'Number of the line, from 1.'), // prettier-ignore
          parts: describe(
            v.pipe(v.array(NewPart), v.minLength(1), v.maxLength(PARTS_MAX)),
            'Parts of the line; they add up to its amount.',
          ),
        }),
      ),
      v.maxLength(LINES_MAX),
      distinct((one) => `${one.line}`),
    ),
    'Lines that are coded.',
  ),
})
export type NewBillCoding = v.InferOutput<typeof NewBillCoding>

export const CodingPart = model('CodingPart', {
  amount: describe(v.string(), 'Part of the amount of the line, in the currency of the bill.'),
  account_code: describe(nullableText, 'Code of an account of the chart.'),
  tax_code: describe(nullableText, 'Code of a tax code of the chart.'),
  labels: Labels,
})
export type CodingPart = v.InferOutput<typeof CodingPart>

export const BillCoding = model('BillCoding', {
  currency: nullableText,
  lines: describe(
    v.array(
      model('CodingLine', {
        line: describe(integer, 'Number of the line, from 1.'),
        description: nullableText,
        amount: describe(nullableText, 'Net amount of the line; of a bill without lines its amount.'),
        coded_by: describe(
          v.nullable(open(v.picklist(CODERS), 'A way that came later')),
          'Provenance: only what a `person` saved counts; by a `rule` of the contact or from `memory` it is proposed; null without.',
        ),
        parts: describe(v.array(CodingPart), 'Parts; one of the whole amount unless it is split.'),
      }),
    ),
    'Lines of the bill; a bill without them, or without an amount for each, has one.',
  ),
})
export type BillCoding = v.InferOutput<typeof BillCoding>

/** Body of PUT /payment-contacts/{payment_contact_id}/coding: empty, its bills are proposed by memory alone. */
export const NewContactCoding = model('NewContactCoding', {
  account_code: describe(v.optional(v.nullable(code), null), 'Code of an account of the chart.'),
  tax_code: describe(v.optional(v.nullable(code), null), 'Code of a tax code of the chart.'),
  labels,
})
export type NewContactCoding = v.InferOutput<typeof NewContactCoding>

/** Coding that is proposed for bills of a contact. */
export const ContactCoding = model('ContactCoding', {
  account_code: describe(nullableText, 'Code of an account of the chart.'),
  tax_code: describe(nullableText, 'Code of a tax code of the chart.'),
  labels: Labels,
})
export type ContactCoding = v.InferOutput<typeof ContactCoding>

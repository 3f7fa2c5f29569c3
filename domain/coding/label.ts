/** Labels: one value of each dimension, of parts of bills, payments and transactions. */
import * as v from 'valibot'
import { distinct } from '../distinct.ts'
import { describe, model } from '../text.ts'
import { CODE_MAX, code } from './chart.ts'

const LABELS_MAX = 20

const dimension = describe(v.string(), 'Code of the dimension.')
const value = describe(v.string(), 'Code of its value.')

export const NewLabel = model('NewCodingLabel', {
  dimension: describe(code, 'Code of the dimension.'),
  value: describe(code, 'Code of its value.'),
})

/** Labels in a body; two of one dimension are refused. */
export const newLabels = v.pipe(v.array(NewLabel), v.maxLength(LABELS_MAX), distinct((one) => one.dimension)) // prettier-ignore

export const Labels = describe(v.array(model('CodingLabel', { dimension, value })), 'One value for each dimension.')
export type Labels = v.InferOutput<typeof Labels>

const FILTER = /^((?:[^:\\]|\\.)+):(.+)$/

/** Filter of a list by one label, such as `department:sales`; `\:` and `\\` are signs of the code of its dimension. */
export const labelFilter = v.pipe(
  v.string(),
  v.maxLength(CODE_MAX * 3 + 1),
  v.regex(FILTER, 'must be a dimension and its value, such as department:sales'),
)

/** Writes the label of a filter as lists look it up: a sign that no code has is between its dimension and its value. */
export function labelKeyOf(filter: string): string {
  const [, dimension = '', value = ''] = FILTER.exec(filter) ?? []
  return `${dimension.replaceAll(/\\([:\\])/g, '$1')}\u001F${value}`
}

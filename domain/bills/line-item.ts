import * as v from 'valibot'
import { describe, model, nullableText } from '../text.ts'

/** Bills with more lines keep none of them. */
export const LINE_ITEMS_MAX = 1000
/** Characters of a description; a longer one ends in an ellipsis. */
export const LINE_TEXT_MAX = 500

const plain = (says: string) => describe(nullableText, says)

/** Line as the XML of a bill states it. */
export const LineItem = model('BillLineItem', {
  description: plain('The goods or services, on one line; cut to 500 characters.'),
  quantity: plain('A plain decimal.'),
  unit: plain('The unit of the quantity as the bill writes it, in UBL and CII a code of UN/ECE Recommendation 20.'),
  unit_price: plain('Net, for one unit; null also if the bill gives a price for several units.'),
  amount: plain(
    'Net, of the whole line, in the currency of the bill; a credit note has it without a sign, as the file does.',
  ),
  tax_rate: plain('In percent, a plain decimal.'),
})
export type LineItem = v.InferOutput<typeof LineItem>

/** Page of a printed bill, as pixels. */
import { withPdf } from '../../../documents/pdf/pdf.ts'
import { LAYOUTS } from '../../../dev/sample-bills/layouts.ts'
import { printBill } from '../../../dev/sample-bills/printed.ts'
import { billOf } from '../../../dev/sample-bills/random.ts'

/** Bill that printPage() prints. */
export const PRINTED = billOf(7, 'de', { payerIban: null, prepaid: 0n, rounding: 0n })

/** Prints the bill, and draws its page in grey at 200 dpi. */
export async function printPage() {
  const [layout] = LAYOUTS
  if (!layout) throw new Error('there is no layout')
  return withPdf(await printBill(PRINTED, layout), async (opened) => opened.picture(1, 200))
}

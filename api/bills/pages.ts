/** Pages of bills as pictures, to be shown beside what was read on them. */
import * as v from 'valibot'
import { drawPage } from '../../activities/bills/read-document.ts'
import { findOriginal } from '../../db/bills/bills.ts'
import { findProvenance } from '../../db/bills/provenance.ts'
import { queueOfMany } from '../../platform/concurrency.ts'
import { bytesOf } from '../../db/files/files.ts'
import { log } from '../../platform/log.ts'
import { BillPageQuery, pageNumber } from '../../domain/bills/bill.ts'
import { type BillFile, UnreadableBill } from '../../domain/bills/reader.ts'
import { refuse } from '../../domain/errors.ts'
import { operations } from '../http/operation.ts'

const { query } = operations('Bills')

/** Pages that wait or are drawn in this process: organizations are served in turn. */
const PLACES = { max: 60, each: { organization: 6, person: 4 } }
const RETRY_AFTER_SECONDS = 5
const inTurn = queueOfMany(PLACES, RETRY_AFTER_SECONDS)

export const billPages = [
  query('/bills/{bill_id}/pages/{n}.png', 'getBillPage')
    .says(
      'See a page of the original, or the picture that it is, with the fields marked if you like',
      'Boxes of the provenance fit on it: two pixels are a point, as long as the page is no larger than A3. ' +
        'XML has no pages. Four pages at a time are drawn for a person, and six for an organization.',
    )
    .of('bill')
    .can('bills.read')
    .named(v.object({ n: pageNumber }))
    .filters(BillPageQuery)
    .cached('private')
    .bytes('image/png', ({ bill_id, n }) => `bill-${bill_id}-${n}.png`)
    .does(async ({ read, org, person, params, query }) => {
      const { bill_id: billId, n } = params
      if (n === 0) refuse('not_found')
      const original = await findOriginal(read, billId)
      const found = query.mark ? (await findProvenance(read, billId)).data : []
      const boxes = found.flatMap(({ page, box }) => (page === n && box ? [box] : []))
      const callers = { organization: org.organizationId, person: person.userId }
      const png = await inTurn(callers, async () => {
        const bytes = (await bytesOf(original)) ?? refuse('invalid_file', { reason: 'damaged' })
        return drawn({ bytes, contentType: original.content_type }, n, boxes)
      })
      return png ?? refuse('not_found')
    }),
]

/** Refuses `invalid_file` with the reason for which it cannot be opened, and `service_unavailable` if that may pass. */
async function drawn(
  file: BillFile,
  n: number,
  boxes: readonly (readonly number[])[],
): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return await drawPage(file, n, boxes)
  } catch (error) {
    if (error instanceof UnreadableBill) refuse('invalid_file', { reason: error.code })
    log.warn({ err: error }, 'a page of a bill was not drawn')
    refuse('service_unavailable', { retry_after_seconds: RETRY_AFTER_SECONDS })
  }
}

/** The steps of a bill's run, without a worker. */
import { main } from '../../../activities/index.ts'
import { type Try, recordFindings } from '../../../services/bills/reading.ts'
import type { Reading } from '../../../domain/bills/reader.ts'
import type { BillId, OrganizationId } from '../../../domain/ids.ts'
import type { ProcessRef } from '../../../domain/process.ts'

export async function takeSteps(ref: ProcessRef<BillId>): Promise<void> {
  for (;;) {
    const bill = await main.viewBill(ref)
    if (bill.again) continue
    if (bill.at_rest || !('is_read' in bill)) return
    if (bill.unreadable) await main.giveUpBill(ref)
    else if (bill.is_read && !bill.asks_model) await main.mergeBill(ref)
    else return
  }
}

export async function takeOver(organizationId: OrganizationId, begun: Try, readings: readonly Reading[]) {
  await recordFindings(organizationId, begun, { readings, pages: [], asksModel: false })
  await takeSteps({ id: begun.id, organizationId })
}

/** Incoming money without a worker: the test takes the steps of its run. */
import { main } from '../../../activities/index.ts'
import type { OrganizationId, TransactionId } from '../../../domain/ids.ts'

const STEPS = {
  allocation: main.matchIncomingPayment,
  proposal: main.proposeInvoices,
  pass: main.passIncomingPayment,
  reconsideration: main.reconsiderProposal,
}

/** Takes the due steps of incoming money, as its run does, until it is at rest. */
export async function followMoney(organizationId: string, id: string): Promise<void> {
  const ref = { id: id as TransactionId, organizationId: organizationId as OrganizationId } // as the API answered them
  for (;;) {
    const view = await main.viewIncomingPayment(ref)
    if (view.again) continue
    if (view.at_rest) return
    await STEPS[view.due](ref)
  }
}

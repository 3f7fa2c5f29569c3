/** The registry of approval targets: one line for each. Every process that decides loads it. */
import { registerTargets } from '../approvals/target.ts'
import { batchTarget } from '../batches/approval-target.ts'
import { contactTarget } from '../contacts/approval-target.ts'
import { invitationTarget } from '../invitations/approval-target.ts'
import { invoiceTarget } from '../invoices/approval-target.ts'
import { cryptoOutgoing, fiatOutgoing, internalTransfer } from '../payments/approval-target.ts'

registerTargets([
  internalTransfer,
  fiatOutgoing,
  cryptoOutgoing,
  contactTarget,
  invitationTarget,
  batchTarget,
  invoiceTarget,
])

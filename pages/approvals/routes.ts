/** Addresses of approvals. */
import type { Routes } from '../frame/routes.ts'
import { showApproval } from './approval.ts'
import { showBill, showBillFile, showBillPicture } from './bill.ts'
import { approve, decideSet, reject } from './decide.ts'
import { showBatchRows, showEvidence } from './details.ts'
import { showHistory, showInbox } from './inbox.ts'
import { showChanges } from './stream.ts'

export const APPROVALS: Routes = {
  shown: {
    '/approvals': ({ http }) => http.redirect('/approve', 302),
    '/approve': showInbox,
    '/approve/history': showHistory,
    '/approve/stream': showChanges,
    '/approve/:id': showApproval,
    '/approve/:id/bill': showBill,
    '/approve/:id/bill/1.png': showBillPicture,
    '/approve/:id/bill/file': showBillFile,
    '/approve/:id/rows': showBatchRows,
    '/approve/:id/evidence': showEvidence,
  },
  sent: {
    '/approve/set': decideSet,
    '/approve/:id/approve': approve,
    '/approve/:id/reject': reject,
  },
}

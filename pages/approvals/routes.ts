/** Addresses of approvals. */
import type { Routes } from '../frame/routes.ts'
import { showApproval } from './approval.ts'
import { answer, approve, askAbout, reject, sendBack, withdraw } from './decide.ts'
import { showEvidence, showEvidenceFile } from './evidence.ts'
import { showHistory } from './history.ts'
import { showInbox } from './inbox.ts'
import { decideSet } from './sets.ts'
import { showChanges } from './stream.ts'
import { showAttachment, showAttachmentPicture } from './subjects/attachments.ts'
import { showBill, showBillFile, showBillPicture } from './subjects/bill.ts'
import { showDocument } from './subjects/document.ts'
import { showBatchRows } from './subjects/rows.ts'

export const APPROVALS: Routes = {
  shown: {
    '/approvals': ({ http }) => http.redirect('/approve', 302),
    '/approve': showInbox,
    '/approve/history': showHistory,
    '/approve/stream': showChanges,
    '/approve/:id': showApproval,
    '/approve/:id/bill': showBill,
    '/approve/:id/bill/file': showBillFile,
    '/approve/:id/bill/1.png': showBillPicture, // of pages that were shown before there were others
    '/approve/:id/bill/page.png': showBillPicture,
    '/approve/:id/files/:file': showAttachment,
    '/approve/:id/files/:file/page.png': showAttachmentPicture,
    '/approve/:id/document.pdf': showDocument,
    '/approve/:id/rows': showBatchRows,
    '/approve/:id/evidence': showEvidence,
    '/approve/:id/evidence.json': showEvidenceFile,
  },
  sent: {
    '/approve/set': decideSet,
    '/approve/:id/approve': approve,
    '/approve/:id/reject': reject,
    '/approve/:id/send-back': sendBack,
    '/approve/:id/questions': askAbout,
    '/approve/:id/questions/:question': answer,
    '/approve/:id/withdraw': withdraw,
  },
}

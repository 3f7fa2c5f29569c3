/** Evidence: who saw and decided what, when, with which factor and on which device, in a form that can be verified. */
import { findApproval } from '../../db/decisions/approvals.ts'
import { evidenceOf } from '../../db/decisions/evidence.ts'
import { Evidence } from '../../domain/approvals/evidence.ts'
import { id } from '../../domain/ids.ts'
import { viewerOf } from './decisions.ts'
import { inPath } from '../http/in-path.ts'
import { route } from '../http/route.ts'

export const evidence = [
  route({
    method: 'get',
    path: '/organizations/{organization_id}/approvals/{approval_id}/evidence',
    operationId: 'getApprovalEvidence',
    summary: 'Read what an auditor needs to verify how an approval was decided',
    tag: 'Approvals',
    can: 'approvals.review',
    ...inPath('organization', { approval_id: id<'approval'>() }),
    returns: Evidence,
    handle: async (context) => {
      const viewer = viewerOf(context)
      return evidenceOf(context.read, await findApproval(context.read, context.params.approval_id, viewer), viewer)
    },
  }),
]

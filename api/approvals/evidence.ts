/** Evidence: who saw and decided what, when, with which factor and on which device, in a form that can be verified. */
import { findApproval } from '../../db/decisions/approvals.ts'
import { evidenceOf } from '../../db/decisions/evidence.ts'
import { Evidence } from '../../domain/approvals/evidence.ts'
import { viewerOf } from './decisions.ts'
import { operations } from '../http/operation.ts'

const { query } = operations('Approvals')

export const evidence = [
  query('/organizations/{organization_id}/approvals/{approval_id}/evidence', 'getApprovalEvidence')
    .says('Read what an auditor needs to verify how an approval was decided')
    .of('organization')
    .can('approvals.review')
    .answers(Evidence)
    .does(async (context) => {
      const viewer = viewerOf(context)
      return evidenceOf(context.read, await findApproval(context.read, context.params.approval_id, viewer), viewer)
    }),
]

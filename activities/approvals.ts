/** What every workflow that waits for approval records. Each is one transaction, and a repeat answers as the first time. */
import { type ApprovalRef, attend } from '../db/approval-deadlines.ts'
import * as decisions from '../db/decisions.ts'
import type { Decision, Verdict } from '../db/model/approval.ts'
import type { OrganizationId } from '../db/model/ids.ts'
import { asSystem, inOrganization } from '../db/sql.ts'

export type GateRef = ApprovalRef & { readonly organizationId: OrganizationId }

/** Records a person's decision with all its effects. */
export const decide = (decision: Decision): Promise<Verdict> =>
  inOrganization(decision.actor, decision.organization_id, (tx) => decisions.decide(tx, decision), decision.request_id)

/**
 * Cancels the approval where its time is over by business time, reminds who could approve where that is due, and answers
 * where it stands. @public the workflow calls it by its proxy
 */
export const attendApproval = ({ organizationId, ...ref }: GateRef): Promise<Verdict> =>
  asSystem(organizationId, (tx) => attend(tx, ref))

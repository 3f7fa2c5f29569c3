/** Portable approval: a signed statement about an approval that any JOSE library verifies (RFC 7515, RFC 7519). */
import { createHash } from 'node:crypto'
import type { DecisionEvidence, Evidence } from '../../domain/approvals/evidence.ts'
import { canonicalJson } from '../../domain/canonical.ts'
import { refuse } from '../../domain/errors.ts'
import { now } from '../../platform/clock.ts'
import { config } from '../../platform/config.ts'
import { signToken } from '../events/heads.ts'

const TYPE = 'approval+jwt'

type Money = { readonly amount: string; readonly currency: string }
/** Members of subjects that a credential repeats; each room writes those that it has. */
type Subject = Partial<Money> & {
  readonly deducting?: Money
  readonly landing?: Money
  readonly payee?: string
  readonly fingerprint?: string
}

/**
 * Signs an approval that was given. It names people by their ids, and a payee by the fingerprint of the account. Refuses
 * `invalid_state` for a request that is not approved.
 */
export function signCredential(evidence: Evidence, organizationId: string): string {
  const { approval, subject_body: body, subject_hash, policy, decisions, events } = evidence
  if (approval.status !== 'approved') refuse('invalid_state', { current: approval.status, allowed: ['approved'] })
  const subject = JSON.parse(body) as Subject // as the room of its target wrote it
  const end = events.find(({ type, subject_id: id }) => type === 'approval.approved' && id === approval.approval_id)
  return signToken(TYPE, {
    iss: config.publicUrl,
    iat: Math.floor(now().getTime() / 1000),
    sub: `urn:uuid:${approval.approval_id}`,
    organization_id: organizationId,
    action_type: approval.action_type,
    target: `urn:uuid:${approval.target_id}`,
    subject_sha256: subject_hash,
    ...amountsIn(subject),
    ...(subject.payee && { payee: subject.payee }),
    ...(subject.fingerprint && { payee_fingerprint: subject.fingerprint }),
    policy_sha256: createHash('sha256').update(canonicalJson(policy)).digest('hex'),
    requester: approval.requester.id,
    requested_at: approval.created_at,
    approvals: decisions.filter(({ decision, voided }) => decision === 'approve' && !voided).map(toApprovalClaim),
    approved_at: approval.processed_at,
    ...(end?.hash && { log: { seq: end.seq, sha256: end.hash } }),
  })
}

/** Lists what leaves the balance and what arrives; a payment by service ID has one amount. */
function amountsIn({ amount, currency, deducting, landing }: Subject): { amounts?: Readonly<Record<string, Money>> } {
  if (deducting && landing) return { amounts: { deducting, landing } }
  return amount !== undefined && currency !== undefined ? { amounts: { deducting: { amount, currency } } } : {}
}

/** Names an approval by ids alone: who, for whom, in which role and step, by which factor, and when. */
const toApprovalClaim = ({ actor, on_behalf_of: principal, role, step, factor, occurred_at }: DecisionEvidence) => ({
  person: actor?.id ?? null,
  ...(principal && { on_behalf_of: principal.id }),
  role,
  step,
  factor,
  approved_at: occurred_at,
})

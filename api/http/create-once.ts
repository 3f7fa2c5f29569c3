/** Creations: one transaction, safe to repeat with the same Idempotency-Key. */
import { type Claim, storedHashOf, hashMatches } from '../../db/idempotency.ts'
import { refuse } from '../../domain/errors.ts'

/**
 * Runs the creating transaction, then reads what it made. If `create` answers false, a request with the same key was
 * faster: the same body gets that one's resource, another body is refused with `idempotency_key_reused`.
 */
export async function createOnce<Answer>(
  claim: Claim,
  create: () => Promise<boolean>,
  find: () => Promise<Answer>,
): Promise<Answer> {
  if (!(await create())) await refuseOtherBody(claim)
  return find()
}

/** Refuses a request if another one has its claim, with another body. */
export async function refuseOtherBody(claim: Claim): Promise<void> {
  if (!hashMatches(await storedHashOf(claim.id), claim.bodyHash)) refuse('idempotency_key_reused')
}

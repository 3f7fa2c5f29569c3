/** Questions to the bank about new accounts: asked before a request that approvers decide, who see the answer. */
import { rulesOf } from '../../services/approvals/policies.ts'
import { countOne } from '../../services/rate-limits.ts'
import type { Reader } from '../../db/postgres/sql.ts'
import { type Person, onlyPrepares } from '../../domain/people/actor.ts'
import { ruleFor } from '../../domain/approvals/matching.ts'
import { errorsOf } from '../../domain/destinations/check.ts'
import { canonicalCoordinates, checkCoordinates } from '../../domain/destinations/coordinates.ts'
import { type NewDestination, coordinatesIn } from '../../domain/destinations/destination.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import type { PayeeAnswer } from '../../domain/payee-checks/payee-check.ts'
import { askAboutPayee, permitQuestions } from '../../partners/payee-checks.ts'

type Requester = { readonly read: Reader; readonly person: Person }

/**
 * Asks the bank about new accounts whose approval will be asked for. Null for each account that it is not asked about.
 * Each question counts as one of the person and of the organization: past a limit none is asked, and the request is made.
 */
export async function askAboutNew(
  { read, person }: Requester,
  destinations: readonly NewDestination[],
): Promise<(PayeeAnswer | null)[]> {
  const waits = onlyPrepares(person) || ruleFor(await rulesOf(read), { action_type: 'payment_contact' })
  if (!waits) return destinations.map(() => null)
  return Promise.all(destinations.map((destination) => askAbout(read.organizationId, person, destination)))
}

async function askAbout(
  organizationId: OrganizationId,
  person: Person,
  destination: NewDestination,
): Promise<PayeeAnswer | null> {
  if (destination.type !== 'bank' || errorsOf(checkCoordinates(destination), '').length > 0) return null
  const coordinates = coordinatesIn(canonicalCoordinates(destination))
  if (!coordinates || (await countOne('payee_checks', person.userId)).over) return null
  const permit = await permitQuestions(organizationId, 'payee_questions')
  return permit && askAboutPayee(coordinates, permit)
}

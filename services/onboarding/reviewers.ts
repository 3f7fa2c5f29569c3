/** Reviewers of organizations: providers of connections that verify them, and operators for all other connections. */
import { SERVICE } from '../../domain/onboarding/review.ts'
import { MONEY_CONNECTIONS } from '../connections/connections.ts'
import { reviewerOf } from '../payers/payers.ts'

const OPEN = MONEY_CONNECTIONS.filter(({ closed }) => !closed)

/** Reviewers of a submission here; operators alone while nobody moves money. */
export const REVIEWERS: readonly string[] =
  OPEN.length === 0 ? [SERVICE] : [...new Set(OPEN.map(({ name }) => reviewerOf(name)))].toSorted()

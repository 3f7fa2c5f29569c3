/** Verification of payee at the bank: whether an account belongs to the name of its holder. */
import { payable, type Coordinates } from '../domain/destinations/destination.ts'
import { countMany } from '../services/rate-limits.ts'
import type { OrganizationId, UserId } from '../domain/ids.ts'
import type { NotPossibleReason, PayeeAnswer } from '../domain/payee-checks/payee-check.ts'
import { log } from '../platform/log.ts'
import { isTooSlow, partnerRefusal } from './http.ts'
import { MONEY_CONNECTIONS, connectionFor } from '../services/connections/connections.ts'
import type { CheckedDriver } from './answers.ts'
import { moneyPartner } from './money-partners.ts'

/** Permission to ask the bank one question, or several: permitQuestions() counts them. */
declare const permitted: unique symbol
export type Permit = { readonly [permitted]: true }

/** Questions that are counted by organization: those of requests one by one, those of rows of drafts in bulk. */
type CountedLimit = 'payee_questions' | 'payee_rows'

/**
 * Counts questions of an organization, or of a person without one; null if it has asked too many. So no operation tells
 * the holders of many accounts.
 */
export const permitQuestions = async (
  by: OrganizationId | UserId,
  policy: CountedLimit,
  questions = 1,
): Promise<Permit | null> => ((await countMany(policy, by, questions)).over ? null : PERMIT)

/** Permits the question before the order of a payment that people have asked for: each is asked for by name. */
export const permitForPayment = (): Permit => PERMIT
const PERMIT = {} as Permit

/**
 * Asks the bank whose account it is. A bank that is away, slow, unclear or not connected answers `not_possible`, as does the
 * lack of a permit: none blocks.
 */
export async function askAboutPayee(coordinates: Coordinates, permit: Permit | null): Promise<PayeeAnswer> {
  const checkPayee = bankFor(coordinates)?.checkPayee
  if (!checkPayee) return { result: 'not_possible', name: null, reason: 'not_supported' }
  if (!permit) return { result: 'not_possible', name: null, reason: 'too_many_questions' }
  const { account_holder_name: name, ...account } = payable(coordinates)
  try {
    const { result, name: known, reason } = await checkPayee({ name: name ?? '', account })
    return {
      result,
      name: result === 'close_match' ? known : null,
      reason: result === 'not_possible' ? (reason ?? 'not_supported') : null,
    }
  } catch (error) {
    log.warn({ err: error }, 'the bank could not say whose account this is')
    return { result: 'not_possible', name: null, reason: reasonOf(error) }
  }
}

/** Finds the bank that would pay such an account, or else any that can answer. */
function bankFor({ currency }: Coordinates): CheckedDriver | undefined {
  const banks = MONEY_CONNECTIONS.filter(({ kind }) => kind === 'fiat')
  const payer = currency && connectionFor({ rail: 'fiat', currency })
  return [...(payer ? [payer] : []), ...banks]
    .map(({ name }) => moneyPartner(name))
    .find((driver) => driver.checkPayee !== undefined)
}

function reasonOf(error: unknown): NotPossibleReason {
  if (partnerRefusal(error)) return 'not_supported'
  return isTooSlow(error) ? 'too_slow' : 'unavailable'
}

/** Verification of payee at the bank: whether an account belongs to the name of its holder. */
import * as v from 'valibot'
import { payable, type Coordinates } from '../domain/destinations/destination.ts'
import { countMany } from '../services/rate-limits.ts'
import { type OrganizationId, type UserId, newId } from '../domain/ids.ts'
import {
  NOT_POSSIBLE_REASONS,
  type NotPossibleReason,
  PAYEE_CHECK_MS,
  PAYEE_RESULTS,
  type PayeeAnswer,
} from '../domain/payee-checks/payee-check.ts'
import { config } from '../platform/config.ts'
import { log } from '../platform/log.ts'
import { endpointOf, isTooSlow, partnerRefusal, requestPartner } from './http.ts'
import { FreeText, idOf } from './schemas.ts'

const bank = endpointOf('bank')
/** A person waits for the answer. */
const endpoint = bank && {
  ...bank,
  timeoutMs: Math.min(bank.timeoutMs, PAYEE_CHECK_MS, Math.ceil(config.requestDeadlineMs / 2)),
}

const Reason = v.fallback(v.nullish(v.picklist(NOT_POSSIBLE_REASONS), null), 'not_supported')

const answerTo = (id: string) =>
  v.pipe(
    v.object({
      id: idOf(id),
      result: v.picklist(PAYEE_RESULTS),
      name: v.nullish(FreeText, null),
      reason: Reason,
    }),
    v.check(({ result, name }) => result !== 'close_match' || Boolean(name), 'a close match has a name'),
  )

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
  if (!endpoint) return { result: 'not_possible', name: null, reason: 'not_supported' }
  if (!permit) return { result: 'not_possible', name: null, reason: 'too_many_questions' }
  const { account_holder_name: name, ...account } = payable(coordinates)
  const id = newId()
  try {
    const path = `/v1/payee-checks/${id}`
    const asked = { method: 'PUT', path, body: { name, account }, answer: answerTo(id) } as const
    const { result, name: known, reason } = await requestPartner(endpoint, asked)
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

function reasonOf(error: unknown): NotPossibleReason {
  if (partnerRefusal(error)) return 'not_supported'
  return isTooSlow(error) ? 'too_slow' : 'unavailable'
}

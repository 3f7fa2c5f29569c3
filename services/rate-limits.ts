/** Rate limits that API processes share, counted in an unlogged table of hashes. */
import { createHash } from 'node:crypto'
import type postgres from 'postgres'
import { RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible'
import { config } from '../platform/config.ts'
import { type Details, refuse } from '../domain/errors.ts'
import type { OrganizationId, UserId } from '../domain/ids.ts'
import { RATE_LIMITS, type RateCount, type RateLimitPolicy } from '../domain/rate-limit.ts'
import { type Transaction, sql } from '../db/postgres/sql.ts'

const POINTS: Readonly<Record<RateLimitPolicy, number>> = {
  sign_in_network: config.signInAddressLimitPerMinute,
  sign_in: config.signInLimitPerMinute,
  provider_sign_ins: config.providerSignInLimitPerMinute,
  password_check: config.signInLimitPerMinute,
  codes: config.codeLimitPerMinute,
  codes_of_person: config.wrongCodeLimitPerHour,
  codes_sent: config.codesSentLimitPerHour,
  invitations: config.invitationLimitPerHour,
  pictures: config.pictureLimitPerHour,
  exports: config.exportLimitPerHour,
  uploads: config.uploadLimitPerHour,
  bills: config.billLimitPerHour,
  consents: config.consentLimitPerHour,
  clients: config.clientLimitPerHour,
  extractions: config.extractionLimitPerHour,
  imports: config.importLimitPerHour,
  rehearsals: config.rehearsalLimitPerHour,
  payee_checks: config.payeeCheckLimitPerHour,
  payee_questions: config.payeeQuestionLimitPerHour,
  payee_rows: config.payeeRowLimitPerDay,
  public_pages: config.pageLimitPerMinute,
  first_customer_mails: config.firstCustomerMailLimitPerDay,
  customer_mails: config.customerMailLimitPerDay,
  mails_to_customer: config.mailsToCustomerLimitPerDay,
  mails: config.mailLimitPerHour,
  mails_of_network: config.billsMailNetworkLimitPerHour,
  mails_of_mailbox: config.billsMailMailboxLimitPerHour,
  mails_of_organization: config.billsMailOrganizationLimitPerHour,
  mail_answers: config.billsMailAnswerLimitPerDay,
}

export const quotaOf = (policy: RateLimitPolicy): { points: number; windowSeconds: number } => ({
  points: POINTS[policy],
  windowSeconds: RATE_LIMITS[policy].windowSeconds,
})

/** Counts one use of a key; refuses nothing. The table holds a hash of the key, no address, email or token. */
export const countOne = (policy: RateLimitPolicy, key: string): Promise<RateCount> => countMany(policy, key, 1)

/** Counts several uses of a key, as countOne(). */
export const countMany = async (policy: RateLimitPolicy, key: string, uses: number): Promise<RateCount> =>
  toCount(policy, await limiters[policy].penalty(hashOf(key), uses))

/**
 * Checks a code of the person by `look`, which returns something falsy for a wrong one; that is counted if the
 * transaction commits. Refuses `rate_limited` past the hourly limit, even the right code. Sign-ins and sessions are
 * counted apart, so that a stranger who knows the password cannot lock the person out. Concurrent tries are serialized
 * until the transaction ends.
 */
export async function withWrongCodeLimit<Result>(
  tx: Transaction,
  userId: UserId,
  where: 'sign_in' | 'session',
  look: () => Promise<Result>,
): Promise<Result> {
  const limiter = limiterOf('codes_of_person', tx)
  const key = hashOf(`${where} ${userId}`)
  const before = toCount('codes_of_person', await limiter.penalty(key, 0)) // adds nothing, and locks the row
  if (before.left === 0) refuseOver(before)
  const result = await look()
  if (!result) await limiter.penalty(key)
  return result
}

/**
 * Counts a code that is sent for a person, if the transaction commits. Refuses `rate_limited` past the limit of the
 * person and, for a recipient that is not proved to be theirs, past that of the recipient.
 */
export async function countCodeSent(tx: Transaction, userId: UserId, unproved: string | null): Promise<void> {
  const sent = toCount('codes_sent', await limiterOf('codes_sent', tx).penalty(hashOf(userId)))
  if (sent.over) refuseOver(sent)
  if (unproved === null) return
  const received = toCount('mails', await limiterOf('mails', tx).penalty(hashOf(unproved)))
  if (received.over) refuseOver(received)
}

/**
 * Counts a mail to each address, if the transaction commits. Refuses `rate_limited`, with the index of the address if
 * there are several. The order of the keys prevents deadlocks.
 */
export async function countMails(tx: Transaction, addresses: readonly string[]): Promise<void> {
  const limiter = limiterOf('mails', tx)
  const counted = addresses.map((address, index) => ({ key: hashOf(address), row: { index, email: address } }))
  for (const { key, row } of counted.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
    const received = toCount('mails', await limiter.penalty(key))
    if (received.over) refuseOver(received, addresses.length > 1 ? row : {})
  }
}

/** Counts an answer to a sender, if the transaction commits; false past the limit. */
export const countAnswer = async (tx: Transaction, organizationId: OrganizationId, address: string): Promise<boolean> =>
  !toCount('mail_answers', await limiterOf('mail_answers', tx).penalty(hashOf(`${organizationId} ${address}`))).over

/**
 * Counts a mail to each customer by organization and address, if the transaction commits. Returns the limit that is
 * used up, if any: then nothing is counted.
 */
export async function countCustomerMails(
  tx: Transaction,
  { organizationId, isNew }: { readonly organizationId: OrganizationId; readonly isNew: boolean },
  addresses: readonly string[],
): Promise<RateCount | undefined> {
  const keys = addresses.map(hashOf).toSorted() // the same order in every transaction: no deadlocks
  const wanted: { policy: RateLimitPolicy; key: string; mails: number }[] = [
    { policy: isNew ? 'first_customer_mails' : 'customer_mails', key: hashOf(organizationId), mails: keys.length },
    ...keys.map((key) => ({ policy: 'mails_to_customer' as const, key, mails: 1 })),
  ]
  for (const { policy, key, mails } of wanted) {
    const count = toCount(policy, await limiterOf(policy, tx).penalty(key, 0)) // adds nothing, and locks the row
    if (count.left < mails) return count
  }
  for (const { policy, key, mails } of wanted) await limiterOf(policy, tx).penalty(key, mails)
  return undefined
}

/** Refuses 429 `rate_limited`, with the policy and the wait. */
export function refuseOver({ policy, secondsLeft }: RateCount, more: Details = {}): never {
  refuse('rate_limited', { policy, retry_after_seconds: secondsLeft, ...more })
}

export function toRateCount(
  policy: string,
  quota: { points: number; windowSeconds: number },
  counted: RateLimiterRes,
): RateCount {
  return {
    policy,
    ...quota,
    left: Math.max(0, quota.points - counted.consumedPoints),
    over: counted.consumedPoints > quota.points,
    secondsLeft: Math.max(1, Math.ceil(counted.msBeforeNext / 1000)),
  }
}

const toCount = (policy: RateLimitPolicy, counted: RateLimiterRes): RateCount =>
  toRateCount(policy, quotaOf(policy), counted)

const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url')

type Query = { readonly text: string; readonly values: (string | number)[] }

/** Makes the library's limiter on postgres.js, with the table of our migration. */
const limiterOf = (policy: RateLimitPolicy, connection: postgres.Sql | Transaction, sweeps = false) =>
  new RateLimiterPostgres({
    storeClient: {
      query: async ({ text, values }: Query) => ({ rows: await connection.unsafe(text, values, { prepare: true }) }),
    },
    storeType: 'client',
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix: policy,
    points: POINTS[policy],
    duration: RATE_LIMITS[policy].windowSeconds,
    clearExpiredByTimeout: sweeps,
  })

// one timer deletes for all policies, as they share one table; it keeps no process alive
const limiters: Readonly<Record<RateLimitPolicy, RateLimiterPostgres>> = {
  sign_in_network: limiterOf('sign_in_network', sql, true),
  sign_in: limiterOf('sign_in', sql),
  provider_sign_ins: limiterOf('provider_sign_ins', sql),
  password_check: limiterOf('password_check', sql),
  codes: limiterOf('codes', sql),
  codes_of_person: limiterOf('codes_of_person', sql),
  codes_sent: limiterOf('codes_sent', sql),
  invitations: limiterOf('invitations', sql),
  pictures: limiterOf('pictures', sql),
  exports: limiterOf('exports', sql),
  uploads: limiterOf('uploads', sql),
  bills: limiterOf('bills', sql),
  extractions: limiterOf('extractions', sql),
  imports: limiterOf('imports', sql),
  rehearsals: limiterOf('rehearsals', sql),
  payee_checks: limiterOf('payee_checks', sql),
  payee_questions: limiterOf('payee_questions', sql),
  payee_rows: limiterOf('payee_rows', sql),
  consents: limiterOf('consents', sql),
  clients: limiterOf('clients', sql),
  public_pages: limiterOf('public_pages', sql),
  first_customer_mails: limiterOf('first_customer_mails', sql),
  customer_mails: limiterOf('customer_mails', sql),
  mails_to_customer: limiterOf('mails_to_customer', sql),
  mails: limiterOf('mails', sql),
  mails_of_network: limiterOf('mails_of_network', sql),
  mails_of_mailbox: limiterOf('mails_of_mailbox', sql),
  mails_of_organization: limiterOf('mails_of_organization', sql),
  mail_answers: limiterOf('mail_answers', sql),
}

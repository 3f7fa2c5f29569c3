/** Plan of mails to approvers: when a person is mailed about a request that waits for them. */
import type { Notify } from '../people/person.ts'

/** Delay of the first look at a request: meanwhile its requester may decide or withdraw it, and no mail is sent. */
export const FIRST_LOOK_MINUTES = 1

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Time for which a request waits for others before a digest: a quick approval needs no mail. */
const GATHERED = 10 * MINUTE

/** Shortest time between two digests to a person. */
const PAUSES: Readonly<Record<Notify, number>> = { at_once: 0, digest: 10 * MINUTE, daily: DAY }

/** Shortest time before a reminder of a request that a mail has named. */
const REMINDED_ONCE_IN = 12 * HOUR

/** Standing of a person towards a request. Instants are seconds since 1970. */
export type NoticeFacts = {
  readonly notify: Notify
  readonly now: number
  readonly requested: number
  /** Since when it waits for its present approvers. */
  readonly since: number
  readonly expires: number
  /** First mail that named it; null before. */
  readonly told: number | null
  /** Last mail to the person about requests; minus infinity before. */
  readonly sent: number
  /** Last one that named all that waited. */
  readonly listed: number
  /** True if an approver has to stop and look. */
  readonly isWarned: boolean
}

/** Mail that is due: all that waits, or only what no mail named yet. `next`: when to look again; infinity if never. */
export type NoticePlan = { readonly mail: 'all' | 'new' | null; readonly next: number }

/**
 * Plans the mail to a person about a request. A new one waits for a digest, but a warned one, and one that expires within
 * a day, break the pause. It is reminded of a day later, and a day before its expiry.
 */
export function planNotice(facts: NoticeFacts): NoticePlan {
  const { notify, now, requested, since, expires, told, sent, listed, isWarned } = facts
  const dayLater = requested + DAY
  const dayBefore = expires - DAY
  const later = Math.min(...[dayLater, dayBefore].filter((at) => at > now))
  const mailAfter = (due: number): NoticePlan =>
    now >= due ? { mail: 'all', next: later } : { mail: null, next: Math.min(due, later) }
  if (told === null) {
    if (notify === 'at_once' || isWarned || dayBefore <= now) return { mail: 'new', next: later }
    return mailAfter(Math.max(since + GATHERED, sent + PAUSES[notify]))
  }
  const named = Math.max(told, listed)
  const isMissed = (at: number): boolean => at <= now && named < at - REMINDED_ONCE_IN
  if (isMissed(dayBefore)) return mailAfter(now)
  if (isMissed(dayLater)) return mailAfter(sent + Math.max(PAUSES[notify], REMINDED_ONCE_IN))
  return { mail: null, next: later }
}

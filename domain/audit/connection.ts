/** Judgement of a connection: what a person has to do about it first. */

/** Sentences with what to do, gravest first. */
export const CONNECTION_VERDICTS = {
  findings: 'Its lists or its money differ from ours → read the findings',
  away: 'It has given no clear answer for minutes → ask it; pause it if that lasts',
  unread: 'Its lists could not be read for hours → ask it, and read the log of the worker',
  late: 'An order waits that it has not taken → show the process, and ask it',
  unhandled: 'Callbacks wait for runs → see that a worker runs',
  paused: 'It is paused, and new orders wait → resume it when its reason is gone',
  uncalled: 'It has not called for a day about what it has → have it look at its callbacks',
  on_hold: 'It holds payments → ask it about them',
  closed: 'It gets nothing new and finishes what it has',
  well: 'All is well',
} as const
export type ConnectionVerdict = keyof typeof CONNECTION_VERDICTS

/** Limits in seconds, those of the alerts. */
export const CONNECTION_LIMITS = { away: 300, unread: 7200, late: 900, uncalled: 86_400 } as const

type JudgedConnection = {
  readonly closed: boolean
  readonly pause: object | null
  readonly silent_seconds: number | null
  readonly unread_seconds: number | null
  readonly late_seconds: number | null
  readonly uncalled_seconds: number | null
  readonly unhandled_callbacks: number
  readonly on_hold: number
  readonly findings: number
}

/** Judges a connection by the gravest of what is so. */
export function judgeConnection(one: JudgedConnection): ConnectionVerdict {
  const isOver = (seconds: number | null, limit: number) => (seconds ?? 0) > limit
  if (one.findings > 0) return 'findings'
  if (isOver(one.silent_seconds, CONNECTION_LIMITS.away)) return 'away'
  if (isOver(one.unread_seconds, CONNECTION_LIMITS.unread)) return 'unread'
  if (isOver(one.late_seconds, CONNECTION_LIMITS.late)) return 'late'
  if (one.unhandled_callbacks > 0) return 'unhandled'
  if (one.pause) return 'paused'
  if (isOver(one.uncalled_seconds, CONNECTION_LIMITS.uncalled)) return 'uncalled'
  if (one.on_hold > 0) return 'on_hold'
  return one.closed ? 'closed' : 'well'
}

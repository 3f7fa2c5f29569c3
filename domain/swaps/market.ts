/** Hours of the market: closed from Friday 22:00 to Sunday 22:00 UTC. */

export const MARKET_STATES = ['open', 'closed'] as const
export type MarketState = (typeof MARKET_STATES)[number]

const [SUNDAY, FRIDAY, SATURDAY] = [0, 5, 6]
const TURN_HOUR = 22
const DAYS_IN_WEEK = 7

/** Computes the end of the weekend around an instant; null in the week. */
export function weekendEnd(instant: Date): Date | null {
  const [day, hour] = [instant.getUTCDay(), instant.getUTCHours()]
  const closed = day === SATURDAY || (day === FRIDAY && hour >= TURN_HOUR) || (day === SUNDAY && hour < TURN_HOUR)
  if (!closed) return null
  const days = (DAYS_IN_WEEK - day) % DAYS_IN_WEEK
  return new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth(), instant.getUTCDate() + days, TURN_HOUR))
}

/** Instants as people read them. Apart from the schemas, because workflows import it. */

/** To the minute, in UTC: `2026-11-21 10:00 UTC`. */
export const minuteOf = (instant: string): string => `${instant.slice(0, 16).replace('T', ' ')} UTC`

/** Time zones: IANA names, in which days of an organization begin. */
import * as v from 'valibot'

/** `Area/Location`, or UTC: other names, such as `CET`, are an offset to some programs and a zone to others. */
const NAME = /^(UTC|[A-Za-z]+(\/[A-Za-z0-9_+-]+){1,2})$/i

/** Spells a name as the calendar of this process does; null if there is no such zone. */
export function spellTimeZone(name: string): string | null {
  if (!NAME.test(name)) return null
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    // an alias stays what was asked for
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name
  } catch {
    return null
  }
}

/** Name of a time zone that this process knows. The database has to know it, too. */
export const TimeZone = v.pipe(
  v.string(),
  v.maxLength(64),
  v.check((name) => spellTimeZone(name) !== null, 'unknown_time_zone'),
  v.transform((name) => spellTimeZone(name) ?? name),
  v.metadata({ jsonSchema: { type: 'string', maxLength: 64 } }),
)

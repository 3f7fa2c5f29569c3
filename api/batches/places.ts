/** Places of those who fetch files of results: one for a person, few for all. */
import { refuse } from '../../domain/errors.ts'
import { queue } from '../../platform/concurrency.ts'

/** Files of results that this process holds in memory at once, each of another person. */
const FILES_MAX = 8
const RETRY_AFTER_SECONDS = 5
export const inTurn = queue(FILES_MAX, RETRY_AFTER_SECONDS)
const readers = new Set<string>()

/**
 * Takes the person's place for a file of results and returns what gives it back. Throws `rate_limited` while another
 * file goes to the same person, and `service_unavailable` while too many go to others.
 */
export function takePlace(userId: string): () => void {
  const retry = { retry_after_seconds: RETRY_AFTER_SECONDS }
  if (readers.has(userId)) refuse('rate_limited', retry)
  if (readers.size >= FILES_MAX) refuse('service_unavailable', retry)
  readers.add(userId)
  return () => void readers.delete(userId)
}

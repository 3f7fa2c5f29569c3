/** Files that requests bring: read in turn, so that a flood of one caller delays no other one's. */
import { FairLanes, queueOfMany } from '../../platform/concurrency.ts'
import { refuse } from '../../domain/errors.ts'
import { log } from '../../platform/log.ts'
import { FileRefused, read } from './process.ts'
import type { Kind, Result, Task } from '../reading-process.ts'

/** Files that an API reads at once, one of a caller. */
const lanes = new FairLanes(2)
const READING_MS_MAX = 30_000
const RETRY_AFTER_SECONDS = 5

export type Callers = { readonly organization?: string; readonly person: string }
type Places = Parameters<typeof queueOfMany<'organization' | 'person'>>[0]

/** Makes a queue of files that are read for requests; all of these queues share two processes. */
export const queueOfFiles = (places: Places) => queueOfMany(places, RETRY_AFTER_SECONDS, lanes)

/**
 * Reads a file for a request. Throws FileRefused for good; refuses `service_unavailable` for a passing fault, such as a
 * processor that has too much to do.
 */
export async function readForRequest<K extends Kind>(kind: K, task: Task<K>): Promise<Result<K>> {
  try {
    return await read(kind, task, { msMax: READING_MS_MAX })
  } catch (error) {
    if (error instanceof FileRefused) throw error
    log.warn({ err: error, kind }, 'a file of a request was not read')
    refuse('service_unavailable', { retry_after_seconds: RETRY_AFTER_SECONDS })
  }
}

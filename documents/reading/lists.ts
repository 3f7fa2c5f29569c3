/** Lists of sanctions: read in a process of its own, which is ended if a file asks for too much. */
import { LIST_MEGABYTES_MAX, type ListCode, type ListPart } from '../../domain/screening/lists.ts'
import { FileRefused, readParts } from './process.ts'

/** Real time in which its process has to do some work. */
const READING_MS_MAX = 60_000

/** List that is not read, for good: `reason` names the place, and quotes nothing of the file. */
export class UnreadableList extends Error {
  override readonly name = 'UnreadableList'

  constructor(readonly reason: string) {
    super(`a list of sanctions cannot be read: ${reason}`)
  }
}

/** Reads a list, part by part. Throws UnreadableList for good; any other error may pass. */
export async function* readListParts(
  bytes: Uint8Array,
  list: ListCode,
  signal?: AbortSignal,
): AsyncGenerator<ListPart> {
  if (bytes.length > LIST_MEGABYTES_MAX * 1024 * 1024)
    throw new UnreadableList(`The file has more than ${LIST_MEGABYTES_MAX} MB.`)
  try {
    yield* readParts('sanctions', { bytes, list }, { msMax: READING_MS_MAX, byProgress: true, signal })
  } catch (error) {
    throw error instanceof FileRefused ? new UnreadableList(reasonOf(error.details)) : error
  }
}

/** Takes the sentence of the reader; null is of a file that took too much. */
function reasonOf(details: unknown): string {
  const { message } = (details ?? {}) as { readonly message?: unknown } // as reading-process.ts answers it
  return typeof message === 'string' ? message : 'The file takes too much time or memory.'
}

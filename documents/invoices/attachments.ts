/** Attachments of a request: checked in the process that reads files. */
import { refuse } from '../../domain/errors.ts'
import type { CheckedType } from './attachment-check.ts'
import { FileRefused } from '../reading/process.ts'
import { type Callers, queueOfFiles, readForRequest } from '../reading/requests.ts'

/** Requests that wait or are checked in this process, each with 5 MB at most. */
const inTurn = queueOfFiles({ max: 30, each: { organization: 4, person: 2 } })

type Attachments = readonly { readonly bytes: Uint8Array; readonly type: CheckedType }[]

/**
 * Loads and checks the attachments of a request, which share the limits of one file. Refuses `invalid_file`:
 * `unknown_format` if one is not what it claims to be, `hostile` for what runs programs, `damaged`, or `too_complex` if
 * they take more processor time or memory than they may.
 */
export const requireHarmless = (callers: Callers, load: () => Promise<Attachments>): Promise<void> =>
  inTurn(callers, async () => {
    const reason = await readForRequest('attachments', await load()).catch((error: unknown) => {
      if (error instanceof FileRefused) return 'too_complex'
      throw error
    })
    if (reason !== null) refuse('invalid_file', { reason })
  })

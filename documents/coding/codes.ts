/** Files of codes that requests bring: read in the process that reads files. */
import type { CodesFile, CodesRow } from '../../domain/coding/csv.ts'
import { refuse } from '../../domain/errors.ts'
import { FileRefused } from '../reading/process.ts'
import { type Callers, queueOfFiles, readForRequest } from '../reading/requests.ts'

/** Files of this process that wait or are read. */
const inTurn = queueOfFiles({ max: 20, each: { organization: 2, person: 2 } })

/** Reads the rows of a chart or of dimensions. Refuses `invalid_file` with the fault and its line. */
export const readCodesFile = (file: Buffer, kind: CodesFile, callers: Callers): Promise<readonly CodesRow[]> =>
  inTurn(callers, () => readForRequest('codes', { bytes: file, kind })).catch((error: unknown) => {
    if (!(error instanceof FileRefused)) throw error
    refuse('invalid_file', error.details === null ? { reason: 'too_complex' } : { errors: [error.details] })
  })

import {
  type BillFile,
  type OpenDocument,
  type Reading,
  UnreadableBill,
  type UnreadableCode,
} from '../../domain/bills/reader.ts'
import { FileRefused, read } from '../reading/process.ts'
import { readForRequest } from '../reading/requests.ts'
import type { Boxes } from '../reading-process.ts'

/** Real time without any work of the reading process. Its limits are those of its own processor time. */
const IDLE_MS_MAX = 240_000

export const readDocument = async (file: BillFile, signal?: AbortSignal): Promise<readonly Reading[]> =>
  (await openDocument(file, signal)).readings

/**
 * Reads a file; answers the findings, most trusted first, and the pages. Throws UnreadableBill if it can never be read:
 * `too_large` or `hostile` also over ten seconds of processor time or 400 MB; any other error may pass. Ends at once if
 * `signal` is aborted.
 */
export const openDocument = (file: BillFile, signal?: AbortSignal): Promise<OpenDocument> =>
  read('bill', file, { msMax: IDLE_MS_MAX, byProgress: true, signal }).catch(unreadable)

/**
 * Draws a page (from 1) as PNG; null without such a page, as in XML. Two pixels a point up to A3; boxes are tinted and
 * framed. Throws as readDocument() does, and refuses `service_unavailable` for an error that may pass.
 */
export const drawPage = (file: BillFile, number: number, boxes: Boxes): Promise<Uint8Array<ArrayBuffer> | null> =>
  readForRequest('page', { file, number, boxes }).catch(unreadable)

function unreadable(error: unknown): never {
  if (!(error instanceof FileRefused)) throw error
  const hostile = 'Reading the file takes too much memory or time, or breaks what reads it'
  if (error.details === null) throw new UnreadableBill('hostile', hostile)
  const { code, message } = error.details as { code: UnreadableCode; message: string } // as the reader's process says
  throw new UnreadableBill(code, message)
}

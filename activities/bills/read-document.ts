/** Reads the file of a bill, and draws its pages, in a process that can be ended. */
import type { BillFile, Opened, Reading } from '../../domain/bills/reader.ts'
import { type Boxes, carriedOut } from './process.ts'

const READING_MS_MAX = 240_000
const DRAWING_MS_MAX = 30_000

/** What each reader found in a file, as openDocument() has it. */
export const readDocument = async (file: BillFile, signal?: AbortSignal): Promise<readonly Reading[]> =>
  (await openDocument(file, signal)).readings

/**
 * What each reader found in a file, the one to be trusted most first, and the pages that they read. Throws
 * UnreadableBill if the file cannot be read, however often one tries: `too_large` or `hostile` also if reading it took
 * more than ten seconds of processor time or 300 MB; any other error may pass. Ends at once if `signal` is aborted.
 */
export const openDocument = async (file: BillFile, signal?: AbortSignal): Promise<Opened> =>
  (await carriedOut({ file }, READING_MS_MAX, signal)) as Opened // as the process answers a task without a page

/**
 * A page of a PDF, from 1, or a picture, as PNG; null if the file has no such page, as XML has none. Two pixels are a
 * point, as long as the page is no larger than A3; what stands in the boxes is tinted and framed. Throws as
 * readDocument() does.
 */
export const drawPage = async (file: BillFile, number: number, boxes: Boxes): Promise<Png | null> =>
  (await carriedOut({ file, page: { number, boxes } }, DRAWING_MS_MAX)) as Png | null // as it answers one with a page

type Png = Uint8Array<ArrayBuffer>

import type { BillFile, Opened, Reading } from '../../domain/bills/reader.ts'
import { type Boxes, runInChild } from './process.ts'

const READING_MS_MAX = 240_000
const DRAWING_MS_MAX = 30_000

export const readDocument = async (file: BillFile, signal?: AbortSignal): Promise<readonly Reading[]> =>
  (await openDocument(file, signal)).readings

/**
 * Reads a file; answers the findings, most trusted first, and the pages. Throws UnreadableBill if it can never be read:
 * `too_large` or `hostile` also over ten seconds of processor time or 300 MB; any other error may pass. Ends at once if
 * `signal` is aborted.
 */
export const openDocument = async (file: BillFile, signal?: AbortSignal): Promise<Opened> =>
  (await runInChild({ file }, READING_MS_MAX, signal)) as Opened

/**
 * Draws a page (from 1) as PNG; null without such a page, as in XML. Two pixels a point up to A3; boxes are tinted and
 * framed. Throws as readDocument() does.
 */
export const drawPage = async (file: BillFile, number: number, boxes: Boxes): Promise<Png | null> =>
  (await runInChild({ file, page: { number, boxes } }, DRAWING_MS_MAX)) as Png | null // as for a task with a page

type Png = Uint8Array<ArrayBuffer>

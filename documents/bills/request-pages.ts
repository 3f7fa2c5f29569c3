/** Pages of files that requests ask for, drawn in turn in the process that reads files. */
import { type BillFile, UnreadableBill } from '../../domain/bills/reader.ts'
import { refuse } from '../../domain/errors.ts'
import type { Boxes } from '../reading-process.ts'
import { type Callers, queueOfFiles } from '../reading/requests.ts'
import { drawPage } from './read-document.ts'

/** Pages that wait or are drawn in this process. */
const inTurn = queueOfFiles({ max: 60, each: { organization: 6, person: 4 } })

type AskedPage = {
  readonly number: number
  readonly boxes?: Boxes
  /** Loads the file when its turn comes. */
  readonly load: () => Promise<BillFile>
}

/** Draws a page (from 1) as PNG. Refuses `not_found` without such a page, and `invalid_file` with the reason. */
export const drawInTurn = (
  callers: Callers,
  { number, boxes = [], load }: AskedPage,
): Promise<Uint8Array<ArrayBuffer>> =>
  inTurn(callers, async () => {
    try {
      return (await drawPage(await load(), number, boxes)) ?? refuse('not_found')
    } catch (error) {
      if (error instanceof UnreadableBill) refuse('invalid_file', { reason: error.code })
      throw error
    }
  })

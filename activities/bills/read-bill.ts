/** Long steps of a bill: its file is read, away from everything else, and a language model is asked for the rest. */
import { Context } from '@temporalio/activity'
import {
  beginReading,
  findModelQuestion,
  noteFailedReading,
  noteModelAway,
  noteUnreadable,
  recordFindings,
  recordModelReading,
} from '../../db/bills/reading.ts'
import { config } from '../../platform/config.ts'
import { bytesOf } from '../../db/files/files.ts'
import { organizationOf } from '../../db/views.ts'
import { log } from '../../platform/log.ts'
import { UnreadableBill } from '../../domain/bills/reader.ts'
import { billFlow } from '../../domain/flows/bill.ts'
import type { BillId } from '../../domain/ids.ts'
import type { ProcessRef } from '../../domain/process.ts'
import { KEEPS_TURN, inTurn } from '../turn.ts'
import { ModelAway, askModel, questionOf } from './language-model.ts'
import { openDocument } from './read-document.ts'

const GONE = 'The file is not in storage any more as it was sent. Please upload it again.'
/** Both wait for the turn of the organization: a flood of bills keeps no place from others. */
const TURN = { flow: billFlow, queue: 'bills', states: billFlow.driven } as const

/**
 * Reads the file of a bill, and keeps what was found. Pages are kept only if a language model is to see them: it is
 * asked in the same turn, or the first of many bills would be done after the file of the last was read.
 */
export const readBill = inTurn<BillId>(TURN, async (ref: ProcessRef<BillId>) => {
  const organizationId = organizationOf(ref)
  const begun = await beginReading(organizationId, ref.id)
  if (!begun) return
  const { cancellationSignal: signal } = Context.current()
  try {
    const bytes = await bytesOf(begun.file) // 10 MB at most
    if (!bytes) return await noteUnreadable(organizationId, begun, GONE)
    const { contentType } = begun.file
    const opened = await openDocument({ bytes, contentType }, signal)
    const question = config.billModel ? questionOf(opened) : null
    const { readings } = opened
    await recordFindings(organizationId, begun, {
      readings,
      pages: question?.pages ?? [],
      asksModel: question !== null,
    })
    if (question) return KEEPS_TURN
  } catch (error) {
    if (signal.aborted) throw error
    if (error instanceof UnreadableBill) return noteUnreadable(organizationId, begun, error.message)
    log.warn({ err: error, bill_id: begun.id, try: begun.number }, 'a bill was not read')
    await noteFailedReading(organizationId, begun)
  }
})

/**
 * Asks the language model for what no reader found, and keeps what it says. One that is away is asked again later.
 */
export const askLanguageModel = inTurn<BillId>(TURN, async (ref: ProcessRef<BillId>): Promise<void> => {
  const organizationId = organizationOf(ref)
  const { id } = ref
  const asked = await findModelQuestion(organizationId, id)
  if (!asked) return
  try {
    const { billModel } = config
    const reading = billModel && (await askModel(billModel, asked, Context.current().cancellationSignal))
    await recordModelReading(organizationId, id, { asked, reading })
  } catch (error) {
    if (!(error instanceof ModelAway)) throw error
    await noteModelAway(organizationId, id, asked)
  }
})

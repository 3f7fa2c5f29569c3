/** Long steps of a bill: reading its file, and asking a language model. */
import { Context } from '@temporalio/activity'
import {
  beginReading,
  findModelQuestion,
  noteFailedReading,
  noteModelAway,
  noteUnreadable,
  recordFindings,
  recordModelReading,
} from '../services/bills/reading.ts'
import { config } from '../platform/config.ts'
import { bytesOf } from '../services/files/files.ts'
import { organizationOf } from '../db/processes/views.ts'
import { log } from '../platform/log.ts'
import { UnreadableBill } from '../domain/bills/reader.ts'
import { billFlow } from '../domain/bills/flow.ts'
import type { BillId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { KEEPS_TURN, inTurn } from './turn.ts'
import { ModelAway, askModel, questionOf } from './language-model.ts'
import { openDocument } from '../documents/bills/read-document.ts'

const GONE = 'The file is not in storage any more as it was sent. Please upload it again.'
/** Turn of an organization, a bulkhead: a flood of bills keeps no slot from others. */
const TURN = { flow: billFlow, queue: 'bills', states: billFlow.driven } as const

/**
 * Reads the file of a bill and stores the findings. Stores pages only for a language model, which is asked in the same
 * turn: else the first of many bills would wait for the last file.
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
    // a stranger's mails must not spend what a model costs
    const question = config.billModel && !begun.isFromStranger ? questionOf(opened) : null
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

/** Asks the language model for missing fields and stores them. Retries later if it is away. */
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

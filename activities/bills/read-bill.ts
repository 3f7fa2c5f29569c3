/** Reads the file of a bill, away from everything else: whatever stands in it costs this try alone. */
import { Context } from '@temporalio/activity'
import { beginReading, noteFailedReading, noteUnreadable, takeOver } from '../../db/bills/reading.ts'
import { config } from '../../platform/config.ts'
import { bytesOf } from '../../db/files/files.ts'
import { log } from '../../platform/log.ts'
import { UnreadableBill } from '../../domain/bills/reader.ts'
import type { BillId } from '../../domain/ids.ts'
import type { ProcessRef } from '../../domain/process.ts'
import { organizationOf } from '../../db/processes.ts'
import { askModel } from './language-model.ts'
import { openDocument } from './read-document.ts'

const GONE = 'The file is not in storage any more as it was sent. Please upload it again.'

/**
 * One try. Nothing if there is nothing to read any more.
 * @public the workflow calls it by its proxy
 */
export async function readBill(ref: ProcessRef): Promise<void> {
  const organizationId = organizationOf(ref)
  const begun = await beginReading(organizationId, ref.id as BillId) // the ref of a bill's process
  if (!begun) return
  const { cancellationSignal: signal } = Context.current()
  try {
    const bytes = await bytesOf(begun.file) // 10 MB at most
    if (!bytes) return await noteUnreadable(organizationId, begun, GONE)
    const { contentType } = begun.file
    const opened = await openDocument({ bytes, contentType }, signal)
    const more = config.billModel && (await askModel(config.billModel, opened, signal))
    await takeOver(organizationId, begun, more ? [...opened.readings, more] : opened.readings)
  } catch (error) {
    if (signal.aborted) throw error
    if (error instanceof UnreadableBill) return noteUnreadable(organizationId, begun, error.message)
    log.warn({ err: error, bill_id: begun.id, try: begun.number }, 'a bill was not read')
    await noteFailedReading(organizationId, begun)
  }
}

/** Event types of batches; payloads never hold cells. */
import * as v from 'valibot'
import { attachmentEvents } from '../attachments/events.ts'
import { eventTypes, moveTypes, says } from '../event-type.ts'
import { ExternalInEvent } from '../external.ts'
import { batchFlow } from './flow.ts'
import { integer, uuid } from '../text.ts'
import { COLUMNS } from './columns.ts'

const counts = v.object({ succeeded: integer, failed: integer })

export const batchEvents = eventTypes(batchFlow, {
  created: says('A person begins a batch.', v.object({ name: v.string(), ...ExternalInEvent })),
  deleted: says('A person deletes the draft of a batch.'),
  row_added: says(
    'A person adds a row, or a bill.',
    v.object({ row_number: integer, columns: v.array(v.picklist(COLUMNS)), bill_id: v.optional(uuid) }),
  ),
  row_changed: says(
    'A person changes cells of a row.',
    v.object({ row_number: integer, columns: v.array(v.picklist(COLUMNS)) }),
  ),
  row_deleted: says(
    'A row of a draft is deleted: by a person, or because its bill has changed.',
    v.object({ row_number: integer, bill_id: v.optional(uuid) }),
  ),
  bill_left: says(
    'A bill of a batch that waits for approval has changed or is gone: its row is left out.',
    v.object({ row_number: integer, bill_id: uuid }),
  ),
  ...attachmentEvents('a batch'),
})

export const batchMoves = moveTypes(batchFlow, {
  import: says('A person has a file imported.', v.object({ file_id: uuid, filename: v.string(), byte_size: integer })),
  imported: says('The rows of the file are in the batch.', v.object({ file_id: uuid, sha256: v.string() })),
  reject_file: says(
    'The file cannot be read as a whole.',
    v.object({ file_id: uuid, line: v.nullable(integer), code: v.string() }),
  ),
  submit: says('A person submits a batch, which has to be approved.'),
  refuse: says('A batch is not approved: it is a draft again.'),
  approve: says('A batch is approved: its rows are paid.'),
  withdraw: says('A person cancels a batch that waits for approval.'),
  cancel: says(
    'No further row of a batch begins: a person cancels it, its organization is gone, or it is not paid on its day.',
  ),
  complete: says('All rows of a batch are paid.', counts),
  complete_in_part: says('A batch ends with some of its rows paid.', counts),
  fail: says('A batch ends with no row paid.', counts),
  stop: says('A batch that was cancelled ends with no row paid.', counts),
})

/** Events of files that are attached to a thing, for the event types of its noun. They do not hold names. */
import * as v from 'valibot'
import { says } from '../event-type.ts'
import { uuid } from '../text.ts'

const file = v.object({ file_id: uuid, sha256: v.string() })

/** Declares the events of a noun's attachments. */
export const attachmentEvents = (thing: string) => ({
  file_attached: says(`A person attaches a file to ${thing}.`, file),
  file_detached: says(`A person takes a file away from ${thing}.`, file),
})

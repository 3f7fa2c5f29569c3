/** Event types of exports. */
import * as v from 'valibot'
import { eventTypes, moveTypes, says } from '../event-type.ts'
import { KeptSample } from './audit-pack.ts'
import { exportFlow } from './flow.ts'
import { integer, nullableText } from '../text.ts'
import { Export, FAILURE_CODES } from './export.ts'

const { type, format } = Export.entries

export const exportEvents = eventTypes(exportFlow, {
  requested: says(
    'A person asks for an export.',
    v.object({
      type,
      format,
      from: v.string(),
      to: v.string(),
      currency: nullableText,
      own_only: v.boolean(),
      sample: v.optional(KeptSample),
    }),
  ),
})

export const exportMoves = moveTypes(exportFlow, {
  complete: says(
    'The file of an export is there.',
    v.object({ byte_size: integer, sha256: v.string(), rows: integer }),
  ),
  fail: says('An export is given up.', v.object({ failure: v.picklist(FAILURE_CODES) })),
  retry: says('A person has an export that failed tried again.'),
})

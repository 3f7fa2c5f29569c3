/** The log of an organization, as it is asked for. */
import * as v from 'valibot'
import { id } from '../ids.ts'
import { PageQuery, TimeFilters } from '../pagination.ts'
import { CATALOGUE, EVENT_TYPES } from '../registries/event-types.ts'

const KNOWN: ReadonlySet<string> = new Set(EVENT_TYPES)
const STREAMS = [...new Set(CATALOGUE.map(({ stream }) => stream))]

/** Which events of a log: of any of these types, of this stream. */
const EventFilters = {
  type: v.optional(
    v.pipe(
      v.union([v.string(), v.array(v.string())], 'must be text'),
      v.transform((given) => [...new Set([given].flat())]),
      v.check((types) => types.every((type) => KNOWN.has(type)), 'unknown_event_type'),
      v.metadata({
        jsonSchema: { type: 'array', items: { type: 'string', enum: [...EVENT_TYPES] } },
        description:
          'Of any of these types, those of `GET /meta/event-types`: the filter may stand there several times.',
      }),
    ),
  ),
  stream: v.optional(v.picklist(STREAMS)),
}
type EventFilters = { readonly type?: readonly string[] | undefined; readonly stream?: string | undefined }

export const StreamFilters = v.object(EventFilters)
export type StreamFilters = v.InferOutput<typeof StreamFilters>

export const LogFilters = v.object({
  ...PageQuery,
  ...EventFilters,
  subject_id: v.optional(id<'subject'>()),
  ...TimeFilters,
  order: v.optional(v.picklist(['asc', 'desc']), 'desc'),
})
export type LogFilters = v.InferOutput<typeof LogFilters>

/** The types that both filters let through, each of which has one stream; undefined if all of them do. */
export function typesOf({ type, stream }: EventFilters): readonly string[] | undefined {
  if (!type || !stream) return type
  return type.filter((one) => CATALOGUE.some((known) => known.type === one && known.stream === stream))
}

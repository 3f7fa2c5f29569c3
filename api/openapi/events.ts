/** What the service tells of its events: every type of the catalogue. */
import type { EventType } from '../../db/model/event-type.ts'
import { CATALOGUE } from '../../db/model/registries/event-types.ts'
import { wholeSchema } from './json-schema.ts'

type Listed = Omit<EventType, 'payload'> & { readonly payload_schema: Readonly<Record<string, unknown>> }

/** The catalogue as it is answered, each payload in JSON Schema; made when somebody first asks for it. */
export const eventTypes = (): Listed[] => (listed ??= CATALOGUE.map(toListed))
let listed: Listed[] | undefined

const toListed = ({ type, stream, kind, description, payload }: EventType): Listed => ({
  type,
  stream,
  kind,
  description,
  payload_schema: { ...wholeSchema(payload) },
})

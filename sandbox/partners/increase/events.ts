/** Events, and callbacks that carry them. */
import type Increase from 'increase'
import { Webhook } from 'standardwebhooks'
import type { Callback } from '../../db/callbacks.ts'
import { type ChangeRow, findChange, listChanges } from '../../db/increase/events.ts'
import type { CallbackMessage } from '../stand-in.ts'
import { type Answer, type Desk, type Question, listingOf, notFound, ok, pageOf, timeOf, valuesOf } from './answers.ts'
import { idOf, readId } from './ids.ts'

const KINDS = [
  'ach_transfer',
  'real_time_payments_transfer',
  'fednow_transfer',
  'wire_transfer',
  'inbound_ach_transfer',
  'inbound_wire_transfer',
  'inbound_real_time_payments_transfer',
  'inbound_fednow_transfer',
  'account_number',
  'event_subscription',
  'entity',
  'file',
] as const satisfies readonly ChangeRow['kind'][]

/** Writes a change as an event. */
function showEvent({ id, kind, version, at }: ChangeRow): Increase.Event {
  return {
    id: idOf('event', id, version.toString(36).padStart(VERSION_LETTERS, '0')),
    associated_object_id: idOf(kind, id),
    associated_object_type: kind,
    category: kind === 'file' || version === 1 ? `${kind}.created` : `${kind}.updated`,
    created_at: timeOf(at),
    type: 'event',
  } satisfies Increase.Event
}
const VERSION_LETTERS = 4

export async function getEvent({ desk, id }: Question): Promise<Answer> {
  const read = readId('event', id)
  const change = read && (await findChange(desk.partner, read.uuid, Number.parseInt(read.mark, 36) || 0))
  if (!change) throw notFound(id)
  return ok(showEvent(change))
}

/** Cursor of lists by time. */
export const BY_TIME = /^\d{17}-[0-9a-f-]{36}[0-9a-z-]{1,10}$/

/** Lists events, newest first unless the other order is wanted. */
export async function listEvents({ desk, query }: Question): Promise<Answer> {
  listingOf(query, BY_TIME)
  const [object, categories] = [query.get('associated_object_id'), valuesOf(query, 'category.in')]
  const id = object === null ? null : objectOf(object)
  if (id === undefined) return ok({ data: [], next_cursor: null })
  const order = { id, isAscending: query.get('order_by.direction') === 'ascending' }
  return ok(
    await pageOf(query, (listing) => listChanges(desk.partner, listing, order), {
      cursors: BY_TIME,
      show: showEvent,
      leaves: (event) =>
        (object === null || event.associated_object_id === object) &&
        (categories === undefined || categories.includes(event.category)),
    }),
  )
}

const objectOf = (id: string): string | undefined =>
  KINDS.map((kind) => readId(kind, id)?.uuid).find((uuid) => uuid !== undefined)

/** Writes and signs the event of a change; null for one of an object that is gone. */
export async function eventMessage(
  desk: Desk,
  { subjectId, version }: Callback,
  secret: string,
): Promise<CallbackMessage | null> {
  const change = await findChange(desk.partner, subjectId, version)
  if (!change) return null
  const event = showEvent(change)
  const [body, at] = [JSON.stringify(event), new Date()]
  return {
    body,
    headers: {
      'webhook-id': event.id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(whole(secret)).sign(event.id, at, body),
    },
  }
}

/** Writes a shared secret as the key of all of its letters: Increase signs with these, whatever they may stand for. */
const whole = (secret: string): string => `whsec_${Buffer.from(secret).toString('base64')}`

/** Tells whether this stand-in has events of a category. */
export const isCategory = (text: string): text is Increase.Event['category'] =>
  KINDS.some((kind) => text === `${kind}.created` || (kind !== 'file' && text === `${kind}.updated`))

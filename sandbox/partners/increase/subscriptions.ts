/** Subscriptions to events: they are kept and shown. Callbacks go to the service, whatever they name. */
import type Increase from 'increase'
import * as v from 'valibot'
import { newId } from '../../../domain/ids.ts'
import { hashOf } from '../../../services/idempotency.ts'
import { type RowOf, amendOpened, findOpened, listOpened, openAtIncrease } from '../../db/increase/accounts.ts'
import { type Answer, type Desk, type Question, keyUsed, notFound, ok, pageOf, parse, timeOf } from './answers.ts'
import { isCategory } from './events.ts'
import { idOf, readId, uuidOfKey } from './ids.ts'

type Row = RowOf<'event_subscription'>

const Category = v.strictObject({ event_category: v.pipe(v.string(), v.check(isCategory, 'must be a category')) })
const NewSubscription = v.strictObject({
  url: v.pipe(v.string(), v.url('must be an address')),
  selected_event_categories: v.exactOptional(v.array(Category)),
  shared_secret: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(100))),
  status: v.exactOptional(v.picklist(['active', 'disabled'])),
})
const ChangedSubscription = v.strictObject({
  status: v.exactOptional(v.picklist(['active', 'disabled', 'deleted'])),
}) satisfies v.GenericSchema<unknown, Increase.EventSubscriptionUpdateParams>

/** Makes a subscription, once for each key. */
export async function createSubscription({ desk, body, key }: Question): Promise<Answer> {
  const { url, status = 'active', selected_event_categories: selected } = parse(NewSubscription, body)
  const uuid = key === null ? newId() : uuidOfKey(key)
  const id = idOf('event_subscription', uuid)
  const known = await findOpened(desk.partner, 'event_subscription', uuid)
  const categories = selected?.flatMap(({ event_category: name }) =>
    isCategory(name) ? [{ event_category: name }] : [],
  )
  const row = await openAtIncrease(desk.partner, hashOf({ kind: 'event_subscription', body }), {
    id: uuid,
    account: id,
    details: {},
    document: { kind: 'event_subscription', key, url, status, categories: categories ?? null },
  })
  if (!row) throw keyUsed(id)
  const answer = ok(showSubscription(row))
  return known ? { ...answer, headers: { 'idempotent-replayed': 'true' } } : answer
}

async function requireSubscription({ partner }: Desk, id: string): Promise<Row> {
  const read = readId('event_subscription', id)
  const row = read && read.mark === '' ? await findOpened(partner, 'event_subscription', read.uuid) : undefined
  if (!row) throw notFound(id)
  return row
}

export const getSubscription = async ({ desk, id }: Pick<Question, 'desk' | 'id'>): Promise<Answer> =>
  ok(showSubscription(await requireSubscription(desk, id)))

export async function patchSubscription({ desk, id, body }: Question): Promise<Answer> {
  const changes = parse(ChangedSubscription, body)
  await amendOpened(desk.partner, await requireSubscription(desk, id), changes)
  return getSubscription({ desk, id })
}

export async function listSubscriptions({ desk, query }: Question): Promise<Answer> {
  const key = query.get('idempotency_key')
  const kept = { kind: 'event_subscription', id: key === null ? null : uuidOfKey(key) } as const
  return ok(
    await pageOf(query, (listing) => listOpened(desk.partner, kept, listing), {
      show: showSubscription,
      leaves: (one) => key === null || one.idempotency_key === key,
    }),
  )
}

const showSubscription = ({ account, document, made_at: madeAt }: Row): Increase.EventSubscription =>
  ({
    id: account,
    created_at: timeOf(madeAt),
    idempotency_key: document.key,
    oauth_connection_id: null,
    selected_event_categories: document.categories === null ? null : [...document.categories],
    status: document.status,
    type: 'event_subscription',
    url: document.url,
  }) satisfies Increase.EventSubscription

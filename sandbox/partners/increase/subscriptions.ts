/** Subscriptions to events: they are kept and shown. Callbacks go to the service, whatever they name. */
import type Increase from 'increase'
import * as v from 'valibot'
import { type RowOf, amendOpened } from '../../db/increase/accounts.ts'
import { type Answer, type Question, ok, parse, timeOf } from './answers.ts'
import { isCategory } from './events.ts'
import { listKept, openOnce, requireOpened } from './opened.ts'

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
  const categories = selected?.flatMap(({ event_category: name }) =>
    isCategory(name) ? [{ event_category: name }] : [],
  )
  const document = { kind: 'event_subscription', key, url, status, categories: categories ?? null } as const
  return openOnce(desk, { document, content: { body }, show: showSubscription })
}

export const getSubscription = async ({ desk, id }: Pick<Question, 'desk' | 'id'>): Promise<Answer> =>
  ok(showSubscription(await requireOpened(desk, 'event_subscription', id)))

export async function patchSubscription({ desk, id, body }: Question): Promise<Answer> {
  const changes = parse(ChangedSubscription, body)
  await amendOpened(desk.partner, await requireOpened(desk, 'event_subscription', id), changes)
  return getSubscription({ desk, id })
}

export const listSubscriptions = (question: Question): Promise<Answer> =>
  listKept('event_subscription', question, { show: showSubscription })

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

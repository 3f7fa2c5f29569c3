/** Deletes what is over and of no use any more: expired codes, tokens and challenges, old messages, unused quotes. */
import { first, sql } from '../sql.ts'

const BATCH = 1000
const MESSAGE_DAYS = 30
const CALLBACK_DAYS = 30
const QUOTE_DAYS = 30
const SYNC_DAYS = 90
const DELIVERY_DAYS = 30

/** Days after their expiry. Sign-ups and resets are kept for a while, to answer questions about them. */
const EXPIRED_DAYS = {
  sign_ups: 7,
  password_resets: 7,
  factor_resets: 7,
  sign_in_challenges: 1,
  webauthn_challenges: 1,
  messaging_codes: 1,
  authenticator_setups: 1,
  trust_tokens: 1,
  login_credentials: 1,
} as const

/** Deletes what is over by business time, and answers how many rows that were. Safe beside everything else. */
export async function purgeExpired(batch = BATCH): Promise<number> {
  let deleted = await inBatches(batch, () => deleteMessages(batch))
  deleted += await inBatches(batch, () => deleteCallbacks(batch))
  deleted += await inBatches(batch, () => forgetQuotes(batch))
  deleted += await inBatches(batch, () => forgetSwapQuotes(batch))
  deleted += await inBatches(batch, () => forgetConsents(batch))
  deleted += await inBatches(batch, () => forgetSyncs(batch))
  deleted += await inBatches(batch, () => forgetDeliveries(batch))
  for (const [table, days] of Object.entries(EXPIRED_DAYS)) {
    deleted += await inBatches(batch, () => deleteExpired(table, days, batch))
  }
  return deleted
}

/** Every message is deleted after 30 days, except one that waits for the mail server. */
const deleteMessages = (batch: number) => sql<Deleted[]>`
  with gone as (
    delete from messages where ctid = any (array(
      select ctid from messages
      where sent_at < business_now() - make_interval(days => ${MESSAGE_DAYS}) and status <> 'queued'
      order by sent_at limit ${batch}))
    returning 1)
  select count(*)::int as rows from gone`

/**
 * Callbacks of partners that were passed on. A repeat would be long past the window in which callbacks are accepted.
 */
const deleteCallbacks = (batch: number) => sql<Deleted[]>`
  with gone as (
    delete from partner_callbacks where ctid = any (array(
      select ctid from partner_callbacks
      where received_at < business_now() - make_interval(days => ${CALLBACK_DAYS}) and handled_at is not null
      order by received_at limit ${batch}))
    returning 1)
  select count(*)::int as rows from gone`

/** Quotes of all organizations that no payment used. */
const forgetQuotes = (batch: number) => sql<Deleted[]>`select forget_quotes(${QUOTE_DAYS}, ${batch}) as rows`

/** The same that no swap used. */
const forgetSwapQuotes = (batch: number) => sql<Deleted[]>`select forget_swap_quotes(${QUOTE_DAYS}, ${batch}) as rows`

/** Consents to accounting programs that nobody can give any more, of all organizations. */
const forgetConsents = (batch: number) => sql<Deleted[]>`select forget_accounting_authorizations(${batch}) as rows`

/** Syncs with accounting programs that are over; what was posted stays known. */
const forgetSyncs = (batch: number) => sql<Deleted[]>`select forget_accounting_runs(${SYNC_DAYS}, ${batch}) as rows`

/** Deliveries to webhook endpoints that are over. */
const forgetDeliveries = (batch: number) =>
  sql<Deleted[]>`select forget_webhook_deliveries(${DELIVERY_DAYS}, ${batch}) as rows`

const deleteExpired = (table: string, days: number, batch: number) => sql<Deleted[]>`
  with gone as (
    delete from ${sql(table)} where ctid = any (array(
      select ctid from ${sql(table)} where expires_at < business_now() - make_interval(days => ${days}) limit ${batch}))
    returning 1)
  select count(*)::int as rows from gone`

type Deleted = { rows: number }

/** Repeats a statement until it deletes less than a batch. */
async function inBatches(batch: number, statement: () => Promise<readonly Deleted[]>): Promise<number> {
  for (let total = 0; ;) {
    const rows = (await first(statement()))?.rows ?? 0
    total += rows
    if (rows < batch) return total
  }
}

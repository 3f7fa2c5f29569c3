/** What is over and of no use any more is deleted: a person's expired codes, tokens and challenges, old messages. */
import { sealingKey } from './destination-seals.ts'
import type { DestinationId, OrganizationId } from './model/ids.ts'
import { sealAfresh } from './destination-resealing.ts'
import { isSealedAfresh, open, seal } from './secrets.ts'
import { asSystem, first, sql } from './sql.ts'

const BATCH = 1000
const MESSAGE_DAYS = 30
const CALLBACK_DAYS = 30
const QUOTE_DAYS = 30

/** Days after their expiry. A sign-up and a reset stay for a while, for whoever asks what became of one. */
const EXPIRED_DAYS = {
  sign_ups: 7,
  password_resets: 7,
  sign_in_challenges: 1,
  webauthn_challenges: 1,
  messaging_codes: 1,
  authenticator_setups: 1,
  trust_tokens: 1,
  login_credentials: 1,
} as const

/** Deletes what is over by business time, and answers how many rows that were. Safe beside everything else. */
export async function clearAway(batch = BATCH): Promise<number> {
  let deleted = await inBatches(batch, () => deleteMessages(batch))
  deleted += await inBatches(batch, () => deleteCallbacks(batch))
  deleted += await inBatches(batch, () => forgetQuotes(batch))
  for (const [table, days] of Object.entries(EXPIRED_DAYS)) {
    deleted += await inBatches(batch, () => deleteExpired(table, days, batch))
  }
  return deleted
}

/**
 * Seals the secrets of authenticators anew that an earlier key sealed, so that this key can be taken out of the
 * configuration; answers how many. Nothing else that is sealed outlives a day, but destinations (see below) and messages, which go after 30.
 */
export async function resealAuthenticators(batch = BATCH): Promise<number> {
  let resealed = 0
  for (let after: string | null = null; ;) {
    const rows: { user_id: string; secret: Buffer }[] = await sql`
      select user_id, secret from authenticators where ${after}::uuid is null or user_id > ${after}
      order by user_id limit ${batch}`
    for (const { user_id: userId, secret } of rows.filter((row) => !isSealedAfresh(row.secret))) {
      const changed = await sql`
        update authenticators set secret = ${seal(open(secret))} where user_id = ${userId} and secret = ${secret}
        returning user_id`
      resealed += changed.length
    }
    after = rows.at(-1)?.user_id ?? null
    if (rows.length < batch) return resealed
  }
}

/**
 * Seals coordinates of destinations anew that an earlier key sealed, and those that lie there in the clear from before; their
 * fingerprints follow. Answers how many; what does not open is logged and left. Until it is through, accounts are found under
 * every configured key.
 */
export async function resealDestinations(batch = BATCH): Promise<number> {
  let resealed = 0
  for (let after: string | null = null; ;) {
    const rows: { id: DestinationId; organization_id: OrganizationId }[] = await sql`
      select id, organization_id from destinations_to_seal(${sealingKey()}, ${after}, ${batch})`
    for (const organizationId of new Set(rows.map((row) => row.organization_id))) {
      const ids = rows.filter((row) => row.organization_id === organizationId).map(({ id }) => id)
      resealed += await asSystem(organizationId, (tx) => sealAfresh(tx, ids))
    }
    after = rows.at(-1)?.id ?? null
    if (rows.length < batch) return resealed
  }
}

/** Whatever it was, a message goes after 30 days; one that waits for the mail server stays. */
const deleteMessages = (batch: number) => sql<Deleted[]>`
  with gone as (
    delete from messages where ctid = any (array(
      select ctid from messages
      where sent_at < business_now() - make_interval(days => ${MESSAGE_DAYS}) and status <> 'queued'
      order by sent_at limit ${batch}))
    returning 1)
  select count(*)::int as rows from gone`

/** What a partner said and was told on. A repeat of it is long past the window in which callbacks are taken. */
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

/** Purge of what expired: codes, tokens, unclaimed delegates, messages, quotes, requests. */
import { REQUEST_DAYS } from '../../domain/requests/request.ts'
import { type Fragment, first, sql } from '../../db/postgres/sql.ts'

const BATCH = 1000
const MESSAGE_DAYS = 30
const CALLBACK_DAYS = 30
const QUOTE_DAYS = 30
const PAYEE_CHECK_DAYS = 30
const SYNC_DAYS = 90
const DELIVERY_DAYS = 30

/** Days after expiry. Sign-ups and resets are kept longer, for questions to support. */
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

type DeletedRows = { readonly rows: number }

/** Deletes expired rows by business time, and ends what nobody can claim any more; returns their number. Safe to run concurrently. */
export async function purgeExpired(batch = BATCH): Promise<number> {
  const statements: (() => Promise<readonly DeletedRows[]>)[] = [
    () =>
      deleteRows('messages', sql`sent_at < ${daysAgo(MESSAGE_DAYS)} and status <> 'queued' order by sent_at`, batch),
    // a repeat would be long past the window in which callbacks are accepted
    () =>
      deleteRows(
        'partner_callbacks',
        sql`received_at < ${daysAgo(CALLBACK_DAYS)} and handled_at is not null order by received_at`,
        batch,
      ),
    () => sql<DeletedRows[]>`select forget_quotes(${QUOTE_DAYS}, ${batch}) as rows`,
    () => sql<DeletedRows[]>`select forget_payee_checks(${PAYEE_CHECK_DAYS}, ${batch}) as rows`,
    () => sql<DeletedRows[]>`select forget_swap_quotes(${QUOTE_DAYS}, ${batch}) as rows`,
    () => sql<DeletedRows[]>`select forget_accounting_authorizations(${batch}) as rows`,
    () => sql<DeletedRows[]>`select forget_accounting_runs(${SYNC_DAYS}, ${batch}) as rows`,
    () => sql<DeletedRows[]>`select forget_webhook_deliveries(${DELIVERY_DAYS}, ${batch}) as rows`,
    () => sql<DeletedRows[]>`select forget_requests(${REQUEST_DAYS}, ${batch}) as rows`,
    () => sql<DeletedRows[]>`select forget_provider_sign_ins(${batch}) as rows`,
    () => endUnclaimedDelegates(batch),
    () => sql<DeletedRows[]>`select forget_used_refresh_tokens(${batch}) as rows`,
    ...Object.entries(EXPIRED_DAYS).map(
      ([table, days]) =>
        () =>
          deleteRows(table, sql`expires_at < ${daysAgo(days)}`, batch),
    ),
  ]
  let deleted = 0
  for (const statement of statements) {
    let rows: number
    do {
      rows = (await first(statement()))?.rows ?? 0
      deleted += rows
    } while (rows >= batch)
  }
  return deleted
}

const daysAgo = (days: number): Fragment => sql`business_now() - make_interval(days => ${days})`

/** Deletes a batch of rows; the condition may end with their order. */
const deleteRows = (table: string, where: Fragment, batch: number) => sql<DeletedRows[]>`
  with gone as (
    delete from ${sql(table)} where ctid = any (array(select ctid from ${sql(table)} where ${where} limit ${batch}))
    returning 1)
  select count(*)::int as rows from gone`

/** Ends delegates whose code was never changed into a token, and logs each for its person. */
const endUnclaimedDelegates = (batch: number) => sql<DeletedRows[]>`
  with over as (select * from end_unclaimed_delegates(${batch})),
  logged as (
    insert into security_events (user_id, type, details)
    select user_id, 'delegate.ended', jsonb_build_object('delegate', id, 'name', name, 'reason', end_reason) from over
    returning 1)
  select count(*)::int as rows from logged`

/** Deletes requirements without an approval; returns their number. */
export async function forgetApprovalRequirements(): Promise<number> {
  const [row] = await sql<DeletedRows[]>`select forget_approval_waits() as rows`
  return row?.rows ?? 0
}

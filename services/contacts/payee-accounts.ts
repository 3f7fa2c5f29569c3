/** Accounts of payees: known by keys of any configured encryption key, and equal by their id. */
import { type Fragment, type Tx, sql } from '../../db/postgres/sql.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import { type Account, fingerprintsOf, payeeKeysOf } from './destination-encryption.ts'

/** Lists all that an account is known by: its keys, and the fingerprints that the release before compared. */
export const allKeysOf = (
  organizationId: OrganizationId,
  account: Account,
  fingerprints: readonly string[] = fingerprintsOf(organizationId, account),
): string[] => [...payeeKeysOf(organizationId, account), ...fingerprints]

/**
 * Stores an account by all its keys, and returns its id. Two ids that turn out to be one account become one, in all rows:
 * a statement of its own, before the one that writes a row.
 * @param own id that a row has had so far
 */
export async function storeAccount(tx: Tx, account: Account, own: string | null = null): Promise<string> {
  const keys = allKeysOf(tx.organizationId, account)
  const [stored] = await tx<{ id: string }[]>`select account_of(${tx.organizationId}, ${keys}::text[], ${own}) as id`
  if (!stored) throw new Error('an account has an id')
  return stored.id
}

/**
 * Stores all accounts of a query at once: its `keys` are those of allKeysOf(), with commas between. Accounts that are new
 * as a whole are inserted together; those of which a part is known one by one.
 */
export async function storeAccounts(tx: Tx, source: Fragment): Promise<void> {
  const { organizationId } = tx
  const known = () => sql`
    select g.keys, n.* from (select distinct s.keys from (${source}) s) g cross join lateral (
      select count(*) as keys_given, count(k.account_id) as keys_known, count(distinct k.account_id) as accounts
      from unnest(string_to_array(g.keys, ',')) u (key) ${joinAccount(organizationId, sql`u.key`)}) n`
  const [found] = await tx<{ isOver: boolean }[]>`
    with known as materialized (${known()}), added as (
      insert into payee_accounts (organization_id, key, account_id)
      select ${organizationId}, decode(u.key, 'hex'), n.account_id
      from (select w.keys, uuidv7() as account_id from known w where w.keys_known = 0 offset 0) n
      cross join unnest(string_to_array(n.keys, ',')) u (key)
      order by 2 on conflict do nothing returning key)
    select (select count(*) from added) = coalesce(sum(w.keys_given) filter (where w.keys_known = 0), 0)
      and coalesce(bool_and(w.keys_known in (0, w.keys_given) and w.accounts < 2), true) as "isOver" from known w`
  if (found?.isOver) return
  // another transaction stored some meanwhile, or a key of an account is new
  await tx`
    select account_of(${organizationId}, string_to_array(w.keys, ',')) from (${known()} order by 1) w
    where w.keys_known < w.keys_given or w.accounts > 1`
}

/**
 * Joins the account `k` that a key in hexadecimal is of, by index: policies of rows let none search for the result of a
 * function, so that is computed first.
 */
export const joinAccount = (organizationId: OrganizationId, key: Fragment): Fragment => sql`
  cross join lateral (select decode(${key}, 'hex') as bytes offset 0) given
  left join lateral (select p.account_id from payee_accounts p
    where p.organization_id = ${organizationId} and p.key = given.bytes offset 0) k on true`

/** Accounts of payees: known by keys of any configured encryption key, and equal by their id. */
import { type Fragment, type Tx, sql } from '../../db/postgres/sql.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import { type Account, fingerprintsOf, payeeKeysOf } from './destination-encryption.ts'

/** Lists all that an account is known by: its keys, and the fingerprints that the release before compared. */
export const allKeysOf = (organizationId: OrganizationId, account: Account): string[] => [
  ...payeeKeysOf(organizationId, account),
  ...fingerprintsOf(organizationId, account),
]

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
    select g.keys, count(*) as keys_given, count(k.key) as keys_known, count(distinct k.account_id) as accounts
    from (select distinct s.keys from (${source}) s) g
    cross join unnest(string_to_array(g.keys, ',')) u (key)
    left join payee_accounts k on k.organization_id = ${organizationId} and k.key = decode(u.key, 'hex')
    group by g.keys`
  await tx`
    insert into payee_accounts (organization_id, key, account_id)
    select ${organizationId}, decode(u.key, 'hex'), n.account_id
    from (select w.keys, uuidv7() as account_id from (${known()}) w where w.keys_known = 0 offset 0) n
    cross join unnest(string_to_array(n.keys, ',')) u (key)
    order by 2 on conflict do nothing`
  await tx`
    select account_of(${organizationId}, string_to_array(w.keys, ',')) from (${known()} order by 1) w
    where w.keys_known < w.keys_given or w.accounts > 1`
}

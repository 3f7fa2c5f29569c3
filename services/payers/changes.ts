/** Changed payers: an organization pays under another name or address than it last did. */
import { isOnboardingRequired, readPaying, versionOf } from './payers.ts'
import { hasGoneOut } from '../../db/postgres/fragments.ts'
import { type Fragment, type Reader, first, sql } from '../../db/postgres/sql.ts'

/** Selects the version of the payer of the last payment that went out before an instant. */
const lastPayer = ({ organizationId }: Pick<Reader, 'organizationId'>, at: Fragment): Fragment => sql`
  (select l.payer_id from payments l
    where l.organization_id = ${organizationId} and l.payer_id is not null and l.inserted_at < ${at} and ${hasGoneOut(sql`l`)}
    order by l.inserted_at desc, l.id desc limit 1)`

/**
 * Selects whether payments named another payer before an instant than this version. As with accounts, a small payment
 * does not make it the known one: it stays changed for `account_change_hours` from when it was first named. False where
 * nothing is verified, and without a payer.
 */
export const isPayerChanged = (reader: Pick<Reader, 'organizationId'>, payerId: Fragment, at: Fragment): Fragment =>
  isOnboardingRequired()
    ? sql`(exists (select from payers o where o.organization_id = ${reader.organizationId} and o.id <> ${payerId})
      and (coalesce(${lastPayer(reader, at)} <> ${payerId}, false)
        or exists (select from payers y join organizations w on w.id = y.organization_id
          where y.id = ${payerId} and y.inserted_at + make_interval(hours => w.account_change_hours) > business_now()
            and ${lastPayer(reader, sql`y.inserted_at`)} is not null)))`
    : sql`false`

/** Tells whether payments of now would name another payer than the last ones. */
export async function hasChangedPayer(reader: Reader): Promise<boolean> {
  if (!isOnboardingRequired()) return false
  const version = versionOf(reader.organizationId, await readPaying(reader))
  if (!version) return false
  const row = await first(
    reader<{ changed: boolean }>(sql`
      select ${isPayerChanged(reader, sql`${version.id}::uuid`, sql`business_now()`)} as changed`),
  )
  return row?.changed ?? false
}

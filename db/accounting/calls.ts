/** How often the provider of some books is asked: by all processes together, for all organizations that share them. */
import { first, sql } from '../sql.ts'

/** Xero takes so many calls for one tenant in any minute. */
const CALLS_PER_MINUTE = 60

/**
 * Takes the right to one call about these books. Answers null, or how many seconds to wait for the next one: then none
 * was taken.
 */
export async function takeCall(tenantId: string): Promise<number | null> {
  const row = await first(sql<{ wait_seconds: number | null }[]>`
    insert into accounting_calls as c (tenant_id, made_at) values (${tenantId}, array[business_now()])
    on conflict (tenant_id) do update set made_at = case
      when cardinality(c.made_at) < ${CALLS_PER_MINUTE} or c.made_at[1] <= business_now() - interval '1 minute'
      then (c.made_at || business_now())[greatest(cardinality(c.made_at) - ${CALLS_PER_MINUTE - 2}, 1):]
      else c.made_at end
    returning case when new.made_at = old.made_at
      then extract(epoch from new.made_at[1] + interval '1 minute' - business_now())::float8 end as wait_seconds`)
  return row?.wait_seconds ?? null
}

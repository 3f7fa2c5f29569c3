/** Amounts that a payee usually gets. */
import { hasGoneOut } from '../../db/postgres/fragments.ts'
import { type Fragment, sql } from '../../db/postgres/sql.ts'

/** Payments whose median an amount is compared with, at least `USUAL_MIN` of them. */
export const USUAL_MAX = 12
export const USUAL_MIN = 3
export const UNUSUAL_FACTOR = 3

/** Builds the condition that a row `r` is far above what its contact usually gets. */
export const isUnusual = (r: Fragment): Fragment => sql`(
  select count(*) >= ${USUAL_MIN} and ${r}.amount > ${UNUSUAL_FACTOR} * percentile_cont(0.5)
    within group (order by s.landing_amount)
  from (select p.landing_amount, p.landing_currency
    from payment_destinations d join payments p on p.destination_id = d.id
    where d.payment_contact_id = ${r}.payment_contact_id and ${hasGoneOut(sql`p`)}
    order by p.inserted_at desc limit ${USUAL_MAX}) s
  where s.landing_currency = ${r}.currency)`

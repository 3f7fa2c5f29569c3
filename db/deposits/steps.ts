/** Steps of a deposit at our own tables; those at its partner are in activities/deposits.ts. */
import { depositFlow } from '../../domain/flows/deposit.ts'
import type { DepositId } from '../../domain/ids.ts'
import type { Tx } from '../sql.ts'
import { wake } from '../wakes.ts'
import { waitsForSender } from './deposits.ts'

/** Starts the return of a deposit whose sender was not named in time: an answer that comes from now on is refused. */
export async function startReturn(tx: Tx, id: DepositId): Promise<void> {
  const started = await tx`
    update deposits set is_returning = true, updated_at = business_now(), ask_at = null, asks = 0
    where id = ${id} and ${waitsForSender()} and release_by <= business_now() returning id`
  if (started.length > 0) wake(tx, depositFlow, { ids: [id], why: 'return_started' })
}

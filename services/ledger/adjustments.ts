/** How a booking that operators decided on is known in the ledger. */
import type { AdjustmentId } from '../../domain/ids.ts'
import type { Tx } from '../../db/postgres/sql.ts'
import type { Leg, Transfer } from './ledger.ts'

/** The key of its transfer, and the cause of its events. */
export const adjustmentKey = (id: AdjustmentId): string => `adjustment:${id}`

/** Its transfer; none if it moves nothing. */
export const adjustmentTransfers = (tx: Tx, { id, legs }: { id: AdjustmentId; legs: readonly Leg[] }): Transfer[] =>
  legs.length === 0 ? [] : [{ key: adjustmentKey(id), organizationId: tx.organizationId, legs }]

/** Arrivals at the stand-in of Increase that may be declined: until they are accepted they are no money. */
import type { ConnectionName } from '../../../domain/partner.ts'
import { type Transaction, sql, transaction } from '../../../db/postgres/sql.ts'
import { notifyDispatcher, queueCallbacks } from '../callbacks.ts'
import { type SandboxTransfer, arrive } from '../deposits.ts'
import type { InboundDocument } from './transfers.ts'
import { withStep } from '../payouts.ts'

type Arrival = Omit<SandboxTransfer, 'document'> & { readonly document: InboundDocument }

/** Lets a transfer arrive, once for each id; one that is declined at once, or waits, is no money. */
export const arriveAtIncrease = (arrival: Arrival, declined: string | null): Promise<void> =>
  transaction(async (tx) => {
    const { document } = arrival
    const { resolve_at: at } = document
    const history = at === undefined ? [] : [{ status: 'accepted', version: 2, at }]
    await arrive(tx, { ...arrival, document: { ...document, history } })
    if (at !== undefined) await callLater(tx, arrival.partner, arrival.id, at)
    if (declined !== null) await decline(tx, arrival.partner, arrival.id, declined)
  })

/** Queues the callback of an acceptance. */
const callLater = (tx: Transaction, partner: ConnectionName, id: string, at: string) => tx`
  insert into sandbox_callbacks (id, partner, type, subject_id, version, due_at)
  values ('msg_' || replace(uuidv7()::text, '-', ''), ${partner}, 'deposit.updated', ${id}, 2, ${at})`

/** Declines a transfer that waits; false for one that does not. */
export const declineInbound = (partner: ConnectionName, id: string, reason: string): Promise<boolean> =>
  transaction((tx) => decline(tx, partner, id, reason))

async function decline(tx: Transaction, partner: ConnectionName, id: string, reason: string): Promise<boolean> {
  const step = withStep(sql`'{}'::jsonb`, sql`'declined'`, sql`version + 1`)
  const [declined] = await tx<{ version: number }[]>`
    update sandbox_deposits set status = 'returned', return_reason = ${reason}, version = version + 1,
      document = document || ${step}
        || jsonb_build_object('declined', jsonb_build_object('at', clock_timestamp(), 'reason', ${reason}::text))
    where partner = ${partner} and id = ${id} and status = 'received' returning version`
  if (!declined) return false
  // that of its acceptance, which does not come
  await tx`delete from sandbox_callbacks where subject_id = ${id} and version = 2 and due_at > clock_timestamp()`
  await queueCallbacks(tx, [{ partner, type: 'deposit.updated', subjectId: id, version: declined.version }])
  await notifyDispatcher(tx)
  return true
}

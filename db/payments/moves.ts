/** The only way to move payments: a bill that one of them leaves unpaid is open again in the same transaction. */
import type { PayloadOf } from '../../domain/event-type.ts'
import { finalStates } from '../../domain/flows/flow.ts'
import { type PaymentStatus, paymentFlow } from '../../domain/flows/payment.ts'
import { paymentMoves } from '../../domain/payments/events.ts'
import type { PaymentEvent } from '../../domain/payments/payout.ts'
import { reopenBills } from '../paid-bills/reopening.ts'
import type { Tx } from '../sql.ts'
import { type Move, transition } from '../transition.ts'

/** Statuses of payments that have ended without having paid: as `has_ended_unpaid()` says in SQL. */
const UNPAID = finalStates(paymentFlow)

type Types = (typeof paymentMoves)['types']

/** Moves a payment, or several, along their flow; what they leave unpaid can be paid again. Refuses as transition(). */
export async function movePayments<Happening extends PaymentEvent>(
  tx: Tx,
  target: string | readonly string[],
  move: Move<Happening, PayloadOf<Types[Happening]>>,
): Promise<void> {
  await transition(tx, paymentMoves, target, move)
  const [first] = move.events
  const last = move.events.at(-1) ?? first
  if (!UNPAID.includes(paymentFlow.events[last].to)) return
  const from: readonly PaymentStatus[] = paymentFlow.events[first].from
  await reopenBills(tx, [target].flat(), { waited: from.includes('awaiting_approval') })
}

/** Payouts moved as by a partner's staff; the answer waits until the payment has moved. */
import { setTimeout as delay } from 'node:timers/promises'
import { config } from '../../platform/config.ts'
import { isOfDriver } from '../../platform/connections.ts'
import { refuse } from '../../domain/errors.ts'
import type { PaymentId } from '../../domain/ids.ts'
import { type PayoutStatus } from '../../domain/partner.ts'
import { type PaymentState, paymentStatusOf } from '../../domain/payments/flow.ts'
import { Payment } from '../../domain/payments/payment.ts'
import { Advance, advancesFrom } from '../../domain/sandbox/sandbox.ts'
import { findPayment } from '../../services/payments/payments.ts'
import { fallbackIdOf } from '../../domain/payments/speed.ts'
import { type SandboxPayment, movePayout, sandboxPayment } from '../db/payouts.ts'
import { readerOf } from '../../db/postgres/sql.ts'
import { operations } from '../../api/http/operation.ts'
import { connectionOf } from '../../domain/rails.ts'

const { byHand } = operations('Sandbox')

const PATIENCE_MS = Math.min(8000, config.requestDeadlineMs * 0.8)
const LOOK_AGAIN_MS = 25

export const sandboxPayouts = [
  byHand('post', '/sandbox/payments/{payment_id}/advance', 'advanceSandboxPayment')
    .says('Move a payment at its partner', 'Waits until it has moved here.')
    .for('sandbox')
    .takes(Advance)
    .refuses('invalid_state')
    .answers(Payment)
    // several transactions: it waits until the partner's callback has moved the payment
    .does(async ({ params, body }) => {
      const deadline = Date.now() + PATIENCE_MS
      const version = await moveAtPartner(params.payment_id, body, deadline)
      const { organization_id: organizationId } = await waitUntilMoved(
        params.payment_id,
        { version, to: body.to },
        deadline,
      )
      return findPayment(readerOf(organizationId), params.payment_id)
    }),
]

const WORD: Readonly<Record<Advance['to'], PayoutStatus>> = {
  processing: 'processing',
  on_hold: 'on_hold',
  succeeded: 'settled',
  failed: 'rejected',
  reversed: 'returned',
  cancelled: 'cancelled',
}

/** Moves the payout; answers its version. Waits for a payment that is being submitted. */
async function moveAtPartner(id: PaymentId, advance: Advance, deadline: number): Promise<number> {
  const { to, reason, returned = null, charges = null } = advance
  for (;;) {
    const { rail, connection, status } = await findSandboxPayment(id)
    const allowed = rail === 'svc_id' ? [] : advancesFrom(status)
    if (rail !== 'svc_id' && allowed.includes(to)) {
      const move = { from: leaves(status, to), to: WORD[to], returned, charges, ...(reason && { detail: reason }) }
      const partner = connectionOf({ rail, connection })
      const version = (await movePayout(partner, fallbackIdOf(id), move)) ?? (await movePayout(partner, id, move))
      if (version !== undefined) return version
    }
    const isUnderWay = status === 'submitted' || (allowed.includes(to) && takesFiles(connection))
    if (rail === 'svc_id' || !isUnderWay || Date.now() > deadline) {
      refuse('invalid_state', { current: paymentStatusOf(status), allowed })
    }
    await delay(LOOK_AGAIN_MS)
  }
}

/** Lists the payout's earlier statuses. A payment is `processing` also before its partner starts. */
function leaves(status: PaymentState, to: Advance['to']): readonly PayoutStatus[] {
  if (to === 'reversed') return ['settled']
  return status === 'processing' && to === 'processing' ? ['pending'] : ['pending', 'processing', 'on_hold']
}

/** Tells whether our versions of a payout are those of its partner: providers with words of their own have none. */
const countsVersions = (name: string | null): boolean =>
  !config.connections.some((one) => one.name === (name ?? 'bank') && !isOfDriver(one, 'http'))

/** Tells whether a bank learns of an order later than we send it. */
const takesFiles = (name: string | null): boolean =>
  config.connections.some((one) => one.name === (name ?? 'bank') && isOfDriver(one, 'iso20022'))

/** Waits for the version, or the status where there are none, or until the deadline: a callback may be lost. */
async function waitUntilMoved(
  id: PaymentId,
  { to, version }: { readonly to: Advance['to']; readonly version: number },
  deadline: number,
): Promise<SandboxPayment> {
  for (;;) {
    const payment = await findSandboxPayment(id)
    const hasMoved = countsVersions(payment.connection) ? payment.partner_version >= version : payment.status === to
    if (hasMoved || Date.now() > deadline) return payment
    await delay(LOOK_AGAIN_MS)
  }
}

const findSandboxPayment = async (id: PaymentId): Promise<SandboxPayment> =>
  (await sandboxPayment(id)) ?? refuse('not_found')

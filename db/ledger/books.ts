/** Whether money of an organization moves: its books that an audit has stopped, and what an operator decided. */
import { inOrder } from '../in-order.ts'
import { type Blocker, refuse } from '../../domain/errors.ts'
import type { Tx } from '../sql.ts'

/**
 * What stands against whatever moves new money; an operator has to look first, so it is no use to come again at once.
 */
export const LEDGER_UNBALANCED = {
  type: 'ledger_unbalanced',
  details: { retry_after_seconds: 300 },
} as const satisfies Blocker

/** Refuses by it. */
export function refuseFrozenLedger(): never {
  refuse(LEDGER_UNBALANCED.type, LEDGER_UNBALANCED.details)
}

/** What an operator decided about the organization, and whether an audit has stopped its books. */
export type Standing = { readonly status: string; readonly stopped: boolean }

/** The standing of the transaction's organization, as it is at this moment. */
export async function readStanding(tx: Tx): Promise<Standing> {
  const [standing] = await tx<Standing[]>`
    select status, books_stopped_at is not null as stopped from organizations where id = ${tx.organizationId}`
  return standing ?? refuse('not_found')
}

/** The same, with a lock on the organization: its books are neither stopped nor resumed until the transaction ends. */
export async function lockStanding(tx: Tx): Promise<Standing> {
  const [, standing] = await inOrder(
    () => tx`select id from organizations where id = ${tx.organizationId} for no key update`,
    () => readStanding(tx),
  )
  return standing
}

/** Refuses by a standing in which no new money moves: `ledger_unbalanced`, `organization_unavailable`. */
export function refuseStoppedMoney({ status, stopped }: Standing): void {
  if (stopped) refuseFrozenLedger()
  if (status !== 'active') refuse('organization_unavailable')
}

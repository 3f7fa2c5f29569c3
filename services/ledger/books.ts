/** Whether new money of an organization may move: an audit may have stopped its books, or an operator have banned it. */
import { type Blocker, refuse } from '../../domain/errors.ts'
import { type Fragment, type Tx, sql } from '../../db/postgres/sql.ts'

/** The refusal of stopped books; an operator has to look first, so it is no use to come again at once. */
export const LEDGER_UNBALANCED = {
  type: 'ledger_unbalanced',
  details: { retry_after_seconds: 300 },
} as const satisfies Blocker

/** The organization's status, and whether an audit has stopped its books. */
export type Standing = { readonly status: string; readonly stopped: boolean }

export const readStanding = (tx: Tx): Promise<Standing> => standingOf(tx, sql``)

/** Reads the standing and keeps it: the books are neither stopped nor resumed until the transaction ends. */
export const lockStanding = (tx: Tx): Promise<Standing> => standingOf(tx, sql`for no key update`)

async function standingOf(tx: Tx, lock: Fragment): Promise<Standing> {
  const [standing] = await tx<Standing[]>`
    select status, books_stopped_at is not null as stopped from organizations where id = ${tx.organizationId} ${lock}`
  return standing ?? refuse('not_found')
}

/** Refuses `ledger_unbalanced` or `organization_unavailable` unless new money may move. */
export function requireMovingMoney({ status, stopped }: Standing): void {
  if (stopped) refuse(LEDGER_UNBALANCED.type, LEDGER_UNBALANCED.details)
  if (status !== 'active') refuse('organization_unavailable')
}

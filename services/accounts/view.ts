/** The view of a receiving account. */
import { type AskRow, askColumns } from '../../db/processes/asking.ts'
import { isDriven } from '../../domain/flow.ts'
import { type ReceivingAccountStatus, receivingAccountFlow } from '../../domain/accounts/flow.ts'
import type { ReceivingAccountId } from '../../domain/ids.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { minuteOf } from '../../domain/instants.ts'
import { type AtRest, type Standing, sayState } from '../../domain/process.ts'
import { type AtConnection, connectionOf, nameOfConnection } from '../../domain/rails.ts'
import { type Reader, sql } from '../../db/postgres/sql.ts'
import { pauseOfRow, sayPause } from '../connections/pauses.ts'

type RequestedView = Standing<ReceivingAccountStatus> & {
  readonly partner: ConnectionName
  /** The partner was not asked yet, or is due to be asked again. */
  readonly opening_due: boolean
}

export async function viewReceivingAccount(
  reader: Reader,
  id: ReceivingAccountId,
): Promise<RequestedView | AtRest | undefined> {
  const [row] = await reader<AskRow & AtConnection & { status: ReceivingAccountStatus; paused: string | null }>(sql`
    select r.status, r.rail, r.connection, ${pauseOfRow(sql`r`)} as paused, ${askColumns(sql`r`)} from receiving_accounts r where r.id = ${id}`)
  if (!row) return undefined
  const { status, due, ask_at: lookAt, ask_note: note } = row
  if (!isDriven(receivingAccountFlow, status)) return { at_rest: true, status, says: sayState('account', status) }
  const partner = connectionOf(row)
  if (row.paused !== null) {
    const says = sayPause(partner, row.paused)
    return { at_rest: false, status, partner, opening_due: false, step_due: false, look_at: null, says }
  }
  const said = note && lookAt ? ` It has not opened it, and is asked again by ${minuteOf(lookAt)}.` : ''
  const says = `Waits for the ${nameOfConnection(row)} to open the account.${said}`
  return { at_rest: false, status, partner, opening_due: due, step_due: due, look_at: lookAt, says }
}

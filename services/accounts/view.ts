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
import type { PayingOrganization } from '../../domain/organizations/payer.ts'
import { pauseOfRow, sayPause } from '../connections/pauses.ts'
import { findUnverified, payingOrganization } from '../payers/payers.ts'

type RequestedView = Standing<ReceivingAccountStatus> & {
  readonly partner: ConnectionName
  /** The partner was not asked yet, or is due to be asked again. */
  readonly opening_due: boolean
}

type Row = AskRow &
  AtConnection & {
    readonly status: ReceivingAccountStatus
    readonly paused: string | null
    readonly paying: PayingOrganization
  }

export async function viewReceivingAccount(
  reader: Reader,
  id: ReceivingAccountId,
): Promise<RequestedView | AtRest | undefined> {
  const [row] = await reader<Row>(sql`
    select r.status, r.rail, r.connection, ${pauseOfRow(sql`r`)} as paused, ${payingOrganization(sql`o`)} as paying,
      ${askColumns(sql`r`)}
    from receiving_accounts r join organizations o on o.id = r.organization_id where r.id = ${id}`)
  if (!row) return undefined
  const { status, due, ask_at: lookAt, ask_note: note } = row
  if (!isDriven(receivingAccountFlow, status)) return { at_rest: true, status, says: sayState('account', status) }
  const partner = connectionOf(row)
  const waits =
    row.paused !== null
      ? sayPause(partner, row.paused)
      : findUnverified(row.paying, row).length > 0
        ? `Waits until the organization is verified for the ${nameOfConnection(row)}.`
        : null
  if (waits !== null)
    return { at_rest: false, status, partner, opening_due: false, step_due: false, look_at: null, says: waits }
  const said = note && lookAt ? ` It has not opened it, and is asked again by ${minuteOf(lookAt)}.` : ''
  const says = `Waits for the ${nameOfConnection(row)} to open the account.${said}`
  return { at_rest: false, status, partner, opening_due: due, step_due: due, look_at: lookAt, says }
}

/** The view of a receiving account. */
import { type AskRow, askColumns } from '../../db/processes/asking.ts'
import { isDriven } from '../../domain/flow.ts'
import { type ReceivingAccountStatus, receivingAccountFlow } from '../../domain/accounts/flow.ts'
import type { ReceivingAccountId } from '../../domain/ids.ts'
import type { MoneyPartner } from '../../domain/partner.ts'
import { minuteOf } from '../../domain/instants.ts'
import { type AtRest, type Standing, sayState } from '../../domain/process.ts'
import { type PartnerRail, partnerOf } from '../../domain/rails.ts'
import { type Reader, sql } from '../../db/postgres/sql.ts'

type RequestedView = Standing<ReceivingAccountStatus> & {
  readonly partner: MoneyPartner
  /** The partner was not asked yet, or is due to be asked again. */
  readonly opening_due: boolean
}

export async function viewReceivingAccount(
  reader: Reader,
  id: ReceivingAccountId,
): Promise<RequestedView | AtRest | undefined> {
  const [row] = await reader<AskRow & { status: ReceivingAccountStatus; rail: PartnerRail }>(sql`
    select r.status, r.rail, ${askColumns(sql`r`)} from receiving_accounts r where r.id = ${id}`)
  if (!row) return undefined
  const { status, rail, due, ask_at: lookAt, ask_note: note } = row
  if (!isDriven(receivingAccountFlow, status)) return { at_rest: true, status, says: sayState('account', status) }
  const said = note && lookAt ? ` It has not opened it, and is asked again by ${minuteOf(lookAt)}.` : ''
  const partner = partnerOf(rail)
  const says = `Waits for the ${partner} to open the account.${said}`
  return { at_rest: false, status, partner, opening_due: due, step_due: due, look_at: lookAt, says }
}

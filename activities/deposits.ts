/** What the workflow of a deposit records. Each is one transaction, and a repeat answers as the first time. */
import * as deposits from '../db/deposits.ts'
import { log } from '../db/log.ts'
import type { DepositStatus } from '../db/model/deposit-flow.ts'
import type { DepositId, OrganizationId } from '../db/model/ids.ts'
import type { MoneyPartner } from '../db/model/partner.ts'
import { asSystem } from '../db/sql.ts'

export type DepositRef = { readonly organizationId: OrganizationId; readonly depositId: DepositId }
/** A partner's deposit that nobody has booked yet, as far as is known. */
export type ArrivalRef = { readonly partner: MoneyPartner; readonly partnerDepositId: string }
/** The same, with the id that the deposit has once the run that is started with it has booked it. */
export type AnnouncedRef = ArrivalRef & { readonly depositId: DepositId }

/** Where the deposit stands, on its way back where its time is over. @public the workflow calls it by its proxy */
export const attendDeposit = ({ organizationId, depositId }: DepositRef): Promise<deposits.DepositState> =>
  asSystem(organizationId, (tx) => deposits.attendDeposit(tx, depositId))

/** The partner has sent it back. @public the workflow calls it by its proxy */
export const recordDepositReturn = ({ organizationId, depositId }: DepositRef): Promise<DepositStatus> =>
  asSystem(organizationId, (tx) => deposits.recordReturn(tx, depositId))

/** The partner keeps it: it waits for its sender again, and the operator is told. @public the workflow calls it by its proxy */
export async function recordReturnRefused({ organizationId, depositId }: DepositRef): Promise<void> {
  const refused = await asSystem(organizationId, (tx) => deposits.recordReturnRefused(tx, depositId))
  if (refused) log.error({ deposit_id: depositId }, 'a partner refuses to return a deposit: it is held again')
}

/** Tells the operator that a partner gives no clear answer about a deposit. @public the workflow calls it by its proxy */
export async function noteDepositStuck({ depositId }: DepositRef): Promise<void> {
  log.error({ deposit_id: depositId }, 'a partner does not say whether it has a deposit: its money stays in suspense')
}

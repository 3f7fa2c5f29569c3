/** What the workflow of a receiving account records. */
import type { OrganizationId, ReceivingAccountId } from '../db/model/ids.ts'
import type { ReceivingAccountStatus } from '../db/model/receiving-account-flow.ts'
import { findOpening } from '../db/receiving-accounts.ts'
import { readerOf } from '../db/sql.ts'

export type ReceivingAccountRef = { readonly organizationId: OrganizationId; readonly accountId: ReceivingAccountId }

/** Where the account stands. @public the workflow calls it by its proxy */
export const receivingAccountStatus = async (ref: ReceivingAccountRef): Promise<ReceivingAccountStatus> =>
  (await findOpening(readerOf(ref.organizationId), ref.accountId)).status

/** Step of a receiving account at its partner. Idempotent: the partner knows our id. */
import { log } from '../platform/log.ts'
import type { ReceivingAccountId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { findOpening, noteUnopened, recordOpened } from '../services/accounts/receiving-accounts.ts'
import { asSystem, readerOf } from '../db/postgres/sql.ts'
import { organizationOf } from '../db/processes/views.ts'
import { moneyPartner } from '../partners/money-partners.ts'
import { orderOnce } from '../partners/orders.ts'
import { repeatsAtOnce } from './repeats.ts'
import { connectionOf } from '../domain/rails.ts'

/** Opens the account at its partner, once. Holder and number stay out of the workflow history. */
export async function openReceivingAccount(ref: ProcessRef<ReceivingAccountId>): Promise<void> {
  const organizationId = organizationOf(ref)
  const { id } = ref
  const { status, currency, network, holder, paused, accepted, ...row } = await findOpening(
    readerOf(organizationId),
    id,
  )
  if (status === 'active' || paused !== null || !accepted) return
  const order = network ? { id, network, coin: currency } : { id, currency, holder }
  try {
    const connection = connectionOf(row)
    const driver = moneyPartner(connection)
    const name = { connection, subject: 'receiving_account', subjectId: id, organizationId, key: id } as const
    const opened = await orderOnce(
      { ...name, operation: 'account', content: order },
      {
        keeping: driver.describe(),
        commit: (work) => asSystem(organizationId, work),
        find: async () => (await driver.findAccount?.(id)) ?? null,
        send: () => driver.openAccount(order, id),
      },
    )
    await asSystem(organizationId, (tx) => recordOpened(tx, id, opened))
  } catch (error) {
    if (repeatsAtOnce(error)) throw error
    log.warn({ err: error, receiving_account_id: id }, 'a partner did not open an account')
    await asSystem(organizationId, (tx) => noteUnopened(tx, id))
  }
}

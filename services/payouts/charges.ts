/** Charges of partners: booked once each, from the clearing of their connection. */
import { v5 } from 'uuid'
import type { PaymentId } from '../../domain/ids.ts'
import type { Charge } from '../../domain/payments/returns.ts'
import { type AtConnection, clearingOf, connectionOf } from '../../domain/rails.ts'
import { type Account, type Transfer, credit, debit, system } from '../ledger/ledger.ts'
import { type Fragment, type Tx, sql, values } from '../../db/postgres/sql.ts'

const CHARGES_NAMESPACE = '8f0f2c1e-3d0b-4c39-9a55-7b1a2f6f0c52'

/** Names the account of what a connection has cost: below zero by what the service bears. */
export const chargesAccount = (connection: string): Account => system(`charges:${connection}`)

type ChargedPayment = AtConnection & { readonly id: PaymentId }

const idOf = (id: PaymentId, { name }: Charge): string => v5(`payment:${id}:${name}`, CHARGES_NAMESPACE)

/** Selects the charges that are booked of a payment. */
export const selectCharged = (id: Fragment): Fragment => sql`
  (select coalesce(json_agg(json_build_object('name', c.name, 'amount', c.amount::text, 'currency', c.currency)), '[]')
    from partner_charges c where c.payment_id = ${id})`

/** Makes the transfers of charges: what the partner took has left its clearing. */
export const chargeTransfers = (tx: Tx, row: ChargedPayment, charges: readonly Charge[]): Transfer[] =>
  charges.map((charge) => ({
    key: `charge:${idOf(row.id, charge)}`,
    organizationId: tx.organizationId,
    legs: [credit(system(clearingOf(row)), charge.money), debit(chargesAccount(connectionOf(row)), charge.money)],
  }))

/** Writes charges whose transfers are posted in this transaction. */
export async function writeCharges(
  tx: Tx,
  row: ChargedPayment,
  charges: readonly Charge[],
  reference: string | null,
): Promise<void> {
  for (const charge of charges) {
    const { amount, currency } = charge.money
    await tx`
      insert into partner_charges ${values({
        id: idOf(row.id, charge),
        organization_id: tx.organizationId,
        connection: connectionOf(row),
        payment_id: row.id,
        name: charge.name,
        reference,
        amount,
        currency,
      })}`
  }
}

/** Charge of a partner, as operators see it. */
type ListedCharge = {
  readonly posted_at: string
  readonly connection: string
  readonly payment_id: PaymentId | null
  readonly name: string
  readonly reference: string | null
  readonly amount: string
  readonly currency: string
}

/** Lists the latest charges of all connections, newest first. */
export const listCharges = async (most: number): Promise<ListedCharge[]> =>
  sql<ListedCharge[]>`
    select posted_at, connection, payment_id, name, reference, amount, currency from listed_partner_charges(${most})`

type ChargeSum = {
  readonly connection: string
  readonly currency: string
  readonly borne: string
  readonly kept: string
}

/** Sums the charges of each connection by currency: borne by the service, and kept from returns. */
export const sumCharges = async (): Promise<ChargeSum[]> =>
  sql<ChargeSum[]>`select connection, currency, borne, kept from sum_partner_charges()`

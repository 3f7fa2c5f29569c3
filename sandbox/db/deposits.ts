import { createHash } from 'node:crypto'
import type { ConnectionName } from '../../domain/partner.ts'
import type { InvoiceState } from '../../domain/invoices/flow.ts'
import type { InvoiceId, OrganizationId } from '../../domain/ids.ts'
import type { Money } from '../../domain/money/money.ts'
import { notifyDispatcher, queueCallbacks } from './callbacks.ts'
import { withStep } from './payouts.ts'
import { type Transaction, type Tx, first, sql, transaction } from '../../db/postgres/sql.ts'
import { railOf } from '../../services/connections/connections.ts'

export type Sender = {
  readonly name: string | null
  readonly account_reference: string | null
  readonly country: string | null
  readonly reference: string | null
}
export type SandboxDeposit = {
  readonly id: string
  readonly account: string
  readonly amount: Money
  readonly sender: Sender
  readonly status: 'received' | 'returned'
  readonly reference: string
  readonly version: number
  readonly received_at: string
}
type DepositRow = Omit<SandboxDeposit, 'amount'> & { amount: string; currency: string }

const VIEW = sql`id, account, amount, currency, sender, status, reference, version, received_at`

export type SandboxTransfer = {
  readonly id: string
  readonly partner: ConnectionName
  readonly account: string
  readonly amount: Money
  readonly sender: Sender
  /** Members of the provider's protocol beside these. */
  readonly document?: object
  /** Name of the deposit at the partner; one that is made of its id by default. */
  readonly reference?: string | null
}

/** Finds the account that such money goes to; undefined before a partner has opened one. */
export async function accountFor(
  tx: Tx,
  { partner, amount, network }: Pick<SandboxTransfer, 'partner' | 'amount'> & { readonly network: string | null },
): Promise<{ id: string; account: string } | undefined> {
  const [open] = await tx<{ id: string; account: string }[]>`
    select id, account from receiving_accounts
    where organization_id = ${tx.organizationId} and connection_of(rail, connection) = ${partner} and currency = ${amount.currency}
      and network is not distinct from ${network} and status = 'active'`
  return open
}

/** Makes the name of a deposit at its partner. */
export function referenceOfArrival(partner: ConnectionName, id: string): string {
  const hash = createHash('sha256').update(`deposit:${id}`).digest('hex')
  return railOf(partner) === 'fiat' ? `IN${hash.slice(0, 14).toUpperCase()}` : `0x${hash}`
}

/** Makes a deposit at a partner, once for each id, and queues its callback. */
export async function arrive(tx: Transaction, arrival: SandboxTransfer): Promise<void> {
  const { id, partner, account, amount, sender, document = null } = arrival
  const reference = arrival.reference ?? referenceOfArrival(partner, id)
  const made = await tx`
    insert into sandbox_deposits (partner, id, account, amount, currency, sender, reference, document)
    values (${partner}, ${id}, ${account}, ${amount.amount}, ${amount.currency}, ${sql.json(sender)}, ${reference},
      ${document && sql.json(document as never)})
    on conflict do nothing returning id`
  if (made.length === 0) return
  await queueCallbacks(tx, [{ partner, type: 'deposit.updated', subjectId: id, version: 1 }])
  await notifyDispatcher(tx)
}

export async function findDepositAt(partner: ConnectionName, id: string): Promise<SandboxDeposit | undefined> {
  const row = await first(sql<DepositRow[]>`
    select ${VIEW} from sandbox_deposits where partner = ${partner} and id = ${id}`)
  return row && toDeposit(row)
}

export async function listDepositsAt(
  partner: ConnectionName,
  after: string | undefined,
  limit: number,
): Promise<SandboxDeposit[]> {
  const rows = await sql<DepositRow[]>`
    select ${VIEW} from sandbox_deposits
    where partner = ${partner} and seq > coalesce((select a.seq from sandbox_deposits a
      where a.partner = ${partner} and a.id = ${after ?? null}), 0)
    order by seq limit ${limit}`
  return rows.map(toDeposit)
}

/** Returns a deposit, once; undefined if it is unknown, `other` after another reason. */
export async function returnDeposit(
  partner: ConnectionName,
  id: string,
  reason: string,
): Promise<SandboxDeposit | 'other' | undefined> {
  await transaction(async (tx) => {
    const [returned] = await tx<{ version: number }[]>`
      update sandbox_deposits set status = 'returned', return_reason = ${reason}, version = version + 1,
        document = coalesce(document, '{}') || ${withStep(sql`document`, sql`'returned'`, sql`version + 1`)}
      where partner = ${partner} and id = ${id} and status = 'received' returning version`
    if (!returned) return
    await queueCallbacks(tx, [{ partner, type: 'deposit.updated', subjectId: id, version: returned.version }])
  })
  const same = await sql`
    select from sandbox_deposits where partner = ${partner} and id = ${id} and return_reason = ${reason}`
  const deposit = await findDepositAt(partner, id)
  return deposit && same.length === 0 ? 'other' : deposit
}

const toDeposit = ({ amount, currency, ...row }: DepositRow): SandboxDeposit => ({
  ...row,
  amount: { amount, currency },
})

type SandboxInvoice = {
  readonly organization_id: OrganizationId
  readonly status: InvoiceState
  readonly currency: string
  readonly number: string | null
  readonly customer: string
  readonly total: string
  readonly accepted_amount: string | null
  readonly allocated: string
  readonly credited: string
}

export const sandboxInvoice = (id: InvoiceId): Promise<SandboxInvoice | undefined> =>
  first(sql<SandboxInvoice[]>`select * from sandbox_invoice(${id})`)

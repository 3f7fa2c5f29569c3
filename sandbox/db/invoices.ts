/** Invoices as the sandbox has their customers pay them. */
import type { InvoiceState } from '../../domain/flows/invoice.ts'
import type { InvoiceId, OrganizationId } from '../../domain/ids.ts'
import { first, sql } from '../../db/sql.ts'

export type SandboxInvoice = {
  readonly organization_id: OrganizationId
  readonly status: InvoiceState
  readonly currency: string
  readonly number: string | null
  readonly customer: string
  readonly total: string
  readonly accepted_amount: string | null
  readonly allocated: string
}

/** Finds an invoice of any organization. */
export const sandboxInvoice = (id: InvoiceId): Promise<SandboxInvoice | undefined> =>
  first(sql<SandboxInvoice[]>`select * from sandbox_invoice(${id})`)

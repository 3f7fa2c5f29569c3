/** The sandbox in the place of a customer, who pays an invoice by bank. */
import { findDeposit } from '../../db/deposits/deposits.ts'
import { Deposit } from '../../domain/deposits/deposit.ts'
import { refuse } from '../../domain/errors.ts'
import { eventsFrom } from '../../domain/flows/flow.ts'
import { invoiceFlow } from '../../domain/flows/invoice.ts'
import type { InvoiceId } from '../../domain/ids.ts'
import { SandboxPay } from '../../domain/invoices/allocation.ts'
import { dueAmount } from '../../domain/invoices/due.ts'
import { type SandboxInvoice, sandboxInvoice } from '../db/invoices.ts'
import { readerOf } from '../../db/sql.ts'
import { operations } from '../../api/http/operation.ts'
import { letDepositArrive } from './deposits.ts'

const { command } = operations('Sandbox')

const found = async (id: InvoiceId): Promise<SandboxInvoice> => (await sandboxInvoice(id)) ?? refuse('not_found')

export const sandboxInvoices = [
  command('post', '/sandbox/invoices/{invoice_id}/pay', 'paySandboxInvoice')
    .says('Let the customer of an invoice pay it: a deposit that names its number, of what is due unless told')
    .sandbox()
    .takes(SandboxPay)
    .refuses('invalid_state', 'unsupported_currency')
    .creates(Deposit, async ({ claim, params }) =>
      findDeposit(readerOf((await found(params.invoice_id)).organization_id), claim.id),
    )
    // a transaction of its own: the invoice names the organization, of which the sandbox token has no membership
    .handles(async ({ actor, body, claim, params, requestId }) => {
      const invoice = await found(params.invoice_id)
      const { status, currency, number, customer: name } = invoice
      if (status !== 'sent' && status !== 'finalized') {
        refuse('invalid_state', { current: status, allowed: eventsFrom(invoiceFlow, status) })
      }
      const amount = { amount: body.amount ?? dueAmount({ ...invoice, state: status }), currency }
      if (Number(amount.amount) === 0)
        refuse('invalid_state', { current: status, allowed: ['finalize'], reason: 'nothing_due' })
      const sender = { name, reference: number }
      const deposit = { organization_id: invoice.organization_id, rail: 'fiat' as const, amount, sender }
      return letDepositArrive({ actor, claim, requestId, body: deposit })
    }),
]

/** Trigger: makes something happen in the test environment. */
import type { Command } from 'commander'
import type { Context } from '../context.ts'
import type { Act } from '../run.ts'

export function addTrigger(program: Command, act: Act): void {
  const trigger = program.command('trigger').description('make something happen in the test environment')
  trigger
    .command('deposit')
    .description('money arrives at the organization')
    .argument('<amount>')
    .argument('<currency>')
    .option('--rail <rail>', 'fiat or crypto', 'fiat')
    .option('--network <network>', 'blockchain, for crypto')
    .action(act(triggerDeposit))
  trigger
    .command('invoice-paid')
    .description('the buyer of an invoice pays')
    .argument('<invoice>')
    .option('--amount <amount>', 'only a part')
    .action(act(triggerInvoicePaid))
  trigger
    .command('payment')
    .description('the partner moves a payment on')
    .argument('<payment>')
    .argument('<status>', 'processing, on_hold, succeeded, failed, reversed or cancelled')
    .option('--reason <reason>')
    .action(act(triggerPayment))
  trigger.command('time').description('time passes').argument('<seconds>').action(act(triggerTime))
}

type DepositOptions = { readonly rail: string; readonly network?: string }

async function triggerDeposit(context: Context, amount: string, currency: string, options: DepositOptions) {
  const deposit = await context.anonymous.createSandboxDeposit({
    organization_id: context.organization(),
    rail: options.rail as 'fiat', // the service refuses another word
    amount: { amount, currency: currency.toUpperCase() },
    ...(options.network && { network: options.network }),
  })
  context.output.answer(context.latestJson(), deposit)
}

async function triggerInvoicePaid(context: Context, invoice_id: string, { amount }: { readonly amount?: string }) {
  const deposit = await context.anonymous.paySandboxInvoice({ invoice_id, ...(amount && { amount }) })
  context.output.answer(context.latestJson(), deposit)
}

async function triggerPayment(context: Context, id: string, status: string, { reason }: { readonly reason?: string }) {
  const to = status as 'processing' // the service refuses another word
  const payment = await context.anonymous.advanceSandboxPayment({ payment_id: id, to, ...(reason && { reason }) })
  context.output.answer(context.latestJson(), payment)
}

async function triggerTime(context: Context, seconds: string) {
  const clock = await context.anonymous.advanceClock({ seconds: Number(seconds) })
  context.output.answer(context.latestJson(), clock)
}

/** Payment: shows what it costs, asks, and hands over to the person who approves. */
import { randomUUID } from 'node:crypto'
import type { NewQuote, Payment, PaymentDestination, Quote, QuoteExecution } from 'business-finance-client'
import { type Command, Option } from 'commander'
import type { Context } from '../context.ts'
import { EXIT, Failure } from '../failures.ts'
import type { Act } from '../run.ts'
import { formatValue } from '../table.ts'
import { sayApproval } from './approve.ts'

type Options = {
  readonly reason: string
  readonly description: string
  readonly side: NewQuote['side']
  readonly destination?: string
  readonly notes?: string
  readonly tag?: NonNullable<NewQuote['tag']>
  readonly quote?: string
  readonly idempotencyKey?: string
  readonly yes?: boolean
}

const LOOK_MS = 1000

export function addPay(program: Command, act: Act): void {
  program
    .command('pay')
    .description('prepare a payment; a person approves it')
    .argument('<contact>', 'id of the payment contact')
    .argument('<amount>')
    .argument('<currency>')
    .requiredOption('--reason <code>', 'payout reason: bfs reference list-payout-reasons')
    .requiredOption('--description <text>', 'text for the statement of the payee')
    .addOption(
      new Option('--side <side>', 'side that the amount fixes').choices(['landing', 'deducting']).default('landing'),
    )
    .option('--destination <id>', 'account of the contact, if it has several')
    .option('--notes <text>', 'notes that only members see')
    .option('--tag <tag>', 'vendor, own_account, employee or other')
    .option('--yes', 'do not ask')
    .option('--quote <id>', 'quote of an earlier try, with its key')
    .option('--idempotency-key <key>', 'key of the payment; one is made and printed first')
    .action(act(pay))
}

async function pay(context: Context, contact: string, amount: string, currency: string, options: Options) {
  const { client, output, io } = context
  if (!options.quote && options.yes !== true && !io.stdin.isTTY)
    throw new Failure(EXIT.usage, 'Nobody is here to be asked: give --yes')
  if (options.quote && !options.idempotencyKey)
    throw new Failure(EXIT.usage, 'A quote of an earlier try needs its key: --idempotency-key')
  const payee = options.quote || context.isDry ? undefined : await findPayee(context, contact, options.destination)
  const destination = options.destination ?? payee?.account?.id // as it is shown, whatever becomes the default meanwhile
  const order: NewQuote = {
    payment_contact_id: contact,
    amount: { amount, currency: currency.toUpperCase() },
    side: options.side,
    ...(destination && { destination_id: destination }),
    ...(options.tag && { tag: options.tag }),
  }
  const quoteId = options.quote ?? (await agreeOnQuote(context, order, payee, options.yes === true))
  if (!quoteId) return EXIT.refused
  const key = options.idempotencyKey ?? randomUUID()
  output.say(`Idempotency-Key: ${key}`)
  output.say(`If this breaks off, repeat it with --quote ${quoteId} --idempotency-key ${key}: it pays once.`)
  const execution: QuoteExecution = {
    quote_id: quoteId,
    payout_reason: options.reason,
    statement_description: options.description,
    ...(options.notes && { internal_notes: options.notes }),
    ...(options.tag && { tag: options.tag }),
  }
  let payment = await client.executePayment(execution, { idempotencyKey: key, signal: io.signal })
  while (MOVING.has(payment.status)) {
    output.progress(`${payment.id}  ${payment.status}`)
    await io.pause(LOOK_MS)
    payment = await client.getPayment({ payment_id: payment.id }, { signal: io.signal })
  }
  output.endProgress()
  output.answer(context.latestJson(), payment)
  return endOf(context, payment)
}

const MOVING: ReadonlySet<Payment['status']> = new Set(['submitted', 'processing', 'cancelling'])

function endOf(context: Context, { status, status_detail: detail, approval_request_id: approval }: Payment): number {
  if (status === 'awaiting_approval' && approval) return sayApproval(context, approval)
  if (status === 'on_hold') {
    context.output.say(`The partner looks at it: ${detail}`)
    return EXIT.waitsForPerson
  }
  if (status === 'succeeded') return EXIT.done
  context.output.say(`It ended: ${status}`)
  return EXIT.refused
}

/** Shows a quote, and asks. Answers its id, or undefined if it is blocked or the person says no. */
async function agreeOnQuote(
  { client, output, io }: Context,
  order: NewQuote,
  payee: Payee | undefined,
  agreed: boolean,
) {
  const quote = await client.preflightPayment(order)
  const [name, account] = [formatValue(payee?.name), accountOf(payee?.account)]
  output.say(`payee               ${name}\naccount             ${account}\n${describeQuote(quote)}`)
  if (quote.blocked_by.length > 0) return undefined
  const question = `Prepare the payment of ${formatValue(quote.landing)} to ${name}, ${account}?`
  if (agreed || (await io.confirm(question))) return quote.quote_id
  output.say('Nothing was done.')
  return undefined
}

type Payee = { readonly name: string; readonly account?: PaymentDestination }

/** Finds who is paid, and the account: the one that is named, or the default one. */
async function findPayee({ client }: Context, contact: string, destination: string | undefined): Promise<Payee> {
  const { name, destinations } = await client.getPaymentContact({ payment_contact_id: contact })
  const account = destinations.find((one) => (destination ? one.id === destination : one.default))
  return { name, ...(account && { account }) }
}

/** Names an account as its payee would: with its holder, where it has one. */
function accountOf(account?: PaymentDestination): string {
  switch (account?.type) {
    case undefined:
      return formatValue(null)
    case 'svc_id':
      return formatValue(account.svc_id)
    case 'crypto':
      return formatValue(
        `${account.coin} on ${account.network} ${account.address}${account.memo ? ` ${account.memo}` : ''}`,
      )
    case 'bank': {
      const { iban, account_number: number, account_holder_name: holder } = account
      const codes = [account.aba_code, account.sort_code, account.bsb_code, account.ifsc_code, account.cnaps]
      const banks = [...codes, account.bank_code, account.branch_code, account.swift_code].filter(Boolean)
      return formatValue(`${iban ?? [number, ...banks].join(' ')} of ${holder}`)
    }
  }
}

function describeQuote({ deducting, landing, fees, rate, estimated_arrival: arrival, ...quote }: Quote): string {
  return [
    `leaves the balance  ${formatValue(deducting)}`,
    `arrives             ${formatValue(landing)}, about ${formatValue(arrival)}`,
    ...fees.map(({ name, amount }) => `fee                 ${formatValue(amount)} (${formatValue(name)})`),
    ...(rate ? [`rate                ${formatValue(rate)}`] : []),
    `approvals           ${quote.approvers_needed}`,
    ...quote.warnings.map(({ type, message }) => `warning             ${formatValue(type)}: ${formatValue(message)}`),
    ...quote.blocked_by.map(({ type, message }) => `blocked by          ${formatValue(type)}: ${formatValue(message)}`),
  ].join('\n')
}

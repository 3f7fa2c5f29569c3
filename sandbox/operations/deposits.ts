import { type Claim, takeClaim } from '../../services/idempotency.ts'
import { bookIncoming, bookTransfer } from '../../services/deposits/booking.ts'
import { findDeposit } from '../../services/deposits/deposits.ts'
import { isCoin } from '../../domain/money/currencies.ts'
import { type IncomingTransfer, ArrivalResult, Deposit, NewArrival, NewDeposit } from '../../domain/deposits/deposit.ts'
import { refuse } from '../../domain/errors.ts'
import { eventsFrom } from '../../domain/flow.ts'
import { invoiceFlow } from '../../domain/invoices/flow.ts'
import type { DepositId, InvoiceId } from '../../domain/ids.ts'
import { SandboxPay } from '../../domain/invoices/allocation.ts'
import { dueAmount } from '../../domain/invoices/due.ts'
import { product } from '../../domain/money/decimal.ts'
import { canonicalMoney } from '../../domain/money/money.ts'
import { COINS } from '../../domain/accounts/receiving-account.ts'
import { accountFor, arrive, sandboxInvoice } from '../db/deposits.ts'
import { type Tx, inOrganization, readerOf, transaction } from '../../db/postgres/sql.ts'
import { refuseOtherBody } from '../../api/http/command.ts'
import { operations } from '../../api/http/operation.ts'
import { type Context } from '../../api/http/route.ts'
import { nameArrival } from '../partners/arrivals.ts'
import { rateOf } from '../partners/rates.ts'
import { connectionFor } from '../../services/connections/connections.ts'
import { partnerOf } from '../../domain/rails.ts'

const { byHand } = operations('Sandbox')

type DepositContext = Context<'requestId' | 'actor' | 'claim', { readonly body: NewDeposit }>

export const sandboxDeposits = [
  byHand('post', '/sandbox/deposits', 'createSandboxDeposit')
    .says('Let money arrive for an organization', 'Coins from a threshold on are held until their sender is named.')
    .for('sandbox')
    .takes(NewDeposit)
    .refuses('unsupported_currency', 'not_found', 'amount_precision', 'amount_too_large')
    .creates(Deposit, ({ claim, body }) => findDeposit(readerOf(body.organization_id), claim.id))
    // a transaction of its own: the sandbox token is no member of the organization in the body
    .does(letDepositArrive),
  byHand('post', '/sandbox/unmatched-deposits', 'createSandboxUnmatchedDeposit')
    .says('Let money arrive for an account', 'An operator decides if no organization has the account.')
    .for('sandbox')
    .takes(NewArrival)
    .refuses('unsupported_currency')
    .answers(ArrivalResult, 201)
    // two transactions: the partner has the money before it is booked
    .does(createArrival),
]

const findInvoice = async (id: InvoiceId) => (await sandboxInvoice(id)) ?? refuse('not_found')

export const sandboxInvoices = [
  byHand('post', '/sandbox/invoices/{invoice_id}/pay', 'paySandboxInvoice')
    .says(
      'Let the customer of an invoice pay it',
      'By a deposit that names its number, of the amount due unless `amount` is given.',
    )
    .for('sandbox')
    .takes(SandboxPay)
    .refuses('invalid_state', 'unsupported_currency')
    .creates(Deposit, async ({ claim, params }) =>
      findDeposit(readerOf((await findInvoice(params.invoice_id)).organization_id), claim.id),
    )
    // a transaction of its own: the sandbox token is no member of the invoice's organization
    .does(async ({ actor, body, claim, params, requestId }) => {
      const invoice = await findInvoice(params.invoice_id)
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

/** Makes a deposit at bank or custodian and books it; once for a key. */
export async function letDepositArrive({ actor, body, claim, requestId }: DepositContext): Promise<Deposit> {
  const arrival = await arrivalOf(claim, body)
  const isMine = await inOrganization(
    actor,
    body.organization_id,
    async (tx) => {
      if (claim.keyed && !(await takeClaim(tx, claim))) return false
      return (await letArriveFor(tx, arrival, claim.id)) || refuse('not_found')
    },
    { correlationId: requestId },
  )
  if (!isMine) await refuseOtherBody(claim)
  return findDeposit(readerOf(body.organization_id), claim.id)
}

async function createArrival({ body, claim }: Context<'claim', { readonly body: NewArrival }>) {
  const arrival = { ...(await arrivalOf(claim, body)), account: body.account }
  await transaction((tx) => letArrive(tx, arrival))
  const booked = await bookIncoming(arrival)
  if (booked.kind === 'nothing') throw new Error('what arrives is booked')
  if (booked.kind === 'unmatched') {
    return { status: 'unmatched', deposit_id: null, unmatched_deposit_id: booked.id } as const
  }
  const { id, status } = booked
  return { status, deposit_id: id, unmatched_deposit_id: null }
}

/** Makes the deposit at the organization's account, if it has one; false if the organization is gone. */
async function letArriveFor(tx: Tx, arrival: Arrival, id: DepositId): Promise<boolean> {
  const receiving = await accountFor(tx, arrival)
  await letArrive(tx, { ...arrival, account: receiving?.account ?? tx.organizationId })
  return (await bookTransfer(tx, arrival, { id, ...(receiving && { receivingAccountId: receiving.id }) })) !== null
}

type Arrival = IncomingTransfer & { readonly bookedAs: string }

/** Makes the deposit at the partner, whose callback finds it already booked. */
const letArrive = (tx: Parameters<typeof arrive>[0], arrival: Arrival): Promise<void> => {
  const { partner, bookedAs, account, amount, source, reference } = arrival
  const named = { id: bookedAs, partner, account: account ?? '', amount, sender: source, reference }
  // coins are booked now, so their custodian has all confirmations already
  return arrive(tx, { ...named, ...(isCoin(amount.currency) && { document: { confirmed: true } }) })
}

/** Writes the deposit as the partner reports it, without account. Coins have the desk's price. */
async function arrivalOf(
  { id }: Claim,
  { amount: given, network, rail, sender }: Omit<NewArrival, 'account'>,
): Promise<Arrival> {
  const amount = canonicalMoney(given)
  const { currency } = amount
  if (isCoin(currency) !== (rail === 'crypto')) refuse('unsupported_currency', { currency })
  const on = rail === 'crypto' ? networkOf(currency, network) : null
  const rate = rail === 'crypto' ? rateOf(currency, 'USD') : undefined
  const { name, reference, account_reference, country } = sender ?? {}
  const partner = connectionFor({ rail, currency, network: on })?.name ?? partnerOf(rail)
  return {
    partner,
    ...(await nameArrival(partner, id, amount)),
    account: null,
    network: on,
    amount,
    valueUsd: rate ? product(amount.amount, rate) : null,
    source: {
      name: name ?? null,
      reference: reference ?? null,
      account_reference: account_reference ?? null,
      country: country ?? null,
    },
  }
}

/** Picks the network of coins, by default their first. Refuses one that does not take them. */
function networkOf(currency: string, named: string | null | undefined): string | null {
  const networks: string[] = COINS.filter((coin) => coin.currency === currency).map(({ network }) => network)
  if (named && !networks.includes(named)) {
    const message = `must be ${networks.join(' or ')} for ${currency}`
    refuse('invalid_request', { errors: [{ path: 'network', code: 'network_mismatch', message }] })
  }
  return named ?? networks[0] ?? null
}

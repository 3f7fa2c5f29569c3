/** Demo of external money: a bank payment, held coins, an exchange. */
import { type Deposit, type Payment, ServiceError } from '../../clients/typescript/src/index.ts'
import { approve, client, follow, newKey, organization_id, sayRun, say } from './caller.ts'

const AMOUNT = { amount: '120.00', currency: 'EUR' }
const COINS = { amount: '2500.00', currency: 'USDC' }

export async function bankPayment(): Promise<Payment> {
  const contact = await client.createPaymentContact({
    organization_id,
    name: 'Demo Supplier',
    type: 'business',
    destinations: [
      {
        type: 'bank',
        country_code: 'DE',
        currency: 'EUR',
        account_holder_name: 'Demo Supplier GmbH',
        iban: 'DE02120300000000202051',
      },
    ],
  })
  const quote = await client.preflightPayment({ payment_contact_id: contact.id, amount: AMOUNT, side: 'landing' })
  const fees = quote.fees.map((fee) => `${fee.name} ${fee.amount.amount}`).join(', ') || 'none'
  say('By bank:', `${AMOUNT.amount} ${AMOUNT.currency} is to land; the quote deducts ${quote.deducting.amount}`)
  say('  fees', `${fees}; it needs ${quote.approvers_needed} approval, and is good until ${quote.expires_at}`)
  const payment = await client.executePayment(
    { quote_id: quote.quote_id, payout_reason: 'services', statement_description: 'Demo invoice 1002' },
    newKey(),
  )
  await approve(payment.approval_request_id)
  sayRun('  its workflow asks the bank here', `payment-${payment.id}`)
  return waitForPayment(payment.id)
}

/** Receives coins above the travel rule's threshold: held, answered, credited. */
export async function deposit(): Promise<Deposit> {
  const held = await client.createSandboxDeposit({ organization_id, rail: 'crypto', amount: COINS })
  say('Coins arrive:', `${COINS.amount} ${COINS.currency}; the deposit is ${held.status} until ${held.release_by}`)
  const { data } = await client.listAttention({ organization_id, kind: 'travel_rule' })
  const item = data.find(({ id }) => id.endsWith(held.id))
  say('  attention says', item?.title ?? 'nothing')
  const answer = await client.submitDepositSenderTravelRule({
    deposit_id: held.id,
    own_account: true,
    attestation: true,
    relationship: 'self',
  })
  say('  answered: it is the own wallet;', `details complete: ${answer.travel_rule_complete}`)
  return waitForEnd(
    () => client.getDeposit({ deposit_id: held.id }),
    (now) => `${now.amount.amount} ${now.amount.currency}`,
  )
}

/** Exchanges dollars for euros; at reference rates of a day the market is closed on weekends. */
export async function swap(): Promise<void> {
  const wanted = { source_currency: 'USD', target_currency: 'EUR', source_amount: '1000.00' }
  const quote = await client.createSwapQuote({ organization_id, ...wanted }).catch((error: unknown) => {
    if (error instanceof ServiceError && error.type === 'market_closed') return null
    throw error
  })
  if (!quote) return say('Exchange:', 'nobody exchanges now, the service answers market_closed')
  say(
    'Exchange:',
    `${quote.source_amount} USD for ${quote.target_amount} EUR at ${quote.rate}, firm until ${quote.expires_at}`,
  )
  const done = await client.executeSwap({ quote_id: quote.quote_id }, newKey())
  say('  executed at', done.executed_at)
}

export const waitForPayment = (payment_id: string): Promise<Payment> =>
  waitForEnd(
    () => client.getPayment({ payment_id }),
    (now) => now.status_detail,
  )

const ENDS = ['succeeded', 'failed', 'reversed', 'cancelled', 'credited', 'returned']

function waitForEnd<Thing extends { readonly status: string }>(
  read: () => Promise<Thing>,
  detail: (now: Thing) => string,
): Promise<Thing> {
  let shown = ''
  return follow(read, (now) => {
    const line = `${now.status} (${detail(now)})`
    if (line !== shown) say('  is', line)
    shown = line
    return ENDS.includes(now.status)
  })
}

/** Demo of external money: a bank payment, held coins, an exchange. */
import { approve, call, follow, organization, ready, sayRun, say } from './caller.ts'

const AMOUNT = { amount: '120.00', currency: 'EUR' }
const COINS = { amount: '2500.00', currency: 'USDC' }

export async function bankPayment(): Promise<{ id: string; status: string }> {
  const contact = await call('POST', `${organization}/payment-contacts`, {
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
  const request = { payment_contact_id: contact.id, amount: AMOUNT, side: 'landing' }
  const quote = await call('POST', '/payments/preflight', request)
  const fees = quote.fees.map((fee: any) => `${fee.name} ${fee.amount.amount}`).join(', ') || 'none'
  say('By bank:', `${AMOUNT.amount} ${AMOUNT.currency} is to land; the quote deducts ${quote.deducting.amount}`)
  say('  fees', `${fees}; it needs ${quote.approvers_needed} approval, and is good until ${quote.expires_at}`)
  const payment = await call('POST', '/payments/execute', {
    quote_id: quote.quote_id,
    payout_reason: 'services',
    statement_description: 'Demo invoice 1002',
  })
  await approve(payment.approval_request_id)
  sayRun('  its workflow asks the bank here', `payment-${payment.id}`)
  return waitForEnd(`/payments/${payment.id}`, (now) => now.status_detail)
}

/** Receives coins above the travel rule's threshold: held, answered, credited. */
export async function deposit(): Promise<{ status: string }> {
  const body = { organization_id: ready.demo.organization_id, rail: 'crypto', amount: COINS }
  const held = await call('POST', '/sandbox/deposits', body)
  say('Coins arrive:', `${COINS.amount} ${COINS.currency}; the deposit is ${held.status} until ${held.release_by}`)
  const { data } = await call('GET', `${organization}/attention?kind=travel_rule`)
  const item = data.find(({ id }: { id: string }) => id.endsWith(held.id))
  say('  attention says', item.title)
  const answer = await call('POST', `/deposits/${held.id}/sender-travel-rule`, {
    own_account: true,
    attestation: true,
    relationship: 'self',
  })
  say('  answered: it is the own wallet;', `details complete: ${answer.travel_rule_complete}`)
  return waitForEnd(`/deposits/${held.id}`, (now) => `${now.amount.amount} ${now.amount.currency}`)
}

export async function swap(): Promise<void> {
  const quote = await call('POST', `${organization}/swaps/quote`, {
    source_currency: 'USD',
    target_currency: 'EUR',
    source_amount: '1000.00',
  })
  say(
    'Exchange:',
    `${quote.source_amount} USD for ${quote.target_amount} EUR at ${quote.rate}, firm until ${quote.expires_at}`,
  )
  const done = await call('POST', '/swaps/execute', { quote_id: quote.quote_id })
  say('  executed at', done.executed_at)
}

export function waitForEnd(path: string, detail: (now: any) => string): Promise<{ id: string; status: string }> {
  let shown = ''
  return follow(path, (now) => {
    const line = `${now.status} (${detail(now)})`
    if (line !== shown) say('  is', line)
    shown = line
    return ['succeeded', 'failed', 'reversed', 'cancelled', 'credited', 'returned'].includes(now.status)
  })
}

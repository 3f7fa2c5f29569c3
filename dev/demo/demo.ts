/** `npm run demo`: payments on every rail through the API of a running `npm start`; prints each step. */
import { books } from './accounting.ts'
import { batch, statement } from './batch.ts'
import { bill } from './bill.ts'
import { billingInvoice } from './billing-invoice.ts'
import { bankPayment, deposit, swap } from './money.ts'
import { onboarding } from './onboarding.ts'
import { subscription } from './subscription.ts'
import { consumer, waitForDelivery } from './webhooks.ts'
import { client, newKey, organization_id, ready, refusalOf, say, sayRun, signIn, withCode } from './caller.ts'

const AMOUNT = { amount: '250.00', currency: 'USD' }
const { demo } = ready

await signIn()
const events = await consumer()

await showBalances('Balances before')

say('Sending', `${AMOUNT.amount} ${AMOUNT.currency} to the contact "Demo Payee"`)
const payment = await client.createPayment(
  {
    amount: AMOUNT,
    payment_contact_id: demo.payment_contact_id,
    payout_reason: 'services',
    statement_description: 'Demo invoice 1001',
  },
  newKey(),
)
const payment_id = payment.id
say('  payment', `${payment.id} is ${payment.status}; no money has moved`)
const run = `payment-${payment.id}`
sayRun('  its workflow waits here', run)

say('Losing the session', 'as after 30 minutes without use, or a sign-out elsewhere')
await client.signOut()
const lost = await refusalOf(client.getPayment({ payment_id }))
say('  the service answers', `${lost.type}; signing in again, on the same device`)
await signIn()
const found = await client.getPayment({ payment_id })
say('  nothing was lost: the payment is still', found.status)

const approval = { organization_id, approval_id: payment.approval_request_id ?? '' }
say('Approving', `on a page: ${ready.api_url}/approve/${approval.approval_id}; here over the API,`)
say('  first', 'without a fresh proof of identity')
const { type, stepUp: challenge } = await refusalOf(client.approveRequest(approval, newKey()))
if (!challenge) throw new Error(`the approval was refused with ${type}`)
say('  refused with', `${type}; methods: ${challenge.methods.join(', ')}`)
const stepUp = await withCode((code) => client.completeStepUp({ id: challenge.id, method: 'totp', code }))
say('  the step-up is', stepUp.status)
const approved = await client.approveRequest(approval, newKey())
say('  repeated unchanged: the approval is', `${approved.status}, by ${approved.approver?.name}`)

const settled = await client.getPayment({ payment_id })
const transaction_id = settled.transaction_id ?? ''
say('The payment', `${settled.status}; transaction ${transaction_id}`)
for (const event of (await client.listPaymentEvents({ payment_id })).data) {
  say(`  ${event.occurred_at.slice(11, 23)}`, event.event_type)
}
const mine = await client.getTransaction({ transaction_id })
say('  paid', `${mine.amount.amount} ${mine.amount.currency}; balance after it ${mine.running_balance?.amount}`)
sayRun('See the whole run', run)

const left = await client.createPayment(
  {
    amount: { amount: '480.00', currency: 'USD' },
    payment_contact_id: demo.payment_contact_id,
    payout_reason: 'services',
    statement_description: 'Demo invoice 1002',
  },
  newKey(),
)
const paid = await bankPayment()
const credited = await deposit()
await swap()
const salaries = await batch()
const billed = await bill()
const invoiced = await billingInvoice()
const subscribed = await subscription()
await statement()
const synced = await books()
const known = await onboarding()
const { data: cantons } = await client.listSubdivisions({ country_code: 'CH' })
const [first] = cantons
say(
  'Reference data',
  `${cantons.length} subdivisions of Switzerland; ${first?.code} is ${first?.name}, in ${first?.translations.length} languages`,
)

await showBalances('Balances after')
const complete = await waitForDelivery(events, paid.id)
const proof = await client.checkLedgerIntegrity({ organization_id })
say(
  'The ledger',
  `${proof.ok ? 'proves itself' : 'DOES NOT BALANCE'}: ${proof.entries} entries, ${proof.violations.length} violations`,
)
say('Left for you to approve', `${ready.api_url}/approve/${left.approval_request_id}`)
const ends = [settled, paid, credited, salaries, billed, subscribed, synced, known].map(({ status }) => status)
const wanted = 'succeeded succeeded credited completed succeeded active completed verified paid'
if (!proof.ok || !complete || [...ends, invoiced.state].join(' ') !== wanted) process.exit(1)

async function showBalances(title: string): Promise<void> {
  const { data } = await client.listBalances({ organization_id })
  say(title, data.map((row) => `${row.available.amount} ${row.currency}`).join(', '))
}

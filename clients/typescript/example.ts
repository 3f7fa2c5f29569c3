/** Pays the demo contact: signs in, asks for a payment, approves it by a code, and waits for its settlement. */
import { createInterface } from 'node:readline/promises'
import { prove, signIn } from './src/index.ts'

const [baseUrl = '', email = '', password = '', organization_id = '', payment_contact_id = ''] = process.argv.slice(2)
const terminal = createInterface({ input: process.stdin, output: process.stderr })
const lines = terminal[Symbol.asyncIterator]()
const ask = async (what: string | null) => {
  process.stderr.write(`Code${what ? ` for "${what}"` : ''}: `)
  return String((await lines.next()).value)
}

const session = await signIn(
  { baseUrl },
  { credentials: async () => ({ email, password }), code: () => ask('the sign-in') },
)
const client = session.withStepUp(prove.totp(ask))

const amount = { amount: '25.00', currency: 'USD' }
const texts = { payout_reason: 'services', statement_description: 'Invoice 2001' }
const payment = await client.createPayment({ payment_contact_id, amount, ...texts }, { idempotencyKey: 'invoice-2001' })
const approval_id = payment.approval_request_id ?? ''
await client.approveRequest({ organization_id, approval_id }, { idempotencyKey: 'approve-invoice-2001' })

for (let now = payment; now.status !== 'succeeded'; now = await client.getPayment({ payment_id: payment.id }))
  await new Promise((resolve) => setTimeout(resolve, 200))
console.log(`paid ${amount.amount} ${amount.currency}: ${payment.id}`)
terminal.close()

/** `npm run demo`: one payment walked through the API of a running `npm start`, each step said. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generate } from 'otplib'
import type { DemoPerson } from './demo-organization.ts'

const STEP_SECONDS = 30 // of an authenticator code (RFC 6238)
const AMOUNT = { amount: '250.00', currency: 'USD' }
const dataDir = process.env['DATA_DIR'] ?? '.data'

type Ready = {
  api_url: string
  temporal_ui_url: string | null
  demo: { organization_id: string; owner: DemoPerson; payment_contact_id: string }
}

const ready = readReady()
const { demo } = ready
const organization = `/organizations/${demo.organization_id}`
let token: string | undefined

let device: string | undefined
let lastStep = 0

await signIn()

await showBalances('Balances before')

say('Sending', `${AMOUNT.amount} ${AMOUNT.currency} to the contact "Demo Payee"`)
const payment = await call('POST', '/payments', {
  amount: AMOUNT,
  payment_contact_id: demo.payment_contact_id,
  payout_reason: 'services',
  statement_description: 'Demo invoice 1001',
})
say('  payment', `${payment.id} is ${payment.status}; no money has moved`)
const run = `${ready.temporal_ui_url}/namespaces/default/workflows/payment-${payment.id}`
if (ready.temporal_ui_url) say('  its workflow waits here', run)

say('Losing the session', 'as after 30 minutes without use, or a sign-out elsewhere')
await call('POST', '/auth/sign-out')
const lost = await call('GET', `/payments/${payment.id}`, undefined, [401])
say('  the service answers', `${lost.error.type}; signing in again, on the same device`)
await signIn()
const found = await call('GET', `/payments/${payment.id}`)
say('  nothing was lost: the payment is still', found.status)

const approval = `${organization}/approvals/${payment.approval_request_id}`
say('Approving', 'without a fresh proof of identity')
const asked = await call('POST', `${approval}/approve`, {}, [403])
say('  refused with', `${asked.error.type}; methods: ${asked.error.step_up.methods.join(', ')}`)
const stepUp = await withCode((code) =>
  call('POST', `/step-up/${asked.error.step_up.id}/complete`, { method: 'totp', code }),
)
say('  the step-up is', stepUp.status)
const approved = await call('POST', `${approval}/approve`, {})
say('  repeated unchanged: the approval is', `${approved.status}, by ${approved.approver.name}`)

const settled = await call('GET', `/payments/${payment.id}`)
say('The payment', `${settled.status}; transaction ${settled.transaction_id}`)
for (const event of (await call('GET', `/payments/${payment.id}/events`)).data) {
  say(`  ${event.occurred_at.slice(11, 23)}`, event.event_type)
}
const mine = await call('GET', `/transactions/${settled.transaction_id}`)
say('  paid', `${mine.amount.amount} ${mine.amount.currency}; balance after it ${mine.running_balance.amount}`)
await showBalances('Balances after')
const proof = await call('GET', `${organization}/ledger/integrity`)
say(
  'The ledger',
  `${proof.ok ? 'proves itself' : 'DOES NOT BALANCE'}: ${proof.entries} entries, ${proof.violations.length} violations`,
)
if (ready.temporal_ui_url) say('See the whole run', run)
if (!proof.ok || settled.status !== 'succeeded') process.exit(1)

async function showBalances(title: string): Promise<void> {
  const { data } = await call('GET', `${organization}/balances`)
  say(title, data.map((row: any) => `${row.available.amount} ${row.currency}`).join(', '))
}

/** Password, then authenticator code. The device's id is kept and sent again, so that it is not a new device each time. */
async function signIn(): Promise<void> {
  say('Signing in', demo.owner.email)
  const { email, password } = demo.owner
  const first = await call('POST', '/auth/sign-in', { email, password, ...(device && { device_id: device }) })
  say('  the password is right; the service answers', first.status)
  const session = await withCode((code) => call('POST', '/auth/mfa', { challenge_token: first.challenge_token, code }))
  token = session.token
  device = session.device_id
  say('  the authenticator code is right; signed in as', session.user.name)
}

/** A code works once. The service takes those of the step before and after too, so three can be used in a row. */
async function withCode(send: (code: string) => Promise<any>): Promise<any> {
  for (;;) {
    const now = Math.floor(Date.now() / 1000 / STEP_SECONDS)
    const step = Math.max(lastStep + 1, now - 1)
    if (step > now + 1) {
      const seconds = (step - 1) * STEP_SECONDS - Math.floor(Date.now() / 1000)
      say('  each code works once;', `the next one can be used in ${seconds} s`)
      await new Promise((resume) => setTimeout(resume, seconds * 1000))
      continue
    }
    lastStep = step
    const answer = await send(await generate({ secret: demo.owner.totp_secret, epoch: step * STEP_SECONDS }))
    if (answer.status !== 'mfa_failed' && answer.status !== 'failed') return answer
  }
}

async function call(method: string, path: string, body?: object, expected: number[] = []): Promise<any> {
  const response = await fetch(`${ready.api_url}/api/v1${path}`, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer: any = await response.json()
  if (response.ok || expected.includes(response.status)) return answer
  console.error(
    `\n${method} ${path} was answered with ${response.status} ${answer.error?.type}: ${answer.error?.message}`,
  )
  process.exit(1)
}

function readReady(): Ready {
  try {
    // Written whole by `npm start`, with these members.
    return JSON.parse(readFileSync(join(dataDir, 'dev.json'), 'utf8')) as Ready
  } catch {
    console.error(`${join(dataDir, 'dev.json')} is not there: run \`npm start\` in another terminal first.`)
    return process.exit(1)
  }
}

function say(what: string, detail: string): void {
  console.log(`${what} ${detail}`)
}

/** Costs of requests in Postgres, each alone: `requests.json` has the statements, commits, rows and bytes of each. */
import { tableOf } from '../../support/costs/table.ts' // first: it counts sessions that begin later
import { expect, vi } from 'vitest'

vi.stubEnv('ANNOUNCE_PATIENCE_MS', '60000') // no run starts
const { api, approvalPath, approve, createPayment, join, payerAndPayee, paymentBody, person } =
  await import('../../support/api.ts')
const { setRules } = await import('../../support/approvals/approvals.ts')
const { useSilentBank } = await import('../../support/costs/bank.ts')
const { delegateOf, tokenOf } = await import('../../support/identity/delegates.ts')
const { challenged, mfa, signIn, withAuthenticator } = await import('../../support/identity/identity.ts')
const { payerBy } = await import('../../support/payments/payouts.ts')
const { execute, executed, preflight, quoteOf } = await import('../../support/payments/quotes.ts')
const { earnStepUp } = await import('../../support/runs/runs.ts')

useSilentBank()
const costs = tableOf(new URL('requests.json', import.meta.url))
const { boss, payer, contactId } = await payerAndPayee('100000.00')
const bank = await payerBy('fiat', '100000.00')
await join(payer.id, await person(), 'admin')

type Payer = { readonly boss: typeof boss; readonly contactId: string }
const answers = async (status: number, asked: ReturnType<typeof api>) => {
  const answer = await asked
  expect(answer.status, JSON.stringify(answer.body)).toBe(status)
  return answer
}
const get = (path: string, status = 200) => ({
  prepare: async () => path,
  run: () => answers(status, api('GET', path, { token: boss.token })),
})
const pay = ({ boss: by, contactId: to }: Payer, key?: string) =>
  answers(201, api('POST', '/payments', { token: by.token, body: paymentBody(to), ...(key && { key }) }))
const creates = (by: Payer) => ({ prepare: async () => by, run: () => pay(by) })
const decide = (by: typeof boss, payment: Parameters<typeof approvalPath>[0], status = 200) =>
  answers(status, api('POST', `${approvalPath(payment)}/approve`, { token: by.token, body: {} }))

/** Approval of a new payment with its proof of identity at hand. */
const approves = (by: typeof boss, create: () => Promise<any>) => ({
  prepare: async () => {
    const payment = await create()
    await earnStepUp(by, payment)
    return payment
  },
  run: (payment: any) => decide(by, payment),
})

/** A payer whose rules have limits of a day and of a month. */
async function limited(): Promise<Payer> {
  const world = await payerAndPayee('100000.00')
  const steps = [{ required: 1, roles: ['owner'] }]
  const rule = { currency: 'USD', amount_from: '50000', steps }
  const limits = [
    { ...rule, period: 'day', per: 'person' },
    { ...rule, period: 'month', per: 'payee' },
  ]
  await setRules(world.payer.id, world.boss, [...limits, { steps }])
  return world
}

costs('a payment by service ID is created', creates({ boss, contactId }))
costs('the proof of identity is asked for', {
  prepare: () => createPayment(boss, contactId),
  run: (payment) => decide(boss, payment, 403),
})
costs(
  'a payment by service ID is approved, and settles',
  approves(boss, () => createPayment(boss, contactId)),
)
costs('a payment is rejected', {
  prepare: () => createPayment(boss, contactId),
  run: (payment) => answers(200, api('POST', `${approvalPath(payment)}/reject`, { token: boss.token, body: {} })),
})
const payerWithLimits = await limited()
costs('a payment is created under limits of a person and a payee', creates(payerWithLimits))
costs(
  'a payment under these limits is approved, and settles',
  approves(payerWithLimits.boss, () => createPayment(payerWithLimits.boss, payerWithLimits.contactId)),
)
costs('a payment is created by a delegate', {
  prepare: async () => tokenOf(await delegateOf(boss, payer.id, { access: 'prepare' })),
  run: (token) => answers(201, api('POST', '/payments', { token, body: paymentBody(contactId) })),
})
const amount = { amount: '10.00', currency: 'EUR' }
const quoted = () => quoteOf(bank.boss, bank.contact, amount)
costs('a payment by bank is quoted, its payee checked', {
  prepare: async () => bank,
  run: () => answers(200, preflight(bank.boss, bank.contact, amount)),
})
costs('a quoted payment by bank is executed', {
  prepare: quoted,
  run: ({ quote_id: quote }) => answers(201, execute(bank.boss, quote)),
})
costs(
  'a payment by bank is approved, its money held',
  approves(bank.boss, async () => executed(bank.boss, (await quoted()).quote_id)),
)

const repeated = await createPayment(boss, contactId, '10.00', 'requests')
costs('a repeat of a creation is answered', {
  prepare: async () => repeated,
  run: () => pay({ boss, contactId }, 'requests'),
})
costs('a repeat of an approval is answered', {
  prepare: async () => {
    await earnStepUp(boss, repeated).then(
      () => decide(boss, repeated),
      () => {},
    )
    return repeated
  },
  run: () => decide(boss, repeated),
})

costs('a payment is read', get(`/payments/${repeated.id}`))
const many = await payerAndPayee('100000.00')
for (const settles of [true, true, true, false, false, false]) {
  const payment = await createPayment(many.boss, many.contactId, '1.00')
  if (settles) await approve(many.boss, payment)
}
const list = (path: string) => ({
  prepare: async () => path,
  run: () => answers(200, api('GET', `/organizations/${many.payer.id}/${path}`, { token: many.boss.token })),
})
costs('a page of payments is read', list('payments'))
costs('a page of transactions is read', list('transactions'))
costs('balances are read', list('balances'))
costs('a page of approvals is read', list('approvals'))
costs('what people have to do is read', list('attention'))
costs('what people have to do is counted', list('attention/summary'))
costs('the events of an organization are read', list('events'))

/** A session is known for a second where the answer is the same for all: each run begins within it. */
costs('a list of reference data is read', {
  prepare: async () => {
    vi.useFakeTimers({ toFake: ['Date'] }) // a session is remembered for a second
    await api('GET', '/countries', { token: boss.token })
  },
  run: () =>
    get('/countries')
      .run()
      .finally(() => vi.useRealTimers()),
})
const requirements = '/payment-destinations/requirements?country_code=DE&currency=EUR'
costs('what the reader has is not sent again', {
  prepare: async () => (await api('GET', requirements, { token: boss.token })).headers.get('etag') ?? '',
  run: (etag) => answers(304, api('GET', requirements, { token: boss.token, headers: { 'if-none-match': etag } })),
})
costs('a request without a token is refused', {
  prepare: async () => '/payments',
  run: () => answers(401, api('GET', `/payments/${repeated.id}`)),
})
costs('a request with an unknown token is refused', {
  prepare: async () => 'ses_unknown',
  run: (token) => answers(401, api('GET', `/payments/${repeated.id}`, { token })),
})
costs('a payment of others is not found', get(`/payments/${bank.payer.id}`, 404))
costs('an organization of others is not found', get(`/organizations/${bank.payer.id}/payments`, 404))
costs('a body that is not valid is refused', {
  prepare: async () => ({ ...paymentBody(contactId), amount: 'a lot' }),
  run: (body) => answers(400, api('POST', '/payments', { token: boss.token, body })),
})
costs('a payment above the balance is refused', {
  prepare: async () => {
    const payment = await createPayment(boss, contactId, '900000.00')
    await earnStepUp(boss, payment)
    return payment
  },
  run: (payment) => decide(boss, payment, 422),
})

costs('a person signs in with a password', {
  prepare: () => person(),
  run: ({ email }) => answers(200, signIn(email, boss.password)),
})
costs('a person signs in with a code', {
  prepare: async () => {
    const somebody = await withAuthenticator()
    return { challenge: await challenged(somebody), code: await somebody.code() }
  },
  run: ({ challenge, code }) => answers(200, mfa(challenge, code)),
})

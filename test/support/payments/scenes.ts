/** Payments led by the commands of their model, and compared with it: API, books, feed, log and partner. */
import { createServer, request as send } from 'node:http'
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect } from 'vitest'
import { type RunningPartners, startPartners } from '../../../sandbox/partners/server.ts'
import { config } from '../../../platform/config.ts'
import { sweepAll } from '../../../temporal/sweep.ts'
import { reconcile } from '../partners/reconcile.ts'
import { api, approvalPath, approve, baseUrl, contact, fund } from '../api.ts'
import { organization, paymentBody, person } from '../api.ts'
import { owner } from '../database.ts'
import { BANK, WALLET } from '../contacts/destinations.ts'
import { type Command, type Rail, after, answerTo, booksOf, isCancellable, made } from './model.ts'
import { type Payer, type Scene, type View, expectedOf, lookAt } from './views.ts'
import { calledBack } from '../partners/partners.ts'
import { fundCoins, outgoing } from './payouts.ts'
import { waits } from '../runs/runs.ts'
import { until } from '../until.ts'
import { told } from '../walks.ts'

/** Payments whose partner executes requests while its answers are lost. */
const deaf = new Set<string>()
/** The number of the partner's answers by payment. */
const answered = new Map<string, number>()
/** Payments whose polls get no answer. */
const unasked = new Set<string>()
const isLost = (url: string, method = ''): boolean =>
  [...deaf, ...(method === 'GET' ? unasked : [])].some((id) => url.includes(id))

/** Starts the partners behind a proxy that loses the answers about single payments. Payouts are manual. */
export function usePartnersOnTheLine(): void {
  let partners: RunningPartners
  const line = createServer((request, response) => {
    const { url = '', method, headers } = request
    const far = send({ port: partners.port, path: url, method, headers }, (answer) => {
      if (isLost(url, method)) return void response.destroy()
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
      const id = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(url)?.[0] ?? ''
      response.once('finish', () => answered.set(id, (answered.get(id) ?? 0) + 1))
    })
    far.on('error', () => response.destroy())
    request.pipe(far)
  })
  beforeAll(async () => {
    await owner`insert into sandbox_faults (partner, fault, times)
      values ('bank', 'manual', 1000000), ('custodian', 'manual', 1000000)`
    // only the test decides on cancellations
    await owner`alter table sandbox_payouts alter column cancel_asked set default true`
    partners = await startPartners({ port: 0, callbackUrl: baseUrl })
    await new Promise<void>((resolve) => line.listen(Number(new URL(config.sandboxPartnersUrl).port), resolve))
  })
  afterAll(async () => {
    line.closeAllConnections()
    line.close()
    await partners.stop()
  })
}

export async function payerOf(rail: Rail): Promise<Payer> {
  const [boss, payeeBoss] = await Promise.all([person({ authenticator: true }), person()])
  const payer = await organization(boss, 'Payer')
  if (rail === 'crypto') for (let times = 0; times < 40; times += 1) await fundCoins(payer.id, '990.00')
  else await fund(payer.id, '900000.00', rail === 'fiat' ? 'EUR' : 'USD')
  return { rail, boss, payer, payeeBoss }
}

/** A payment by this rail to its own contact that awaits approval. */
export async function scene(at: Payer, amount = '10.00'): Promise<Scene> {
  const { rail, boss, payer } = at
  if (rail === 'svc_id') {
    const payee = await organization(at.payeeBoss, 'Payee')
    // one name would be one payee, who is paid elsewhere each time
    const to = await contact(boss, payer.id, payee.svcId, `Payee ${payee.svcId}`)
    const answer = await api('POST', '/payments', { token: boss.token, body: paymentBody(to, amount) })
    expect(answer.status).toBe(201)
    return { m: made(rail), at, contact: to, payee: payee.id, payment: answer.body, fee: 0 }
  }
  const added = await api('POST', `/organizations/${payer.id}/payment-contacts`, {
    token: boss.token,
    body: { name: 'Payee', type: 'business', destinations: [rail === 'fiat' ? BANK : WALLET] },
  })
  expect(added.status).toBe(201)
  const to = added.body.id as string
  const payment = await outgoing({ boss, contact: to, rail }, amount)
  const fee = Number(payment.deducting.amount) - Number(amount)
  return { m: made(rail), at, contact: to, payee: '', payment, fee: Math.round(fee * 1e6) / 1e6 }
}

const partnerOf = ({ at }: Scene) => (at.rail === 'crypto' ? 'custodian' : 'bank')

/** Posts a callback about the payment, signed by its partner or with a wrong secret. */
export const callback = (s: Scene, { secret = '', id = `msg_${randomUUID()}` } = {}) =>
  calledBack(s.payment.id, { partner: partnerOf(s), secret, message: id })

/** Changes the partner's book, with a newer version than all before, or an older one. */
async function write(s: Scene, word: string, age: 'new' | 'old' = 'new'): Promise<void> {
  const version =
    age === 'new' ? owner`p.version + 1` : owner`(select partner_version - 1 from payments where id = p.id)`
  await owner`
    insert into sandbox_payouts as p (partner, id, body_hash, amount, currency, status, detail, own_reference, manual,
      version)
    select ${partnerOf(s)}, id, 'another', landing_amount::text, landing_currency, ${word}, ${word}, 'reference', true,
      greatest(partner_version, 0) + 1
    from payments where id = ${s.payment.id}
    on conflict (partner, id) do update set status = ${word}, detail = ${word}, version = ${version},
      due_at = null`
}

const decisionPath = (s: Scene, verb: string) => `${approvalPath(s.payment)}/${verb}`

async function deed(s: Scene, command: Command): Promise<string> {
  const { boss } = s.at
  const { token } = boss
  const { id } = s.payment
  const call = async (method: string, path: string, body?: object) =>
    told(await api(method, path, { token, ...(body && { body }) }))
  const [verb, word = '', late] = command.split(' ')
  if (verb === 'say') {
    if (s.at.rail === 'svc_id') return told(await callback(s))
    if (late) return sayLate(s, word)
    await write(s, word)
    return callAndAsk(s)
  }
  switch (command) {
    case 'approve':
      return told(await approve(boss, s.payment))
    case 'reject':
      return call('POST', decisionPath(s, 'reject'), {})
    case 'withdraw':
      return call('POST', decisionPath(s, 'cancel'), {})
    case 'cancel':
      return call('POST', `/payments/${id}/cancel`)
    case 'note':
      return call('PATCH', `/payments/${id}`, { internal_notes: randomUUID() })
    case 'delete contact':
      return call('DELETE', `/payment-contacts/${s.contact}`)
    case 'receipt':
      return call('GET', `/payments/${id}/receipt`)
    case 'callback forged':
      return told(await callback(s, { secret: `whsec_${Buffer.from(randomUUID()).toString('base64')}` }))
    case 'callback twice': {
      const same = { id: `msg_${randomUUID()}` }
      expect(await callAndAsk(s, same)).toBe('done')
      return told(await callback(s, same))
    }
    default:
      await arrange(s, command)
      return 'done'
  }
}

async function arrange(s: Scene, command: Command): Promise<void> {
  const { id, approval_request_id: approvalId } = s.payment
  switch (command) {
    case 'expire':
      if (s.m.status === 'awaiting_approval') await waits(s.payment) // a look under way would undo what follows
      await owner`update approvals set expires_at = business_now() - interval '1 second' where id = ${approvalId}`
      if (s.m.status !== 'awaiting_approval') return // no run waits for it
      await owner`update processes set look_at = business_now() where id = ${id}`
      return sweepAll()
    case 'reconcile':
      return void (await reconcile())
    case 'answers are lost':
      return void deaf.add(id)
    case 'answers arrive':
      deaf.delete(id)
      unasked.delete(id)
      return void (await callback(s)) // a waiting run hears of it now, without a poll
    case 'id is taken':
      unasked.add(id)
      return write(s, 'pending')
    case 'partner forgets':
      await owner`delete from sandbox_payouts where id = ${id}`
      if (s.m.accepted) await callback(s)
      return
    case 'payee is gone':
      return void (await owner`update organizations set status = 'deleted' where id = ${s.payee}`)
    default:
      throw new Error(command)
  }
}

/** Restores an older state of the book while we poll. */
async function sayLate(s: Scene, word: string): Promise<string> {
  const { id } = s.payment
  const [now] = await owner`select status, version from sandbox_payouts where id = ${id}`
  await write(s, word, 'old')
  const answer = await callAndAsk(s)
  await owner`update sandbox_payouts set status = ${now?.['status']}, version = ${now?.['version']} where id = ${id}`
  return answer
}

/** Sends a callback, and waits for the poll that it causes. */
async function callAndAsk(s: Scene, message = {}): Promise<string> {
  const { payment, m } = s
  const before = answered.get(payment.id) ?? 0
  const answer = told(await callback(s, message))
  if (m.rail === 'svc_id' || m.deaf || m.status === 'awaiting_approval') return answer
  await until(`${payment.id}, ${m.status}, to ask its partner`, async () => {
    return (answered.get(payment.id) ?? 0) > before
  })
  return answer
}

export async function carryOut(s: Scene, command: Command, trace: string[] = []): Promise<void> {
  trace.push(command)
  const [expected, next] = [answerTo(s.m, command), after(s.m, command)]
  const answer = await deed(s, command)
  expect(answer, `${s.payment.id} ${s.m.rail} ${s.m.status}: ${trace.join(', ')}`).toBe(expected)
  s.m = next
}

/** Runs the command, and expects the same books afterwards. */
export async function perform(s: Scene, command: Command, trace: string[] = []): Promise<void> {
  await carryOut(s, command, trace)
  await agrees(s, trace.join(', '))
}

export async function agrees(s: Scene, trace: string): Promise<void> {
  const { m, payment, at } = s
  const wanted = expectedOf(s)
  let seen: View | undefined
  await until(trace, async () => {
    ;[seen] = await lookAt([s])
    return isDeepStrictEqual(seen, wanted)
  }).catch(() => {}) // the comparison below shows the difference
  expect(seen, `${payment.id}: ${trace}`).toEqual(wanted)
  const { body } = await api('GET', `/payments/${payment.id}`, { token: at.boss.token })
  const { status, cancellable, transaction_id: feedId } = body
  const inFeed = booksOf(m, { gross: 1, fee: 0 }).feed.some((row) => !row.endsWith('discarded'))
  expect({ status, cancellable, inFeed: feedId !== null }, `${payment.id}: ${trace}`).toEqual({
    status: m.status,
    cancellable: isCancellable(m),
    inFeed,
  })
}

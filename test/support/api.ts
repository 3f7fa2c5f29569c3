/** A running API on this file's database, with people and organizations to call it. */
import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { generate, generateSecret } from 'otplib'
import { startServer } from '../../server.ts'
import { flushSignals } from '../../temporal/announce.ts'
import { connection } from '../../temporal/client.ts'
import { hashPassword } from '../../platform/passwords.ts'
import { newToken, encrypt, tokenHash } from '../../platform/encryption.ts'
import { sql } from '../../db/postgres/sql.ts'
import { refusalsOf } from '../../api/openapi/refusals.ts'
import type { Route } from '../../api/http/route.ts'
import { allRoutes as routes } from '../../sandbox/routes.ts'
import { requireReleasedForm } from './contract/released-form.ts'
import { owner } from './database.ts'
import { atEndOfService } from './lifetime.ts'

const running = await startServer()
export const baseUrl = `http://127.0.0.1:${running.port}`

/** Idle connections close well before the server would close them. */
const agent = new Agent({ keepAlive: true, timeout: 2000 })

atEndOfService(async () => {
  agent.destroy()
  await running.stop()
  await flushSignals() // a retry on a closed connection would throw within the next file
  await connection.close()
  await sql.end({ timeout: 1 }) // postgres.js waits in vain where a connection was killed
})

export type Call = { token?: string | undefined; body?: unknown; headers?: Record<string, string>; key?: string }
export type Answer = { status: number; body: any; headers: Headers }

/** Sends one real HTTP request; paths are under /api/v1 unless they begin with `//`. */
export async function api(method: string, path: string, call: Call = {}): Promise<Answer> {
  const url = path.startsWith('//') ? `${baseUrl}${path.slice(1)}` : `${baseUrl}/api/v1${path}`
  const body = call.body === undefined || typeof call.body === 'string' ? call.body : JSON.stringify(call.body)
  const response = await send(url, body, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      ...(call.token && { authorization: `Bearer ${call.token}` }),
      ...(call.key && { 'idempotency-key': call.key }),
      ...call.headers,
    },
  })
  const headers = new Headers()
  for (const [name, values] of Object.entries(response.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  const said = await text(response)
  const json = headers.get('content-type')?.includes('json')
  const answer = { status: response.statusCode ?? 0, body: json ? JSON.parse(said) : said, headers }
  requireDeclared(method, path, answer)
  requireReleasedForm(routeOf(method, path), answer)
  recordExample(method, path, call, answer)
  return answer
}

const OF_NO_OPERATION: ReadonlySet<string> = new Set(['internal_error', 'route_not_found', 'method_not_allowed'])

const recorded = new Map<string, number>()
const RECORDED_MAX = 6

/** Writes the first calls of each operation to the file EXAMPLES_SEEN. */
function recordExample(method: string, path: string, call: Call, { status, body }: Answer): void {
  const file = process.env['EXAMPLES_SEEN']
  const route = file && status < 300 ? routeOf(method, path) : undefined
  if (!file || !route || route.produces || typeof body !== 'object') return
  const count = (recorded.get(route.operationId) ?? 0) + 1
  recorded.set(route.operationId, count)
  const line = JSON.stringify({ operationId: route.operationId, body: call.body, answer: body })
  if (count <= RECORDED_MAX) appendFileSync(file, `${line}\n`)
}

const routeOf = (method: string, path: string): Route | undefined =>
  patterns.find(([one, pattern]) => one.method === method.toLowerCase() && pattern.test(path))?.[0]

/** Throws if an operation refuses with a type that it does not declare. */
export function requireDeclared(method: string, path: string, { body }: Pick<Answer, 'body'>): void {
  const type = body?.error?.type
  if (type === undefined || OF_NO_OPERATION.has(type)) return
  const route = routeOf(method, path)
  if (!route || refusalsOf(route).has(type)) return
  if (process.env['REFUSALS_SEEN'])
    return appendFileSync(process.env['REFUSALS_SEEN'], `${route.operationId} ${type}\n`)
  throw new Error(`${route.operationId} refuses with ${type}, which its declaration does not name`)
}

/** Patterns of the paths, fewest parameters first: a fixed word comes before a parameter. */
const patterns = routes
  .map((route): [Route, RegExp] => {
    const words = route.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/?]+')
    return [route, new RegExp(`^${route.root ? '/' : ''}${words}(\\?|$)`)]
  })
  .toSorted(([one], [other]) => one.path.split('{').length - other.path.split('{').length)

/** A replacement of `fetch` for a quarter of its processor time: tests make tens of thousands of requests. */
const send = (
  url: string,
  body: string | undefined,
  { method, headers }: { method: string; headers: OutgoingHttpHeaders },
) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    let begun = false
    const sent = request(url, { method, headers: { accept: '*/*', 'user-agent': 'node', ...headers }, agent })
      .on('response', (response) => {
        begun = true
        resolve(response)
      })
      .on('error', (error: NodeJS.ErrnoException) => {
        // the server closed an idle connection while a test blocked this thread
        const isClosed = sent.reusedSocket && !begun && error.code === 'ECONNRESET'
        if (isClosed) send(url, body, { method, headers }).then(resolve, reject)
        else reject(error)
      })
    sent.end(body)
  })

const PASSWORD = 'a long enough pass phrase'
let passwordHash: Promise<string> | undefined

export type TestPerson = {
  userId: string
  email: string
  password: string
  token: string
  sessionId: string
  totp: (stepsAhead?: number) => Promise<string>
}

/** A confirmed person with a session, and an authenticator if asked. */
export async function person(options: { authenticator?: boolean; name?: string } = {}): Promise<TestPerson> {
  passwordHash ??= hashPassword(PASSWORD, '')
  const [userId, deviceId, sessionId] = [randomUUID(), randomUUID(), randomUUID()]
  const email = `person-${userId}@example.com`
  const token = `ses_${newToken()}`
  const secret = generateSecret()
  const sealed = options.authenticator ? encrypt(Buffer.from(secret)) : null
  await owner`
    with person as (
      insert into people (id, email, password_hash, first_name, last_name, organization_limit)
      values (${userId}, ${email}, ${await passwordHash}, ${options.name ?? 'Test'}, 'Person', 1000)),
    device as (insert into devices (id, user_id) values (${deviceId}, ${userId})),
    session as (
      insert into sessions (id, token_hash, user_id, device_id)
      values (${sessionId}, ${tokenHash(token)}, ${userId}, ${deviceId}))
    insert into authenticators (user_id, secret)
    select ${userId}, ${sealed}::bytea where ${sealed}::bytea is not null`
  return {
    userId,
    email,
    password: PASSWORD,
    token,
    sessionId,
    totp: (stepsAhead = 0) => generate({ secret, epoch: Math.floor(Date.now() / 1000) + stepsAhead * 30 }),
  }
}

export type TestOrganization = { id: string; svcId: string }

/** Creates an organization with a service ID; `fund` gives it money. */
export async function organization(boss: TestPerson, name = 'Test Organization'): Promise<TestOrganization> {
  const id = randomUUID()
  const svcId = `t-${id.slice(0, 13)}`
  await owner`
    with organization as (
      insert into organizations (id, name, svc_id, created_by) values (${id}, ${name}, ${svcId}, ${boss.userId}))
    insert into members (organization_id, user_id, role) values (${id}, ${boss.userId}, 'owner')`
  return { id, svcId }
}

export async function join(organizationId: string, somebody: TestPerson, role: 'owner' | 'admin' | 'member') {
  await owner`insert into members (organization_id, user_id, role) values (${organizationId}, ${somebody.userId}, ${role})`
}

/** Credits a deposit at once. */
export async function fund(organizationId: string, amount: string, currency = 'USD', rail = 'fiat'): Promise<void> {
  const answer = await api('POST', '/sandbox/deposits', {
    body: { organization_id: organizationId, rail, amount: { amount, currency } },
  })
  if (answer.status !== 201) throw new Error(`deposit: ${JSON.stringify(answer.body)}`)
}

/** A payer with money and a contact that is paid by service ID, and its payee. */
export async function payerAndPayee(funds = '1000.00') {
  const boss = await person({ authenticator: true })
  const payeeBoss = await person()
  const payer = await organization(boss, 'Payer')
  const payee = await organization(payeeBoss, 'Payee')
  if (funds !== '0') await fund(payer.id, funds)
  const contactId = await contact(boss, payer.id, payee.svcId)
  return { boss, payeeBoss, payer, payee, contactId }
}

export async function contact(
  boss: TestPerson,
  organizationId: string,
  svcId: string,
  name = 'Payee',
): Promise<string> {
  const answer = await api('POST', `/organizations/${organizationId}/payment-contacts`, {
    token: boss.token,
    body: { name, type: 'business', destinations: [{ type: 'svc_id', svc_id: svcId }] },
  })
  if (answer.status !== 201) throw new Error(`contact: ${JSON.stringify(answer.body)}`)
  return answer.body.id as string
}

export const paymentBody = (contactId: string, amount = '10.00') => ({
  amount: { amount, currency: 'USD' },
  payment_contact_id: contactId,
  payout_reason: 'services',
  statement_description: 'Invoice 1',
})

export async function createPayment(by: TestPerson, contactId: string, amount = '10.00', key?: string) {
  const answer = await api('POST', '/payments', {
    token: by.token,
    body: paymentBody(contactId, amount),
    ...(key && { key }),
  })
  if (answer.status !== 201) throw new Error(`payment: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** Repeats a call through its step-up, which the sandbox verifies. */
export async function withStepUp(method: string, path: string, call: Call): Promise<Answer> {
  const asked = await api(method, path, call)
  if (asked.body?.error?.type !== 'step_up_required') return asked
  await verifyStepUp(asked)
  return api(method, path, call)
}

export async function verifyStepUp(refused: Answer): Promise<void> {
  const id = refused.body.error.step_up.id as string
  const decided = await api('POST', `/sandbox/step-up/${id}/decide`, { body: { decision: 'allow' } })
  if (decided.status !== 200) throw new Error(`step-up: ${JSON.stringify(decided.body)}`)
}

export const approvalPath = (payment: { organization_id: string; approval_request_id: string }) =>
  `/organizations/${payment.organization_id}/approvals/${payment.approval_request_id}`

export const approve = (by: TestPerson, payment: { organization_id: string; approval_request_id: string }) =>
  withStepUp('POST', `${approvalPath(payment)}/approve`, { token: by.token, body: {} })

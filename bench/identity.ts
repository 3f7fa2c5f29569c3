/** Identity: what a storm of sign-ins costs everybody else, and whether time tells who has an account. */
import { randomUUID } from 'node:crypto'
import { hashPassword } from '../db/sign-in/passwords.ts'
import { line, median, paced, quantile, run } from './measure.ts'
import { insertPerson } from './owner.ts'

const PEOPLE = 64
const SECONDS = 8 // of one side of a round
const ME_PER_SECOND = 100
const SIGN_INS_PER_SECOND = 16
const TRIES = 50
const ALIKE = { atLeast: 0.9, atMost: 1.1 }
const PASSWORD = 'a pass phrase for the bench'

type BenchPerson = { readonly email: string; readonly token: string; readonly deviceId: string }

/** The report lines of identity. */
export async function benchIdentity(apiUrl: string, rounds: number): Promise<void> {
  const people = await makePeople()
  const post = async (path: string, body: object, expected: number) => {
    const status = await send(`${apiUrl}/api/v1${path}`, { body })
    if (status !== expected) throw new Error(`POST ${path} answered ${status}`)
  }
  await benchSignInStorm(apiUrl, people, rounds)
  const anyone = (index: number) => people[index % people.length]?.email ?? refuseEmpty()
  const ways = {
    'sign-in': (email: string) => post('/auth/sign-in', { email, password: 'not the pass phrase' }, 401),
    'sign-up': (email: string) => post('/auth/sign-up', { email, password: PASSWORD }, 201),
    forgot: (email: string) => post('/auth/password/forgot', { email }, 200),
  }
  for (const [name, ask] of Object.entries(ways)) {
    const known = (index: number) => ask(anyone(index))
    const unknown = () => ask(`${randomUUID()}@example.com`)
    const results = []
    for (let round = 0; round < rounds; round += 1) results.push(await inTurn(TRIES, known, unknown))
    const ratio = median(results.map(({ a, b }) => a / b))
    const note = `${ms(results.map(({ a }) => a))} against ${ms(results.map(({ b }) => b))}, medians of ${TRIES}`
    line(`${name}, known ÷ unknown address`, ratio, ALIKE, note)
  }
  await reportSessionCheck(apiUrl, people)
}

/** People with a session and a device, whose stored passwords cost what the service's own cost. */
export async function makePeople(): Promise<BenchPerson[]> {
  const passwordHash = await hashPassword(PASSWORD, '')
  return Promise.all(Array.from({ length: PEOPLE }, () => insertPerson(passwordHash)))
}

type Sent = { readonly token?: string; readonly body?: object }

/** The status of the answer, which was read to its end. */
async function send(url: string, { token, body }: Sent): Promise<number> {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  await response.arrayBuffer()
  return response.status
}

/** GET /me at a steady pace, quiet and beside a steady pace of sign-ins. */
async function benchSignInStorm(apiUrl: string, people: readonly BenchPerson[], rounds: number): Promise<void> {
  const somebody = (index: number) => people[index % people.length] ?? refuseEmpty()
  const quiet = () =>
    paced(ME_PER_SECOND, SECONDS, async (index) => {
      const status = await send(`${apiUrl}/api/v1/me`, { token: somebody(index).token })
      if (status !== 200) throw new Error(`GET /me answered ${status}`)
    })
  const answered = new Map<number, number>()
  const storm = () =>
    paced(SIGN_INS_PER_SECOND, SECONDS, async (index) => {
      const { email, deviceId } = somebody(index)
      const body = { email, password: PASSWORD, device_id: deviceId }
      const status = await send(`${apiUrl}/api/v1/auth/sign-in`, { body })
      answered.set(status, (answered.get(status) ?? 0) + 1)
    })
  const results: { busy: number; quiet: number; signInMs: number }[] = []
  await quiet() // warm
  for (let round = 0; round < rounds; round += 1) {
    const [times, signIns] = await Promise.all([quiet(), storm()])
    results.push({ busy: quantile(times, 0.99), quiet: quantile(await quiet(), 0.99), signInMs: median(signIns) })
  }
  const ratio = median(results.map((result) => result.busy / result.quiet))
  const note = `${ms(results.map(({ busy }) => busy))} against ${ms(results.map((result) => result.quiet))}`
  line(`GET /me p99, ${SIGN_INS_PER_SECOND} sign-ins ÷ quiet`, ratio, { atMost: 5 }, note)
  const statuses = [...answered].map(([status, count]) => `${count} × ${status}`).join(', ')
  console.log(
    `     ${'the sign-ins beside it'.padEnd(34)} p50 ${ms(results.map(({ signInMs }) => signInMs))}; ${statuses}`,
  )
}

/** A and B one after the other, each first every other time; the median time of each. */
async function inTurn(
  count: number,
  a: (index: number) => Promise<unknown>,
  b: (index: number) => Promise<unknown>,
): Promise<{ a: number; b: number }> {
  const times = { a: [] as number[], b: [] as number[] }
  const timed = async (side: 'a' | 'b', index: number) => {
    const begun = performance.now()
    await (side === 'a' ? a : b)(index)
    times[side].push(performance.now() - begun)
  }
  for (let index = 0; index < count; index += 1) {
    for (const side of index % 2 ? (['a', 'b'] as const) : (['b', 'a'] as const)) await timed(side, index)
  }
  return { a: median(times.a), b: median(times.b) }
}

/** What a session costs: the same edge with and without one. A report without a goal. */
async function reportSessionCheck(apiUrl: string, people: readonly BenchPerson[]): Promise<void> {
  const { token } = people[0] ?? refuseEmpty()
  const me = await inTurn(
    400,
    () => send(`${apiUrl}/api/v1/me`, { token }),
    () => send(`${apiUrl}/healthz`, {}),
  )
  const many = await run(1000, 16, () => send(`${apiUrl}/api/v1/me`, { token }))
  const note = `p50 ${me.a.toFixed(2)} ms against ${me.b.toFixed(2)} ms without a session; ${many.rate.toFixed(0)}/s at 16`
  console.log(`     ${'GET /me'.padEnd(34)} ${note}`)
}

const ms = (values: readonly number[]): string => `${median(values).toFixed(1)} ms`

function refuseEmpty(): never {
  throw new Error('the bench has no people')
}

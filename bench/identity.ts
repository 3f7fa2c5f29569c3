/** Identity: cost of a storm of sign-ins for other requests, and timing leaks of accounts. */
import { randomUUID } from 'node:crypto'
import { hashPassword } from '../platform/passwords.ts'
import { against, inTurn, itemAt, line, median, runPaced, quantile } from './measure.ts'
import { insertPerson } from './owner.ts'
import { noteValues, turns } from './turns.ts'

const PEOPLE = 64
const SECONDS = 8 // of one side of a round
const ME_PER_SECOND = 100
const SIGN_INS_PER_SECOND = 16
const TRIES = 50
const ALIKE = { atLeast: 0.9, atMost: 1.1 }
const PASSWORD = 'a pass phrase for the bench'

type BenchPerson = { readonly email: string; readonly token: string; readonly deviceId: string }

export async function benchIdentity(apiUrl: string, rounds: number): Promise<void> {
  const people = await makePeople()
  const post = async (path: string, body: object, expected: number) => {
    const status = await send(`${apiUrl}/api/v1${path}`, { body })
    if (status !== expected) throw new Error(`POST ${path} answered ${status}`)
  }
  await benchSignInStorm(apiUrl, people, rounds)
  const ways = {
    'sign-in': (email: string) => post('/auth/sign-in', { email, password: 'not the pass phrase' }, 401),
    'sign-up': (email: string) => post('/auth/sign-up', { email, password: PASSWORD }, 201),
    forgot: (email: string) => post('/auth/password/forgot', { email }, 200),
  }
  for (const [name, ask] of Object.entries(ways)) {
    const known = (index: number) => ask(itemAt(people, index).email)
    const unknown = () => ask(`${randomUUID()}@example.com`)
    const title = `${name}, known ÷ unknown address`
    const results = await turns(title, rounds, async () => {
      const { a, b } = await inTurn(TRIES, known, unknown)
      noteValues({ 'p50 ms': median(a) })
      return { a: median(a), b: median(b) }
    })
    const ratio = median(results.map(({ a, b }) => a / b))
    const [ours, others] = [median(results.map(({ a }) => a)), median(results.map(({ b }) => b))]
    const note = `${against(ours, others, 'ms')}, medians of ${TRIES}`
    line(title, ratio, note, ALIKE)
  }
}

/** Makes people with a session and a device, and passwords hashed at the service's cost. */
export async function makePeople(): Promise<BenchPerson[]> {
  const passwordHash = await hashPassword(PASSWORD, '')
  return Promise.all(Array.from({ length: PEOPLE }, () => insertPerson(passwordHash)))
}

type RequestOptions = { readonly token?: string; readonly body?: object }

async function send(url: string, { token, body }: RequestOptions): Promise<number> {
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

/** Measures GET /me at a steady pace, alone and beside a steady pace of sign-ins. */
async function benchSignInStorm(apiUrl: string, people: readonly BenchPerson[], rounds: number): Promise<void> {
  const quiet = () =>
    runPaced(ME_PER_SECOND, SECONDS, async (index) => {
      const status = await send(`${apiUrl}/api/v1/me`, { token: itemAt(people, index).token })
      if (status !== 200) throw new Error(`GET /me answered ${status}`)
    })
  const answered = new Map<number, number>()
  const storm = () =>
    runPaced(SIGN_INS_PER_SECOND, SECONDS, async (index) => {
      const { email, deviceId } = itemAt(people, index)
      const body = { email, password: PASSWORD, device_id: deviceId }
      const status = await send(`${apiUrl}/api/v1/auth/sign-in`, { body })
      answered.set(status, (answered.get(status) ?? 0) + 1)
    })
  await quiet() // warm-up
  const name = `GET /me p99, ${SIGN_INS_PER_SECOND} sign-ins ÷ quiet`
  const results = await turns(name, rounds, async () => {
    const [times, signIns] = await Promise.all([quiet(), storm()])
    const busy = quantile(times, 0.99)
    noteValues({ 'p99 ms': busy, 'sign-in p50 ms': median(signIns) })
    return { busy, quiet: quantile(await quiet(), 0.99), signInMs: median(signIns) }
  })
  const ratio = median(results.map((result) => result.busy / result.quiet))
  const middle = (which: 'busy' | 'quiet' | 'signInMs') => median(results.map((result) => result[which]))
  const note = against(middle('busy'), middle('quiet'), 'ms')
  line(name, ratio, note, { atMost: 5 })
  const statuses = [...answered].map(([status, count]) => `${count} × ${status}`).join(', ')
  console.log(`     ${'the sign-ins beside it'.padEnd(34)} p50 ${middle('signInMs').toFixed(1)} ms; ${statuses}`)
}

/** History of the demo: six weeks made by the operations, while business time catches up with today. */
import type postgres from 'postgres'
import type { Client } from '../../clients/typescript/src/index.ts'
import type { Demo } from './organization.ts'
import { signIn } from './sessions.ts'

const WEEKS = 6
const WEEK_SECONDS = 7 * 86_400

/** Begins business time of a new database six weeks ago; no service may have started. */
export async function beginHistory(sql: postgres.Sql): Promise<void> {
  await sql`
    update business_clock set offset_seconds = ${-WEEKS * WEEK_SECONDS}
    where offset_seconds = 0 and not exists (select from organizations)`
}

/** Payment of a week: to whom, how much, what for, and in which weeks. */
type Regular = {
  readonly payee: string
  readonly amount: (week: number) => string
  readonly reason: 'services' | 'goods'
  readonly text: string
  readonly weeks: readonly number[]
}
const EACH = [0, 1, 2, 3, 4, 5]
const REGULAR: readonly Regular[] = [
  {
    payee: 'studio',
    amount: (week) => `${640 + week * 35}.00`,
    reason: 'services',
    text: 'Design by the hour',
    weeks: EACH,
  },
  { payee: 'kontor', amount: () => '1850.00', reason: 'services', text: 'Rent of the office', weeks: [1, 5] },
  {
    payee: 'kontor',
    amount: (week) => `${118 + week}.40`,
    reason: 'goods',
    text: 'Coffee and cleaning',
    weeks: [0, 2, 3, 4],
  },
]

export type Payees = Readonly<Record<string, string>>

/** Makes the weeks that are missing, and brings business time to today in any case; answers what was refused. */
export async function seedHistory(apiUrl: string, sql: postgres.Sql, demo: Demo, payees: Payees): Promise<string[]> {
  const left = await weeksLeft(sql)
  if (left === 0) return []
  const faults: string[] = []
  const people = [demo.member, demo.admin] as const
  const [member, admin] = await Promise.all([signIn(apiUrl, people[0]), signIn(apiUrl, people[1])])
  const contacts = await contactsOf(member, demo.organization_id, payees)
  for (let week = WEEKS - left; week < WEEKS; week += 1) {
    await makeWeek({ member, admin, demo, contacts }, week).catch((error: unknown) => {
      faults.push(`week ${week + 1} of its history: ${String(error)}`)
    })
    await admin.advanceClock({ seconds: WEEK_SECONDS })
    await stayAwake(sql, people)
  }
  await Promise.all([member.signOut(), admin.signOut()])
  return faults
}

async function weeksLeft(sql: postgres.Sql): Promise<number> {
  const [row] = await sql<{ offset: string }[]>`select offset_seconds as offset from business_clock`
  return Math.max(0, Math.ceil(-Number(row?.offset ?? 0) / WEEK_SECONDS))
}

/** Keeps the sessions of people whose week has passed in a moment. */
const stayAwake = (sql: postgres.Sql, people: readonly { email: string }[]) => sql`
  update sessions set last_used_at = business_now(), signed_in_at = business_now()
  where user_id in (select id from people where email = any (${people.map(({ email }) => email)}))`

async function contactsOf(member: Client, organization_id: string, payees: Payees): Promise<Payees> {
  const { data } = await member.listPaymentContacts({ organization_id, limit: 100 })
  const made = Object.entries(payees).map(async ([svc_id, name]) => {
    const known = data.find((one) => one.name === name)
    const destinations = [{ type: 'svc_id', svc_id } as const]
    const { id } =
      known ?? (await member.createPaymentContact({ organization_id, name, type: 'business', destinations }))
    return [svc_id, id] as const
  })
  return Object.fromEntries(await Promise.all(made))
}

type Week = { readonly member: Client; readonly admin: Client; readonly demo: Demo; readonly contacts: Payees }

/** Makes the payments of a week; a customer pays as much, so that the balance stays as it was. */
const makeWeek = (parts: Week, week: number): Promise<unknown> =>
  Promise.all(REGULAR.filter(({ weeks }) => weeks.includes(week)).map((one) => pay(parts, one, week)))

async function pay({ member, admin, demo: { organization_id }, contacts }: Week, of: Regular, week: number) {
  const { payee, amount, reason, text } = of
  const key = (what: string) => ({ idempotencyKey: `history-${what}-${payee}-${text}-${week}`.replaceAll(' ', '-') })
  const money = { amount: amount(week), currency: 'USD' }
  await admin.createSandboxDeposit({ organization_id, rail: 'fiat', amount: money }, key('in'))
  const order = { amount: money, payout_reason: reason, statement_description: text }
  const payment = await member.createPayment({ ...order, payment_contact_id: contacts[payee] ?? '' }, key('out'))
  if (payment.status !== 'awaiting_approval') return // made by a start that was stopped
  await admin.approveRequest({ organization_id, approval_id: payment.approval_request_id ?? '' }, key('approve'))
}

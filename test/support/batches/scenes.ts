/** Batches led by the commands of their model, and compared with it: API, balances, log and books. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { BatchId, OrganizationId } from '../../../domain/ids.ts'
import { type TestPerson, api, fund, organization, person } from '../api.ts'
import type { Role } from '../approvals/model.ts'
import {
  type Cells,
  type Command,
  type Currency,
  type File,
  type Model,
  carriedOut,
  answerTo,
  currencyOf,
  made,
  moneyOf,
} from './model.ts'
import { batchOf, money, rowOf, seen, seenRow } from './views.ts'
import { IBAN, cancel, closeBatch, expire, submit, takeStep, viewed } from './batches.ts'
import { owner } from '../database.ts'
import { HEADER, TERMS, changeRow, importFile, newBatch, readBatch, rowsOf, uploadTo } from './imports.ts'
import { calledBack } from '../partners/partners.ts'
import { RULES, type RuleName, bankSays, decided, payerUnder, told } from '../walks.ts'

/** The first owns the payer and stays; the last is outside. */
export const ROLES: readonly (Role | undefined)[] = ['owner', 'admin', 'admin', 'member', 'member', undefined]
type Approved = { organization_id: string; approval_request_id: string }
export type Scene = {
  readonly m: Model
  readonly id: string
  readonly people: readonly TestPerson[]
  readonly payer: { readonly id: string }
  readonly payee: { readonly id: string; readonly svcId: string; readonly boss: TestPerson }
  readonly rowIds: Map<number, string>
  asked?: Approved
}

/** A draft without rows, of an organization with this rule and money. */
export async function scene(
  rule: RuleName,
  creator: number,
  funds: Readonly<Record<Currency, number>>,
): Promise<Scene> {
  const { payer, people } = await payerUnder(ROLES, rule, 'payment_batch')
  const payeeBoss = await person()
  const payee = { ...(await organization(payeeBoss, 'Payee')), boss: payeeBoss }
  const id = await newBatch(people[creator] as TestPerson, payer.id)
  const s = { m: made(ROLES, RULES[rule], creator), id, people, payer, payee, rowIds: new Map() }
  for (const currency of ['USD', 'EUR'] as const) {
    if (funds[currency] > 0) await perform(s, { do: 'fund', currency, cents: funds[currency] })
  }
  return s
}

const amountOf = ({ cents, fault }: Cells): string => (fault === 'amount' ? 'a lot' : money(cents))
const payeeCell = (s: Scene, { to, fault }: Cells): Record<string, string> => {
  if (to === 'fiat') return { iban: fault === 'payee' ? 'DE00370400440532013000' : IBAN }
  return { payee_svc_id: fault === 'payee' ? `t-${randomUUID()}` : s.payee.svcId }
}

function fileOf(s: Scene, file: File): string {
  if (file === 'unreadable') return `${HEADER}\n"unclosed`
  const lines = file.map((row) => {
    const { iban = '', payee_svc_id: handle = '' } = payeeCell(s, row)
    return `${handle},,${iban && 'Jane Doe'},${iban},${amountOf(row)},${currencyOf(row)},${TERMS}`
  })
  return [HEADER, ...lines].join('\n')
}

const named = (s: Scene, who: number): TestPerson => s.people[who] as TestPerson
const rowAt = (s: Scene, at: number): string => s.rowIds.get(s.m.rows[at]?.number ?? 0) ?? randomUUID()

/** Sends the command to the service; returns done, or the type of its refusal. */
async function deed(s: Scene, command: Command): Promise<string> {
  if ('way' in command) return decided(s.asked, command.do, named(s, command.who))
  const by = 'who' in command ? named(s, command.who) : named(s, 0)
  const path = `/payment-batches/${s.id}`
  switch (command.do) {
    case 'import':
      return importing(s, by, fileOf(s, command.file))
    case 'correct':
    case 'spoil':
      return told(await changeRow(by, s.id, rowAt(s, command.at), cellsAfter(s, command)))
    case 'take out':
      return told(await api('DELETE', `${path}/rows/${rowAt(s, command.at)}`, { token: by.token }))
    case 'submit': {
      const answer = await submit(by, s.id, { exclude_invalid: command.exclude })
      if (answer.status === 200) s.asked = answer.body
      return told(answer)
    }
    case 'stop':
      return told(await cancel(by, s.id))
    case 'delete':
      return told(await api('DELETE', path, { token: by.token }))
    case 'expire':
      await expire({ ...(s.asked as Approved), id: s.id })
      return 'done'
    case 'fund':
      await fund(s.payer.id, money(command.cents), command.currency)
      return 'done'
    case 'bank says':
      return told(await bankSays(await paymentAt(s, command.at), command.word, calledBack))
    case 'step':
      await takeStep(refOf(s))
      return 'done'
    case 'run':
      while (await takeStep(refOf(s)));
      return 'done'
  }
}

/** Requests a slot, sends the file and imports it, up to the first refusal. */
async function importing(s: Scene, by: TestPerson, file: string): Promise<string> {
  const sent = await uploadTo(by, s.id, file)
  return told(sent.status === 201 ? await importFile(by, s.id, sent.body.id) : sent)
}

function cellsAfter(s: Scene, command: Command & { do: 'correct' | 'spoil' }): Record<string, string> {
  const row = s.m.rows[command.at] as Cells // the walk asks for one that is there
  const cells =
    command.do === 'correct' ? { ...row, cents: command.cents, fault: null } : { ...row, fault: command.fault }
  return { amount: amountOf(cells), ...payeeCell(s, cells) }
}

const refOf = (s: Scene) => ({ id: s.id as BatchId, organizationId: s.payer.id as OrganizationId })

/** Looks after each wake-up as its run does, and ends it or counts it again. */
async function lookIfWoken(s: Scene): Promise<void> {
  const woken = () => owner`select from processes where id = ${s.id} and unseen_since is not null`
  while ((await woken()).length > 0) await closeBatch(refOf(s), await viewed(refOf(s)))
}

async function paymentAt(s: Scene, at: number) {
  const row = s.m.rows[at]
  const [paid] = await owner<{ payment_id: string }[]>`
    select payment_id from payment_batch_rows where payment_batch_id = ${s.id} and row_number = ${row?.number ?? 0}`
  return { id: paid?.payment_id ?? '', organizationId: s.payer.id, isOrdered: row?.payment !== 'submitted' }
}

/** Gives the command to model and service; expects the same answer and the same visible state. */
export async function perform(s: Scene, command: Command, trace: string[] = []): Promise<void> {
  trace.push(JSON.stringify(command))
  const wanted = answerTo(s.m, command)
  expect(await deed(s, command), trace.join(', ')).toBe(wanted)
  carriedOut(s.m, command)
  await lookIfWoken(s)
  await agrees(s, trace.join(', '))
}

/** Compares the batch, its rows and its money, in the API and in the log, with the model. */
async function agrees(s: Scene, trace: string): Promise<void> {
  const { m } = s
  const boss = named(s, 0)
  const [batch, log] = await Promise.all([
    readBatch(boss, s.id),
    owner<{ type: string }[]>`
      select replace(type, 'payment_batch.', '') as type from events
      where subject_id = ${s.id} and stream = 'payment_batches' order by occurred_at, id`,
  ])
  expect(
    log.map(({ type }) => type),
    trace,
  ).toEqual(m.log)
  await seesMoney(s, trace)
  if (m.deleted) return expect(batch.error.type, trace).toBe('not_found')
  expect(seen(batch), trace).toEqual(batchOf(m))
  const rows = await rowsOf(boss, s.id)
  for (const row of rows) s.rowIds.set(row.row_number, row.id)
  expect(rows.map(seenRow), trace).toEqual(m.rows.map(rowOf))
  const payments = rows.flatMap(({ payment_id: id }) => id ?? [])
  expect(new Set(payments).size, trace).toBe(payments.length)
  const [paid] = await owner`select count(*)::int as n from payments where payment_batch_id = ${s.id}`
  expect(paid?.['n'], trace).toBe(payments.length)
}

type Money = { readonly amount: string }
type Balance = { readonly currency: string; readonly available: Money; readonly held: Money }

async function seesMoney(s: Scene, trace: string): Promise<void> {
  const cents = (amount: string | undefined) => Math.round(Number(amount ?? '0') * 100)
  const balancesOf = async (organizationId: string, by: TestPerson) =>
    (await api('GET', `/organizations/${organizationId}/balances`, { token: by.token })).body.data as Balance[]
  const [own, theirs] = await Promise.all([balancesOf(s.payer.id, named(s, 0)), balancesOf(s.payee.id, s.payee.boss)])
  for (const currency of ['USD', 'EUR'] as const) {
    const of = (rows: Balance[], kind: 'available' | 'held') =>
      cents(rows.find((row) => row.currency === currency)?.[kind].amount)
    expect(
      { available: of(own, 'available'), held: of(own, 'held'), payee: of(theirs, 'available') },
      `${currency}: ${trace}`,
    ).toEqual(moneyOf(s.m, currency))
  }
}

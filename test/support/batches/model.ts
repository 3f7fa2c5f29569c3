/** A plain model of a payment batch with its rows, as in capabilities.md: answers, states, money and log. */
import {
  type Model as Approval,
  type Command as Decision,
  type Role,
  type Rule,
  apply,
  expected as expectedOfApproval,
  requestUnder,
} from '../approvals/model.ts'
import { type Status as PaymentStatus, type Word, wayOf } from '../payments/arrows.ts'
import type { BatchStatus } from '../../../domain/batches/flow.ts'

export type Fault = 'amount' | 'payee'
export type Cells = { to: 'svc_id' | 'fiat'; cents: number; fault: Fault | null }
export type Row = Cells & {
  number: number
  /** Left out at the submission, or not begun at the cancellation. */
  skipped: boolean
  payment: PaymentStatus | null
  /** The bank's status of its payment. */
  book: Word | undefined
}
export type File = readonly Cells[] | 'unreadable'

export type Command =
  | { do: 'import'; who: number; file: File }
  | { do: 'correct'; who: number; at: number; cents: number }
  | { do: 'spoil'; who: number; at: number; fault: Fault }
  | { do: 'take out'; who: number; at: number }
  | { do: 'submit'; who: number; exclude: boolean }
  | { do: Decision; who: number; way: 'approval' }
  | { do: 'stop'; who: number }
  | { do: 'delete'; who: number }
  | { do: 'expire' }
  | { do: 'fund'; currency: Currency; cents: number }
  | { do: 'bank says'; at: number; word: Word }
  /** The run takes one step, or all. */
  | { do: 'step' | 'run' }

export type Currency = 'USD' | 'EUR'
export const currencyOf = ({ to }: Cells): Currency => (to === 'fiat' ? 'EUR' : 'USD')

export type Model = {
  /** People are numbers; without a role they belong to another organization. */
  readonly roles: readonly (Role | undefined)[]
  readonly rule: Rule
  readonly creator: number
  submitter: number | null
  status: BatchStatus
  deleted: boolean
  rows: Row[]
  file: File | null
  importFailed: boolean
  /** The number of the last row with a payment. */
  begun: number
  approval: Approval | null
  expired: boolean
  /** Logged events, without `payment_batch.`. */
  log: string[]
  funds: Record<Currency, number>
}

export const made = (roles: Model['roles'], rule: Model['rule'], creator: number): Model => ({
  roles,
  rule,
  creator,
  submitter: null,
  status: 'draft',
  deleted: false,
  rows: [],
  file: null,
  importFailed: false,
  begun: 0,
  approval: null,
  expired: false,
  log: ['created'],
  funds: { USD: 0, EUR: 0 },
})

export const FEE = 20
/** Rows paid in one step. */
const PAGE = 500

const UNDER_WAY: ReadonlySet<PaymentStatus> = new Set(['submitted', 'processing', 'on_hold', 'cancelling'])
const grossOf = (row: Cells): number => row.cents + (row.to === 'fiat' ? FEE : 0)
const isOpen = ({ payment }: Row): boolean => payment !== null && UNDER_WAY.has(payment)

/** The status of a row in the API. */
export function statusOf({ payment, skipped, fault }: Row): string {
  if (payment === null) return skipped ? 'skipped' : fault ? 'invalid' : 'valid'
  return payment === 'succeeded' ? 'succeeded' : UNDER_WAY.has(payment) ? 'processing' : 'failed'
}

const isDue = (m: Model) => (row: Row) => statusOf(row) === 'valid' && row.number > m.begun

/** The payer's available and held money, and the payee's. */
export function moneyOf(m: Model, currency: Currency): { available: number; held: number; payee: number } {
  const paid = m.rows.filter((row) => row.payment !== null && currencyOf(row) === currency)
  const sum = (fits: (row: Row) => boolean, of = grossOf) => paid.filter(fits).reduce((all, row) => all + of(row), 0)
  const held = sum(isOpen)
  const gone =
    sum(({ payment }) => payment === 'succeeded') +
    sum(
      ({ payment }) => payment === 'reversed',
      () => FEE,
    )
  const payee = sum(({ payment, to }) => payment === 'succeeded' && to === 'svc_id')
  return { available: m.funds[currency] - held - gone, held, payee }
}

/** Owners and admins see every batch, members their own. */
function sees(m: Model, who: number): boolean {
  const role = m.roles[who]
  return role !== undefined && (role !== 'member' || who === m.creator || who === m.submitter)
}

/** The answer to a command: done, or the type of its refusal. */
export function answerTo(m: Model, command: Command): string {
  if ('way' in command) {
    if (!m.approval) return 'done'
    const outcome = expectedOfApproval(m.approval, command.do, command.who)
    if (outcome === 'repeated') return 'done'
    return outcome === 'approval_already_processed' && m.expired ? 'approval_expired' : outcome
  }
  if (!('who' in command)) return 'done'
  if (m.deleted || !sees(m, command.who)) return 'not_found'
  if (command.do === 'stop') return STOPPABLE.includes(m.status) ? 'done' : 'invalid_state'
  if (m.status !== 'draft') return 'batch_not_draft'
  return command.do === 'submit' ? answerToSubmission(m, command.exclude) : 'done'
}

const STOPPABLE: readonly BatchStatus[] = ['awaiting_approval', 'processing', 'cancelling', 'cancelled']

function answerToSubmission({ rows }: Model, exclude: boolean): string {
  if (rows.length === 0) return 'batch_empty'
  const invalid = rows.filter(({ fault }) => fault !== null).length
  if (invalid > 0 && !exclude) return 'batch_has_invalid_rows'
  return invalid === rows.length ? 'batch_empty' : 'done'
}

export function carriedOut(m: Model, command: Command): void {
  if (answerTo(m, command) !== 'done') return
  switch (command.do) {
    case 'import':
      m.file = command.file
      m.importFailed = false
      go(m, 'import_requested', 'importing')
      break
    case 'correct':
    case 'spoil':
    case 'take out':
      change(m, command)
      break
    case 'submit':
      submit(m, command.who)
      break
    case 'stop':
      stop(m, command.who)
      break
    case 'delete':
      m.deleted = true
      m.log.push('deleted')
      break
    case 'expire':
      m.expired = true
      if (m.approval) m.approval.status = 'cancelled'
      refused(m)
      break
    case 'fund':
      m.funds[command.currency] += command.cents
      break
    case 'bank says':
      hear(m.rows[command.at], command.word)
      break
    case 'step':
      step(m)
      break
    case 'run':
      while (hasWork(m)) step(m)
      break
    default:
      decide(m, command)
  }
  look(m)
}

function go(m: Model, logged: string, to: BatchStatus): void {
  m.log.push(logged)
  m.status = to
}

function change(m: Model, command: Command & { do: 'correct' | 'spoil' | 'take out' }): void {
  m.log.push(command.do === 'take out' ? 'row_deleted' : 'row_changed')
  if (command.do === 'take out') m.rows.splice(command.at, 1)
  else if (command.do === 'spoil') Object.assign(m.rows[command.at] ?? {}, { fault: command.fault })
  else Object.assign(m.rows[command.at] ?? {}, { fault: null, cents: command.cents })
}

function submit(m: Model, who: number): void {
  for (const row of m.rows) row.skipped = row.fault !== null
  m.submitter = who
  m.expired = false
  m.approval = requestUnder(m.rule, m.roles, who)
  go(m, 'submitted', 'awaiting_approval')
}

function decide(m: Model, { do: decision, who }: { do: Decision; who: number }): void {
  if (!m.approval || expectedOfApproval(m.approval, decision, who) !== 'done') return
  apply(m.approval, decision, who)
  if (m.approval.status === 'approved') go(m, 'approved', 'processing')
  else if (m.approval.status !== 'pending') refused(m)
}

/** Makes it a draft again, with the rows left out before. */
function refused(m: Model): void {
  m.submitter = null
  for (const row of m.rows) row.skipped = false
  go(m, 'refused', 'draft')
}

function stop(m: Model, who: number): void {
  if (m.status === 'processing') return go(m, 'cancel_requested', 'cancelling')
  if (m.status !== 'awaiting_approval') return
  if (m.approval) apply(m.approval, 'cancel', who)
  skipAll(m)
  go(m, 'withdrawn', 'cancelled')
}

function skipAll(m: Model): void {
  for (const row of m.rows) row.skipped ||= row.payment === null
}

export const hasWork = (m: Model): boolean =>
  m.status === 'importing' || (['processing', 'cancelling'].includes(m.status) && m.rows.some(isDue(m)))

function step(m: Model): void {
  if (!hasWork(m)) return
  if (m.status === 'importing') imported(m)
  else if (m.status === 'cancelling') skipAll(m)
  else
    m.rows
      .filter(isDue(m))
      .slice(0, PAGE)
      .forEach((row) => pay(m, row))
  look(m)
}

function imported(m: Model): void {
  const { file } = m
  m.file = null
  m.importFailed = file === 'unreadable'
  if (file === null || file === 'unreadable') return go(m, 'import_failed', 'draft')
  const unpaid = { skipped: false, payment: null, book: undefined }
  m.rows = file.map((cells, index) => ({ ...cells, ...unpaid, number: index + 1 }))
  go(m, 'imported', 'draft')
}

function pay(m: Model, row: Row): void {
  m.begun = row.number
  const covered = grossOf(row) <= moneyOf(m, currencyOf(row)).available
  row.payment = !covered ? 'failed' : row.to === 'fiat' ? 'submitted' : 'succeeded'
}

/** Submits the payment to the bank if necessary, then applies its update. */
function hear(row: Row | undefined, word: Word): void {
  if (!row?.payment) return
  row.book = word
  if (row.payment === 'submitted') row.payment = 'processing'
  row.payment = wayOf(row.payment, word)?.to ?? row.payment
}

/** Ends a batch that has nothing left to do and nothing under way. */
function look(m: Model): void {
  if (hasWork(m) || m.rows.some(isOpen)) return
  const count = (status: string) => m.rows.filter((row) => statusOf(row) === status).length
  const [succeeded, failed] = [count('succeeded'), count('failed')]
  if (m.status !== 'processing' && m.status !== 'cancelling') return
  const [none, isCut] = [
    m.status === 'processing' ? 'failed' : 'cancelled',
    m.rows.some((row) => row.skipped && !row.fault),
  ] as const
  if (succeeded === 0) go(m, none, none)
  else if (failed > 0 || isCut) go(m, 'partially_completed', 'partially_completed')
  else go(m, 'completed', 'completed')
}

/** A plain model of a bill with its payments, as in states.md and capabilities.md: answers, state and log. */
import type { BillStatus } from '../../../domain/bills/flow.ts'
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

export type Command =
  /** Begins a try to read the file; its end is findings, nothing, or a reason to give up. */
  | { do: 'begin' }
  | { do: 'found'; trial: number; cents: number | null }
  | { do: 'broke' | 'unreadable'; trial: number }
  | { do: 'type'; who: number; cents: number | null }
  | { do: 'extract' | 'put away' | 'request'; who: number }
  | Race
  | { do: Decision; who: number; way: 'approval' }
  | { do: 'bank says'; word: Word }

export type Race = { do: 'request and put away' | 'request twice'; who: number; other: number }

export type Payment = { cents: number; status: PaymentStatus; book: Word | undefined }

export type Model = {
  /** People are numbers; without a role they belong to another organization. */
  readonly roles: readonly (Role | undefined)[]
  readonly rule: Rule
  readonly hasFile: boolean
  status: BillStatus
  cents: number | null
  typed: boolean
  knowsPayee: boolean
  tries: number
  /** Numbers of the begun tries; a later extraction counts from one again. */
  trials: number[]
  failed: boolean
  payments: Payment[]
  approval: Approval | null
  log: string[]
  funds: number
}

export const made = (roles: Model['roles'], rule: Model['rule'], hasFile: boolean, funds: number): Model => ({
  roles,
  rule,
  hasFile,
  status: hasFile ? 'extracting' : 'extracted',
  cents: hasFile ? null : 1000,
  typed: !hasFile,
  knowsPayee: !hasFile,
  tries: 0,
  trials: [],
  failed: false,
  payments: [],
  approval: null,
  log: ['created'],
  funds,
})

export const FEE = 20
const TRIES_MAX = 3
const UNDER_WAY: ReadonlySet<PaymentStatus> = new Set(['submitted', 'processing', 'on_hold', 'cancelling'])
const ENDED: ReadonlySet<PaymentStatus> = new Set(['failed', 'cancelled', 'reversed'])

/** The payment that the bill stands for; undefined while a new one may be requested. */
export const currentOf = (m: Model): Payment | undefined =>
  m.status === 'payment_requested' ? m.payments.at(-1) : undefined

export function moneyOf({ payments, funds }: Model): { available: number; held: number } {
  const sum = (fits: (status: PaymentStatus) => boolean, of: (one: Payment) => number) =>
    payments.filter(({ status }) => fits(status)).reduce((all, one) => all + of(one), 0)
  const gross = ({ cents }: Payment) => cents + FEE
  const held = sum((status) => UNDER_WAY.has(status), gross)
  const gone =
    sum((status) => status === 'succeeded', gross) +
    sum(
      (status) => status === 'reversed',
      () => FEE,
    )
  return { available: funds - held - gone, held }
}

/** The answer to a command: done, or the type of its refusal. */
export function answerTo(m: Model, command: Command): string {
  if ('way' in command) {
    if (!m.approval) return 'done'
    const outcome = expectedOfApproval(m.approval, command.do, command.who)
    if (outcome === 'repeated') return 'done'
    return command.do === 'approve' && outcome === 'done' && lacksMoney(m, command.who) ? 'insufficient_funds' : outcome
  }
  switch (command.do) {
    case 'type':
    case 'extract':
    case 'put away':
    case 'request':
      return answerToPerson(m, command)
    default:
      return 'done'
  }
}

/** Whether this approval would be the last one of a payment without cover. */
function lacksMoney(m: Model, who: number): boolean {
  const after = structuredClone(m.approval)
  if (after) apply(after, 'approve', who)
  return after?.status === 'approved' && (currentOf(m)?.cents ?? 0) + FEE > moneyOf(m).available
}

export function answerToPerson(m: Model, { do: wanted, who }: { do: string; who: number }): string {
  const role = m.roles[who]
  if (!role) return 'not_found'
  if (wanted === 'put away') {
    if (role === 'member') return 'forbidden'
    return m.status === 'payment_requested' ? 'invalid_state' : 'done'
  }
  if (wanted === 'request') {
    if (m.status === 'payment_requested') return 'bill_payment_in_progress'
    if (m.status !== 'extracted') return 'invalid_state'
    return m.cents === null || !m.knowsPayee ? 'bill_incomplete' : 'done'
  }
  if (m.status === 'payment_requested' || m.status === 'cancelled') return 'invalid_state'
  return wanted === 'extract' && !m.hasFile ? 'file_not_uploaded' : 'done'
}

export function carriedOut(m: Model, command: Command): void {
  if ('way' in command) return decide(m, command)
  switch (command.do) {
    case 'begin':
      return begin(m)
    case 'found':
    case 'broke':
    case 'unreadable':
      if (m.status === 'extracting' && m.trials[command.trial] === m.tries) end(m, command)
      return
    case 'type':
      return type(m, command.cents)
    case 'extract':
      if (m.status === 'extracting') return
      Object.assign(m, { tries: 0, failed: false })
      return go(m, 'extraction_requested', 'extracting')
    case 'put away':
      if (m.status !== 'cancelled') go(m, 'cancelled', 'cancelled')
      return
    case 'request':
      return request(m, command.who)
    case 'bank says':
      return hear(m, command.word)
    default:
      throw new Error('who of the two was first is for the scene to say')
  }
}

function go(m: Model, logged: string, to: BillStatus): void {
  m.log.push(logged)
  m.status = to
}

function begin(m: Model): void {
  if (m.status !== 'extracting') return
  m.tries += 1
  if (m.tries > TRIES_MAX) giveUp(m)
  else m.trials.push(m.tries)
}

function giveUp(m: Model): void {
  m.failed = true
  go(m, 'extraction_failed', 'extracted')
}

function end(m: Model, command: Command): void {
  if (command.do === 'unreadable') return giveUp(m)
  if (command.do !== 'found') {
    if (m.tries >= TRIES_MAX) giveUp(m)
    return
  }
  m.knowsPayee = true
  if (!m.typed) m.cents = command.cents
  m.log.push('read')
  go(m, 'extracted', 'extracted')
}

function type(m: Model, cents: number | null): void {
  if (m.typed && m.cents === cents) return
  Object.assign(m, { typed: true, cents })
  m.log.push('updated')
}

function request(m: Model, who: number): void {
  m.payments.push({ cents: m.cents ?? 0, status: 'awaiting_approval', book: undefined })
  m.approval = requestUnder(m.rule, m.roles, who)
  go(m, 'payment_requested', 'payment_requested')
}

function decide(m: Model, { do: decision, who }: { do: Decision; who: number }): void {
  if (!m.approval || expectedOfApproval(m.approval, decision, who) !== 'done') return
  if (answerTo(m, { do: decision, who, way: 'approval' }) !== 'done') return
  apply(m.approval, decision, who)
  if (m.approval.status === 'approved') become(m, 'submitted')
  else if (m.approval.status !== 'pending') become(m, 'cancelled')
}

/** Submits the payment to the bank if necessary, then applies its update. */
function hear(m: Model, word: Word): void {
  const payment = currentOf(m)
  if (!payment) return
  payment.book = word
  if (payment.status === 'submitted') become(m, 'processing')
  become(m, wayOf(payment.status, word)?.to ?? payment.status)
}

/** Sets the payment's status; an end without success opens the bill again. */
function become(m: Model, status: PaymentStatus): void {
  const payment = currentOf(m)
  if (!payment) return
  payment.status = status
  if (ENDED.has(status)) go(m, 'payment_ended', 'extracted')
}

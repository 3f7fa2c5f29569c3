/** A plain model of payments by states.md and docs/partners.md: the answer, effect and log of each command. */
import { type Status, type Word, wayOf } from './arrows.ts'

export type Rail = 'svc_id' | 'fiat' | 'crypto'
export type Decision = 'approve' | 'reject' | 'withdraw'
export type Command =
  | Decision
  | 'cancel'
  | 'note'
  | 'delete contact'
  | 'receipt'
  | 'expire'
  | 'reconcile'
  | 'callback twice'
  | 'callback forged'
  | `say ${Word}`
  | `say ${Word} late`
  /** Commands that lead to rare states: lost answers, their return, a refused id with silence, a forgotten payout. */
  | 'answers are lost'
  | 'answers arrive'
  | 'id is taken'
  | 'partner forgets'
  /** Payments by service ID alone: an unpayable payee. */
  | 'payee is gone'

export type Model = {
  readonly rail: Rail
  status: Status
  log: string[]
  /** The partner's status; undefined if it does not know the payment. */
  book: Word | undefined
  /** We have heard an update. */
  accepted: boolean
  /** The custodian is known to have decided. */
  decided: boolean
  /** The partner's answers are lost. */
  deaf: boolean
  taken: boolean
  approval: 'pending' | 'approved' | 'rejected' | 'cancelled'
  expired: boolean
  done: Decision[]
  contactDeleted: boolean
  /** The payee of a payment by service ID can no longer receive anything. */
  payeeGone: boolean
  /** The partner uses its id for another payout. */
  idTaken: boolean
}

export const made = (rail: Rail): Model => ({
  rail,
  status: 'awaiting_approval',
  log: ['created'],
  book: undefined,
  accepted: false,
  decided: false,
  deaf: false,
  taken: false,
  approval: 'pending',
  expired: false,
  done: [],
  contactDeleted: false,
  payeeGone: false,
  idTaken: false,
})

const TERMINAL: ReadonlySet<Status> = new Set(['succeeded', 'failed', 'reversed', 'cancelled'])
export const isTerminal = ({ status }: Model): boolean => TERMINAL.has(status)
export const isCancellable = ({ rail, status, decided }: Model): boolean =>
  rail === 'crypto' && !decided && (status === 'submitted' || status === 'processing')

/** The answer to a command: done, or the type of its refusal. */
export function answerTo(m: Model, command: Command): string {
  switch (command) {
    case 'approve':
    case 'reject':
    case 'withdraw':
      if (m.done.includes(command)) return 'done'
      if (m.expired) return 'approval_expired'
      return m.approval === 'pending' ? 'done' : 'approval_already_processed'
    case 'cancel':
      return isCancellable(m) || m.status === 'cancelling' ? 'done' : 'payment_not_cancellable'
    case 'delete contact':
      if (m.contactDeleted) return 'not_found'
      return isTerminal(m) || m.status === 'awaiting_approval' ? 'done' : 'contact_in_use'
    case 'receipt':
      return m.status === 'succeeded' || m.status === 'reversed' ? 'done' : 'invalid_state'
    case 'callback forged':
      return 'not_authenticated'
    default:
      return 'done'
  }
}

/** Returns the payment after a command, without changing the given one. */
export function after(before: Model, command: Command): Model {
  const m: Model = { ...before, log: [...before.log], done: [...before.done] }
  if (answerTo(m, command) !== 'done') return m
  if (command.startsWith('say ')) {
    if (m.rail === 'svc_id') return m
    if (command.endsWith(' late')) return m
    m.book = command.slice(4) as Word // a payout update
    look(m)
    return m
  }
  switch (command) {
    case 'approve':
    case 'reject':
    case 'withdraw':
      decide(m, command)
      break
    case 'cancel':
      if (isCancellable(m)) go(m, ['cancel_requested'], 'cancelling')
      break
    case 'note':
      m.log.push('updated')
      break
    case 'delete contact':
      m.contactDeleted = true
      if (m.status === 'awaiting_approval') stop(m, 'withdraw')
      break
    case 'expire':
      if (m.status !== 'awaiting_approval') break
      m.expired = true
      stop(m)
      break
    case 'callback twice':
      look(m)
      break
    case 'answers are lost':
      m.deaf = true
      break
    case 'answers arrive':
      m.deaf = false
      look(m)
      break
    case 'id is taken':
      m.idTaken = true
      break
    case 'partner forgets':
      m.book = undefined
      m.idTaken = false
      if (m.accepted) look(m)
      break
    case 'payee is gone':
      m.payeeGone = true
      break
    case 'reconcile':
      if (isTerminal(m)) look(m)
  }
  return m
}

function go(m: Model, logged: readonly string[], to: Status): void {
  m.log.push(...logged)
  m.status = to
}

function decide(m: Model, decision: Decision): void {
  if (m.done.includes(decision)) return
  if (decision !== 'approve') return stop(m, decision)
  m.done.push('approve')
  m.approval = 'approved'
  m.taken = true
  go(m, ['submitted'], 'submitted')
  if (m.rail === 'svc_id') return transfer(m)
  if (m.idTaken) {
    m.deaf = true
    return go(m, ['held'], 'on_hold') // no clear answer can follow
  }
  m.book = 'pending'
  look(m)
}

function transfer(m: Model): void {
  if (m.payeeGone) go(m, ['failed'], 'failed')
  else go(m, ['accepted', 'settled'], 'succeeded')
}

/** Ends its approval; `as` is the recorded decision of the person. */
function stop(m: Model, as?: Decision): void {
  if (as) m.done.push(as)
  m.approval = as === 'reject' ? 'rejected' : 'cancelled'
  go(m, ['cancelled'], 'cancelled')
}

function look(m: Model): void {
  if (m.rail === 'svc_id' || m.deaf || m.status === 'awaiting_approval') return
  if (m.book === undefined) {
    if (isTerminal(m)) return
    if (m.accepted) {
      if (m.status === 'processing') go(m, ['held'], 'on_hold') // the partner forgot it: for a person
      return
    }
    m.book = 'pending' // a payout that never arrived is sent again
  }
  m.accepted = true
  if (m.rail === 'fiat' || (m.book !== 'pending' && m.book !== 'on_hold')) m.decided = true
  const way = wayOf(m.status, m.book)
  if (way) go(m, way.logged, way.to)
}

export type Amounts = { gross: number; fee: number }

/** The payment's effects in the books: changes of each account, and its feed rows. */
export function booksOf(m: Model, { gross, fee }: Amounts): { money: Record<string, number>; feed: string[] } {
  const [net, internal] = [gross - fee, m.rail === 'svc_id']
  if (!m.taken) return { money: {}, feed: [] }
  const outside = m.rail === 'fiat' ? 'bank' : 'custody'
  switch (m.status) {
    case 'succeeded':
      if (internal) return { money: { available: -gross, 'payee available': gross }, feed: ['in posted', 'out posted'] }
      return {
        money: { available: -gross, [outside]: net, fees: fee },
        feed: ['fee out posted', 'payment out posted'],
      }
    case 'reversed':
      return {
        money: { available: -fee, fees: fee },
        feed: ['fee out posted', 'payment out posted', 'reversal in posted'],
      }
    case 'failed':
    case 'cancelled':
      return { money: {}, feed: internal ? [] : ['fee out discarded', 'payment out discarded'] }
    default:
      return {
        money: { available: -gross, held: gross },
        feed: internal ? [] : ['fee out pending', 'payment out pending'],
      }
  }
}

/** Whether a partner with a correct order could report this now. */
export function plausible({ book }: Pick<Model, 'book'>, word: Word): boolean {
  const next: Readonly<Record<Word, readonly Word[]>> = {
    pending: ['pending', 'processing', 'on_hold', 'settled', 'rejected', 'cancelled'],
    processing: ['processing', 'on_hold', 'settled', 'rejected'],
    on_hold: ['processing', 'settled', 'rejected'],
    settled: ['returned'],
    rejected: [],
    cancelled: [],
    returned: [],
  }
  return book !== undefined && next[book].includes(word)
}

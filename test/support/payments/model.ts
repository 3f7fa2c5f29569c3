/**
 * A plain model of payments, by the words of states.md and docs/partners.md: what each command answers, moves and logs.
 */
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
  /**
   * What tests do to come to states: the partner's answers are lost, arrive again; it refuses the id and then says
   * nothing, forgets it.
   */
  | 'answers are lost'
  | 'answers arrive'
  | 'id is taken'
  | 'partner forgets'
  /** By service ID: submitted with nobody to settle it; the payee may not be paid any more. */
  | 'submit alone'
  | 'payee is gone'

export type Model = {
  readonly rail: Rail
  status: Status
  /** As it is logged, without `payment.`. */
  log: string[]
  /** What the partner's book says; undefined if it does not know the payment. */
  book: Word | undefined
  /** Whether we ever heard a word. */
  accepted: boolean
  /** Whether custody is known to have decided. */
  decided: boolean
  /** The partner's answers do not arrive. */
  deaf: boolean
  taken: boolean
  approval: 'pending' | 'approved' | 'rejected' | 'cancelled'
  /** Nobody decided on it in its time. */
  expired: boolean
  /** What the one person there is has decided. */
  done: Decision[]
  contactDeleted: boolean
  /** Of a payment by service ID: the payee can receive nothing any more. */
  payeeGone: boolean
  /** The partner has something else under its id. */
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

/** What a command is answered: done, or the type of its refusal. */
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

/** The payment after a command; the one that is given stays as it is. */
export function after(before: Model, command: Command): Model {
  const m: Model = { ...before, log: [...before.log], done: [...before.done] }
  if (answerTo(m, command) !== 'done') return m
  if (command.startsWith('say ')) {
    if (m.rail === 'svc_id') return m
    if (command.endsWith(' late')) return m
    m.book = command.slice(4) as Word // a command that says a word
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
    case 'submit alone':
      m.approval = 'approved'
      m.taken = true
      go(m, ['submitted'], 'submitted')
      break
    case 'payee is gone':
      m.payeeGone = true
      break
    case 'reconcile':
      if (m.rail === 'svc_id' && m.status === 'submitted') transfer(m)
      else if (isTerminal(m)) look(m)
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
    return go(m, ['held'], 'on_hold') // nothing clear can come of it
  }
  m.book = 'pending'
  look(m)
}

function transfer(m: Model): void {
  if (m.payeeGone) go(m, ['failed'], 'failed')
  else go(m, ['accepted', 'settled'], 'succeeded')
}

/** Nobody approves it any more. `as` is what the person is on record with. */
function stop(m: Model, as?: Decision): void {
  if (as) m.done.push(as)
  m.approval = as === 'reject' ? 'rejected' : 'cancelled'
  go(m, ['cancelled'], 'cancelled')
}

/** The partner is asked, and what it says is taken down. */
function look(m: Model): void {
  if (m.rail === 'svc_id' || m.deaf || m.status === 'awaiting_approval') return
  if (m.book === undefined) {
    if (isTerminal(m)) return
    if (m.accepted) {
      if (m.status === 'processing') go(m, ['held'], 'on_hold') // what it took and does not know is for a person
      return
    }
    m.book = 'pending' // what never arrived is sent again
  }
  m.accepted = true
  if (m.rail === 'fiat' || (m.book !== 'pending' && m.book !== 'on_hold')) m.decided = true
  const way = wayOf(m.status, m.book)
  if (way) go(m, way.logged, way.to)
}

export type Amounts = { gross: number; fee: number }

/** What the books say of the payment alone: what it changed in each account, and its rows in the feed. */
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

/** Whether a partner that keeps to its own order could say this now. */
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

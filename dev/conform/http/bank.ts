/** Bank in memory behind the protocol of docs/partners.md: what was ordered, what moved, what arrived. */
import { createHash, randomUUID } from 'node:crypto'
import type { Amount, ListFault, MoveOptions, Movement, PayoutWord, Rail } from '../provider.ts'
import type { Reply } from '../interferer.ts'
import type { ProviderFault } from '../planned-faults.ts'

/** Payout as its provider keeps it: under the key of the driver as long as it knows that. */
export type Payout = {
  readonly handle: number
  readonly key: string
  readonly body: string
  readonly reference: string
  amount: Amount
  status: PayoutWord
  version: number
  /** Its key is known: an order under it finds this payout. */
  hasKey: boolean
  /** A look by its key finds nothing; the list has it. */
  isHidden: boolean
  /** No answer names it. */
  isForgotten: boolean
  returned: { readonly amount: Amount; readonly charges?: Amount } | null
  updatedAt: string
}
export type Deposit = {
  readonly handle: number
  readonly id: string
  readonly account: string
  amount: Amount
  status: 'received' | 'returned'
  reason: string | null
  readonly receivedAt: string
}
type Account = { readonly id: string; readonly body: string; readonly account: string }

export const NOT_FOUND: Reply = { status: 404, body: { code: 'not_found', message: 'never received' } }
const CONFLICT: Reply = { status: 409, body: { code: 'id_reused', message: 'the id came with another body' } }
const REFUSAL: Reply = { status: 422, body: { code: 'beneficiary_refused', message: 'this payee is not paid' } }
const ok = (body: unknown): Reply => ({ status: 200, body })
export const CANCELLABLE: readonly PayoutWord[] = ['pending', 'on_hold']

let handles = 0

export class Bank {
  readonly payouts: Payout[] = []
  readonly deposits: Deposit[] = []
  readonly movements: Movement[] = []
  readonly accounts = new Map<string, Account>()
  readonly listFaults = new Map<'payouts' | 'deposits', ListFault>()
  hoursOff = 0

  constructor(readonly rail: Rail) {}

  protected now(): string {
    return new Date(Date.now() + this.hoursOff * 3_600_000).toISOString()
  }

  /** Takes an order; the same key and body answer the payout that is there. */
  order(key: string, body: string): Reply {
    const known = this.payouts.find((one) => one.key === key && one.hasKey && !one.isForgotten)
    if (known) return known.body === body ? ok(viewOf(known)) : CONFLICT
    const { amount, reference } = JSON.parse(body) as { amount: Amount; reference: string }
    return ok(viewOf(this.add(key, body, amount, reference)))
  }

  add(key: string, body: string, amount: Amount, reference: string): Payout {
    const made: Payout = {
      handle: (handles += 1),
      key,
      body,
      reference,
      amount,
      status: 'pending',
      version: 1,
      hasKey: true,
      isHidden: false,
      isForgotten: false,
      returned: null,
      updatedAt: this.now(),
    }
    this.payouts.push(made)
    return made
  }

  find(key: string): Reply {
    const found = this.payouts.find((one) => one.key === key && !one.isHidden && !one.isForgotten)
    return found ? ok(viewOf(found)) : NOT_FOUND
  }

  cancel(key: string): Reply {
    const found = this.payouts.find((one) => one.key === key && !one.isForgotten)
    if (!found) return NOT_FOUND
    if (CANCELLABLE.includes(found.status)) this.move(found.handle, 'cancelled')
    else if (found.status !== 'cancelled') this.move(found.handle, found.status, { onlySay: true })
    return ok(viewOf(found))
  }

  /** Moves a payout. Money leaves once with `settled`, and comes back with `returned`. */
  move(handle: number, to: PayoutWord, { back, charges, version, onlySay, amount }: MoveOptions = {}): void {
    const payout = this.payouts.find((one) => one.handle === handle)
    if (!payout) throw new Error(`there is no payout ${handle}`)
    const moves = (direction: Movement['direction'], moved: Amount) =>
      onlySay || this.movements.push({ handle, direction, amount: moved })
    const isOut = this.movements.some((one) => one.handle === handle && one.direction === 'out')
    if ((to === 'settled' || to === 'returned') && !isOut) moves('out', payout.amount)
    if (to === 'returned') {
      moves('back', back ?? payout.amount)
      payout.returned = { amount: back ?? payout.amount, ...(charges && { charges }) }
    }
    if (amount) payout.amount = amount
    payout.status = to
    payout.version = version ?? payout.version + 1
    payout.updatedAt = this.now()
  }

  arrive(account: string, amount: Amount): Deposit {
    const [handle, id] = [(handles += 1), randomUUID()]
    const made: Deposit = { handle, id, account, amount, status: 'received', reason: null, receivedAt: this.now() }
    this.deposits.push(made)
    return made
  }

  deposit(id: string): Reply {
    const found = this.deposits.find((one) => one.id === id)
    return found ? ok(depositView(found)) : NOT_FOUND
  }

  returnDeposit(id: string, reason: string): Reply {
    const found = this.deposits.find((one) => one.id === id)
    if (!found) return NOT_FOUND
    if (found.status === 'returned' && found.reason !== null && found.reason !== reason) return CONFLICT
    if (found.status === 'received') {
      Object.assign(found, { status: 'returned', reason })
      this.movements.push({ handle: found.handle, direction: 'back', amount: found.amount })
    }
    return ok(depositView(found))
  }

  openAccount(id: string, body: string): Reply {
    const known = this.accounts.get(id)
    if (known && known.body !== body) return CONFLICT
    const digits = BigInt(`0x${createHash('sha256').update(id).digest('hex').slice(0, 12)}`)
    const account = this.rail === 'fiat' ? `DE${String(digits).padStart(20, '0').slice(0, 20)}` : `0x${digits}`
    this.accounts.set(id, { id, body, account }) // under one id there is one, however often it is asked for
    return ok({ id, account, details: { account } })
  }

  list(list: 'payouts' | 'deposits', query: URLSearchParams): Reply {
    const all =
      list === 'payouts'
        ? this.payouts.filter(({ isForgotten }) => !isForgotten).map((one) => viewOf(one))
        : this.deposits.map((one) => depositView(one))
    return pageOf(all, query, this.listFaults.get(list))
  }

  /** Applies a fault in the words of the protocol. */
  lie(fault: ProviderFault, act: () => Reply): Reply {
    if (fault === 'absent') return NOT_FOUND
    if (fault === 'refuse') return REFUSAL
    if (fault === 'conflict') return CONFLICT
    if (fault === 'bad request') return { status: 400, body: { code: 'malformed' } }
    const { status, body } = act()
    if (fault === 'refuse after acting') return REFUSAL
    const seen = Object(body)
    const edits = {
      'another id': { id: randomUUID() },
      'another amount': { amount: { ...seen.amount, amount: '1.00' } },
      'another currency': { amount: { ...seen.amount, currency: seen.amount?.currency === 'USD' ? 'EUR' : 'USD' } },
      'unknown status': { status: 'teleported' },
      'absurd version': { version: -7 },
    }
    return { status, body: { ...seen, ...edits[fault] } }
  }
}

const viewOf = ({ key, status, version, amount, updatedAt, handle, returned }: Payout) => ({
  id: key,
  status,
  detail: `says ${status}`,
  reference: `REF-${handle}`,
  version,
  amount,
  updated_at: updatedAt,
  ...(returned && { returned: returned.amount, ...(returned.charges && { charges: returned.charges }) }),
})

const depositView = ({ id, account, amount, status, handle, receivedAt }: Deposit) => ({
  id,
  account,
  amount,
  sender: { name: 'Sender', reference: null, account_reference: 'DE00SENDER', country: 'DE' },
  status,
  reference: `IN-${handle}`,
  received_at: receivedAt,
})

/** Makes a page, or one that a tired server would make. */
function pageOf(all: readonly { readonly id: string }[], query: URLSearchParams, fault?: ListFault): Reply {
  const [after, limit] = [query.get('after'), Number(query.get('limit') ?? 50)]
  const entries = fault === 'backward' ? all.toReversed() : fault === 'skip' ? all.slice(0, -1) : all
  if (fault === 'endless') return ok({ data: entries.slice(0, limit), next: 'again' })
  if (fault === 'circle') return ok({ data: entries.slice(0, limit), next: after === 'left' ? 'right' : 'left' })
  const begin = after === null ? 0 : Number(after)
  if (Number.isNaN(begin)) return { status: 422, body: { code: 'unknown_cursor', message: 'of no page of ours' } }
  const data: unknown[] = entries.slice(begin, begin + limit)
  if (fault === 'twice') data.splice(0, data.length, ...data.slice(0, limit / 2).flatMap((one) => [one, one]))
  if (fault === 'unreadable') data[0] = { ...Object(data[0]), amount: 'a lot' }
  const read = fault === 'twice' ? begin + limit / 2 : begin + limit
  const page = { data, next: read < entries.length ? String(read) : null }
  return ok(fault === 'huge' ? { ...page, padding: 'x'.repeat(70 * 1024) } : page)
}

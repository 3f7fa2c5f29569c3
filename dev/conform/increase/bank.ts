/** Bank in memory behind the protocol of Increase: all of its transfers go by ACH. */
import { createHash, randomUUID } from 'node:crypto'
import type { AccountNumber } from 'increase/resources/account-numbers'
import type { ACHTransfer } from 'increase/resources/ach-transfers'
import type { InboundACHTransfer } from 'increase/resources/inbound-ach-transfers'
import type { InboundRealTimePaymentsTransfer } from 'increase/resources/inbound-real-time-payments-transfers'
import { Bank, CANCELLABLE, type Deposit, type Payout } from '../http/bank.ts'
import type { Reply } from '../interferer.ts'
import type { ProviderFault } from '../planned-faults.ts'
import type { Amount, ListFault } from '../provider.ts'

export const ACCOUNT = 'account_conformance'

export const ok = (body: unknown): Reply => ({ status: 200, body })
const failure = (status: number, type: string, title: string): Reply => ({
  status,
  body: { type, title, detail: null, status },
})
export const NOT_FOUND = failure(404, 'object_not_found_error', 'Could not find the specified object.')
const CONFLICT = failure(409, 'idempotency_key_already_used_error', 'The key has made another object.')
const REFUSAL = failure(400, 'invalid_parameters_error', 'This payee is not paid.')
const TOO_LATE = failure(409, 'invalid_operation_error', 'It is on its way.')
const MALFORMED = failure(400, 'malformed_request_error', 'That is no request.')

/** Members that the driver reads, as the provider's types have them. */
type Shown<Theirs> = { readonly [Name in keyof Theirs as string extends Name ? never : Name]?: Theirs[Name] }

const centsOf = ({ amount }: Amount): number => Math.round(Number(amount) * 100)
export const payoutId = ({ handle }: { handle: number }): string => `ach_transfer_${handle}`

const STATUSES = {
  pending: 'pending_submission',
  processing: 'submitted',
  on_hold: 'requires_attention',
  settled: 'submitted',
  rejected: 'rejected',
  cancelled: 'canceled',
  returned: 'returned',
} as const

export class IncreaseBank extends Bank {
  private readonly made: { readonly payout: Payout; readonly at: string }[] = []

  constructor() {
    super('fiat')
  }

  override order(key: string, body: string): Reply {
    const known = this.payouts.find((one) => one.key === key && one.hasKey && !one.isForgotten)
    if (known) return known.body === body ? ok(this.viewOf(known)) : CONFLICT
    const { amount, statement_descriptor: words } = JSON.parse(body) as { amount: number; statement_descriptor: string }
    return ok(this.viewOf(this.add(key, body, { amount: (amount / 100).toFixed(2), currency: 'USD' }, words)))
  }

  override add(...given: Parameters<Bank['add']>): Payout {
    const payout = super.add(...given)
    this.made.push({ payout, at: this.now() })
    return payout
  }

  /** Finds a transfer by its id. */
  override find(id: string): Reply {
    const found = this.payouts.find((one) => payoutId(one) === id && !one.isForgotten)
    return found ? ok(this.viewOf(found)) : NOT_FOUND
  }

  /** Lists the transfer of a key. */
  findByKey(key: string): Reply {
    const found = this.payouts.filter((one) => one.key === key && !one.isHidden && !one.isForgotten)
    return ok({ data: found.map((one) => this.viewOf(one)), next_cursor: null })
  }

  override cancel(id: string): Reply {
    const found = this.payouts.find((one) => payoutId(one) === id && !one.isForgotten)
    if (!found) return NOT_FOUND
    if (!CANCELLABLE.includes(found.status)) return found.status === 'cancelled' ? ok(this.viewOf(found)) : TOO_LATE
    this.move(found.handle, 'cancelled')
    return ok(this.viewOf(found))
  }

  /** Deposits in dollars come by ACH, others by RTP: its transfers name a currency. */
  override arrive(account: string, amount: Amount): Deposit {
    const made = super.arrive(account, amount)
    const network = amount.currency === 'USD' ? 'ach' : 'real_time_payments'
    const named = { ...made, id: `inbound_${network}_transfer_${made.handle}` }
    this.deposits.splice(-1, 1, named)
    return named
  }

  override deposit(id: string): Reply {
    const found = this.deposits.find((one) => one.id === id)
    return found ? ok(depositView(found)) : NOT_FOUND
  }

  override returnDeposit(id: string, reason: string): Reply {
    if (this.deposits.find((one) => one.id === id)?.status === 'returned') return TOO_LATE
    super.returnDeposit(id, reason)
    return this.deposit(id)
  }

  override openAccount(key: string, body: string): Reply {
    const known = this.accounts.get(key)
    if (known && known.body !== body) return CONFLICT
    const account = known?.account ?? `account_number_${createHash('sha256').update(key).digest('hex').slice(0, 20)}`
    this.accounts.set(key, { id: key, body, account })
    return ok(accountView(key, account))
  }

  findAccount(key: string): Reply {
    const known = this.accounts.get(key)
    return ok({ data: known ? [accountView(key, known.account)] : [], next_cursor: null })
  }

  /** Lists a resource, newest first, within the window that is asked for. */
  override list(list: 'payouts' | 'deposits', query: URLSearchParams, resource = 'ach_transfers'): Reply {
    const all = list === 'payouts' ? this.listPayouts(resource) : this.listDeposits(resource)
    const [from, until] = ['created_at.on_or_after', 'created_at.before'].map((name) => query.get(name))
    const within = all.filter(
      ({ created_at: at = '' }) =>
        (!from || Date.parse(at) >= Date.parse(from)) && (!until || Date.parse(at) < Date.parse(until)),
    )
    return pageOf(within.toReversed(), query, all.length > 0 ? this.listFaults.get(list) : undefined)
  }

  private listPayouts(resource: string): readonly Shown<ACHTransfer>[] {
    if (resource !== 'ach_transfers') return []
    return this.payouts.filter(({ isForgotten }) => !isForgotten).map((one) => this.viewOf(one))
  }

  private readonly listDeposits = (resource: string) =>
    this.deposits.filter(({ id }) => id.startsWith(resource.slice(0, -1))).map((one) => depositView(one))

  private viewOf(payout: Payout): Shown<ACHTransfer> {
    const { key, status, amount, handle, updatedAt } = payout
    return {
      id: payoutId({ handle }),
      type: 'ach_transfer',
      account_id: ACCOUNT,
      idempotency_key: key,
      amount: centsOf(amount),
      currency: 'USD',
      created_at: this.made.find((one) => one.payout === payout)?.at ?? updatedAt,
      status: STATUSES[status],
      settlement: status === 'settled' || status === 'returned' ? { settled_at: updatedAt } : null,
      submission: null,
      return: status === 'returned' ? returnOf(payout) : null,
    }
  }

  override lie(fault: ProviderFault, act: () => Reply): Reply {
    if (fault === 'absent') return NOT_FOUND
    if (fault === 'refuse') return REFUSAL
    if (fault === 'conflict') return CONFLICT
    if (fault === 'bad request') return MALFORMED
    const { status, body } = act()
    if (fault === 'refuse after acting') return REFUSAL
    const edits = {
      'another id': { id: `ach_transfer_${randomUUID().slice(0, 8)}`, idempotency_key: randomUUID() },
      'another amount': { amount: 100 },
      'another currency': { currency: 'EUR' },
      'unknown status': { status: 'teleported' },
      'absurd version': {}, // it has none
    }
    const { data } = Object(body)
    const edited = (one: object) => ({ ...one, ...edits[fault] })
    return { status, body: Array.isArray(data) ? { ...Object(body), data: data.map(edited) } : edited(Object(body)) }
  }
}

const returnOf = ({ handle, updatedAt }: Payout): ACHTransfer.Return => ({
  addenda_information: null,
  created_at: updatedAt,
  raw_return_reason_code: 'R03',
  return_reason_code: 'no_account',
  trace_number: String(handle),
  transaction_id: `transaction_${handle}`,
  transfer_id: payoutId({ handle }),
})

function depositView({ id, account, amount, status, receivedAt, handle }: Deposit) {
  const shared = {
    id,
    account_id: ACCOUNT,
    account_number_id: account,
    amount: centsOf(amount),
    created_at: receivedAt,
  }
  if (id.startsWith('inbound_ach'))
    return {
      ...shared,
      type: 'inbound_ach_transfer',
      direction: 'credit',
      status: status === 'received' ? 'accepted' : 'returned',
      acceptance: { accepted_at: receivedAt, transaction_id: `transaction_${handle}` },
      originator_company_name: 'SENDER',
      originator_company_entry_description: 'PAYMENT',
      addenda: null,
      trace_number: String(handle),
    } satisfies Shown<InboundACHTransfer>
  const currency = amount.currency as 'USD' // the kit has money that the books do not have
  return {
    ...shared,
    type: 'inbound_real_time_payments_transfer',
    currency,
    status: 'confirmed',
    confirmation: { confirmed_at: receivedAt, transaction_id: `transaction_${handle}` },
    debtor_name: 'SENDER',
    debtor_account_number: '1',
    unstructured_remittance_information: null,
    transaction_identification: String(handle),
  } satisfies Shown<InboundRealTimePaymentsTransfer>
}

const accountView = (key: string, id: string): Shown<AccountNumber> => ({
  id,
  type: 'account_number',
  account_id: ACCOUNT,
  idempotency_key: key,
  account_number: '1234567890',
  routing_number: '101050001',
  name: 'Account',
})

/** Bytes above which no page is read. */
const HUGE_BYTES = 5 * 1024 * 1024

/** Makes a page, newest first, or one that a tired server would make. */
function pageOf(all: readonly object[], query: URLSearchParams, fault?: ListFault): Reply {
  const [cursor, limit] = [query.get('cursor'), Number(query.get('limit') ?? 100)]
  const entries = fault === 'backward' ? all.toReversed() : fault === 'skip' ? all.slice(1) : all
  if (fault === 'endless') return ok({ data: entries.slice(0, limit), next_cursor: 'again' })
  if (fault === 'circle')
    return ok({ data: entries.slice(0, limit), next_cursor: cursor === 'left' ? 'right' : 'left' })
  const begin = cursor === null ? 0 : Number(cursor)
  if (Number.isNaN(begin)) return REFUSAL
  const data: unknown[] = entries.slice(begin, begin + limit)
  const half = Math.max(1, Math.floor(limit / 2))
  if (fault === 'twice')
    data.splice(0, data.length, ...data.slice(0, half).flatMap((one) => [one, one].slice(0, limit)))
  if (fault === 'unreadable' && data.length > 0) data[0] = { ...Object(data[0]), amount: 'a lot' }
  const read = fault === 'twice' ? begin + half : begin + limit
  const page = { data, next_cursor: read < entries.length ? String(read) : null }
  return ok(fault === 'huge' ? { ...page, padding: 'x'.repeat(HUGE_BYTES) } : page)
}

/** Ledger of a bank by files, as the conformance kit plays it: payments that it took, and what it has to say of them. */
import { createHash, randomUUID } from 'node:crypto'
import { addDecimals } from '../../../domain/money/decimal.ts'
import { now } from '../../../platform/clock.ts'
import {
  type Entry,
  type Part,
  writeNotification,
  writeStatement,
} from '../../../sandbox/partners/file-bank/accounts.ts'
import { type OrderFile, readOrders } from '../../../sandbox/partners/file-bank/orders.ts'
import { CODES, writeReport } from '../../../sandbox/partners/file-bank/reports.ts'
import type { Fault } from '../planned-faults.ts'
import type { Amount, MoveOptions, Movement, PayoutWord } from '../provider.ts'

export const ACCOUNT = { currency: 'EUR', iban: 'DE75500105175400000000', bic: 'INGDDEFFXXX' }
/** Account of a stranger at the same bank. */
const OTHER = { ...ACCOUNT, iban: 'DE45500105175400000055' }

export type Payment = {
  readonly handle: number
  readonly messageId: string
  readonly batch: string
  readonly endToEndId: string
  readonly reference: string
  readonly creditorAccount: string
  amount: Amount
  status: PayoutWord
  version: number
}
export type Deposit = {
  readonly handle: number
  readonly reference: string
  readonly account: string
  amount: Amount
  status: 'received' | 'returned'
}
/** File that waits to be written. */
export type Message = { readonly kind: 'pain.002' | 'camt.054' | 'camt.053'; readonly content: string }

/** Faults of what the bank says of a payment. */
export const LIES: readonly Fault[] = ['another id', 'another amount', 'another currency', 'unknown status', 'stale answer'] // prettier-ignore

let handles = 0
let messages = 0
const nextId = (): string => `CONFORM${Date.now()}${(messages += 1)}`

export class Ledger {
  readonly payments: Payment[] = []
  readonly deposits: Deposit[] = []
  readonly movements: Movement[] = []
  readonly said: Message[] = []
  hoursOff = 0
  /** A notification of this bank names the account of another. */
  isAboutOther = false
  private readonly entries: Entry[] = []
  private closed = 0
  private balance = '0'
  private statements = 0

  private at = (): string => new Date(now().getTime() + this.hoursOff * 3_600_000).toISOString()

  /** Takes a file: every payment becomes one of the ledger, also one that it has. Real banks do not all look. */
  take(bytes: Uint8Array, { isTaken = true } = {}): void {
    const file = readOrders(bytes)
    for (const batch of isTaken ? file.batches : [])
      for (const transfer of batch.transfers)
        this.payments.push({
          handle: (handles += 1),
          messageId: file.messageId,
          batch: batch.id,
          endToEndId: transfer.endToEndId,
          reference: transfer.remittance ?? '',
          creditorAccount: transfer.creditorAccount,
          amount: { amount: transfer.amount, currency: transfer.currency },
          status: 'pending',
          version: 1,
        })
    this.sayOfFile(file, isTaken ? 'ACCP' : 'RJCT')
  }

  private sayOfFile({ messageId: about }: OrderFile, status: string): void {
    const reason = status === 'RJCT' ? 'AM10' : null
    const report = { id: nextId(), at: this.at(), bic: ACCOUNT.bic, about, status, reason, transfers: [] }
    this.said.push({ kind: 'pain.002', content: writeReport(report) })
  }

  /** Says that a message is a repeat, as a bank does that got it twice. */
  sayRepeated(messageId: string): void {
    const report = {
      id: nextId(),
      at: this.at(),
      bic: ACCOUNT.bic,
      about: messageId,
      status: 'RJCT',
      reason: 'DU01',
      transfers: [],
    }
    this.said.push({ kind: 'pain.002', content: writeReport(report) })
  }

  find(handle: number): Payment {
    const found = this.payments.find((one) => one.handle === handle)
    if (!found) throw new Error(`there is no payment ${handle}`)
    return found
  }

  /** Moves a payment. Money leaves once with `settled`, and comes back with `returned`. */
  move(handle: number, to: PayoutWord, { amount, back, onlySay = false, version }: MoveOptions = {}): void {
    const payment = this.find(handle)
    if (amount) payment.amount = amount
    const isOut = this.movements.some((one) => one.handle === handle && one.direction === 'out')
    if (to === 'settled' || to === 'returned') {
      if (!isOut && !onlySay) this.movements.push({ handle, direction: 'out', amount: payment.amount })
      if (!isOut || to === 'settled') this.debit(payment)
    }
    if (to === 'returned') {
      if (!onlySay) this.movements.push({ handle, direction: 'back', amount: back ?? payment.amount })
      this.credit(payment, back ?? payment.amount)
    }
    payment.status = to
    payment.version = version ?? payment.version + 1
    if (CODES[to]) this.report(payment, CODES[to])
  }

  /** Says something wrong of the last payment. */
  lie(fault: Fault): void {
    const last = this.payments.at(-1)
    if (!last) throw new Error('there is no payment')
    const { amount } = last
    if (fault === 'another id') this.report({ ...last, endToEndId: randomUUID().replaceAll('-', '') }, 'ACSC')
    if (fault === 'another amount') this.report({ ...last, amount: { ...amount, amount: '1.00' } }, 'ACSC')
    if (fault === 'another currency') this.report({ ...last, amount: { ...amount, currency: 'USD' } }, 'ACSC')
    if (fault === 'unknown status') this.report(last, 'WELL')
    if (fault === 'stale answer') this.report(last, 'RCVD')
  }

  private report(payment: Payment, status: string): void {
    const { amount, batch, endToEndId, messageId: about } = payment
    const transfer = { batch, endToEndId, instructionId: null, ...amount, creditor: 'Payee', status, reason: null }
    const report = { id: nextId(), at: this.at(), bic: ACCOUNT.bic, about, status: null, reason: null }
    this.said.push({ kind: 'pain.002', content: writeReport({ ...report, transfers: [transfer] }) })
  }

  private debit({ amount, batch, creditorAccount, endToEndId, handle, messageId, reference }: Payment): void {
    const party = { name: 'Payee', account: creditorAccount }
    const part = { endToEndId, messageId, batch, amount: amount.amount, party, remittance: reference }
    this.book(`D${handle}`, `-${amount.amount}`, 'PMNT/ICDT/ESCT', part)
  }

  private credit(payment: Payment, back: Amount): void {
    const { amount, creditorAccount, endToEndId, handle, messageId, reference } = payment
    const party = { name: 'Payee', account: creditorAccount }
    const returned = { code: 'AC04', words: null, original: amount.amount }
    const part = { endToEndId, messageId, amount: back.amount, party, remittance: reference, returned }
    this.book(`R${handle}`, back.amount, 'PMNT/RCDT/RRTN', part)
  }

  arrive(account: string, amount: Amount): Deposit {
    const handle = (handles += 1)
    const made: Deposit = { handle, reference: nameOf(`C${handle}`), account, amount, status: 'received' }
    this.deposits.push(made)
    this.sayDeposit(made)
    return made
  }

  sayDeposit({ account, amount, handle }: Deposit): void {
    const party = { name: 'Sender', account: 'DE00SENDER', country: 'DE' }
    const part = { amount: amount.amount, party, remittance: null, creditorAccount: account }
    this.book(`C${handle}`, amount.amount, 'PMNT/RCDT/ESCT', part)
  }

  takeBack(deposit: Deposit): void {
    const { amount, handle } = deposit
    deposit.status = 'returned'
    this.movements.push({ handle, direction: 'back', amount })
    const part = { amount: amount.amount, party: { name: 'Sender', account: null }, remittance: null }
    this.book(`C${handle}`, `-${amount.amount}`, 'PMNT/RCDT/ESCT', part, true)
  }

  /** Books a debit that nobody ordered. */
  takeMoney(amount: string): void {
    const part = { endToEndId: 'NOTOURS', amount, party: { name: 'Stranger', account: null }, remittance: 'a fee' }
    this.book(`X${(handles += 1)}`, `-${amount}`, 'PMNT/ICDT/ESCT', part)
  }

  private book(name: string, amount: string, code: string, part: Omit<Part, 'reference'>, isReversal = false): void {
    const reference = nameOf(name)
    const entry: Entry = {
      reference,
      iban: ACCOUNT.iban,
      currency: ACCOUNT.currency,
      amount,
      bookedOn: this.at().slice(0, 10),
      document: { code, ...(isReversal && { isReversal: true as const }), parts: [{ ...part, reference }] },
    }
    if (!this.entries.some((one) => one.reference === reference && one.amount === amount)) this.entries.push(entry)
    const account = this.isAboutOther ? OTHER : ACCOUNT
    this.said.push({ kind: 'camt.054', content: writeNotification({ id: nextId(), at: this.at(), account }, [entry]) })
  }

  /** Says what was booked since the last statement, with balances. */
  closeDay(): void {
    const entries = this.entries.slice(this.closed)
    const closing = addDecimals([this.balance, ...entries.map(({ amount }) => amount)])
    const head = { id: nextId(), at: this.at(), account: ACCOUNT }
    const statement = {
      number: (this.statements += 1),
      day: this.at().slice(0, 10),
      opening: this.balance,
      closing,
    }
    this.said.push({ kind: 'camt.053', content: writeStatement(head, statement, entries) })
    this.closed = this.entries.length
    this.balance = closing
  }
}

/** Makes a reference of the bank. */
const nameOf = (name: string): string =>
  `CF${createHash('sha256').update(`${process.pid}:${name}`).digest('hex').slice(0, 16).toUpperCase()}`

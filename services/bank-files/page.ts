/** Page of entries that are being booked: what is asked about all of them at once, and what is written at once. */
import { partIdOf } from '../../domain/bank-files/entry-ids.ts'
import type { MovedPart } from '../../domain/bank-files/moves.ts'
import type { SenderOfDeposit } from '../../domain/bank-files/records.ts'
import { type Money, moneyOf } from '../../domain/money/money.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { encryptForRow } from '../../platform/encryption.ts'
import type { Transaction } from '../../db/postgres/sql.ts'
import { type PaymentChange, changePayments, noteReported, ownEndToEndId } from './statuses.ts'

/** Payment of ours as an entry may name it. */
export type KnownPayment = {
  readonly id: string
  readonly ends: string
  readonly amount: Money
  readonly isRejected: boolean
}

/** Meaning of a transaction of an entry. */
export type Booking = {
  readonly kind: 'payout' | 'return' | 'deposit' | 'taken_back' | 'unknown'
  readonly paymentId?: string | null
  readonly account?: string
  readonly ends?: readonly string[]
  /** The bank has paid what it had rejected: the payment has failed, and a person looks. */
  readonly isRejected?: boolean
}

type NewPart = Booking & { readonly entryId: string; readonly at: number; readonly part: MovedPart }

export class BookedPage {
  private changes: PaymentChange[] = []
  private reported: Pick<PaymentChange, 'endToEndId' | 'status'>[] = []
  private parts: NewPart[] = []

  private constructor(
    readonly tx: Transaction,
    readonly connection: ConnectionName,
    private readonly payments: ReadonlyMap<string, KnownPayment>,
    private readonly virtualIbans: ReadonlySet<string>,
  ) {}

  /** Begins a page: reads the payments and the virtual IBANs that its transactions name. */
  static async begin(tx: Transaction, connection: ConnectionName, parts: readonly MovedPart[]): Promise<BookedPage> {
    const ends = parts.flatMap(({ endToEndId }) => ownEndToEndId(endToEndId) ?? [])
    const rows = await tx<{ id: string; ends: string; amount: string; currency: string; isRejected: boolean }[]>`
      select id, end_to_end_id as ends, amount, currency, status = 'rejected' as "isRejected" from bank_payments
      where connection = ${connection} and end_to_end_id = any (${ends}::text[])`
    const payments = rows.map(({ amount, currency, ...one }) => ({ ...one, amount: moneyOf(amount, currency) }))
    const ibans = new Set(parts.flatMap(({ creditorAccount }) => creditorAccount ?? []))
    const known = await tx<{ iban: string }[]>`
      select iban from bank_virtual_ibans where connection = ${connection} and iban = any (${[...ibans]}::text[])`
    return new BookedPage(
      tx,
      connection,
      new Map(payments.map((one) => [one.ends, one])),
      new Set(known.map(({ iban }) => iban)),
    )
  }

  paid(ends: string | null): KnownPayment | undefined {
    return ends === null ? undefined : this.payments.get(ends)
  }

  isVirtualIban(iban: string): boolean {
    return this.virtualIbans.has(iban)
  }

  /** Notes a change of a payment; a second one of the same comes after the first. */
  async change(change: PaymentChange): Promise<void> {
    if (this.changes.some(({ endToEndId }) => endToEndId === change.endToEndId)) await this.write()
    this.changes.push(change)
  }

  /** Notes what the bank says of a payment that our outbox lacks. */
  async report(endToEndId: string, status: PaymentChange['status']): Promise<void> {
    if (this.reported.some((one) => one.endToEndId === endToEndId)) await this.write()
    this.reported.push({ endToEndId, status })
  }

  addPart(part: NewPart): void {
    this.parts.push(part)
  }

  /** Writes all that was noted: at the end of the page, and before something that reads it. */
  async write(): Promise<void> {
    const { changes, reported, parts } = this
    ;[this.changes, this.reported, this.parts] = [[], [], []]
    await changePayments(this.tx, this.connection, changes)
    if (reported.length > 0) await noteReported(this.tx, this.connection, reported)
    if (parts.length > 0) await this.insertParts(parts)
  }

  private async insertParts(parts: readonly NewPart[]): Promise<void> {
    const rows = parts.map(({ account = null, at, entryId, kind, part, paymentId = null }, place) => {
      const id = partIdOf(entryId, at)
      const { debtor, remittance, reference } = part
      const sender: SenderOfDeposit = { ...debtor, words: remittance }
      const sealed = encryptForRow(id, { sender, reference }).toString('base64')
      return { id, entry_id: entryId, kind, payment_id: paymentId, account, ...part.amount, sealed, place }
    })
    await this.tx`
      insert into bank_entry_parts (id, connection, entry_id, kind, payment_id, account, amount, currency, sealed)
      select p.id, ${this.connection}, p.entry_id, p.kind, p.payment_id, p.account, p.amount, p.currency,
        decode(p.sealed, 'base64')
      from jsonb_to_recordset(${this.tx.json(rows)}) p (id uuid, entry_id uuid, kind text, payment_id uuid, account text,
        amount numeric, currency text, sealed text, place integer)
      order by p.place`
  }
}

/** Entries that may be those of a page: the ones that are stored, with what the page adds and learns. */
import { type KnownEntry, factsOf, referenceOf } from '../../domain/bank-files/entry-matching.ts'
import type { BankEntry } from '../../domain/bank-files/messages.ts'
import { type Money, moneyOf } from '../../domain/money/money.ts'
import { decryptForRow } from '../../platform/encryption.ts'
import type { Transaction } from '../../db/postgres/sql.ts'
import type { EntryPlace, PlacedEntry } from './entries.ts'

/** Entry as it will be stored. */
export type Candidate = {
  -readonly [Name in keyof KnownEntry]: Name extends 'mentions' ? KnownEntry['mentions'][number][] : KnownEntry[Name]
} & {
  readonly direction: 'credit' | 'debit'
  readonly isReversal: boolean
  readonly amount: Money
  bookedAt: string
}

type Row = Pick<Candidate, 'id' | 'reference' | 'direction' | 'mentions'> & {
  readonly amount: string
  readonly currency: string
  readonly reversal: boolean
  readonly booked_on: string | null
  readonly valued_on: string | null
  readonly booked_at: string
  readonly sealed: Buffer
}

type Alike = Pick<Candidate, 'direction' | 'isReversal' | 'amount'>
const kindOf = ({ amount, direction, isReversal }: Alike): string =>
  JSON.stringify([moneyOf(amount.amount, amount.currency), direction, isReversal])

export class KnownEntries {
  readonly added: Candidate[] = []
  readonly learned = new Set<Candidate>()
  private readonly byId = new Map<string, Candidate>()
  private readonly byKind = new Map<string, Candidate[]>()

  private constructor(known: readonly Candidate[]) {
    for (const one of known) this.keep(one)
  }

  /** Reads the entries that may be those of a page: of their references, or of their days and amounts. */
  static async read(tx: Transaction, page: readonly PlacedEntry[]): Promise<KnownEntries> {
    const [first] = page
    if (!first) return new KnownEntries([])
    const { connection, account, fileId } = first.place
    const references = new Set(page.flatMap(({ entry }) => referenceOf(entry) ?? []))
    const rows = await tx<Row[]>`
      with found as (
        select e.id from bank_entries e
        where e.connection = ${connection} and e.account = ${account} and e.reference = any (${[...references]}::text[])
        union
        select e.id from bank_entries e join jsonb_to_recordset(${tx.json(daysOf(page))})
          d (amount numeric, currency text, direction text, reversal boolean, booked_on date, valued_on date, unnamed boolean)
          on e.currency = d.currency and e.amount = d.amount and e.direction = d.direction and e.reversal = d.reversal
        where e.connection = ${connection} and e.account = ${account}
          and (e.booked_on = d.booked_on or e.valued_on = d.valued_on)
          -- entries of one file are never the same: the pages before would be read with each page
          and case when d.unnamed or e.reference is null then
            not exists (select from bank_entry_mentions m where m.entry_id = e.id and m.file_id = ${fileId}) else false end)
      select e.id, e.reference, e.direction, e.reversal, e.amount, e.currency, e.booked_on, e.valued_on, e.booked_at,
        e.sealed, (
        select coalesce(jsonb_agg(jsonb_build_object('kind', m.kind, 'report', m.report, 'fileId', m.file_id)), '[]')
        from bank_entry_mentions m where m.entry_id = e.id) as mentions
      from bank_entries e where e.id in (select id from found) order by e.inserted_at, e.id`
    return new KnownEntries(rows.map(candidateOf))
  }

  /** Lists the entries of the same account, direction and amount that may be this one. */
  alike(entry: BankEntry): readonly Candidate[] {
    const reference = referenceOf(entry)
    const isSameDay = (one: Candidate) =>
      (entry.bookedOn !== null && one.bookedOn === entry.bookedOn) ||
      (entry.valuedOn !== null && one.valuedOn === entry.valuedOn)
    return (this.byKind.get(kindOf(entry)) ?? []).filter(
      (one) =>
        (reference !== null && one.reference === reference) ||
        ((reference === null || one.reference === null) && isSameDay(one)),
    )
  }

  add(one: Candidate): Candidate {
    this.added.push(one)
    this.keep(one)
    return one
  }

  /** Adds what another file says of an entry: its reference, its days, and an earlier instant. */
  learn(id: string, { entry, place }: PlacedEntry): Candidate {
    const one = this.byId.get(id)
    if (!one) throw new Error('an entry is not among those that were read')
    const also = factsOf(entry)
    one.reference ??= referenceOf(entry)
    one.bookedOn ??= entry.bookedOn
    one.valuedOn ??= entry.valuedOn
    if (Date.parse(place.bookedAt) < Date.parse(one.bookedAt)) one.bookedAt = place.bookedAt
    const { facts } = one
    one.facts = {
      ids: facts.ids.length > 0 ? facts.ids : also.ids,
      debtors: facts.debtors.length > 0 ? facts.debtors : also.debtors,
      words: facts.words.length >= also.words.length ? facts.words : also.words,
    }
    if (!this.added.includes(one)) this.learned.add(one)
    return one
  }

  private keep(one: Candidate): void {
    this.byId.set(one.id, one)
    const kind = kindOf(one)
    const others = this.byKind.get(kind)
    if (others) others.push(one)
    else this.byKind.set(kind, [one])
  }
}

/** Lists the days of a page with the amounts of each; `unnamed`: an entry of it has no reference. */
function daysOf(page: readonly { readonly entry: BankEntry; readonly place: EntryPlace }[]) {
  const days = new Map<string, { [Name in 'amount' | 'currency' | 'direction']: string } & DayOf>()
  for (const { entry } of page) {
    const { amount, bookedOn, direction, isReversal, valuedOn } = entry
    const key = `${kindOf(entry)}:${bookedOn}:${valuedOn}`
    const unnamed = referenceOf(entry) === null || days.get(key)?.unnamed === true
    days.set(key, { ...amount, direction, reversal: isReversal, booked_on: bookedOn, valued_on: valuedOn, unnamed })
  }
  return [...days.values()]
}
type DayOf = {
  readonly reversal: boolean
  readonly booked_on: string | null
  readonly valued_on: string | null
  readonly unnamed: boolean
}

const candidateOf = ({
  booked_at: bookedAt,
  booked_on: bookedOn,
  valued_on: valuedOn,
  sealed,
  ...row
}: Row): Candidate => ({
  id: row.id,
  reference: row.reference,
  direction: row.direction,
  isReversal: row.reversal,
  amount: moneyOf(row.amount, row.currency),
  bookedOn,
  valuedOn,
  bookedAt,
  facts: decryptForRow(row.id, sealed) as KnownEntry['facts'], // written in entries.ts
  mentions: row.mentions,
})

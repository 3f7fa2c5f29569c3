/** Pages before any layout: parties, facts, rows, sums, bank details and notes, with their truth. */
import type { BillField } from '../../../domain/bills/fields.ts'
import type { NotPayable } from '../../../domain/bills/reader.ts'
import { amountText } from '../model.ts'
import { type Random, pick, randomBy } from '../random.ts'
import { bankOf, byFour, payerIbanOf } from './bank.ts'
import { billBy } from './bill.ts'
import type { Country } from './countries.ts'
import { below, dayAfter, dayBy, digits, moneyBy, numberBy, taxIdBy } from './formats.ts'
import { OTHER_TAXES, TAX_LABELS, numberOf, saysCurrency, titleNumber, titleOf } from './labels.ts'
import { type Half, type Word, wordsOf } from './words.ts'

// prettier-ignore
export const KINDS = [
  'invoice', 'rates', 'sentence', 'utility', 'card', 'status', 'method', 'debit', 'folio', 'instalment', 'prepaid',
  'credit', 'self-billed', 'pro-forma', 'quote', 'statement', 'delivery', 'confirmation', 'reminder', 'long', 'terms', 'discount',
] as const
export type SceneKind = (typeof KINDS)[number]

export type Pair = readonly [label: string, value: string]
export type Row = { readonly text: string; readonly cells: readonly [quantity: string, price: string, amount: string] }

/** Blocks of a page. Every layout prints all of them, so that what they say is the truth of the page. */
export type Scene = {
  readonly word: (word: Word) => string
  readonly title: string
  readonly seller: { readonly name: string; readonly lines: readonly string[]; readonly ids: readonly Pair[] }
  readonly contact: readonly string[]
  readonly buyer: readonly string[]
  readonly facts: readonly Pair[]
  readonly rows: readonly Row[]
  readonly sums: readonly Pair[]
  /** The most important sum. */
  readonly payable: Pair | null
  readonly bank: readonly Pair[]
  readonly notes: readonly string[]
  readonly fields: Partial<Record<BillField, string | null>>
  readonly notPayable: NotPayable | null
}

const BUYERS = [
  'Kestrel & Vale Holdings',
  'Obermatt Projekt GmbH',
  'Lumière Nord SAS',
  'Ferrante Bros.',
  'Acme Widgets',
]

const EMPTY = {
  tax_total: null, payment_reference: null, due_date: null, iban: null, account_number: null, swift_code: null,
  sort_code: null, aba_code: null, bsb_code: null, account_holder_name: null,
} as const // prettier-ignore

/** Kinds that say in a sentence when to pay. */
const SAYS_DUE: ReadonlySet<SceneKind> = new Set(['sentence', 'utility', 'terms'])

/** Fields that a page which claims nothing need not have. */
const NOT_OF_OTHERS = ['amount', 'tax_total', 'currency', 'bill_number', 'issue_date', 'due_date'] as const

/** Makes what one page says. Labels are also in `second`, if given. */
export function sceneOf(seed: number, half: Half, kind: SceneKind, country: Country, second?: string): Scene {
  const page = new WrittenPage(seed, half, kind, country, second)
  page.addFacts()
  page.addSums()
  page.addBank()
  page.addNotes()
  return page.end()
}

const NO_BILLS: ReadonlySet<SceneKind> = new Set(['quote', 'statement', 'delivery', 'confirmation'])
const REASONS: Partial<Record<SceneKind, NotPayable>> = {
  card: 'card',
  method: 'card',
  status: 'paid',
  debit: 'direct_debit',
  folio: 'paid',
  credit: 'credit_note',
  'self-billed': 'credit_note',
  'pro-forma': 'pro_forma',
}

/** A page that is being written: each block adds to the truth what it says. */
class WrittenPage {
  private readonly random: Random
  private readonly word: Scene['word']
  private readonly form: string
  private readonly dayForm: string
  private readonly name: string
  private readonly issue: string
  private readonly due: string
  private readonly isBare: boolean
  private readonly number: string
  private readonly billed: ReturnType<typeof billBy>
  private readonly owed: bigint
  private readonly facts: Pair[] = []
  private readonly sums: Pair[] = []
  private readonly bank: Pair[] = []
  private readonly notes: string[] = []
  private readonly fields: Partial<Record<BillField, string | null>>
  private readonly blanks: Readonly<Record<string, string>>
  private last: Pair | null = null

  constructor(
    seed: number,
    private readonly half: Half,
    private readonly kind: SceneKind,
    private readonly country: Country,
    second: string | undefined,
  ) {
    const random = randomBy(seed)
    this.random = random
    const first = wordsOf(country.language, half)
    const other = second === undefined ? undefined : wordsOf(second, half)
    this.word = (one) => (other?.(one) ? `${first(one)} / ${other(one)}` : first(one))
    this.form = pick(random, country.money)
    this.dayForm = pick(random, country.days)
    this.name = pick(random, namesOf(country, half))
    this.issue = dayAfter('2025-01-02', below(random, 690))
    this.due = dayAfter(this.issue, pick(random, [7, 10, 14, 21, 30, 45]))
    this.isBare = random() < 0.6
    this.number = numberOf(random, this.issue)
    this.billed = billBy(random, kind, country)
    this.owed = kind === 'prepaid' ? this.billed.gross - this.billed.gross / 4n : this.billed.gross
    this.fields = { ...EMPTY, bill_number: this.number, supplier_name: this.name }
    const { unit } = this.billed
    const rest = this.money(unit * BigInt(3 + below(random, 40)))
    const former = this.money(unit * BigInt(5 + below(random, 90)))
    const four = digits(random, 4)
    this.blanks = { x: rest, former, 4: four, iban: byFour(payerIbanOf(random, country.code)), due: this.day(this.due) }
  }

  addFacts(): void {
    const { random, word, kind, facts } = this
    facts.push([titleNumber(kind, word), this.number], [word('issued'), this.day(this.issue)])
    this.fields.issue_date = this.issue
    if (random() < 0.6) facts.push([word('customer'), `${pick(random, ['K', '', 'C-'])}${digits(random, 5)}`])
    if (this.isAsked && !SAYS_DUE.has(kind) && random() < 0.8) {
      facts.push([word('due'), this.day(this.due)])
      this.fields.due_date = this.due
    }
    if (word('order') && random() < 0.35) {
      facts.push([word('order'), `${below(random, 2) ? 'PO-' : ''}${digits(random, 6)}`])
      facts.push([word('delivered'), this.day(dayAfter(this.issue, -1 - below(random, 9)))])
    }
    if (kind === 'status') facts.push([word('status'), word('paid')])
    if (kind === 'method') facts.push([word('method'), this.filled('card')])
  }

  addSums(): void {
    const { random, word, kind, sums, country, billed } = this
    const { net, tax, gross } = billed
    if (tax > 0n) sums.push([word('net'), this.money(net)], ...this.taxes())
    const year = random() < 0.12 ? this.issue.slice(0, 4) : null
    const period = year ?? (random() < 0.1 ? dayBy(this.issue, 'MMMM YYYY', country.language) : null)
    sums.push([`${word('gross')}${period === null ? '' : ` ${period}`}`, this.money(gross)])
    if (kind === 'prepaid') sums.push([word('prepaid'), `-${this.money(gross - this.owed)}`])
    if (kind === 'folio') {
      sums.push([this.filled('card'), `-${this.money(gross)}`])
      this.last = [word('balance'), this.money(0n)]
    } else if (this.isAsked && (kind === 'prepaid' || random() < 0.6)) {
      this.last = [word('payable'), this.money(this.owed)]
    }
    this.fields.amount = `${this.minus}${amountText(this.owed, country.currency)}`
    if (saysCurrency(this.form)) this.fields.currency = country.currency
  }

  /** Writes taxes by rate; those of India are two halves in most bills. */
  private taxes(): Pair[] {
    const { code, currency, signs } = this.country
    const { taxes, tax, rate } = this.billed
    if (code === 'IN' && this.random() < 0.6) {
      return ['CGST', 'SGST'].map((name, at) => [
        `${name} @ ${rate / 2}%`,
        this.money(at === 0 ? tax / 2n : tax - tax / 2n),
      ])
    }
    if (taxes.filter((one) => one.tax > 0n).length === 1)
      this.fields.tax_total = `${this.minus}${amountText(tax, currency)}`
    const label = code === 'IN' ? 'IGST' : (OTHER_TAXES[code] ?? this.word('tax'))
    const decimal = signs.endsWith(',') ? ',' : '.'
    return taxes.map((one) => [`${label} ${String(one.rate).replace('.', decimal)} %`, this.money(one.tax)])
  }

  addBank(): void {
    const { random, word, country, bank } = this
    if (!this.isAsked || random() >= 0.85) return
    const details = bankOf(random, country, this.name, word)
    bank.push(...details.bank)
    Object.assign(this.fields, details.fields)
    const isGiro = ['SE', 'NO', 'FI', 'CZ'].includes(country.code)
    if (!isGiro && random() >= 0.4) return
    const reference = random() < 0.5 || ['SE', 'NO'].includes(country.code) ? digits(random, 10) : this.number
    bank.push([word('reference'), reference])
    this.fields.payment_reference = reference
  }

  addNotes(): void {
    const { kind, notes, word } = this
    if (kind === 'card') notes.push(this.filled('paidBy'))
    if (kind === 'debit') notes.push(this.filled('debit'))
    if (kind === 'instalment') notes.push(this.filled('rest'))
    if (kind === 'utility') notes.push(this.filled('former', { x: this.blanks['former'] ?? '' }))
    if (kind === 'sentence' || kind === 'utility') {
      notes.push(this.filled('byDay'))
      this.fields.due_date = this.due
    }
    if (kind === 'terms') {
      const days = pick(this.random, [14, 30])
      notes.push(this.filled('terms', { n: String(days) }))
      this.fields.due_date = dayAfter(this.issue, days)
    }
    if (kind === 'discount') {
      const x = this.money((this.owed * 98n) / 100n)
      notes.push(this.filled('discount', { x, due: this.day(dayAfter(this.issue, 7)) }))
    }
    if (kind === 'self-billed' && this.half !== 'made') notes.push(word('selfBilled'))
    notes.push(word('thanks'))
  }

  end(): Scene {
    const { random, kind, country, word, facts, sums, last, bank, notes, fields, half, name } = this
    const lines = [pick(random, country.streets), pick(random, country.towns)]
    const taxId = country.taxId && random() < 0.85 ? taxIdBy(random, country.taxId) : null
    const taxLabel = TAX_LABELS[country.code]?.[half === 'made' ? 0 : 1] ?? word('taxId')
    fields.supplier_tax_id = taxId
    const letters = name.normalize('NFKD').replaceAll(/[^A-Za-z]/g, '')
    const domain = `${letters.toLowerCase().slice(0, 14) || 'office'}.example`
    const phone = `Tel. ${digits(random, 3)} ${digits(random, 3)} ${digits(random, 4)}`
    const buyer = [pick(random, BUYERS), pick(random, country.streets), pick(random, country.towns)]
    if (kind === 'folio') delete fields.amount
    if (NO_BILLS.has(kind)) for (const field of NOT_OF_OTHERS) delete fields[field]
    const inRow = (minor: bigint) =>
      this.isBare ? numberBy(minor, country.currency, country.signs) : this.money(minor)
    return {
      word,
      facts,
      sums,
      bank,
      notes,
      fields,
      buyer,
      title: titleOf(kind, word),
      seller: { name, lines, ids: taxId ? [[taxLabel, taxId]] : [] },
      contact: [phone, `info@${domain}`, `www.${domain}`],
      payable: last,
      notPayable: this.reason,
      rows: this.billed.items.map(({ text, quantity, price }) => ({
        text,
        cells: [String(quantity), inRow(price), inRow(BigInt(quantity) * price)],
      })),
    }
  }

  private get reason(): NotPayable | null {
    return REASONS[this.kind] ?? (NO_BILLS.has(this.kind) ? 'not_a_bill' : null)
  }

  private get isAsked(): boolean {
    return this.reason === null || this.kind === 'pro-forma'
  }

  private get minus(): string {
    return this.reason === 'credit_note' ? '-' : ''
  }

  private day(day: string): string {
    return dayBy(day, this.dayForm, this.country.language)
  }

  private money(minor: bigint): string {
    return moneyBy(minor, this.country, this.form)
  }

  /** Fills the blanks of a sentence. */
  private filled(word: Word, given: Readonly<Record<string, string>> = {}): string {
    const blanks = { ...this.blanks, ...given }
    return this.word(word).replaceAll(/\{(\w+)\}/g, (_, name: string) => blanks[name] ?? '')
  }
}

/** Chooses names of suppliers for a half, so that the halves share as few as they can. */
export function namesOf({ suppliers }: Country, half: Half): readonly string[] {
  const names = suppliers.filter((_, at) => at % 2 === (half === 'made' ? 0 : 1))
  return names.length > 0 ? names : suppliers
}

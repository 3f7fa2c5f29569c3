/** The XML part of the corpus: every form in turn, rare content, and contradictions. */
import type { BillField } from '../../domain/bills/fields.ts'
import { FORMS, type Form, electronic, electronicTruth, leaving } from './electronic.ts'
import { type BillModel, LANGUAGES, type Language, type Line, type Truth } from './model.ts'
import { accountOf, billOf, ibanOf, randomBy } from './random.ts'

export type CorpusFile = {
  readonly half: Half
  readonly name: string
  readonly bytes: Buffer
  readonly truth: Truth
}
/** Halves with different seeds; the held-out one is not looked at while rules are written. */
export const HALVES = ['made', 'held-out'] as const
type Half = (typeof HALVES)[number]

/** Files of both halves, always with the same bytes. */
export const xmlFiles = (): CorpusFile[] => HALVES.flatMap((half) => [...formFiles(half), ...oddFiles(half)])

const seedOf = (half: Half, index: number): number => 2 * (7000 + index) + HALVES.indexOf(half)
const languageOf = (half: Half, index: number): Language =>
  // the rest is an index of the list
  LANGUAGES[(index + HALVES.indexOf(half) * 3) % LANGUAGES.length] as Language

const file = (half: Half, name: string, bill: BillModel, form: Form): CorpusFile => ({
  half,
  name: `${name}-${form}-${bill.language}.xml`,
  bytes: Buffer.from(electronic(bill, form)),
  truth: electronicTruth(bill, form),
})

/** Each form with a plain bill and with a rich one. */
function formFiles(half: Half): CorpusFile[] {
  return FORMS.flatMap((form, index) => {
    const language = languageOf(half, index)
    const rich = { ...billOf(seedOf(half, index + 20), language), ...richOf(half, index, language) }
    return [file(half, 'plain', billOf(seedOf(half, index), language), form), file(half, 'rich', rich, form)]
  })
}

/** Several rates, an allowance, a charge, an earlier payment, and other accounts. */
function richOf(half: Half, index: number, language: Language): Partial<BillModel> {
  const lines: Line[] = [
    { text: 'A', quantity: 3, price: 4_999n, rate: 20 },
    { text: 'B', quantity: 10, price: 1_234n + BigInt(index), rate: 5.5 },
    { text: 'C', quantity: 1, price: 99_999n, rate: 10 },
  ]
  const payerIban = ibanOf(randomBy(seedOf(half, index + 40)), language === 'en' ? 'IE' : language.toUpperCase())
  return {
    lines,
    allowance: 1_000n,
    charge: 499n,
    prepaid: 10_000n,
    rounding: -2n,
    payerIban,
    payeeName: 'Inkasso & Co.',
  }
}

const CREDIT_OR_DEBIT: readonly [name: string, form: Form, given: Partial<BillModel>][] = [
  ['credit-note', 'ubl-peppol', { typeCode: '381' }],
  ['credit-note', 'cii-extended', { typeCode: '381' }],
  ['credit-note', 'cii-zugferd-1', { typeCode: '381' }],
  ['debit-59', 'ubl-xrechnung', { meansCode: '59' }],
  ['debit-49', 'cii-en16931', { meansCode: '49' }],
  ['card-48', 'ubl-peppol', { meansCode: '48' }],
  ['corrected', 'cii-xrechnung', { typeCode: '384' }],
  ['self-billed', 'ubl-peppol', { typeCode: '389' }],
  ['pro-forma', 'cii-basic', { typeCode: '325' }],
]

function oddFiles(half: Half): CorpusFile[] {
  const kinds = CREDIT_OR_DEBIT.map(([name, form, given], index) => {
    const language = languageOf(half, index)
    const payerIban = ibanOf(randomBy(seedOf(half, index + 60)), 'DE')
    return file(half, name, billOf(seedOf(half, index + 60), language, { payerIban, ...given }), form)
  })
  const number = { iban: null, number: '00319268', branch: '601613', bic: null }
  const british = billOf(seedOf(half, 80), 'en', {
    currency: 'GBP',
    accounts: [{ ...accountOf(randomBy(1), 'GB'), ...number }],
  })
  const random = randomBy(seedOf(half, 81))
  const several = billOf(seedOf(half, 81), 'nl', { accounts: [accountOf(random, 'NL'), accountOf(random, 'BE')] })
  return [
    ...kinds,
    file(half, 'sort-code', british, 'ubl-peppol'),
    file(half, 'two-accounts', several, 'cii-en16931'),
    rewritten(file(half, 'latin-1', billOf(seedOf(half, 82), 'de'), 'cii-en16931'), {
      encoding: 'latin1',
      change: (xml) => xml.replace('UTF-8', 'ISO-8859-1'),
    }),
    rewritten(file(half, 'utf-16', billOf(seedOf(half, 83), 'fr'), 'ubl-xrechnung'), {
      encoding: 'utf16le',
      change: (xml) => `\uFEFF${xml.replace('UTF-8', 'UTF-16')}`,
    }),
    // the payable amount is ten times what the other sums say
    rewritten(file(half, 'wrong-sum', billOf(seedOf(half, 84), 'es'), 'ubl-peppol'), {
      change: (xml) => xml.replace(/(PayableAmount[^>]*>[0-9]+)\./, '$10.'),
      without: ['amount', 'tax_total'],
    }),
    rewritten(file(half, 'wrong-iban', billOf(seedOf(half, 85), 'it', { payeeName: null }), 'cii-extended'), {
      change: (xml) =>
        xml.replace(/(<ram:PayeeParty.*?IBANID>.{10})(.)/, (_, head, a) => `${head}${(Number(a) + 1) % 10}`),
      without: ['iban', 'bank_country_alpha2'],
    }),
  ]
}

type Rewrite = {
  readonly encoding?: BufferEncoding
  readonly change: (xml: string) => string
  /** Fields that the file no longer gives. */
  readonly without?: readonly BillField[]
}

const rewritten = (given: CorpusFile, { encoding, change, without = [] }: Rewrite): CorpusFile => ({
  ...given,
  bytes: Buffer.from(change(given.bytes.toString()), encoding),
  truth: leaving(given.truth, ...without),
})

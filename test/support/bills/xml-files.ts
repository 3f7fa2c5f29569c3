/** The XML part of the corpus: every form in turn, rare content, contradictions, and hostile files. */
import { FORMS, type Form, electronic, electronicTruth } from './electronic.ts'
import { type BillModel, LANGUAGES, type Language, type Line, type PayeeAccount, type Truth } from './model.ts'
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
export const xmlFiles = (): CorpusFile[] =>
  HALVES.flatMap((half) => [...formFiles(half), ...oddFiles(half), ...hostileFiles(half)])

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
  const british: PayeeAccount = {
    ...accountOf(randomBy(1), 'GB'),
    iban: null,
    number: '00319268',
    branch: '601613',
    bic: null,
  }
  const bill = billOf(seedOf(half, 80), 'en', { currency: 'GBP', accounts: [british] })
  const random = randomBy(seedOf(half, 81))
  const several = billOf(seedOf(half, 81), 'nl', { accounts: [accountOf(random, 'NL'), accountOf(random, 'BE')] })
  return [
    ...kinds,
    file(half, 'sort-code', bill, 'ubl-peppol'),
    file(half, 'two-accounts', several, 'cii-en16931'),
    inLatin1(file(half, 'latin-1', billOf(seedOf(half, 82), 'de'), 'cii-en16931')),
    inUtf16(file(half, 'utf-16', billOf(seedOf(half, 83), 'fr'), 'ubl-xrechnung')),
    wrongSum(file(half, 'wrong-sum', billOf(seedOf(half, 84), 'es'), 'ubl-peppol')),
    wrongIban(file(half, 'wrong-iban', billOf(seedOf(half, 85), 'it', { payeeName: null }), 'cii-extended')),
  ]
}

const rewritten = (given: CorpusFile, change: (xml: string) => string): CorpusFile => ({
  ...given,
  bytes: Buffer.from(change(given.bytes.toString())),
})

const inLatin1 = (given: CorpusFile): CorpusFile => ({
  ...given,
  bytes: Buffer.from(given.bytes.toString().replace('UTF-8', 'ISO-8859-1'), 'latin1'),
})

const inUtf16 = (given: CorpusFile): CorpusFile => ({
  ...given,
  bytes: Buffer.from(`\uFEFF${given.bytes.toString().replace('UTF-8', 'UTF-16')}`, 'utf16le'),
})

/** Multiplies the payable amount by ten, against the other sums. */
function wrongSum(given: CorpusFile): CorpusFile {
  const changed = rewritten(given, (xml) => xml.replace(/(PayableAmount[^>]*>[0-9]+)\./, '$10.'))
  return { ...changed, truth: without(given.truth, 'amount', 'tax_total') }
}

function wrongIban(given: CorpusFile): CorpusFile {
  const changed = rewritten(given, (xml) =>
    xml.replace(/(<ram:PayeeParty.*?IBANID>.{10})(.)(.)/, (_, head, a, b) => `${head}${(Number(a) + 1) % 10}${b}`),
  )
  return {
    ...changed,
    truth: without(given.truth, 'iban', 'bank_country_alpha2'),
  }
}

const without = (truth: Truth, ...fields: (keyof NonNullable<Truth['fields']>)[]): Truth => ({
  ...truth,
  fields: truth.fields && { ...truth.fields, ...Object.fromEntries(fields.map((field) => [field, null])) },
})

function hostileFiles(half: Half): CorpusFile[] {
  const xml = electronic(billOf(seedOf(half, 90), languageOf(half, 90)), 'ubl-peppol')
  const headed = (head: string) => xml.replace(/\n</, `\n${head}<`)
  const inside = (content: string) => xml.replace(/(<Invoice[^>]*>)/, `$1${content}`)
  const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY a${at + 1} "&a${at};&a${at};&a${at};">`).join('')
  const files: [name: string, refused: Truth['refused'], text: string][] = [
    ['billion-laughs', 'hostile', headed(`<!DOCTYPE Invoice [<!ENTITY a0 "ha">${laughs}]>`)],
    ['external-entity', 'hostile', headed('<!DOCTYPE Invoice [<!ENTITY x SYSTEM "file:///etc/passwd">]>')],
    ['xinclude', 'hostile', inside('<x:include xmlns:x="http://www.w3.org/2001/XInclude" href="/etc/passwd"/>')],
    ['deep', 'hostile', inside('<a>'.repeat(5_000) + '</a>'.repeat(5_000))],
    ['two-roots', 'damaged', xml + xml.replace(/^.*\n/, '')],
    ['cut-off', 'damaged', xml.slice(0, -100)],
    ['order', 'not_a_bill', '<a xmlns="urn:un:unece:uncefact:data:SCRDMCCBDACIOMessageStructure:100"/>'],
    ['page', 'unknown_format', '<html xmlns="http://www.w3.org/1999/xhtml"/>'],
  ]
  return files.map(([name, refused, text]) => ({
    half,
    name: `hostile-${name}.xml`,
    bytes: Buffer.from(text),
    truth: { fields: null, not_payable: null, refused, kind: 'hostile', language: 'de' },
  }))
}

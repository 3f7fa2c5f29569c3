/** Receipts of shops and restaurants, long and narrow. */
import { amountText } from '../model.ts'
import { type Random, pick, randomBy } from '../random.ts'
import type { Country } from './countries.ts'
import { below, dayAfter, dayBy, digits, moneyBy, numberBy, taxIdBy } from './formats.ts'
import { saysCurrency } from './labels.ts'
import { escapeHtml } from './layouts-made.ts'
import type { FieldTruth } from './pages.ts'
import { namesOf } from './scene.ts'
import { type Half, wordsOf } from './words.ts'

const list = (text = ''): readonly string[] => text.split('|')

/** Words of totals, and of cards, before and behind `~` by half; then goods. */
const WORDS: Readonly<Record<string, readonly [totals: string, cards: string, goods: string]>> = {
  de: ['SUMME|Gesamt~ZU ZAHLEN|Total EUR', 'Kartenzahlung|VISA~girocard|EC-Cash', 'Vollmilch 1,5%|Bananen kg|Roggenbrot|Apfelschorle|Pfand 0,25|Spülmittel'],
  en: ['TOTAL|Total~BALANCE DUE|Total to pay', 'VISA DEBIT|Card~Mastercard|CONTACTLESS', 'SEMI SKIMMED MILK|Bananas loose|Sourdough|Flat white|Club sandwich|Washing up liquid'],
  fr: ['TOTAL|Total TTC~A PAYER|NET A PAYER', 'CB|Carte bancaire~CARTE BLEUE|Sans contact', 'Lait demi-écrémé|Bananes vrac|Baguette trad.|Café allongé|Croque-monsieur|Sac cabas'],
  es: ['TOTAL|Total a pagar~TOTAL (€)|IMPORTE', 'Tarjeta|VISA~Tarjeta bancaria|MASTERCARD', 'Leche entera|Plátano granel|Pan de molde|Café con leche|Menú del día|Bolsa'],
  it: ['TOTALE|Totale euro~TOTALE COMPLESSIVO|TOTALE DOVUTO', 'Carta|Bancomat~Pagamento elettronico|POS', 'Latte intero|Banane|Pane integrale|Cappuccino|Coperto|Acqua naturale'],
  nl: ['TOTAAL|Te betalen~Totaal EUR|TE VOLDOEN', 'PIN|Maestro~V PAY|Bankpas', 'Halfvolle melk|Bananen|Volkorenbrood|Koffie verkeerd|Broodje kroket|Statiegeld'],
  pt: ['TOTAL|Total a pagar~TOTAL EUR|A PAGAR', 'Multibanco|VISA~Cartão|MB WAY', 'Leite meio gordo|Banana|Pão de forma|Galão|Prato do dia|Saco'],
  pl: ['SUMA PLN|RAZEM~DO ZAPŁATY|Suma', 'Karta|VISA~Karta płatnicza|BLIK', 'Mleko 2%|Banany luz|Chleb żytni|Kawa latte|Zupa dnia|Torba'],
  sv: ['TOTALT|Att betala~Summa SEK|TOTAL', 'Kontokort|VISA~Bankkort|Swish', 'Mellanmjölk|Bananer|Rågbröd|Bryggkaffe|Dagens lunch|Påse'],
  da: ['TOTAL|I alt~AT BETALE|Total DKK', 'Dankort|VISA~Betalingskort|MobilePay', 'Letmælk|Bananer|Rugbrød|Kaffe|Dagens ret|Pose'],
  cs: ['CELKEM|Celkem Kč~K ÚHRADĚ|Suma', 'Karta|VISA~Platební karta|Bezhotovostně', 'Mléko polotučné|Banány|Chléb žitný|Káva|Polední menu|Taška'],
} // prettier-ignore

export type Receipt = { readonly html: string; readonly truth: FieldTruth; readonly name: string }

/** Tells whether receipts of a language can be made. */
export const hasReceipts = (language: string): boolean => WORDS[language] !== undefined

/** How a till prints: three ways for the half with rules, three for the other. */
type Style = {
  readonly name: string
  readonly font: string
  readonly rule: 'dashes' | 'signs'
  readonly large: 'name' | 'total' | 'both' | null
  readonly items: 'one line' | 'two lines' | 'price below'
  readonly numbered: 'named' | 'hash'
}
const STYLES: Readonly<Record<Half, readonly Style[]>> = {
  made: [
    { name: 'till', font: 'DejaVu Sans Mono', rule: 'dashes', large: null, items: 'one line', numbered: 'hash' },
    { name: 'table', font: 'Lato', rule: 'signs', large: 'name', items: 'one line', numbered: 'hash' },
    { name: 'fuel', font: 'Liberation Mono', rule: 'dashes', large: null, items: 'one line', numbered: 'named' },
  ],
  'held-out': [
    { name: 'market', font: 'DejaVu Sans Mono', rule: 'signs', large: null, items: 'two lines', numbered: 'named' },
    { name: 'bistro', font: 'Roboto', rule: 'dashes', large: 'both', items: 'one line', numbered: 'hash' },
    { name: 'slip', font: 'Liberation Mono', rule: 'signs', large: null, items: 'price below', numbered: 'hash' },
  ],
}
const UNITS: Readonly<Record<string, bigint>> = { HUF: 200n, CZK: 900n, PLN: 250n, SEK: 700n, DKK: 500n, INR: 4000n }

const row = (left: string, right: string, style = ''): string =>
  `<div style="display:flex;justify-content:space-between;${style}">
    <span>${escapeHtml(left)}</span><span>${escapeHtml(right)}</span></div>`
const centre = (text: string, style = ''): string => `<div style="text-align:center;${style}">${escapeHtml(text)}</div>`
const RULES = {
  dashes: '<div style="border-top:1px dashed #000;margin:1mm 0"></div>',
  signs: `<div style="overflow:hidden;white-space:nowrap">${'='.repeat(60)}</div>`,
}

type Item = { readonly text: string; readonly quantity: number; readonly price: bigint }
const sumOf = ({ quantity, price }: Item): bigint => BigInt(quantity) * price

function itemsOf(random: Random, { currency, language }: Country): Item[] {
  const [, , goods] = WORDS[language] ?? []
  const unit = UNITS[currency] ?? 60n
  return Array.from({ length: 2 + below(random, 9) }, () => ({
    text: pick(random, list(goods)),
    quantity: random() < 0.75 ? 1 : 2 + below(random, 3),
    price: unit * BigInt(1 + below(random, 16)) + BigInt(below(random, 99)),
  }))
}

/** Writes the lines of an item. */
function linesOf(item: Item, style: Style, plain: (minor: bigint) => string): string[] {
  const { text, quantity, price } = item
  const each = `   ${quantity} x ${plain(price)}`
  if (style.items === 'two lines') return [row(text, ''), row(each, plain(sumOf(item)))]
  if (style.items === 'price below') return [row(text, plain(sumOf(item))), ...(quantity > 1 ? [row(each, '')] : [])]
  return [row(quantity > 1 ? `${quantity}x ${text}` : text, plain(sumOf(item)))]
}

/** Makes a receipt, paid by card or in cash. */
export function receiptOf(seed: number, half: Half, country: Country): Receipt {
  const random = randomBy(seed)
  const { currency, language, signs } = country
  const [totals, cards] = (WORDS[language] ?? []).map((words) => words.split('~')[half === 'made' ? 0 : 1])
  const word = wordsOf(language, half)
  const style = pick(random, STYLES[half])
  const name = pick(random, namesOf(country, half))
  const printedName = style.large === null && random() < 0.5 ? name.toUpperCase() : name
  const items = itemsOf(random, country)
  const total = items.reduce((sum, item) => sum + sumOf(item), 0n)
  const plain = (minor: bigint) => numberBy(minor, currency, signs)
  const form = pick(random, country.money)
  const rate = country.rates[0] ?? 0
  const tax = total - (total * 10_000n) / BigInt(10_000 + Math.round(rate * 100))
  const day = dayAfter('2025-01-02', below(random, 690))
  const dayForm = country.days.find((one) => !one.includes('MMM')) ?? 'YYYY-MM-DD'
  const when = `${dayBy(day, dayForm, language)} ${10 + below(random, 10)}:${10 + below(random, 49)}`
  const number = digits(random, 4 + below(random, 5))
  const taxId = country.taxId ? taxIdBy(random, country.taxId) : null
  const given = ((total + 1999n) / 1000n) * 1000n
  const label = pick(random, list(totals))
  const shown = style.large === null ? plain(total) : moneyBy(total, country, form)
  const says = [currency, 'Kč', '€', 'euro'].some((sign) => label.includes(sign))
  const hasCurrency = says || (style.large !== null && saysCurrency(form))
  const rule = RULES[style.rule]
  const rateText = `${String(rate).replace('.', signs.endsWith(',') ? ',' : '.')}%`
  const blocks = [
    centre(printedName, style.large === null ? 'font-weight:700' : 'font-size:14pt'),
    ...[pick(random, country.streets), pick(random, country.towns)].map((line) => centre(line)),
    ...(taxId ? [centre(`${word('taxId')}: ${taxId}`)] : []),
    rule,
    style.numbered === 'named' ? row(`${word('receipt')} ${number}`, when) : row(when, `#${number}`),
    rule,
    ...items.flatMap((item) => linesOf(item, style, plain)),
    rule,
    row(label, shown, `font-weight:700;${style.large === 'both' ? 'font-size:15pt' : ''}`),
    ...(random() < 0.4
      ? [row(word('cash'), plain(given)), row(word('change'), plain(given - total))]
      : [row(pick(random, list(cards)), plain(total))]),
    ...(rate > 0 ? [rule, row(`A ${rateText}`, `${plain(total - tax)}  ${plain(tax)}`)] : []),
    rule,
    centre(word('thanks')),
  ]
  return {
    name: style.name,
    html: `<style>body{font:8.5pt '${style.font}',monospace;margin:0;line-height:1.35}</style>${blocks.join('')}`,
    truth: {
      fields: {
        amount: amountText(total, currency),
        ...(hasCurrency && { currency }),
        supplier_name: printedName,
        supplier_tax_id: taxId,
        issue_date: day,
        iban: null,
        account_number: null,
        due_date: null,
      },
      not_payable: 'paid',
      refused: null,
      kind: 'receipt',
      language,
    },
  }
}

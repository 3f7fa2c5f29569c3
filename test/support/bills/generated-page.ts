/** Bills as typed pages, with noise around their sums: layouts by languages by notations. */
import fc from 'fast-check'

/** Labels of net, tax and total; days are ISO ones, so that no order is in question. */
const LANGUAGES = [
  ['Invoice', 'Invoice number', 'Invoice date', 'Subtotal', 'VAT', 'Total'],
  ['Rechnung', 'Rechnungsnummer', 'Rechnungsdatum', 'Nettobetrag', 'MwSt.', 'Gesamtbetrag'],
  ['Facture', 'Numéro de facture', 'Date de facture', 'Total HT', 'TVA', 'Total TTC'],
  ['Factura', 'Número de factura', 'Fecha de factura', 'Base imponible', 'IVA', 'Total factura'],
  ['Faktura', 'Číslo faktury', 'Datum vystavení', 'Celkem bez DPH', 'DPH', 'Celkem s DPH'],
  ['Fatura', 'Fatura No', 'Fatura Tarihi', 'Ara Toplam', 'KDV', 'Genel Toplam'],
  ['請求書', '請求書番号', '発行日', '小計', '消費税', '合計'],
] as const

const CURRENCIES = [
  { code: 'EUR', digits: 2 },
  { code: 'USD', digits: 2 },
  { code: 'JPY', digits: 0 },
  { code: 'KRW', digits: 0 },
  { code: 'TND', digits: 3 },
  { code: 'KWD', digits: 3 },
] as const

/** Signs of thousands and decimals. */
const NOTATIONS = [
  [',', '.'],
  ['.', ','],
  [' ', ','],
  ["'", '.'],
  ['\u202f', ','],
  ['', '.'],
] as const

/** Lines that belong to no sum; none may become the amount. */
export const NOISE = {
  plain: [
    'Tél : 71.12.34.56',
    'Tel. 030 12345678',
    'Taux 19.00 %',
    'Qty   2.00',
    'Order 2025-10-02, 12:30',
    'Page 1 of 2',
    'Visa 4*** **** **** 4242',
    'Tax ID: 12.345.678',
    '1 EUR = 1.0825 USD',
  ],
  sentences: [
    'Le montant restant dû après cette mensualité sera de 128,00€',
    'Ab einem Gesamtbetrag von 500,00 EUR liefern wir kostenlos frei Haus und ohne Aufpreis.',
    'Please note that orders with a total of 500.00 EUR or more are shipped free.',
    'If you pay the total of 77.00 USD before the end of the month we waive all fees.',
    'Sconto 2 % se pagato entro il 19 febbraio 2025: € 5.835,78.',
    'The outstanding balance after this instalment will be 128.00 EUR',
    'Nach dieser Rate beträgt der Restbetrag noch 64,00 EUR',
  ],
} as const

/** Words behind the label of a total, each with a number that is no amount. */
const SUFFIXES = [
  '',
  ' 2025',
  ' October 2025',
  ' for October 2025',
  ' on October 2, 2025',
  ' 02.10.2025',
  ' 2025-10-02',
]
/** Money beside a total that cannot be parsed, or is another's. */
const BESIDE = ['1,00,00.00', '12.3456.00', 'l19,00', '1.23.4,50', '9O.00'] as const

export type GeneratedBill = {
  readonly lines: readonly string[]
  /** The amount due as a plain decimal. */
  readonly amount: string
  readonly code: string
  /** Whether money beside the total was not parsed. */
  readonly isSpoiled: boolean
}

const written = (units: number, digits: number, [thousands, sign]: readonly [string, string]): string => {
  const whole = Math.floor(units / 10 ** digits)
  const grouped = String(whole).replaceAll(/\B(?=(?:\d{3})+$)/g, thousands)
  return digits === 0 ? grouped : `${grouped}${sign}${String(units % 10 ** digits).padStart(digits, '0')}`
}

export const plainDecimal = (units: number, digits: number): string =>
  digits === 0
    ? String(units)
    : `${Math.floor(units / 10 ** digits)}.${String(units % 10 ** digits).padStart(digits, '0')}`

/** Generates a bill; `spoiled` ones have money beside their total that is no amount. */
export const generatedBill = ({ spoiled }: { readonly spoiled: boolean }): fc.Arbitrary<GeneratedBill> =>
  fc
    .record({
      words: fc.constantFrom(...LANGUAGES),
      currency: fc.constantFrom(...CURRENCIES),
      notation: fc.constantFrom(...NOTATIONS),
      net: fc.integer({ min: 100_000, max: 99_999_999 }),
      place: fc.constantFrom('before', 'behind', 'cell'),
      layout: fc.constantFrom('rows', 'colons', 'heading'),
      hasParts: fc.boolean(),
      suffix: fc.constantFrom(...SUFFIXES),
      noise: fc.subarray([...NOISE.plain, ...NOISE.sentences]),
      beside: fc.constantFrom(...BESIDE),
      isNoiseFirst: fc.boolean(),
    })
    .map(({ words, currency, notation, net, place, layout, hasParts, suffix, noise, beside, isNoiseFirst }) => {
      const [title, number, day, netLabel, taxLabel, totalLabel] = words
      const { code, digits } = currency
      const tax = Math.floor(net / 5)
      const money = (units: number) => {
        const text = written(units, digits, notation)
        return place === 'before' ? `${code} ${text}` : place === 'behind' ? `${text} ${code}` : `${text}   ${code}`
      }
      const row = (label: string, units: number) =>
        layout === 'colons' ? `${label}: ${money(units)}` : `${label}   ${money(units)}`
      const total = `${row(`${totalLabel}${suffix}`, net + tax)}${spoiled ? `   ${beside}` : ''}`
      const column = (text: string) => text.padEnd(30)
      const sums =
        layout === 'heading' && !spoiled && place !== 'cell'
          ? [
              column(netLabel) + column(`${taxLabel} 20 %`) + totalLabel + suffix,
              column(money(net)) + column(money(tax)) + money(net + tax),
            ]
          : [...(hasParts && !spoiled ? [row(netLabel, net), row(`${taxLabel} 20 %`, tax)] : []), total]
      const head = [title, `${number}: INV-4711`, `${day}: 2025-10-02`]
      const spaced = noise.flatMap((line) => [line, ''])
      const lines = isNoiseFirst ? [...head, '', ...spaced, ...sums] : [...head, '', ...sums, '', ...spaced]
      return { lines, amount: plainDecimal(net + tax, digits), code, isSpoiled: spoiled }
    })

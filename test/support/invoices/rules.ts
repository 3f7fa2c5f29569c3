/**
 * Rules of EN 16931-1 (BR) and XRechnung 3.0 (BR-DE, and Peppol's that it takes). Included are those that our writer
 * can break: no payees or tax representatives. Written from the standard's own words,
 * independently of missingFor().
 */
import Big from 'big.js'
import { COUNTRIES } from '../../../domain/country.ts'
import { currencyDigits, isCoin } from '../../../domain/money/currencies.ts'
import type { Written, WrittenAdjustment } from './written.ts'

type Rule = readonly [id: string, holds: (written: Written) => boolean]

const number = (text: string | null): Big => new Big(text ?? 'none')
const sum = (amounts: readonly (string | null)[]): Big =>
  amounts.reduce((all, one) => all.plus(number(one)), new Big(0))
const isZero = (text: string | null): boolean => text !== null && number(text).eq(0)
const decimalsIn = (text: string | null): number => text?.split('.')[1]?.length ?? 0

/** Adds charges up, less discounts. */
const adjusted = (given: readonly WrittenAdjustment[]): Big =>
  given.reduce((all, { isCharge, amount }) => all.plus(number(amount).times(isCharge === 'true' ? 1 : -1)), new Big(0))
const of = (given: readonly WrittenAdjustment[], isCharge: string) => given.filter((one) => one.isCharge === isCharge)
const everyAdjustment = ({ adjustments, lines }: Written): readonly WrittenAdjustment[] => [
  ...adjustments,
  ...lines.flatMap((line) => line.adjustments),
]

/** Categories (5.6 of the standard): required VAT numbers, rates, and reasons of exemption. */
const CATEGORIES = {
  S: { rule: 'BR-S', seller: 'any', buyer: false, reason: null },
  Z: { rule: 'BR-Z', seller: 'any', buyer: false, reason: null },
  E: { rule: 'BR-E', seller: 'any', buyer: false, reason: 'any' },
  AE: { rule: 'BR-AE', seller: 'any', buyer: true, reason: 'VATEX-EU-AE' },
  K: { rule: 'BR-IC', seller: 'vat', buyer: true, reason: 'VATEX-EU-IC' },
  G: { rule: 'BR-G', seller: 'vat', buyer: false, reason: 'VATEX-EU-G' },
  O: { rule: 'BR-O', seller: 'none', buyer: false, reason: 'VATEX-EU-O' },
} as const
type Category = keyof typeof CATEGORIES

const inCategory = (category: Category): Rule[] => {
  const { rule, seller, buyer, reason } = CATEGORIES[category]
  const taxes = (written: Written) => written.taxes.filter((tax) => tax.category === category)
  const lines = (written: Written) => written.lines.filter((line) => line.category === category)
  const adjustments = (written: Written) => written.adjustments.filter((one) => one.category === category)
  const isIn = (written: Written) => lines(written).length + adjustments(written).length > 0
  const isRight = ({ rate }: { readonly rate: string | null }) =>
    category === 'O' ? rate === null : category === 'S' ? number(rate).gt(0) : isZero(rate)
  return [
    [
      `${rule}-01`,
      (one) => (category === 'S' ? taxes(one).length > 0 === isIn(one) : taxes(one).length === (isIn(one) ? 1 : 0)),
    ],
    [
      `${rule}-02 to ${rule}-04`,
      (one) =>
        !isIn(one) ||
        ((seller === 'none'
          ? one.seller.vatId === null && one.buyer.vatId === null
          : (one.seller.vatId ?? (seller === 'any' ? one.seller.taxId : null)) !== null) &&
          (!buyer || one.buyer.vatId !== null)),
    ],
    [`${rule}-05 to ${rule}-07`, (one) => [...lines(one), ...adjustments(one)].every(isRight)],
    [`${rule}-05, of the breakdown`, (one) => category === 'S' || taxes(one).every(({ rate }) => isZero(rate))],
    [
      `${rule}-08`,
      (one) =>
        taxes(one).every((tax) =>
          sum(
            lines(one).flatMap(({ rate, total }) =>
              rate === null || number(rate).eq(number(tax.rate)) ? [total] : [],
            ),
          )
            .plus(adjusted(adjustments(one).filter(({ rate }) => rate === null || number(rate).eq(number(tax.rate)))))
            .eq(number(tax.base)),
        ),
    ],
    [`${rule}-09`, (one) => category === 'S' || taxes(one).every(({ amount }) => isZero(amount))],
    [
      `${rule}-10`,
      (one) =>
        taxes(one).every((tax) =>
          reason === null
            ? tax.reason === null && tax.reasonCode === null
            : tax.reasonCode === reason || (reason === 'any' && tax.reason !== null),
        ),
    ],
  ]
}

const VAT_PREFIXES = new Set([...COUNTRIES, 'EL', 'XI'])
const startsWithCountry = (id: string | null): boolean => id === null || VAT_PREFIXES.has(id.slice(0, 2))

const RULES: readonly Rule[] = [
  ['BR-01', ({ specification }) => specification !== null],
  ['BR-02', (one) => one.number !== null],
  ['BR-03', ({ issued }) => issued !== null],
  ['BR-04', ({ typeCode }) => typeCode === '380'],
  ['BR-05', ({ currency }) => currency !== null],
  ['BR-06', ({ seller }) => seller.name !== null],
  ['BR-07', ({ buyer }) => buyer.name !== null],
  ['BR-08', ({ seller }) => seller.address !== null],
  ['BR-09, BR-CL-14', ({ seller }) => COUNTRIES.has(seller.address?.at(-1) ?? '')],
  ['BR-10', ({ buyer }) => buyer.address !== null],
  ['BR-11, BR-CL-14', ({ buyer }) => COUNTRIES.has(buyer.address?.at(-1) ?? '')],
  [
    'BR-12 to BR-15',
    ({ totals: { lines, net, tax, gross, payable } }) => ![lines, net, tax, gross, payable].includes(null),
  ],
  ['BR-29, BR-CO-19', ({ period: [from, to] }) => from === to || (from ?? '') <= (to ?? '')],
  [
    'BR-31 to BR-33, BR-36 to BR-38, BR-CO-21, BR-CO-22',
    ({ adjustments }) => adjustments.every(({ amount, category, reason }) => amount && category && reason),
  ],
  [
    'BR-41 to BR-44, BR-CO-23, BR-CO-24',
    ({ lines }) =>
      lines.every((line) => line.adjustments.every(({ amount, reason, category }) => amount && reason && !category)),
  ],
  [
    'BR-CO-11',
    ({ adjustments, totals }) =>
      adjusted(of(adjustments, 'false'))
        .neg()
        .eq(totals.discounts ?? 0),
  ],
  ['BR-CO-12', ({ adjustments, totals }) => adjusted(of(adjustments, 'true')).eq(totals.charges ?? 0)],
  [
    'PEPPOL-EN16931-R040 to R042',
    (one) =>
      everyAdjustment(one).every(({ percentage, base, amount }) =>
        percentage === null
          ? base === null
          : number(base).times(number(percentage)).div(100).minus(number(amount)).abs().lte(0.02),
      ),
  ],
  ['PEPPOL-EN16931-R043', (one) => everyAdjustment(one).every(({ isCharge }) => /^(true|false)$/.test(isCharge ?? ''))],
  ['BR-16', ({ lines }) => lines.length > 0],
  [
    'BR-21 to BR-26, BR-CO-04',
    ({ lines }) =>
      lines.every((line) => Object.entries(line).every(([term, value]) => term === 'rate' || value !== null)),
  ],
  ['BR-27', ({ lines }) => lines.every(({ price }) => number(price).gte(0))],
  ['BR-45 to BR-48', ({ taxes }) => taxes.every(({ base, amount, category }) => base && amount && category)],
  ['BR-48, BR-DE-14', ({ taxes }) => taxes.every(({ rate }) => rate !== null)],
  ['BR-49', ({ means }) => means.every(({ code }) => code === '30' || code === '58')],
  ['BR-50, BR-61', ({ means }) => means.every(({ account }) => account !== null)],
  ['BR-57, BR-IC-12', (one) => !one.taxes.some(({ category }) => category === 'K') || Boolean(one.deliveredTo?.at(-1))],
  [
    'BR-IC-11',
    (one) => !one.taxes.some(({ category }) => category === 'K') || (one.delivered ?? one.period[0] ?? null) !== null,
  ],
  ['BR-O-11, BR-O-12', ({ taxes }) => taxes.length === 1 || taxes.every(({ category }) => category !== 'O')],
  ['BR-CL-04', ({ currency }) => currency !== null && Object.hasOwn(currencyDigits, currency) && !isCoin(currency)],
  ['BR-CL-08', ({ noteCode }) => noteCode === null || noteCode === 'AAI'],
  ['BR-CO-09', ({ seller, buyer }) => startsWithCountry(seller.vatId) && startsWithCountry(buyer.vatId)],
  ['BR-CO-10', ({ lines, totals }) => sum(lines.map(({ total }) => total)).eq(number(totals.lines))],
  [
    'BR-CO-13',
    ({ totals }) =>
      number(totals.lines)
        .minus(totals.discounts ?? 0)
        .plus(totals.charges ?? 0)
        .eq(number(totals.net)),
  ],
  ['BR-CO-14', ({ taxes, totals }) => sum(taxes.map(({ amount }) => amount)).eq(number(totals.tax))],
  ['BR-CO-15', ({ totals }) => sum([totals.net, totals.tax]).eq(number(totals.gross))],
  ['BR-CO-16', ({ totals }) => number(totals.gross).eq(number(totals.payable))],
  [
    'BR-CO-17',
    ({ taxes, currency }) =>
      taxes.every(({ base, rate, amount }) =>
        number(base)
          .times(number(rate))
          .div(100)
          .round(currencyDigits[currency ?? ''], Big.roundHalfUp)
          .eq(number(amount)),
      ),
  ],
  ['BR-CO-18', ({ taxes }) => taxes.length > 0],
  ['BR-CO-25', ({ due }) => due !== null],
  ['BR-CO-26', ({ seller }) => (seller.id ?? seller.vatId) !== null],
  [
    'BR-DEC-01 to BR-DEC-28',
    ({ totals, taxes, lines, adjustments }) =>
      [
        ...Object.values(totals),
        ...[...adjustments, ...lines.flatMap((line) => line.adjustments)].flatMap(({ base, amount }) => [base, amount]),
        ...taxes.flatMap(({ base, amount }) => [base, amount]),
        ...lines.map(({ total }) => total),
      ].every((amount) => decimalsIn(amount) <= 2),
  ],
  ['PEPPOL-EN16931-R008', ({ empty }) => empty.length === 0],
  ...(['S', 'Z', 'E', 'AE', 'K', 'G', 'O'] as const).flatMap(inCategory),
]

const XRECHNUNG: readonly Rule[] = [
  ['BR-DE-1, BR-DE-23-a', ({ means }) => means.length > 0],
  ['BR-DE-2, BR-DE-5 to BR-DE-7', ({ seller }) => seller.contact.every((line) => line !== null)],
  ['BR-DE-3, BR-DE-4', ({ seller }) => Boolean(seller.address?.[2] && seller.address[3])],
  ['BR-DE-8, BR-DE-9', ({ buyer }) => Boolean(buyer.address?.[2] && buyer.address[3])],
  ['BR-DE-10, BR-DE-11', ({ deliveredTo }) => !deliveredTo || Boolean(deliveredTo[2] && deliveredTo[3])],
  ['BR-DE-15', ({ buyerReference }) => buyerReference !== null],
  [
    'BR-DE-16',
    ({ lines, seller }) => lines.every(({ category }) => category === 'O') || (seller.vatId ?? seller.taxId) !== null,
  ],
  [
    'BR-DE-18',
    ({ terms }) =>
      (terms ?? '\n').endsWith('\n') &&
      (terms ?? '')
        .split('\n')
        .every((row) => !row.startsWith('#') || /^#SKONTO#TAGE=[0-9]+#PROZENT=[0-9]+\.[0-9]{2}#$/.test(row)),
  ],
  ['BR-DE-21', ({ specification }) => specification?.endsWith('xrechnung_3.0') ?? false],
  ['BR-DE-27', ({ seller }) => /[0-9].*[0-9].*[0-9]/.test(seller.contact[1] ?? '')],
  ['PEPPOL-EN16931-R001', ({ process }) => process === 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0'],
  [
    'PEPPOL-EN16931-R120',
    ({ lines }) =>
      lines.every(({ quantity, price, total, adjustments }) =>
        number(quantity).times(number(price)).plus(adjusted(adjustments)).minus(number(total)).abs().lte(0.02),
      ),
  ],
  ['PEPPOL-EN16931-R010, R020', ({ seller, buyer }) => seller.endpoint !== null && buyer.endpoint !== null],
]

/** Returns the broken rules. A term that is no number breaks the rule that reads it. */
export function brokenBy(written: Written): string[] {
  const rules = written.specification?.includes('xrechnung') ? [...RULES, ...XRECHNUNG] : RULES
  return rules.flatMap(([id, holds]) => (isKept(holds, written) ? [] : [id]))
}

function isKept(holds: Rule[1], written: Written): boolean {
  try {
    return holds(written)
  } catch {
    return false
  }
}

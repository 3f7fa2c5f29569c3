/** Pages of both halves, ready to print: two halves that share neither layouts nor words of labels. */
import type { Truth } from '../model.ts'
import { pick, randomBy } from '../random.ts'
import { COUNTRIES } from './countries.ts'
import { HELD } from './layouts-held.ts'
import { MADE } from './layouts-made.ts'
import type { PageSize } from './print.ts'
import { hasReceipts, receiptOf } from './receipts.ts'
import { KINDS, sceneOf } from './scene.ts'
import { type Half, hasAllKinds } from './words.ts'

export type FieldTruth = Omit<Truth, 'fields' | 'language'> & {
  readonly fields: Partial<NonNullable<Truth['fields']>>
  readonly language: string
}
export type FieldPage = {
  readonly name: string
  readonly html: string
  readonly size: PageSize
  readonly truth: FieldTruth
}

/** Kinds whose words every language has. */
const EVERYWHERE: readonly string[] = ['invoice', 'rates', 'long']
const USUAL = ['DE', 'US', 'GB', 'FR', 'IN', 'NL', 'ES', 'IT', 'AU']
/** Countries whose bills are met most come twice. */
const ROUND = [...COUNTRIES, ...COUNTRIES.filter(({ code }) => USUAL.includes(code))]
const TILLS = COUNTRIES.filter(({ language }) => hasReceipts(language))
const LETTER = ['US', 'CA', 'MX']
/** Second languages of labels, by country. */
const SECOND: Readonly<Record<Half, Readonly<Record<string, string>>>> = {
  made: { BE: 'nl', CH: 'it', CA: 'fr' },
  'held-out': { AE: 'ar', KW: 'ar', SG: 'zh', FI: 'sv', LU: 'de', JP: 'en' },
}

const at = <Item>(items: readonly Item[], index: number): Item =>
  // the index of an item, since it is within the length
  items[index % items.length] as Item
const ordinalOf = (index: number) => String(index).padStart(3, '0')

/** Makes the page of an index: the same index is always the same page. */
export function fieldPage(half: Half, index: number): FieldPage {
  const country = at(ROUND, index * 7 + Math.floor(index / ROUND.length))
  const seed = (half === 'made' ? 1 : 50_001) + index
  const layout = pick(randomBy(seed), half === 'made' ? MADE : HELD)
  const kinds = KINDS.filter((kind) => hasAllKinds(country.language) || EVERYWHERE.includes(kind))
  const wanted = at(kinds, Math.floor(index / 3))
  const kind = layout.footed && wanted === 'long' ? 'invoice' : wanted
  const second = index % 3 === 1 ? SECOND[half][country.code] : undefined
  const scene = sceneOf(seed, half, kind, country, second)
  const capitals = layout.capitals && { supplier_name: scene.seller.name.toUpperCase() }
  return {
    name: `${ordinalOf(index)}-${layout.name}-${kind}-${country.code.toLowerCase()}`,
    html: layout.html(scene),
    size: { format: LETTER.includes(country.code) ? 'Letter' : 'A4' },
    truth: {
      fields: { ...scene.fields, ...capitals },
      not_payable: scene.notPayable,
      refused: null,
      kind,
      language: country.language,
    },
  }
}

/** Makes the receipt of an index. */
export function fieldReceipt(half: Half, index: number): FieldPage {
  const country = at(TILLS, index)
  const { name, html, truth } = receiptOf((half === 'made' ? 20_001 : 70_001) + index, half, country)
  return { name: `r${ordinalOf(index)}-${name}-${country.code.toLowerCase()}`, html, size: { width: '78mm' }, truth }
}

/** Titles, numbers and labels that go by the kind of a page or its country. */
import { type Random, pick } from '../random.ts'
import { digits } from './formats.ts'
import type { Scene, SceneKind } from './scene.ts'
import type { Word } from './words.ts'

/** Signs that several currencies have. */
const AMBIGUOUS = new Set(['$', 'kr', 'kr.', 'Rs.', 'R', '¥', 'DT', 'Dhs.', 'KD'])

/** Tells whether amounts of a form say their currency by themselves. */
export const saysCurrency = (form: string): boolean => !AMBIGUOUS.has(form.replaceAll(/[# ]/g, ''))

/** Taxes that go by country rather than by language. */
export const OTHER_TAXES: Readonly<Record<string, string>> = {
  US: 'Sales tax',
  AU: 'GST',
  NZ: 'GST',
  SG: 'GST',
  CA: 'GST',
  AE: 'VAT',
  GB: 'VAT',
  IE: 'VAT',
  ZA: 'VAT',
}

/** Labels of tax ids that go by country rather than by language. */
export const TAX_LABELS: Readonly<Record<string, readonly [string, string]>> = {
  US: ['Tax ID', 'EIN'],
  CA: ['GST/HST No.', 'GST Registration'],
  IN: ['GSTIN', 'GSTIN/UIN'],
  AU: ['ABN', 'A.B.N.'],
  NZ: ['GST No.', 'GST Number'],
  JP: ['Registration No.', 'T-Number'],
  TN: ['Matricule fiscal', 'M.F.'],
  MX: ['RFC', 'R.F.C.'],
  BR: ['CNPJ', 'C.N.P.J.'],
  SG: ['UEN', 'GST Reg. No.'],
  AE: ['TRN', 'Tax Registration Number'],
}

/** Makes a number of a bill in one of many forms. */
export function numberOf(random: Random, issue: string): string {
  const year = issue.slice(0, 4)
  return pick(random, [
    () => `${year}-${digits(random, 4)}`,
    () => `INV-${digits(random, 5)}`,
    () => `${year}/${digits(random, 3)}`,
    () => `1${digits(random, 7)}`,
    () => `FA${year.slice(2)}${digits(random, 5)}`,
    () => `SI-${year}-${digits(random, 4)}`,
    () => `${pick(random, ['DE', 'RO', 'SE', 'FI', 'LU', 'PL'])}-${digits(random, 6)}`,
    () => digits(random, 4),
  ])()
}

export function titleOf(kind: SceneKind, word: Scene['word']): string {
  const other: Partial<Record<SceneKind, Word>> = {
    credit: 'credit',
    'self-billed': 'selfBilled',
    'pro-forma': 'proForma',
    quote: 'quote',
    statement: 'statement',
    delivery: 'delivery',
    confirmation: 'confirmation',
    reminder: 'reminder',
  }
  return word(other[kind] ?? 'title')
}

/** Labels the number; that of a page which is no bill stands with its title. */
export const titleNumber = (kind: SceneKind, word: Scene['word']): string =>
  ['quote', 'statement', 'delivery', 'confirmation', 'credit', 'pro-forma'].includes(kind)
    ? `${titleOf(kind, word)} #`
    : word('number')

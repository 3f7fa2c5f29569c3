/**
 * Words of bills in many languages, in two vocabularies: the one before `~` is for pages that rules are written with,
 * the one behind it for pages that only score them.
 */

import { VOCABULARY } from './vocabulary.ts'
import { SHORT_VOCABULARY } from './vocabulary-short.ts'

export type Half = 'made' | 'held-out'

// prettier-ignore
const CORE = [
  'title', 'number', 'issued', 'due', 'to', 'customer', 'item', 'quantity', 'price', 'amount',
  'net', 'tax', 'gross', 'payable', 'bank', 'holder', 'reference', 'taxId', 'thanks', 'page',
] as const

// prettier-ignore
const MORE = [
  'paidBy', 'status', 'paid', 'method', 'card', 'debit', 'credit', 'proForma', 'quote', 'statement', 'delivery',
  'confirmation', 'reminder', 'selfBilled', 'receipt', 'cash', 'change', 'prepaid', 'balance', 'rest', 'former', 'byDay',
  'order', 'delivered', 'terms', 'discount',
] as const

export type Word = (typeof CORE)[number] | (typeof MORE)[number]

const LANGUAGES = { ...VOCABULARY, ...SHORT_VOCABULARY }

const tables = new Map<string, Readonly<Record<string, readonly [string, string]>>>()

function tableOf(language: string): Readonly<Record<string, readonly [string, string]>> {
  const known = tables.get(language)
  if (known) return known
  const { core, more = '' } = LANGUAGES[language] ?? { core: '' }
  const read = (keys: readonly string[], text: string) => {
    const words = text.split('|').map((word) => word.trim().split('~'))
    if (words.length !== keys.length) throw new Error(`${language} has ${words.length} words of ${keys.length}`)
    return keys.map((key, at) => [key, words[at]] as const)
  }
  const found = Object.fromEntries([...read(CORE, core), ...(more ? read(MORE, more) : [])])
  const table = found as unknown as Readonly<Record<string, readonly [string, string]>> // two vocabularies each
  tables.set(language, table)
  return table
}

/** Tells whether a language has the words of every kind of page. */
export const hasAllKinds = (language: string): boolean => LANGUAGES[language]?.more !== undefined

/** Chooses the words of a language for a half. */
export function wordsOf(language: string, half: Half): (word: Word) => string {
  const table = tableOf(language)
  return (word) => table[word]?.[half === 'made' ? 0 : 1] ?? table[word]?.[0] ?? ''
}

/** Amounts as people write them in a form. */
import type { Language } from '../../words/words.ts'

/**
 * Reads an amount as people write it: `1.250,50`, `1,250.50`, `1250.5`. Null if it is none, or is not clear: three digits
 * behind the only sign are thousands, unless that sign is the one for decimals in the language of the page. Behind a
 * single zero they are decimals in every language.
 */
export function readAmount(text: string, language: Language): string | null {
  const bare = text.replaceAll(/[\s’']/g, '')
  if (/^0[.,]\d{1,8}$/.test(bare)) return bare.replace(',', '.')
  const [, whole = '', decimals] = /^(\d{1,3}(?:[.,]\d{3})+|\d+)(?:[.,](\d{1,8}))?$/.exec(bare) ?? []
  const groupSigns = whole.replaceAll(/\d/g, '')
  const isMixed = new Set(groupSigns).size > 1
  const pointOfLanguage = language === 'de' ? ',' : '.'
  const isAmbiguous =
    decimals === undefined ? groupSigns === pointOfLanguage : groupSigns.includes(bare.at(whole.length) ?? '')
  const hasZeros = groupSigns !== '' && whole.startsWith('0')
  if (whole === '' || isMixed || isAmbiguous || hasZeros) return null
  return `${whole.replaceAll(/[.,]/g, '')}${decimals === undefined ? '' : `.${decimals}`}`
}

/** Labels of amounts between the sums of a bill. */
import { anyOf } from './fold.ts'
import { wordsOf } from './further.ts'

export const PARTS = {
  tax: anyOf(
    ...wordsOf('tax'),
    'mwst\\.?',
    'ust\\.?',
    'umsatzsteuer',
    'mehrwertsteuer',
    'v\\.?a\\.?t\\.?',
    '(?:sales )?tax(?:es)?',
    '[isu]?gst',
    't\\.?v\\.?a\\.?',
    'i\\.?v\\.?a\\.?',
    'cuota',
    'b\\.?t\\.?w\\.?',
    'imposta',
  ),
  less: anyOf(
    'rabatt',
    'nachlass',
    'skonto',
    'abzuglich',
    'discount',
    'less',
    'remise',
    'rabais',
    'descuento',
    'retencion',
    'korting',
    'sconto',
    "ritenuta(?: d'acconto)?",
  ),
} as const

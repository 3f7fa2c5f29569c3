/** Labels of what was paid before. */
import { anyOf } from './fold.ts'
import { wordsOf } from './further.ts'

export const PAID = {
  /** Prepaid amounts, which are deducted too. */
  paid: anyOf(
    ...wordsOf('paid'),
    '(?:an|voraus|abschlags|teil)zahlung(?:en)?',
    '(?:bereits )?(?:ge|be)zahlt(?:er betrag)?',
    'zahlungseingang',
    'deposit',
    '(?:already|amount)? ?(?<!to be |not |un)paid',
    'payments? received',
    'prepaid',
    'prepayment',
    'acomptes?',
    'deja (?:regle|paye)e?',
    'anticipo',
    '(?:ya )?pagado',
    'aanbetaling',
    '(?:reeds )?(?:betaald|voldaan)',
    'acconto',
    "gia' ?pagato|gia pagato",
    'forskott',
    'forskud',
    '(?:forud|redan |allerede )?betalt',
    'zaplacono',
    'zaliczk[ai]',
  ),
} as const

/** Labels of a bill's fields, in German, English, French, Spanish, Dutch and Italian. */
import { ACCOUNTS } from './accounts.ts'
import { DATES } from './dates.ts'
import { anyOf } from './fold.ts'
import { NUMBERS } from './numbers.ts'
import { PAID } from './paid.ts'
import { PARTS } from './parts.ts'
import { SUMS } from './sums.ts'
import { TAX_IDS } from './tax-ids.ts'

export const LABELS = {
  ...NUMBERS,
  ...DATES,
  ...SUMS,
  ...PARTS,
  ...PAID,
  ...ACCOUNTS,
  ...TAX_IDS,
  currency: anyOf(
    'wahrung',
    'currency',
    'devise',
    'moneda',
    'divisa',
    'valuta',
    '(?:alle )?betrage in',
    '(?:all )?amounts (?:are )?in',
  ),
} as const

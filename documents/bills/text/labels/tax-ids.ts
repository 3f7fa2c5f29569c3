/** Labels of tax ids. */
import { anyOf } from './fold.ts'

export const TAX_IDS = {
  vatId: anyOf(
    'ust\\.?-? ?id(?:ent)?\\.?-? ?(?:nr\\.?|nummer)?',
    'umsatzsteuer-? ?id(?:entifikationsnummer|\\.?-?nr\\.?|ent-?nr\\.?)?',
    'uid(?:-nr\\.?)?',
    'vat(?: registration| reg\\.?)?(?: ?id| no\\.?| number| nr\\.?)?',
    "(?:n[°o]\\.? ?(?:de |d')?)?(?:identification )?tva(?: intracom(?:munautaire|\\.)?)?",
    'tva intra',
    '(?:n\\.?i\\.?f\\.?|c\\.?i\\.?f\\.?)(?:[/-](?:iva|cif|nif|vat))?',
    'btw-? ?(?:id|nummer|nr\\.?)?(?:-? ?nummer)?',
    '(?:partita|p\\.?) ?iva',
    'p\\.iva',
    'nip',
    'cvr(?:-?nr\\.?)?',
    'org\\.? ?-?(?:nr|nummer)\\.?',
    'momsreg(?:istrerings)?\\.? ?-?(?:nr|nummer)\\.?',
  ),
  taxId: anyOf(
    'steuer-?(?:nummer|nr\\.?)',
    'st\\.?-?nr\\.?',
    'tax (?:id|number|no\\.?|reg(?:istration)?(?: no\\.?| number)?)',
    'ein',
    'abn',
    'codice fiscale',
    'c\\.f\\.',
  ),
} as const

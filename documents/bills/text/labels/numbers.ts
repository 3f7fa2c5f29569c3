/** Labels of the number of a bill. */
import { anyOf } from './fold.ts'
import { wordsOf } from './further.ts'

/** Recognized forms of the sign `n°`. */
const NR = String.raw`(?:number|numm?er|numero|num\.?|nrs?\.?|nos?\.?|n[°o9e*'"]\.?|n\.o|n\.|nro\.?|cislo|#|id)`
/** Compound names of bills, except those that another bill follows or settles. */
const COMPOUND =
  '(?!(?:original|ursprung|bezug|vor(?!aus)|abschlag|anzahlung|teil|be|ver)s?-?rechnung)[a-z]*-?rechnungs?'
const DOCUMENT =
  `(?:${COMPOUND}|re|beleg|gutschrifts?|tax invoice|invoice|inv|bill|credit note|credit memo|facture|avoir|factura` +
  '(?: rectificativa)?|abono|factuur|creditnota|creditfactuur|fattura|documento?|nota di credito|nota de abono|' +
  'faktur[ay](?:ns?)?|kreditfaktura|kreditnota|fatura|laskun?|regning|receipt|quittungs?|kvittering|kvitto|ricevuta|recibo)'
/** Code of a kind of bill, or a tax, between a title and a number sign. */
const ASIDE = String.raw`(?: ?\(\w{1,12}\)| vat| pro-? ?forma)?`

export const NUMBERS = {
  number: anyOf(
    ...wordsOf('number'),
    String.raw`(?:pro-? ?forma[ -]|taxable |tax |commercial |sales )?${DOCUMENT}${ASIDE}[ -]{0,3}\.?[ -]{0,3}${NR}`,
    String.raw`${NR} (?:de |d'|di |da |della |de la )?(?:l')?${DOCUMENT}(?![-/#]?\d)`,
  ),
} as const

/** Sentences that rule out a transfer; one rule for XML and pages. */
import { anyOf, fold } from '../text/labels/fold.ts'
import { CHARGED, DEBITED } from './charges.ts'
import type { SettledBy } from './means.ts'

/** Instant means of payment, which leave nothing to transfer. */
const AT_ONCE =
  '(?:ideal|paypal|klarna|bancontact|sofort(?:uberweisung)?|giropay|apple ?pay|google ?pay|amazon ?pay|stripe|mollie|' +
  'twint|swish|vipps|mobile ?pay|blik|wero|bizum|satispay|visa|master ?card|maestro|amex|american express|ec-?karte|' +
  'girocard|(?:debit|credit|kredit)-? ?(?:card|karte|kort)|credit ?card|pinpas|bargeld|vorkasse|vorauskasse|cash|' +
  'contant|kontant\\w*|' +
  'especes|efectivo|contanti|numerario|gotowk[ae]|kart[ae])'

/** Words for what was paid. An amount after them is one of the sums, and may be a part. */
const PAID = anyOf(
  '(?:bereits|schon) (?:vollstandig |dankend )?(?:be|ge)(?:zahlt|glichen)',
  '(?:betrag|zahlung|summe) (?:(?:ist|wurde|haben wir) )?(?:bereits )?(?:dankend )?(?:bezahlt|beglichen|erhalten)',
  'rechnung (?:(?:ist|wurde) )?(?:bereits )?(?:bezahlt|beglichen)',
  '(?<!\\w )dankend erhalten',
  '(?:vollstandig|komplett) (?:bezahlt|beglichen)',
  'already (?:been )?(?:paid|settled)',
  'paid in full',
  'fully paid',
  'payment (?:has been |was |already )(?:already )?received',
  'payment received,? (?:with )?thank\\w*',
  'deja (?:ete )?(?:paye|regle|acquitte)e?s?',
  'facture (?:a ete )?(?:deja )?(?:acquittee|payee|reglee|soldee)',
  'ya (?:ha sido |esta |fue )?(?:pagad|abonad|cobrad)[oa]s?',
  'factura (?:ya )?(?:ha sido |esta )?pagada',
  '(?:reeds|al) (?:betaald|voldaan)',
  'gia (?:stat[oa] )?(?:pagat|saldat)[oa]',
  'fattura (?:gia )?(?:pagata|saldata|quietanzata)',
  'redan betal(?:d|t|ts)',
  'allerede betalt',
  '(?:zap[lł]acono|op[lł]acon[oa]) w ca[lł]osci',
  'ja (?:foi )?pag[oa]',
)

const PAID_BY = anyOf(
  `(?:be|ge)zahlt (?:per|mit|uber|via|durch|in) ${AT_ONCE}`,
  `(?:per|mit|uber|via|in) ${AT_ONCE} (?:be|ge)(?:zahlt|glichen)`,
  'bar (?:be|ge)zahlt',
  'bar erhalten',
  `paid (?:by|with|via|in|using|through) ${AT_ONCE}`,
  `(?:paye|regle|acquitte)e?s? (?:par|en|via|avec) ${AT_ONCE}`,
  `(?:pagad|abonad)[oa] (?:con|por|en|via|mediante) ${AT_ONCE}`,
  'pagad[oa] al contado',
  `(?:(?:voor(?:uit)?)?betaald|voldaan) (?:met|per|via|door middel van|in) ${AT_ONCE}`,
  '(?:contant|per pin) (?:betaald|voldaan)',
  `pagat[oa] (?:in|con|tramite|via|mediante) ${AT_ONCE}`,
  `betal[dt] (?:med|via|per) ${AT_ONCE}`,
  `betal[dt] kontant\\w*`,
  `(?:zap[lł]acono|op[lł]acon[oa]) (?:przez )?${AT_ONCE}`,
)

/** Words that limit a ban to a way, a place or a time. */
const ONE_WAY = `(?! (?:${[
  'by|in|with|to|into|via|cash|cheque|check|before|after|more|less|late',
  'per|bar|mit|auf|an|vor|nach|par|en|au|aux|sur|avant|apres|con|a|al|su|op|aan|met|til|med',
].join('|')})(?![a-z]))`
const FORBIDDEN = anyOf(
  `nicht (?:mehr )?(?:zu )?(?:uberweisen|bezahlen|zahlen)${ONE_WAY}`,
  '(?:keine|ohne) (?:weitere )?zahlung (?:mehr )?(?:erforderlich|notig|notwendig|zu leisten)',
  'es ist nichts (?:mehr )?zu (?:be)?zahlen',
  `do not (?:pay|transfer|remit)${ONE_WAY}`,
  'no (?:further )?payment (?:is )?(?:due|required|necessary|needed)',
  'nothing (?:is |left )?(?:due|to pay)',
  `ne pas (?:payer|regler|virer)${ONE_WAY}`,
  "aucun (?:paiement|reglement) (?:n'est )?(?:requis|necessaire|du|attendu)",
  `(?:por favor,? )no (?:pagar|abonar|pague)${ONE_WAY}`,
  `no (?:pagar|pague) (?:esta|la) factura`,
  'no (?:se )?requiere (?:ningun )?pago',
  'hoeft (?:niets|niet) (?:meer )?te (?:betalen|voldoen)',
  `niet (?:meer )?(?:te )?betalen${ONE_WAY}`,
  `non (?:pagare|effettuare (?:alcun )?(?:pagament|bonific)\\w+)${ONE_WAY}`,
  'nessun (?:pagamento|bonifico) (?:e )?(?:dovuto|richiesto|necessario)',
  '(?:ska|skall|skal) (?:inte|ej|ikke) betal(?:as|es)',
  'prosz[eę] nie p[lł]acic',
)

/** Words of conditional sentences, about a part, or about what was not paid: they do not count. */
const OTHERWISE = anyOf(
  'falls',
  'wenn',
  'sofern sie',
  'sollten? (?:sie|die|der)',
  'bei (?:\\w+-?)?(?:zahlung|lastschrift|bezahlung|teilnahme|nutzung|verzug|uberweisung)',
  'haben sie',
  'sobald',
  'nachdem',
  'after',
  'apres',
  'have you',
  'heeft u',
  'avez-vous',
  'capitale?',
  '(?:stamm|grund)?kapital',
  'if',
  'unless',
  'until',
  'once',
  'when',
  'should you',
  'in case',
  'si (?:vous|votre|le|la|el|ya|usted|ha|no)',
  'sauf',
  'lorsque',
  'cuando',
  'als (?:u|je|de|dit|deze)',
  'indien',
  'mocht',
  'se (?:avete|hai|il|la|e|gia|ha)',
  'qualora',
  'nel caso',
  'om du',
  'hvis',
  'je[sz]eli',
  'jesli',
  'wahlweise',
  'alternativ\\w*',
  '(?:oder|or|ou|of|oppure) (?:per|by|par|via|mit|con|tramite)',
  'bis',
  'jusqu\\w*',
  'hasta',
  'tot(?:dat)?',
  'fino',
  'finche',
  'eigentum\\w*',
  'property',
  'eigendom',
  'propriete',
  'propiedad',
  'proprieta',
  'ignor\\w+',
  'disregard',
  'gegenstandslos',
  'hinfallig',
  'not (?:yet )?(?:been )?(?:paid|received|settled)',
  'n(?:och )?icht (?:be|ge)(?:zahlt|glichen)',
  "n'est pas",
  'nog niet',
  'non (?:ancora )?pagat[oa]',
  '(?:an|teil|voraus|abschlags?)-?zahlung\\w*',
  'abschlag\\w*',
  'deposit',
  'down ?payment',
  'part(?:ly|ial(?:ly)?)?',
  'instal\\w+',
  'acomptes?',
  'anticipos?',
  'aanbetaling',
  'acconto',
  'skonto',
  'discount',
  'escompte',
  'sconto',
  'korting',
)

const MONEY = '(?:eur|usd|gbp|chf|sek|nok|dkk|pln|zl|kr|[€$£])'
const SUM_BEHIND = new RegExp(
  `^[^\\p{L}\\d]*(?:${MONEY}[ .]?\\d|\\d+(?:[.,' ]\\d{3})*(?:[.,]\\d{2}(?![.\\d])|,-| ?${MONEY}))`,
  'u',
)
/** Words before possible means, and after what is still to be paid. */
const COULD_BE = new RegExp(
  `(?<![a-z])(?:${[
    'can|may|could|must|should|shall|will|to|kann|konnen|muss|mussen|soll|peut|peuvent|doit|doivent',
    'puede|pueden|debe|deben|kan|kunnen|kunt|moet|moeten|puo|possono|deve|devono',
  ].join('|')})(?: [^ ]{1,20}){0,3} ?$`,
)
const WILL_BE = /^,? (?:werden|haben|wird|within|before|until|innerhalb|binnen|entro|avant|antes|voor|prima)(?![a-z])/
const SENTENCE_END = /(?<=\p{L}[.!?;])\s+|[\r\n]+/u

/** Finds a sentence that a bill is debited, charged, or paid (or not to be paid); null for conditional sentences. */
export function settlementIn(text: string): SettledBy | null {
  const sentences = fold(text)
    .split(SENTENCE_END)
    .filter((sentence) => !OTHERWISE.test(sentence))
  if (sentences.some((sentence) => DEBITED.test(sentence))) return 'direct_debit'
  if (sentences.some((sentence) => CHARGED.test(sentence))) return 'card'
  return sentences.some(isPaid) ? 'paid' : null
}

function isPaid(sentence: string): boolean {
  if (FORBIDDEN.test(sentence)) return true
  if (sentence.includes('?')) return false
  return [PAID, PAID_BY].some((said) => {
    const found = said.exec(sentence)
    if (!found) return false
    const after = sentence.slice(found.index + found[0].length)
    const isSum = said === PAID && SUM_BEHIND.test(after)
    return !isSum && !COULD_BE.test(sentence.slice(0, found.index)) && !WILL_BE.test(after)
  })
}

/** Mentions of an invoice that the buyer issues (Article 226 (10a) of the VAT Directive). */
const SELF_BILLING = anyOf(
  'self-? ?bill(?:ed|ing)?',
  'self-? ?invoic(?:e|ed|ing)',
  'selbst(?:fakturierung|abrechnung|fakturiert\\w*)',
  'abrechnungsgutschrift',
  'sjalvfakt\\w*',
  'selvfakt\\w*',
  'afregningsbilag',
  'zelf-?factu+r\\w*',
  'autofatura\\w*',
  'samofakt\\w*',
  'samovyfakt\\w*',
  'onszaml\\w*',
  'auto-?factur\\w*',
  'pas(?:rekin|aprekin)\\w*',
  'itselask\\w*',
  'savifaktur\\w*',
  'самофакт[а-я]*',
  'αυτοτιμολ[α-ω]*',
  'gutschriftsverfahren',
  'gutschrift (?:gemass|nach|i\\. ?s\\. ?d\\.?) § ?14',
  'auto-?facturation',
  'autofactura(?:cion)?',
  'facturacion por el destinatario',
  'factuur uitgereikt door (?:de )?afnemer',
  'autofattura(?:zione)?',
  'selvfakturering',
  'sjalvfakturering',
  'samofakturowanie',
  'autofaturacao',
  '(?:buyer|recipient)-? ?created (?:tax )?invoice',
  'rcti',
  'itselaskutus',
  'autofacturare',
  'onszamlazas',
  'vystaveno (?:zakaznikem|odberatelem)',
  'vyhotovenie faktury odberatelom',
  'samofakturiranje',
  'самофактуриране',
  'αυτοτιμολογηση',
)

/** Tells whether the buyer issued it, so that the receiver is paid. */
export const isSelfBilled = (text: string): boolean => SELF_BILLING.test(fold(text))

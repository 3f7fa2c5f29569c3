/** Means of payment and states of payment, in the languages of Europe: labels, and values beside them. */
import { fold } from '../text/labels/fold.ts'
import { beginning, exactly, oneOf } from '../phrases.ts'

/** Labels of the means of payment. */
export const MEANS_LABEL = beginning(`
  (?:be|ge)zahlt (?:mit|per|via|uber), beglichen (?:mit|per)
  payment (?:method|type|mode|means|option)(?: used)?, (?:method|means|mode|form|type) of payment, payment
  paid (?:by|with|via|using), pay(?:ment)? by, charged to, tender(?: type)?, settled by
  zahlungs?-?(?:art|weise|methode|mittel|form|weg), bezahl-?(?:art|methode|weise), zahlung(?: per| mit| via)?
  bezahlung, (?:mode|moyen|type|methode|forme) (?:de |du )?(?:paiement|reglement), paiement(?: par)?
  reglement(?: par)?, (?:paye|regle)e? par, (?:forma|metodo|medio|modo|tipo) de pago, pago, pagado (?:con|por|mediante)
  (?:forma|metodo|meio|modo) de pagamento, pagamento, pago (?:com|por)
  (?:modalita|metodo|mezzo|tipo)(?: di)? pagamento, pagato con, betaal-?(?:wijze|methode|middel)
  betalings?-?(?:wijze|methode), wijze van betaling, betaling, betaald (?:met|via|per), betal-?satt
  betalnings?-?(?:satt|metod|form), betalning, betalt med, betalings?-?(?:made|mate|metode|form|type|middel)
  maksu-?(?:tapa|valine), makse-?(?:viis|meetod), (?:ap)?maksas (?:veids|metode), maksajuma veids, norekinu veids
  (?:ap)?mokejimo (?:budas|metodas|forma), atsiskaitymo budas, (?:sposob|forma|metoda) (?:platnosci|zaplaty), platnosc
  (?:zpusob|sposob|forma) (?:platby|uhrady), platba, uhrada, fizetesi? mod(?:ja)?, fizetes
  (?:modalitate|metoda|mod|forma) (?:de )?plata, plata, (?:начин|метод) на плащане, плащане, τροπος πληρωμης
  μεθοδος πληρωμης, πληρωμη, nacin (?:placanja|placila), placanje, placilo, metodu (?:ta' )?(?:il-)?hlas
  modh iocaiochta, greidslumati, odeme (?:yontemi|sekli)`)

/** Labels of the state of payment. */
export const STATUS_LABEL = beginning(`
  (?:payment |invoice |bill |order )?status, (?:zahlungs|rechnungs|bezahl)-?status, zahlungsstand
  statut(?: (?:de |du )?(?:paiement|reglement|la facture))?, etat(?: (?:de |du )?(?:paiement|reglement|la facture))?
  estado(?: (?:de |del )?(?:pago|pagamento|la factura))?, situacao, stato(?: (?:di |del )?pagamento)?
  (?:betaal|betalings?|betalnings?|factuur|faktura)-?status, (?:maksun |laskun )?tila, olek, makse olek, statuss
  busena, status platnosci, stav(?: (?:platby|uhrady))?, (?:fizetesi )?allapot, stare(?:a)?(?: platii)?
  статус(?: на плащане)?, κατασταση(?: πληρωμης)?, stanje(?: placila)?, status placanja, durum, stadas`)

const PAID_WORDS = `
  paid, settled, bezahlt, beglichen, gezahlt, ausgeglichen, paye, payee, reglee?, acquittee?, soldee, pagad[oa]
  abonad[oa], cobrad[oa], saldad[oa], pagat[oa], saldat[oa], quietanzat[oa], betaald, voldaan, liquidad[oa], quitad[oa]
  bet[au]l[dt], maksettu, makstud, tasutud, (?:ap|sa)maksats, apmoketa, sumoketa, zaplacon[oaey], oplacon[oaey]
  zaplacen[oay], uhrazen[oay], zaplaten[aeyo], uhraden[aeyo], (?:ki)?fizetve, kiegyenlitve, platit[ae]?, achitat[ae]?
  платен[аои]?, πληρωθηκε, εξοφλημεν[οη], εξοφληθηκε, πληρωμεν[οη], placen[oa], podmiren[oa], placan[oa], poravnan[oa]
  mhallas, imhallsa, ioctha, odendi, greitt`
const ALL =
  '(?:fully|in full|vollstandig|dankend|bereits|schon|integralement|entierement|deja|totalmente|ya|gia|reeds|volledig|al|' +
  'redan|allerede|100 ?%) '
const THANKS = '(?: (?:in full|with thanks|thank you|vollstandig|dankend|en totalite|por completo|in caso))?'
/** A stamp: words that stand alone. */
const STAMP = exactly(
  PAID_WORDS.split(/,\s+|\n/)
    .map((word) => word.trim())
    .filter((word) => word !== '')
    .map((word) => `(?:${ALL})?${word}${THANKS}`)
    .join(', '),
)
/** States of a payment that is made, at the beginning of a value. */
const PAID_STATES = [
  PAID_WORDS,
  `
  payment (?:received|complete|completed|successful), completed?, succeeded, successful, pag[oa], erledigt
  zahlung (?:erhalten|eingegangen), paiement (?:recu|effectue|accepte), pago (?:recibido|completado|realizado)
  pagamento (?:ricevuto|recebido|effettuato|efetuado|completato)`,
] as const
const [PAID_STATE, BEGINS_PAID] = [oneOf(...PAID_STATES), beginning(...PAID_STATES)]
const NOT_WHOLE = oneOf(
  `
  no, nein, non, not, partly, partial(?:ly)?, in part, teilweise, zum teil, partiellement, en partie, parcial(?:mente)?
  parzial(?:mente|e), gedeeltelijk, deels, delvis, delvist, czesciowo, castecne, ciastocne, reszben, partial, nie, ne
  nee, nej, nei, ei`,
)

const CARDS = `
  (?:credit|debit|bank|payment|company|corporate|charge)?[- ]?card(?: payment)?
  (?:kredit|debit|bank|giro|ec)-?(?:karte|card)(?:nzahlung)?, karten-?zahlung, kreditkarte, ec-?cash
  visa(?:card)?(?: debit| electron)?, master ?card, maestro, v ?pay, amex, american express, diners(?: club)?, discover
  jcb, carte (?:bancaire|bleue|de (?:credit|debit|paiement)), carte, cb
  tarjeta(?: (?:de|bancaria)(?: (?:credito|debito))?)?, cartao(?: (?:de )?(?:credito|debito|multibanco))?
  carta(?: di (?:credito|debito))?, bancomat, (?:credit|betaal|debet|bank|pin)-?(?:card|kaart|pas), pin(?:pas)?
  (?:konto|kreditt?|betal|betalings|bank|debet|dan)-?kort, kort, (?:luotto|pankki|maksu)-?kortti, kortti(?:maksu)?
  (?:krediit|panga|deebet)-?kaart, kaardimakse, (?:kreditkarte|maksajumu karte|karte)
  (?:kredito|mokejimo|banko) kortel[ea], kart[aąe](?: (?:kredytow|platnicz|debetow)[aąe])?
  (?:platebni|platobna|kreditni|kreditna|debetni|bankovni) karta, kartou, (?:bank|hitel)-?kartya
  card (?:de credit|de debit|bancar), (?:кредитна |дебитна |банкова )?карта, (?:πιστωτικη |χρεωστικη )?καρτα
  (?:kreditna |platna |bancna )?kartic[aoe], karta ta' kreditu, carta creidmheasa, kredi karti, greidslukort`
const CARD = oneOf(CARDS)

const AT_ONCES = `
  ideal, paypal, klarna, bancontact, sofort(?:uberweisung)?, giropay, apple ?pay, google ?pay, amazon ?pay(?:ments)?
  shop ?pay, stripe, mollie, twint, swish, vipps, mobile ?pay, blik, wero, bizum, satispay, przelewy ?24, payu, trustly
  multibanco, mb ?way, alipay, wechat ?pay, revolut ?pay, eps, postepay, in3, riverty, afterpay, sezzle, venmo, zelle
  cash app, upi, paytm, m-?pesa, cash, bar(?:geld|zahlung)?, in bar, especes, en especes, efectivo, en efectivo
  contant[ei]?, contado, al contado, numerario, dinheiro, kontan\\w*, kateinen, sularaha, skaidra nauda
  grynais(?:iais)?, gotowk[aą], hotov[eo], hotovost, v hotovosti, keszpenz, numerar, в брой, μετρητα, gotovina
  gotovino, u gotovini, flus, airgead tirim, nakit, reidufe`
const AT_ONCE = oneOf(AT_ONCES)
/** Means at a till, at the beginning of a row. */
export const TENDER = beginning(CARDS, AT_ONCES)

const DEBIT = oneOf(`
  (?:sepa[- ]?)?(?:core |b2b |basis-?|firmen-?)?(?:direct debit|lastschrift(?:einzug|verfahren|mandat)?), bankeinzug
  einzugsermachtigung, abbuchung, einzug, (?:sepa )?prelevement(?: (?:sepa|automatique|bancaire))?
  domiciliacion(?: bancaria)?, recibo domiciliado, adeudo(?: (?:directo|sepa|domiciliado))?
  addebito(?: (?:diretto|sepa|in conto|bancario))?, domiciliazione(?: bancaria)?, sdd, rid
  (?:automatische |sepa[- ]?)?incasso, domiciliering, autogiro, betalingsservice, avtalegiro, suoraveloitus
  otsekorraldus, tiesais debets, tiesioginis debetas, polecenie zaplaty, inkaso, inkasso, csoportos beszedes
  debit(?:are)? direct[a]?, директен дебит, αμεση χρεωση, παγια εντολη, izravno terecenje
  (?:direktna |neposredna )?obremenitev, debito direto, debit dirett, dochar direach, otomatik odeme, autopay
  auto-?pay, automatic (?:payment|debit), ach debit`)

/** Ways that leave something to transfer, or leave the choice. */
const TRANSFER = oneOf(`
  possible, moglich, available, welcome, willkommen, can, (?:bank|wire|credit|sepa)?[- ]?transfer(?:s|red|encia)?, wire
  bacs, ach credit, eft, uberweisung, banküberweisung, vorkasse, vorauskasse, rechnung, auf rechnung, nachnahme
  virement(?: bancaire)?, transferencia(?: bancaria)?, bonifico(?: bancario)?, overboeking, bankoverforing
  bankoverforsel, overforing, overfoersel, tilisiirto, ulekanne, pangaülekanne, parskaitijums, parvedums, pavedimas
  bankinis pavedimas, przelew(?:em)?(?: bankowy)?, (?:bankovni |bankovy )?prevod(?:em|om)?, atutalas, banki atutalas
  transfer bancar, ordin de plata, банков превод, превод, (?:τραπεζικη )?καταθεση, μεταφορα, virman, bancno nakazilo
  nakazilo, cheque, check, cheques, invoice, faktura, factuur, facture, on delivery, a la livraison, contra ?reembolso
  contrassegno, rembours, or, oder, ou, o, oppure, of, eller, lub, albo, nebo, alebo, vagy, sau, или, ή, tai, voi, vai
  arba, ali, ili, accept(?:ed|s)?, akzeptier\\w*, accepte(?:e|es|s)?`)

const MASKED = /(?:[*x•·●∙]{2}|#{3})[ *x•·●∙#-]{0,32}\d{3,4}(?!\d)|\d{4}[ -]?\d{0,2}[*x•·●∙]{2}/u
/** Signs that also lead to an amount: they mask a card only beside its name. */
const ELIDED = /(?:\.{2}|…|\*)[ .…*-]{0,32}\d{4}(?![\d.,])/u
const ENDING = new RegExp(
  `(?<!\\p{L})(?:${[
    'ending(?: in| with)?|ends (?:in|with)|last (?:4|four)(?: digits)?|endziffern?|endend auf|endet auf',
    '(?:se )?termin(?:ant|ante|ee?|ada|ado|a)(?: par| en| em| in| con| cu)?|finissant par|che termina con|eindigend op|som slutar pa',
    'konczac[aey] sie(?: na)?|(?:slutter|ender|eindigt) (?:pa|op)|paatty(?:y|en|va)|koncici(?: na| cislem)?',
    '(?:acabada|finalizada|com final|que termina) (?:en|em)?|konciac\\w*(?: na)?|zavrsava (?:na|s)|beidzas ar|lopeb',
    'ληγει σε|завършваща на',
  ].join('|')})[ :]*\\(?[*x•. ]*\\d{4}(?!\\d)`,
  'u',
)
const ACCOUNT = /iban|konto|account|compte|cuenta|conto(?!r)|rekening|tel|phone|fax|passw|vat|ust/

/** Tells whether folded text has the rest of a masked card number: "**** 4242", "Visa ending in 4242". */
export function showsMaskedCard(text: string): boolean {
  const isCard = CARD.test(text)
  if (isCard) return MASKED.test(text) || ELIDED.test(text) || ENDING.test(text)
  return MASKED.test(text) && !ACCOUNT.test(text)
}

export type SettledBy = 'direct_debit' | 'card' | 'paid'

const MAIL = /@/
/** Digits that a payer needs, unless they name a transaction. */
const DIGITS_TO_USE = /\d[\d -]{4,}\d/
const TRANSACTION = /transa[ck]|transak|\bref|auth|\bid\b|approv|payment id|pi_|ch_/
const VALUE_WORDS_MAX = 9

/** Reads the value of a label of means: how the bill was or will be settled; null if something is to be transferred. */
export function readMeans(written: string): SettledBy | null {
  const text = fold(written).trim()
  if (text.split(/\s+/).length > VALUE_WORDS_MAX) return null
  if (showsMaskedCard(text)) return 'card'
  const isSettled = PAID_STATE.test(text) && !NOT_WHOLE.test(text)
  if (TRANSFER.test(text)) return isSettled && BEGINS_PAID(text.split(/[/,;-] ?/).at(-1) ?? '') ? 'paid' : null
  if (NOT_WHOLE.test(text)) return null
  if (DEBIT.test(text)) return 'direct_debit'
  if (CARD.test(text)) return 'card'
  const isToUse = MAIL.test(text) || (DIGITS_TO_USE.test(text) && !TRANSACTION.test(text))
  if (AT_ONCE.test(text) && (isSettled || !isToUse)) return 'paid'
  return null
}

/** Tells whether the value of a label of state says that all is paid: "Paid!", "bezahlt am 3. März". */
export function isPaidState(written: string): boolean {
  const text = fold(written)
    .trim()
    .replace(new RegExp(`^${ALL}`), '')
    .replace(/^[^\p{L}]+/u, '')
  return BEGINS_PAID(text) !== undefined && !NOT_WHOLE.test(text)
}

/** The English label of a party, which a French word for paid is like without its accent. */
const PAYEE = /^\P{L}*payee\P{L}*$/iu

/** Tells whether text is a stamp: "PAID", "Bezahlt!", "*** PAID IN FULL ***". */
export const isPaidStamp = (written: string): boolean =>
  !PAYEE.test(written) &&
  STAMP.test(
    fold(written)
      .replaceAll(/[^\p{L}\p{N}% ]+/gu, ' ')
      .trim()
      .replaceAll(/\s+/g, ' '),
  )

/** Titles of documents, in the languages of Europe: bills, and what asks for no money. */
import { fold } from '../text/labels/fold.ts'
import { valuesOf } from '../text/labelled.ts'
import { LABELS } from '../text/labels/labels.ts'
import { COMPOUND_TITLE } from '../text/roles.ts'
import { type Beginning, beginning, oneOf } from '../phrases.ts'
import type { Cell, Line } from '../text/words.ts'
import { kindOfTitle } from './kinds.ts'

/** Titles of bills, credit notes and receipts, and of other demands and their proofs. */
export const BILL_TITLE = beginning(`
  invoice, (?:tax|vat|sales|commercial|final|proforma|simplified|credit|service|interim|corrective) invoice, bill
  receipt, sales receipt, credit (?:note|memo), debit note, fee note, payment request, request for payment
  demand for payment, reminder, payment reminder, folio, guest folio, premium notice, ticket, rechnung, gutschrift
  quittung, kassenbon, bon, beleg, honorarnote, kostennote, liquidation, abrechnung, bescheid, mahnung
  zahlungserinnerung, zahlungsaufforderung, facture, avoir, note de credit, note d'honoraires, recu, quittance
  avis d'echeance, appel de fonds, rappel, note de debit, factura, factura simplificada, abono
  nota de (?:abono|credito|debito), recibo, tique, minuta, fatura, fatura[-/ ]recibo, fattura
  nota di (?:credito|debito), ricevuta, scontrino, parcella, bolletta, avviso di pagamento, factuur, creditnota
  creditfactuur, kassabon, herinnering, aanmaning, faktura, fakture, fakturan, fakturaen, fakturace, kreditfaktura
  kvitto, paminnelse, regning, kreditnota, kvittering, rykker, lasku, hyvityslasku, kuitti, maksumuistutus, arve
  kreeditarve, kviitung, rekins, kreditrekins, kvits, ceks, (?:pvm )?saskaita(?:-| )?faktura, saskaita, kvitas
  faktura (?:vat|korygujaca|koncowa|zaliczkowa), rachunek, paragon, nota korygujaca, (?:danovy|opravny danovy) doklad
  faktura - danovy doklad, dobropis, uctenka, pokladni doklad, upominka, szamla
  (?:elektronikus |sztorno |helyesbito )?szamla, nyugta, blokk, chitanta, bon fiscal, factura fiscala, фактура
  касова бележка, разписка, кредитно известие, сметка, τιμολογιο, αποδειξη, πιστωτικο τιμολογιο
  τιμολογιο παροχης υπηρεσιων, τιμολογιο πωλησης, racun, e-racun, opomin, dobropis, fattura tat-taxxa, fattura
  ricevuta, sonrasc, admhail, reikningur, kvittun, e-fatura, fis`)

/** Titles of pro forma invoices, which ask for no money yet. */
export const PRO_FORMA_TITLE = beginning(`
  pro-? ?forma(?:-?\\w*)?, predracun, προτιμολογιο, προφορμα, проформа(?: фактура)?, avansa rekins, isankstine saskaita`)

/** Titles of credit notes beside those of the number's label. */
export const CREDIT_TITLE = beginning(`
  kreditnot[ae], kreditfaktura, dobropis, opravny danovy doklad, faktura korygujaca, hyvityslasku, kreeditarve
  kreditrekins, kreditine saskaita(?: faktura)?, (?:sztorno|stornirozo) ?szamla, nota de credit, factura (?:de )?storno
  кредитно известие, πιστωτικο(?: τιμολογιο)?, (?:knjizno )?odobrenje, nota ta' kreditu, nota creidmheasa
  iade faturasi, kreditreikningur, adjustment note`)

/** Titles of statements, offers, orders, confirmations and delivery notes. */
export const OTHER_TITLE = beginning(`
  (?:customer |client |monthly |supplier )?statement of account
  (?:customer |client |monthly |bank |account |supplier |credit card )?(?:account )?statement, statement, open items
  aged receivables, quotation, quote, price quote, sales quote, estimate, cost estimate, offer, proposal, price list
  request for (?:quotation|proposal), (?:purchase|sales|work|blanket|job) order
  order (?:confirmation|acknowledge?ment|form|summary), (?:booking|reservation) confirmation, confirmation of order
  delivery (?:note|slip|order|docket), packing (?:slip|list), (?:despatch|dispatch|shipping) (?:note|advice|list)
  goods (?:received|receipt) note, proof of delivery, bill of (?:lading|materials|quantities), waybill
  remittance advice, pick(?:ing)? list, timesheet, angebot, kostenvoranschlag, kostenanschlag, offerte
  auftragsbestatigung, bestellbestatigung, auftrag, bestellung, (?:buchungs|reservierungs)bestatigung, lieferschein
  warenbegleitschein, ladeschein, frachtbrief, packliste, abliefernachweis, lieferavis, kontoauszug, kontenauszug
  kundenkontoauszug, saldenliste, saldenbestatigung, saldenmitteilung, zahlungsavis, preisliste, arbeitsnachweis, devis
  proposition commerciale, offre(?: de prix| commerciale)?, bon de commande, commande
  (?:confirmation|accuse de reception) de commande, bon de (?:livraison|reception), bordereau de livraison
  releve(?: de comptes?(?: client)?| client| bancaire| de factures| des operations)?, extrait de compte, presupuesto
  cotizacion, oferta(?: comercial)?, pedido(?: de compra)?, orden de compra, confirmacion (?:de |del )?pedido
  albaran(?: de entrega)?, nota de (?:entrega|pedido), remito, guia de remision, estado de cuenta
  extracto(?: de cuenta| bancario)?, orcamento, cotacao, proposta(?: comercial)?, ordem de compra
  (?:nota de )?encomenda, confirmacao (?:de|da) encomenda, guia de (?:remessa|transporte)
  extrato(?: de conta| bancario)?, conta corrente, preventivo, offerta
  ordine(?: (?:di acquisto|d'acquisto|cliente|fornitore))?, conferma (?:d'|di |dell')?ordine, documento di trasporto
  ddt, bolla(?: di consegna| di accompagnamento)?, estratto conto, prijsopgave, inkooporder, bestelling, bestelbon
  (?:order|opdracht|bestel|reserverings|boekings)bevestiging, pakbon, leverbon, afleverbon, leveringsbon, vrachtbrief
  rekening-?(?:overzicht|afschrift|uittreksel), openstaande posten, begroting, offert, anbud, inkopsorder, bestallning
  orderbekraftelse, order(?:erkannande)?, foljesedel, fraktsedel, kontoutdrag, saldobesked, tilbud
  (?:indkobs|innkjops)ordre, ordre, ordrebekraeftelse, ordrebekreftelse, folgeseddel, pakkseddel, kontoudtog
  kontoutskrift, kontoutdrag, rekvisition, tarjous, (?:osto)?tilaus, tilausvahvistus, lahete, lahetyslista, rahtikirja
  tiliote, (?:hinna)?pakkumine, (?:ostu)?tellimus, tellimuse kinnitus, saateleht, kontovaljavote
  (?:cenas )?piedavajums, tame, pasutijums, pasutijuma apstiprinajums, pavadzime, konta izraksts
  (?:komercinis )?pasiulymas, samata, (?:pirkimo )?uzsakymas, uzsakymo patvirtinimas, vaztarastis
  (?:saskaitos|banko) israsas, suderinimo aktas, oferta(?: handlowa| cenowa)?, wycena, kosztorys, zamowienie
  potwierdzenie zamowienia, dokument (?:wz|wydania), wydanie zewnetrzne, wz, list przewozowy, dowod dostawy
  wyciag(?: bankowy| z konta| z rachunku)?, potwierdzenie salda, zestawienie(?: naleznosci| faktur| rozrachunkow)?
  (?:cenova )?nabidka, objednavka, potvrzeni objednavky, dodaci list, vypis(?: z uctu)?, (?:cenova )?ponuka
  potvrdenie objednavky, (?:ar)?ajanlat, megrendeles, megrendelo, (?:rendeles|megrendeles)(?:i)?[- ]?visszaigazolas
  visszaigazolas, szallitolevel, szallito level, (?:szamla|folyoszamla)-?kivonat, egyenlegkozlo, oferta(?: de pret)?
  deviz, comanda(?: de achizitie)?, confirmare(?:a)?(?: de)? comanda, comenzii
  aviz (?:de insotire(?: a marfii)?|de expeditie), extras de cont, fisa client, оферта, поръчка
  потвърждение (?:на|за) поръчка, стокова разписка, експедиционна бележка, извлечение(?: (?:по|от) сметка)?
  приемо-предавателен протокол, προσφορα, οικονομικη προσφορα, παραγγελια, εντολη αγορας, δελτιο παραγγελιας
  επιβεβαιωση παραγγελιας, δελτιο αποστολης, αντιγραφο κινησης(?: λογαριασμου)?, κινηση λογαριασμου, καρτελα πελατη
  υπολοιπο λογαριασμου, ponuda, narudzba, narudzbenica, potvrda (?:narudzbe|narudzbenice), otpremnica, dostavnica
  izvod, izvadak(?: po racunu)?, izvod otvorenih stavki, ponudba, narocilo, narocilnica, potrditev narocila, dobavnica
  izpisek, izpis odprtih postavk, kwotazzjoni, stima, ordni(?: tax-xiri)?, konferma tal-ordni
  nota tal-(?:kunsinna|konsenja), rendikont(?: tal-kont)?, luachan, meastachan, ordu(?: ceannaigh)?, deimhniu ordaithe
  nota seachadta, raiteas(?: cuntais)?, tilbod, pontun, pontunarstadfesting, fylgisedill, reikningsyfirlit, teklif
  siparis(?: onayi| teyidi)?, irsaliye, hesap (?:ozeti|ekstresi)`)

const NO_BILL = oneOf(`
  (?:this )?(?:document |quotation |statement )?is not an? (?:tax |vat )?(?:invoice|bill), not an invoice
  (?:dies(?:es dokument)? |das )?ist keine rechnung, ceci n'est pas une facture, n'est pas une facture
  no es una factura, nao (?:e|constitui) (?:uma )?fatura, non e una fattura, non costituisce fattura
  (?:dit )?is geen factuur, (?:detta |dette )?er? ?(?:ar |er )?(?:ingen|ikke en) faktura, nie jest faktura
  neni faktura, nie je faktura, nem (?:minosul )?szamla(?:nak)?, nu este (?:o )?factura`)

/** Tells whether a folded title is that of a pro forma invoice: "Proforma", "Facture pro forma". */
export function isProForma(text: string): boolean {
  const bill = BILL_TITLE(text)
  const rest = bill === undefined ? text : text.slice(bill.length).trim()
  return PRO_FORMA_TITLE(text) !== undefined || PRO_FORMA_TITLE(rest) !== undefined
}

/** Words behind a title that make it a label of something else, or a sentence. */
const NOT_TITLE = new RegExp(
  `^(?: ?(?:${[
    'to|for|address|of|aan|an|a|date|will|follows|folgt|wird|kommt|erhalten|geht|sera|seront|suit|suivra|verra|segue',
    'wordt|volgt|skickas|sendes',
  ].join('|')})(?![a-z])|s?(?:anschrift|adresse|empfanger)|u?adres)`,
)
const LEAD = new RegExp(
  `^(?:[^\\p{L}\\p{N}]+|(?:${[
    'your|our|the|ihre?|unsere?|die|der|das|votre|notre|la|le|su|nuestra|el|vostra|nostra|il|uw|onze|de|het|din|var',
    'original|copy|kopie|copie|copia|duplicate',
  ].join('|')}) )+`,
  'u',
)
const TITLE_WORDS_MAX = 7
const TABLE_CELLS = 3
/** Share of a title's letter height that another title of the page has at least. */
const AS_LARGE = 0.85

type Title = {
  readonly cell: Cell
  readonly kind: 'bill' | 'pro_forma' | 'other'
  readonly isByStems?: boolean
}

/** Tells whether a page is titled as what asks for no money, and as no bill; or says that it is none. */
export function isNoBill(lines: readonly Line[]): boolean {
  const first = lines.filter(({ page }) => page === 1)
  if (first.some(({ text }) => NO_BILL.test(fold(text)))) return true
  const titles = first.flatMap((line) => line.cells.flatMap((cell) => titleAt(line, cell)))
  const isNumbered = hasOwnNumber(first)
  const other = titles.find(
    ({ kind, cell, isByStems }) => kind === 'other' && !((isNumbered || isByStems) && isSmall(first, cell)),
  )
  if (!other) return false
  const [, top, , height] = other.cell.box
  return !titles.some(
    ({ kind, cell, isByStems }) =>
      kind !== 'other' &&
      !(isByStems && isSmall(first, cell)) &&
      (cell.box[1] <= top + height || cell.box[3] >= height * AS_LARGE),
  )
}

/** Height of a title by that of most letters, at least. */
const TITLE_HEIGHT = 1.15

/** Tells whether a cell is no larger than most: "Order 4711" among the details of a bill. */
function isSmall(lines: readonly Line[], { box: [, , , height] }: Cell): boolean {
  const heights = lines.flatMap(({ cells }) => cells.map(({ box }) => box[3])).toSorted((a, b) => a - b)
  return height < (heights[Math.floor(heights.length / 2)] ?? height) * TITLE_HEIGHT
}

/** Tells whether a page has the number of one bill beside its label. */
function hasOwnNumber(lines: readonly Line[]): boolean {
  const beside = valuesOf(lines, LABELS.number).filter(
    ({ cell, stands, before }) => stands !== 'beneath' && /\d/.test(cell.text) && before.trim() === '',
  )
  return new Set(beside.map(({ cell }) => cell.text)).size === 1
}

/** Reads a cell as a title: of few words, in no heading of a table, beside no amount. */
function titleAt(line: Line, cell: Cell): Title[] {
  const text = fold(cell.text).replace(LEAD, '')
  if (cell.words.length > TITLE_WORDS_MAX || hasMoney(line)) return []
  if (line.cells.length >= TABLE_CELLS && !/\d/.test(line.text)) return []
  const lengthOf = (titles: Beginning) => {
    const found = titles(text)
    return found !== undefined && !NOT_TITLE.test(text.slice(found.length)) ? found.length : 0
  }
  const lengths = { pro_forma: lengthOf(PRO_FORMA_TITLE), bill: lengthOf(BILL_TITLE), other: lengthOf(OTHER_TITLE) }
  if (lengths.pro_forma > 0) return [{ cell, kind: 'pro_forma' }]
  if (isWithBill(text.slice(0, lengths.other), text.slice(lengths.other))) return [{ cell, kind: 'bill' }]
  // "statement of account" is longer than "statement"; "bill of lading" than "bill"
  if (lengths.other > lengths.bill) return isReference(text.slice(lengths.other)) ? [] : [{ cell, kind: 'other' }]
  const isCompound = text.split(' ').some((word) => COMPOUND_TITLE.test(word.replace(/[:.]$/, '')))
  if (lengths.bill > 0 || isCompound) return [{ cell, kind: 'bill' }]
  const kind = kindOfTitle(text)
  return kind ? [{ cell, kind, isByStems: true }] : []
}

/** Notes of delivery and confirmations, which may be a bill too: "Lieferschein / Rechnung". */
const WITH_BILL =
  /liefer|deliver|livraison|entrega|albaran|trasporto|lever|dodac|dodan|szallit|bestatig|confirm|packing|potvrz/
const isWithBill = (other: string, rest: string): boolean => {
  const joined = /^ ?(?:[/|&+]|(?:und|and|et|y|e|en|og|och|i|a|si)(?= )) ?/.exec(rest)
  return joined !== null && WITH_BILL.test(other) && BILL_TITLE(rest.slice(joined[0].length)) !== undefined
}

/** Tells whether a colon follows at once: the label of another document's number. */
const isReference = (rest: string): boolean => /^ ?:/.test(rest)
const hasMoney = ({ cells }: Line): boolean => cells.some(({ text }) => /\d[.,]\d{2}(?![\d.,])/.test(text))

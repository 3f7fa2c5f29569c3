/** Kinds of documents by the stems of their titles: for those that no list has whole. */
import { fold } from '../text/labels/fold.ts'

const listOf = (words: string): string[] => fold(words).trim().split(/\s+/)

/** Beginnings of words of titles, and of the parts of compound ones. */
const STEMS = {
  bill: listOf(`rechnung invoice bill receipt factur factuur fattur fatur faktur lasku arve rēķin sąskait számla račun
    τιμολογ αποδείξ фактур рахун счет avoir gutschrift kredit credit kvitt quittung regning mahn zahlungserinner remind
    rappel relance recordator sollecit aanmaning herinner påminnel rykker purring muistut meeldetul atgādin primini
    wezwani przypomn ponaglen upomín upomienk felszólít emlékeztet somați напомн υπενθύμ opomin podsjetn hatırlat`),
  other:
    listOf(`bestätig auftragsbestät bestell auftrag order confirm acknowledg erkänn bekräft bekræft bekreft commande pedido encomenda ordine
    conferma bestelling bevestig opdracht beställ orderbekräft ordre tilaus vahvist tellimus kinnit pasūtīj apstiprin
    užsaky patvirtin zamówien potwierdz objednáv potvrz potvrd megrendel rendelés visszaigazol comand confirmare поръчк
    потвърж заказ замовл подтвержд підтвердж παραγγελ επιβεβαί narudžb naročil potrditev sipariş onay pesanan
    konfirmasi buchung reservier booking reservation lieferschein liefer deliver dispatch despatch packing livraison
    entrega albarán consegna trasporto leverbon pakbon pakketbon leverans följesed følgesed toimitus lähete tarne
    saatele piegād pristat važtar dostaw wydani dodací szállít livrare expediți достав наклад παράδοσ αποστολ dobavnic
    otpremn irsaliye sevk angebot kostenvoran offert offer quot estimat devis presupuest cotizac orçament cotaç
    preventiv tilbud anbud tarjous pakkumi piedāvāj pasiūly wycen kosztorys nabídk ponuk ajánlat árajánlat оферт
    пропоз προσφορ ponud teklif penawaran kontoauszug kontenausz statement relevé extracto extrato estratto overzicht
    kontoutdrag kontoudtog kontoutskrift tiliote väljavõt izrakst išraš wyciąg zestawien výpis kivonat извлечен выписк
    κίνησ izvod izpis ekstre saldenbest saldobe`),
} as const
/** Words of titles that tell no kind, and what joins them. */
const PLAIN = new Set(
  listOf(`note nota slip schein bon document dokument documento list lista account konto compte cuenta conto rekening
    tiliote customer client kunden of the de di da do du des del della la le et and und och og y e i ja a al til for
    zur zum per sales commercial tax vat final copy kopie your our ihre unsere no nr`),
)
const PART_MIN = 5
const LETTERS_MAX = 7
const WORDS_MAX = 5

type DocumentKind = keyof typeof STEMS

/** Finds the kind of a word by its beginning, else by the last part of a compound. */
function kindOfWord(word: string): DocumentKind | undefined {
  const kinds = ['bill', 'other'] as const
  const isEnding = (rest: string) => rest.length <= LETTERS_MAX
  const compound = kinds.find((kind) =>
    STEMS[kind].some(
      (stem) =>
        stem.length >= PART_MIN && word.indexOf(stem) > 2 && isEnding(word.slice(word.indexOf(stem) + stem.length)),
    ),
  )
  return (
    compound ??
    kinds.find((kind) => STEMS[kind].some((stem) => word.startsWith(stem) && isEnding(word.slice(stem.length))))
  )
}

/** Tells the kind of document that a folded title names with all of its words; undefined for another text. */
export function kindOfTitle(text: string): DocumentKind | undefined {
  const [title = ''] = text.split(/[\d:#№]/)
  const words = title.split(/[^\p{L}]+/u).filter((word) => word !== '')
  if (words.length === 0 || words.length > WORDS_MAX) return undefined
  const kinds = words.map((word) => (PLAIN.has(word) ? 'plain' : kindOfWord(word)))
  if (kinds.includes(undefined)) return undefined
  return kinds.includes('bill') ? 'bill' : kinds.includes('other') ? 'other' : undefined
}

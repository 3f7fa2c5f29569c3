/** Words that tell the language of a page. */
import { fold } from './fold.ts'

/** Languages whose letters are recognized on pictures. */
const LETTERS = ['de', 'en', 'fr', 'es', 'nl', 'it'] as const
export type Language = (typeof LETTERS)[number]

const WORDS = {
  de: 'und der die rechnung gutschrift datum betrag mwst ust zahlbar bankverbindung fallig',
  en: 'and the invoice credit date amount due vat please bank total payment',
  fr: 'et le la facture avoir date montant tva ttc ht echeance paiement reglement',
  es: 'y el la factura fecha importe iva vencimiento pago cliente base',
  nl: 'en het de factuur creditnota factuurdatum bedrag btw vervaldatum betaling klant omschrijving',
  it: 'e il la fattura data importo iva scadenza pagamento imponibile cliente descrizione',
  pt: 'fatura vencimento valor nif contribuinte iliquido emissao descricao quantidade da do',
  pl: 'faktura sprzedawca nabywca zaplaty kwota wartosc termin razem slownie nr',
  cs: 'faktura dodavatel odberatel splatnosti castka celkem dph uhrade datum ico dic',
  sk: 'faktura dodavatel odberatel splatnosti suma spolu dph uhradu datum ico icdph',
  hu: 'szamla vevo elado fizetendo osszesen afa hatarido kelte brutto teljesites adoszam',
  ro: 'factura furnizor cumparator scadenta valoare tva total cota plata cantitate lei',
  da: 'faktura fakturadato forfaldsdato belob moms ialt betaling varenr antal kontonr og',
  sv: 'faktura fakturadatum forfallodatum belopp moms summa betala bankgiro antal kund och att',
  nb: 'faktura fakturadato forfallsdato belop mva sum betale kontonummer antall kundenr og',
  fi: 'lasku laskun erapaiva paivamaara yhteensa alv summa viitenumero maksettava veroton',
  et: 'arve kuupaev maksetahtaeg kokku kaibemaks km summa tasuda ostja muuja',
  lv: 'rekins pircejs piegadatajs datums summa pvn kopa apmaksai terminas',
  lt: 'saskaita faktura pirkejas pardavejas suma pvm viso moketi iki data',
  sl: 'racun kupec datum zapadlosti znesek ddv skupaj placilo izdaje',
  hr: 'racun kupac datum dospijeca iznos pdv ukupno placanje izdavanja oib',
  el: 'τιμολογιο ημερομηνια συνολο φπα αφμ πληρωτεο αξια ποσο και',
  bg: 'фактура дата сума ддс общо плащане получател доставчик данъчна за',
  tr: 'fatura tarih tarihi tutar tutari kdv toplam odenecek vade vergi genel',
  id: 'faktur tanggal jumlah ppn tempo harga pembayaran tagihan dan',
  uk: 'рахунок дата сума пдв всього оплати постачальник покупець до',
  ru: 'счет дата сумма ндс итого оплаты поставщик покупатель к',
} as const
/** Written without blanks. */
const UNSPACED = {
  ja: /請求|合計|消費税|振込|お支払|期限|発行日|[ぁ-ん]{2,}/g,
  zh: /发票|發票|合计|合計金額|税额|金额|購買方|购买方|日期|付款|总计|總計/g,
  ko: /청구서|세금계산서|합계|공급가액|부가세|발행일|납부|금액|입금/g,
} as const
export type PageLanguage = keyof typeof WORDS | keyof typeof UNSPACED

const counters: readonly (readonly [language: PageLanguage, words: RegExp])[] = [
  // casts: keys of the lists above
  ...Object.entries(WORDS).map(
    ([language, words]) =>
      [
        language as PageLanguage,
        new RegExp(`(?<![\\p{L}\\d_])(?:${words.replaceAll(' ', '|')})(?![\\p{L}\\d_])`, 'gu'),
      ] as const,
  ),
  ...Object.entries(UNSPACED).map(([language, words]) => [language as PageLanguage, words] as const),
]

/** Finds the language with most words; null for a tie. */
function mostSpoken(texts: readonly string[], among: (language: PageLanguage) => boolean): PageLanguage | null {
  const whole = fold(texts.join(' '))
  const counted = counters
    .filter(([language]) => among(language))
    .map(([language, words]) => ({ language, count: whole.match(words)?.length ?? 0 }))
  const [first, second] = counted.toSorted((a, b) => b.count - a.count)
  return first && first.count > (second?.count ?? 0) ? first.language : null
}

/** Finds the language of a page; null for a tie. */
export const languageOf = (texts: readonly string[]): PageLanguage | null => mostSpoken(texts, () => true)

const hasLetters = (language: PageLanguage): language is Language => (LETTERS as readonly string[]).includes(language)

/** Finds the language whose letters a picture of the page is read by; null for a tie. */
export function lettersOf(texts: readonly string[]): Language | null {
  const language = mostSpoken(texts, hasLetters)
  return language !== null && hasLetters(language) ? language : null
}

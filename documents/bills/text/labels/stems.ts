/** Labels by the stems of their words, in whatever order and form: for those that no list has whole. */
import { fold } from './fold.ts'

const listOf = (words: string): string[] => fold(words).trim().split(/\s+/)

/** Beginnings of words of labels, and of the parts of compound ones, each of one meaning. */
const STEMS = {
  day: listOf(`date datum dato data datos datums dátum datas dates fecha tarih kuupäev päiv päev dagsetning dagur dnia
    dňa dne den kelte dag ημερομηνί ημ/νί дата дату даты tanggal tgl ngày jour jum dáta dag tag`),
  number: listOf(`number nummer numer numero numéro numero número numar număr numur szám sorszám številk broj číslo
    αριθμ номер nomor nomer uimhir identifier numri`),
  bill: listOf(`rechnung beleg gutschrift invoice bill receipt factur factuur faktuur fattur fatur faktur lasku arve rēķin pavadzīm
    sąskait számla bizonylat račun τιμολογ παραστατικ αποδείξ фактур рахун счет докум docum dokum dokl nota avoir crédit
    kredit credit abono hyvitys kvitt kvit quittung regning recibo ricevut scontrin makbuz tagihan účtenk uctenk čekis
    nyugta chitanț belge sonrasc reikning kuitti folio voucher ticket faktúr`),
  issue: listOf(`ausstell ausgestell ausgabe erstell issu émission emis emit expedic expedid uitgifte opmaak afgifte
    emess wystaw vystav vyhotov kiállít udsted udfærd utsted utfärd utskrift udskr laadi väljast koosta izrakst išraš
    izdaj izdav izstav izdan ispostav sastav έκδοσ εκδόθ издав издад вистав склад состав выстав выпис düzenle kesim
    terbit cetak billing invoicing fakturering faktureri laskutus facturat facturac fatturaz fakturac opprett lagd`),
  due: listOf(`fällig zahlungsziel zahlungsfrist zahlungstermin due deadline échéanc exigib vencim vence verval scaden
    splatn splatné határid esedék forfal förfall forfall frist erä maksetäht täht termiņ termin rok zapad dospij dospeć
    λήξ προθεσμ срок падеж vade tempo prazo plazo limite limit term`),
  pay: listOf(`zahl bezahl pay pago pagar pagam paiem payem règl betaal betal maksu maksa maksett tasu apmaks samaks
    apmok mokė platn płat platb plata plată plati zapłat zaplat úhrad uhrad fizet plačil plaćan uplat πληρωμ πληρωτ плат сплат
    оплат плащ ödeme bayar`),
  kind: listOf(`tax vat sales commercial final simplified electronic fiscal proforma steuer danov handels unser ihre our
    your votre pvm tva iva moms`),
} as const
type Stem = keyof typeof STEMS
/** Parts of a compound are longer than these letters, since short ones are in many words. */
const PART_MIN = 4

/** Words between others, which mean nothing by themselves. */
const JOINS = new Set(
  listOf(`of the de di da do des du del della dell' dell la le les l' d' el das der die den och og und and et y e i a u
    ja un ir in si na za o w per fur für pour para pentru az van het een av af for til на к за и του της την na no em
    & / - – | : os as te at att ved on am the il lo zum zur e'`),
)
/** Short words of a number. */
const NUMBER_SIGN =
  /^(?:n|nr|no|n[°ºo]|n\.o|nos|num|nro|n:o|n:r|c|cis|st|br|αρ|αριθ|№|#|id|nbr|ref|reference|referenz)\.?:?$/
/** Words of a last day: they make a payment's day that of its term. */
const UNTIL = new Set(
  listOf(`bis by before until latest avant jusqu'au antes hasta até voor uiterlijk entro senast senest viimeistään
    hiljemalt līdz iki innen до εως έως μέχρι kadar sebelum до son siste sidste rettidige last`),
)
/** Words that make a label that of another bill, day or number. */
const OTHERS = /kontonr|kontonum|szamlaszam|rechnungsbetrag|rechnungssumme|rechnungsadresse|rechnungsempf|billing ?add/

const byLetter = new Map<string, (readonly [stem: string, meaning: Stem])[]>()
for (const [meaning, stems] of Object.entries(STEMS)) {
  for (const stem of stems) {
    const letter = stem.charAt(0)
    // cast: keys of the list above
    byLetter.set(letter, [...(byLetter.get(letter) ?? []), [stem, meaning as Stem]])
  }
}
for (const stems of byLetter.values()) stems.sort(([a], [b]) => b.length - a.length)

/** Letters of an ending, or between the parts of a compound. */
const ENDING_MAX = 6

function stemAt(word: string, at: number): readonly [stem: string, meaning: Stem] | undefined {
  return byLetter
    .get(word.charAt(at))
    ?.find(([stem]) => word.startsWith(stem, at) && (at === 0 || stem.length >= PART_MIN))
}

type Meaning = Stem | 'until' | 'join'
const known = new Map<string, readonly Meaning[] | null>()
const KNOWN_MAX = 4000

/** Lists the meanings of a word's parts; null for a word that has others. */
function meaningsOf(word: string): readonly Meaning[] | null {
  const found = known.get(word)
  if (found !== undefined) return found
  if (known.size >= KNOWN_MAX) known.clear()
  const meanings = readWord(word)
  known.set(word, meanings)
  return meanings
}

function readWord(written: string): readonly Meaning[] | null {
  if (NUMBER_SIGN.test(written)) return ['number']
  const word = written.replace(/(?<![.:,])[.:,]+$/, '')
  if (UNTIL.has(word)) return ['until']
  if (JOINS.has(word) || word === '') return ['join']
  const meanings: Meaning[] = []
  let at = 0
  let between = 0
  while (at < word.length) {
    const [stem, meaning] = stemAt(word, at) ?? []
    if (stem && meaning) {
      meanings.push(meaning)
      at += stem.length
      between = 0
    } else if (meanings.length === 0 || (between += 1) > ENDING_MAX) {
      return null
    } else if (meanings.at(-1) === 'bill' && /^-?n[ro]$/.test(word.slice(at))) {
      return [...meanings, 'number']
    } else {
      at += 1
    }
  }
  return meanings
}

/** Words of the longest label. */
const WORDS_MAX = 7

/** Kinds of labels that stems tell. */
export type StemLabel = 'number' | 'issued' | 'day' | 'due'

/** Tells the kind of a label by the meanings of all of its words. */
function tell(meanings: ReadonlySet<Meaning>): StemLabel | undefined {
  const has = (meaning: Meaning) => meanings.has(meaning)
  if (has('number')) return has('bill') && !has('day') && !has('due') && !has('pay') ? 'number' : undefined
  if (has('due') || (has('pay') && has('until'))) return 'due'
  if (has('pay') || has('until')) return undefined
  if (has('day')) return has('bill') || has('issue') ? 'issued' : 'day'
  return has('issue') && !has('bill') ? 'issued' : undefined
}

/** Finds labels of a kind at the beginning of folded text, as a pattern does. */
export const matchStems = (kind: StemLabel): Pick<RegExp, 'exec'> => ({
  exec: (text) => {
    const lead = /^[^\p{L}\d#№]*/u.exec(text)?.[0] ?? ''
    const words = text.slice(lead.length).split(' ')
    const meanings = new Set<Meaning>()
    let end = lead.length
    let found: readonly [kind: StemLabel, end: number] | undefined
    for (const [index, word] of words.slice(0, WORDS_MAX).entries()) {
      const here = meaningsOf(word)
      if (!here) break
      for (const meaning of here) meanings.add(meaning)
      // of Slavic languages; in Portuguese it joins
      if (/^do:?$/.test(word) && meanings.has('pay')) meanings.add('until')
      end += word.length + (index > 0 ? 1 : 0)
      const kindSoFar = tell(meanings)
      if (kindSoFar && (kindSoFar === 'due' || !here.every((meaning) => meaning === 'join'))) found = [kindSoFar, end]
      if (word.endsWith(':')) break
    }
    if (!found || found[0] !== kind || OTHERS.test(text)) return null
    const match: string[] = [text.slice(lead.length, found[1])]
    return Object.assign(match, { index: lead.length, input: text, 0: match[0] ?? '' }) as RegExpExecArray
  },
})

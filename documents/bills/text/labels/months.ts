/** Names of months, by language; folded, without endings. */

const NAMES = {
  en: 'january february march april may june july august september october november december',
  de: 'januar|janner februar|feber marz|maerz april mai juni juli august september oktober november dezember',
  fr: 'janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre',
  es: 'enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre noviembre diciembre',
  nl: 'januari februari maart april mei juni juli augustus september oktober november december',
  it: 'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  pt: 'janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro',
  pl: 'stycz lut|luty|lutego marzec|marca kwiec|kwietnia maj czerwiec|czerwca lipiec|lipca sierp wrzes pazdziernik listopad grudzien|grudnia',
  cs: 'led|leden|ledna unor brezen|brezna dub|duben|dubna kveten|kvetna cerven|cervna cervenec|cervence srpen|srpna zari rijen|rijna listopad prosinec|prosince',
  sk: 'januar februar marec|marca april maj jun jul august september oktober november december',
  hu: 'januar februar marcius aprilis majus junius julius augusztus szeptember oktober november december',
  ro: 'ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie|oct noiembrie decembrie',
  da: 'januar februar marts april maj juni juli august september oktober november december',
  sv: 'januari februari mars april maj juni juli augusti september oktober november december',
  nb: 'januar februar mars april mai juni juli august september oktober november desember',
  fi: 'tammikuu helmikuu maaliskuu huhtikuu toukokuu kesakuu heinakuu elokuu syyskuu lokakuu marraskuu joulukuu',
  et: 'jaanuar veebruar marts aprill mai juuni juuli august september oktoober november detsember',
  lv: 'janvari februari marts|marta aprili maijs|maija junijs|junija julijs|julija august septembri oktobri novembri decembri',
  lt: 'saus vasar|vasaris kovas|kovo baland geguz birzel liepa|liepos rugpjut rugsej spal|spalio lapkrit gruod',
  sl: 'januar februar marec|marca april maj junij julij avgust september oktober november december',
  hr: 'sijecanj|sijecnja veljaca|veljace ozujak|ozujka travanj|travnja svibanj|svibnja lipanj|lipnja srpanj|srpnja kolovoz rujan|rujna listopad studeni prosinac|prosinca',
  el: 'ιανουαρι φεβρουαρι μαρτι απριλι μαι ιουνι ιουλι αυγουστ σεπτεμβρι οκτωβρι νοεμβρι δεκεμβρι',
  bg: 'януари февруари март април маи юни юли август септември октомври ноември декември',
  tr: 'ocak subat mart nisan mayis haziran temmuz agustos eylul ekim kasim aralik',
  id: 'januari februari maret april mei juni juli agustus september oktober november desember',
  uk: 'січ лют|лютого берез квіт трав черв лип серп верес жовт листопад груд',
  ru: 'январ феврал март апрел мая|маи июн июл август сентябр октябр ноябр декабр',
} as const

/** Short names that begin another language's other month, or no name. */
const SHORT_NAMES: Readonly<Record<string, number>> = Object.fromEntries(
  [
    'jan ene gen',
    'feb fev',
    'mar mrz mrt',
    'apr abr avr',
    'may mai mei maj mag',
    'jun giu',
    'jul lug juil',
    'aug ago avg',
    'sep sept set eyl',
    'oct okt out ott',
    'nov',
    'dec dez dic des',
  ].flatMap((names, index) => names.split(' ').map((name) => [name, index + 1] as const)),
)
const MONTHS = Object.entries(NAMES).flatMap(([language, names]) =>
  names.split(' ').flatMap((forms, index) => forms.split('|').map((stem) => ({ language, stem, month: index + 1 }))),
)
/** Letters of an abbreviation at least; of an ending at most, behind a stem of three letters and a longer one. */
const [SHORT_MIN, ENDING_MAX, LONG_ENDING_MAX] = [3, 2, 4]

/** Finds the months that a folded word may be, whole, declined or short: of the language, else of any. */
function monthsOf(word: string, language: string | null): ReadonlySet<number> {
  const short = Object.hasOwn(SHORT_NAMES, word) ? SHORT_NAMES[word] : undefined
  if (short !== undefined) return new Set([short])
  if (word.length < SHORT_MIN) return new Set()
  const whole = MONTHS.filter(
    ({ stem }) =>
      word.startsWith(stem) && word.length - stem.length <= (stem.length > SHORT_MIN ? LONG_ENDING_MAX : ENDING_MAX),
  )
  const longest = Math.max(...whole.map(({ stem }) => stem.length))
  const found =
    whole.length > 0
      ? whole.filter(({ stem }) => stem.length === longest)
      : MONTHS.filter(({ stem }) => stem.startsWith(word))
  const own = found.filter((one) => one.language === language)
  return new Set((own.length > 0 ? own : found).map(({ month }) => month))
}

/** Finds the month of a folded word; null for none, or for two of different languages. */
export function monthOf(word: string, language: string | null): number | null {
  const [month, ...others] = monthsOf(word, language)
  return others.length === 0 ? (month ?? null) : null
}

/** Tells whether a folded word is a month in any language. */
export const isMonth = (word: string): boolean => monthsOf(word, null).size > 0

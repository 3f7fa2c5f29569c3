/** Last day of payment: by terms, or in a sentence that asks to pay until then. */
import { daysAfter } from '../../../domain/instants.ts'
import { oneOf } from '../phrases.ts'
import { type DateOrder, dateOf } from './dates.ts'
import { fold } from './labels/fold.ts'
import type { PageLanguage } from './labels/languages.ts'
import type { Cell, Line } from './words.ts'

const DAYS_WORD = String.raw`(?:days?|tage?n?|jours?|dias|dagen|dag(?:ar|e|er)?|giorni|gg|dni|dnu|dnov|dniv|nap(?:on|os|tari)?|zile|paivaa?|paeva|dien(?:as|u|os)|dienomis|dana|ημερ(?:εσ|ων)|дни|дней|дн[іи]в|gun(?:dur)?|hari|日|天|일)`
/** Words of payment around a number of days, in any other language. */
const OF_PAYMENT = oneOf(`
  netto, net, terms?, payment terms?, payable, due, within, betaling\\w*, betal\\w*, termin\\w*, vilkar, villkor
  betalningsvillkor, betalingsbetingelser, betalingsvilkar, maksuehto, maksuehdot, maksuaika, maksetingimus\\w*
  maksetahtaeg, tasumi\\w*, apmaks\\w*, samaks\\w*, apmokej\\w*, moke\\w*, platn\\w*, zaplat\\w*, splatn\\w*, uhrad\\w*
  fizet\\w*, plat\\w*, termen\\w*, scaden\\w*, плащ\\w*, срок, оплат\\w*, сплат\\w*, πληρωμ\\w*, πιστωση, rok, placan\\w*
  placil\\w*, odeme\\w*, vade\\w*, pembayaran, tempo, prazo, pagament\\w*, pagar, vencimento, condicoes`)
const DAYS_OF_PAYMENT = new RegExp(`(?<![\\d.,/-])(\\d{1,3}) ?(?:${DAYS_WORD})(?![\\p{L}])`, 'u')
const SHORT_DAYS = 180

const TERMS = [
  /(?:innerhalb|binnen|zahlbar|zahlungsziel|netto|zahlung)(?: von)?\D{0,24}?(\d{1,3}) tag/,
  /\b(\d{1,3}) tagen? (?:netto|nach)/,
  /\bnet ?(\d{1,3})\b/,
  /(?:within|terms:?|payable in|due in)\D{0,12}(\d{1,3}) days/,
  /\b(\d{1,3}) days (?:net|from|after|of)/,
  /(?:paiement|reglement|payable|echeance|sous|delai)\D{0,24}?(\d{1,3}) jours/,
  /(?:pago|plazo|pagar|vencimiento)\D{0,24}?(\d{1,3}) dias/,
  /(?:betal\w{0,20}|binnen|termijn)\D{0,24}?(\d{1,3}) dagen/,
  /(?:pagament\w{0,20}|entro|scadenza)\D{0,24}?(\d{1,3}) (?:giorni|gg)/,
]
/** Words of discounts, reminders, or the end of a month. */
const NO_TERMS =
  /%|skonto|escompte|korting|sconto|descuento|discount|verzug|mahn|overdue|late|interest|retard|penalit|mora|rente|fin de mois|fine mese|fin de mes|monatsende|end of (?:the )?month|eom|einde (?:van de )?maand/

export function dueByTerms(lines: readonly Line[], issue: string): { date: string; cell: Cell } | undefined {
  const cells = lines.flatMap((line) => line.cells)
  const found = cells.flatMap((cell) => {
    const text = fold(cell.text)
    if (NO_TERMS.test(text)) return []
    const [days] = TERMS.flatMap((terms) => terms.exec(text)?.[1] ?? [])
    const other = days ?? (OF_PAYMENT.test(text) ? DAYS_OF_PAYMENT.exec(text)?.[1] : undefined)
    return other !== undefined && Number(other) <= SHORT_DAYS ? [{ days: Number(other), cell }] : []
  })
  const [only] = found
  if (!only || new Set(found.map(({ days }) => days)).size > 1) return undefined
  return { date: daysAfter(issue, only.days), cell: only.cell }
}

const [UNTIL, ASKS] = [
  oneOf(`
    by, before, until, no later than, not later than, latest by, on or before, due(?: on)?, bis(?: zum| spatestens)?, vor dem
    spatestens(?: am| zum)?, avant(?: le)?, au plus tard(?: le)?, jusqu'au, antes del?, hasta(?: el)?, ate(?: ao dia)?, voor
    uiterlijk(?: op)?, entro(?: il)?, senast(?: den)?, senest(?: den)?, inden, innen, viimeistaan, hiljemalt, lidz, iki, do(?: dnia)?
    nejpozdeji(?: do)?, najneskor(?: do)?, pana la, до, най-късно до, εωσ, μεχρι(?: τισ)?, najkasneje do, najkasnije do, sebelum`),
  oneOf(`
    pay, payable, payment, transfer, remit, settle, uberweisen, zahlen, zahlbar, zahlung, begleichen, uberweisung, payer, regler
    reglement, paiement, virement, pagar, pago, pague, abonar, abone, pagamento, pagare, versare, bonifico, betalen, voldoen
    overmaken, betaling, betala, betalas, betalning, betale, betales, indbetal\\w*, maksaa, maksettava, tasuda, tasumi\\w*, apmaks\\w*
    samaks\\w*, apmoke\\w*, sumoke\\w*, zaplac\\w*, zaplat\\w*, platn\\w*, uhrad\\w*, fizet\\w*, achit\\w*, plat\\w*, плат\\w*, заплат\\w*
    πληρω\\w*, εξοφλησ\\w*, placa\\w*, placi\\w*, plati\\w*, odeyin\\w*, bayar\\w*`),
]
/** Words of a sentence about what happens otherwise, a service or a part. */
const OTHERWISE =
  oneOf(`if, unless, otherwise, falls, wenn, sonst, si, sauf, se, als, indien, om, hvis, jesli, instal\\w+, rate, cancel\\w*
  kundig\\w*, order\\w*, valid, gultig, valable`)
/** Letters between such a word and its day: an article, or the day of the week. */
const LEAD = /^[\p{L}., ]{0,14}$/u

/** Finds the only day until which a sentence asks to pay. */
export function dayInSentence(
  lines: readonly Line[],
  order: DateOrder,
  language: PageLanguage | null,
): readonly [date: string | null, cell: Cell] | undefined {
  const found = lines.flatMap(({ cells }) =>
    cells.flatMap((cell) => {
      const text = cell.words.length > 2 ? fold(cell.text) : ''
      if (text === '' || NO_TERMS.test(text) || OTHERWISE.test(text)) return []
      const date = dateOf(cell.text, order, language)
      const before = date ? text.slice(0, Math.max(0, text.indexOf(date.text))) : ''
      const [until] = [...before.matchAll(new RegExp(UNTIL, 'gu'))].slice(-1)
      if (!date || !until || !ASKS.test(before + text.slice(before.length))) return []
      return LEAD.test(before.slice(until.index + until[0].length)) ? [[date.date, cell] as const] : []
    }),
  )
  return new Set(found.map(([date]) => date)).size === 1 ? found[0] : undefined
}

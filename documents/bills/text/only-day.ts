/** Day of a bill that no known label names: the only one in the head of its first page. */
import { oneOf } from '../phrases.ts'
import { type DateOrder, dateOf, looksLikeDate, maskDates } from './dates.ts'
import { fold } from './labels/fold.ts'
import { LABELS } from './labels/labels.ts'
import type { PageLanguage } from './labels/languages.ts'
import { matchStems } from './labels/stems.ts'
import { speaksOfOtherBill } from './roles.ts'
import type { Cell, Line } from './words.ts'

/** Share of a page that is its head. */
const HEAD = 0.5
/** Words beside a day of an order, a delivery, a service, a payment, or a person. */
const OTHER_DAY = oneOf(`
  \\w*(?:liefer|leistung|bestell|auftrag|angebot|versand|druck|geburt|gultig|vertrag)\\w*, deliver\\w*, ship\\w*, service\\w*, suppl\\w*
  \\w*zahl\\w*, payment\\w*, paiement\\w*, pago, pagamento, betaal\\w*, betaling\\w*, order\\w*, quot\\w*, print\\w*, born, birth\\w*, valid\\w*, contract\\w*, period\\w*, purchase\\w*, check-?(?:in|out), arrival
  departure, travel\\w*, paid, received, stay, from, to, livr\\w*, command\\w*, prestation\\w*, contrat, naissance, impression, entreg\\w*
  pedid\\w*, servici\\w*, operaci\\w*, contrat\\w*, encomend\\w*, consegn\\w*, ordin\\w*, contratt\\w*, nascit\\w*, lever\\w*, \\w*bestel\\w*
  opdracht\\w*, bestall\\w*, ordre\\w*, toimitus\\w*, tilaus\\w*, tarne\\w*, tellimus\\w*, piegad\\w*, pasutij\\w*, pristat\\w*, uzsakym\\w*
  sprzedaz\\w*, dostaw\\w*, zamowien\\w*, wykonan\\w*, dodan\\w*, dodac\\w*, objednav\\w*, plneni\\w*, plnen\\w*, zdanit\\w*, uskutecn\\w*
  teljesit\\w*, szallit\\w*, rendeles\\w*, livrar\\w*, comand\\w*, достав\\w*, поръчк\\w*, събити\\w*, постав\\w*, заказ\\w*, замовл\\w*
  отгруз\\w*, παραδοσ\\w*, παραγγελ\\w*, αποστολ\\w*, dobav\\w*, storit\\w*, narocil\\w*, isporuk\\w*, narudzb\\w*, teslim\\w*, siparis\\w*
  irsaliye\\w*, sevk\\w*, kirim\\w*, pengiriman, pesanan`)
const OTHER_DAY_UNSPACED = /納品|注文|取引|交货|交貨|订单|訂單|納入|支払|振込|付款|到期|납품|주문|공급|납부|지급/
const DUES = [LABELS.due, matchStems('due')]
const NEAR_LINES = 2

/** Finds the only day of the head that is neither the last one of payment nor another's. */
export function onlyDayOf(
  lines: readonly Line[],
  order: DateOrder,
  language: PageLanguage | null,
): readonly [date: string | null, cell: Cell] | undefined {
  const first = lines.filter(({ page }) => page === 1)
  const bottom = Math.max(0, ...first.map(({ box: [, y, , height] }) => y + height))
  const days = first.flatMap((line, index) =>
    line.box[1] > bottom * HEAD ? [] : line.cells.flatMap((cell) => dayAt(first, index, cell, order, language)),
  )
  const [day] = days
  return day && new Set(days.map(([date]) => date)).size === 1 ? day : undefined
}

function dayAt(
  lines: readonly Line[],
  index: number,
  cell: Cell,
  order: DateOrder,
  language: PageLanguage | null,
): (readonly [date: string | null, cell: Cell])[] {
  const found = dateOf(cell.text, order, language)
  if (!found) return looksLikeDate(cell.text) ? [[null, cell]] : []
  const around = labelsAround(lines, index, cell)
  const text = fold(cell.text)
  const rest = text.replace(found.text, ' ')
  const isOther = [text, ...around].some(
    (one) =>
      DUES.some((due) => due.exec(one) !== null) ||
      OTHER_DAY.test(one) ||
      OTHER_DAY_UNSPACED.test(one) ||
      speaksOfOtherBill(one),
  )
  if (isOther) return []
  // a period, or a sentence
  if (/\d/.test(maskDates(rest)) || dateOf(rest, order, language) || (rest.match(/\p{L}{2,}/gu)?.length ?? 0) > 4)
    return []
  return [[found.date, cell]]
}

/** Lists the folded labels beside a cell and above it in its column. */
function labelsAround(
  lines: readonly Line[],
  index: number,
  { box: [left, top, width, height], page }: Cell,
): string[] {
  const beside = lines[index]?.cells.filter(({ box: [x] }) => x < left) ?? []
  const above = lines
    .slice(Math.max(0, index - NEAR_LINES), index)
    .filter((line) => line.page === page && top - line.box[1] < height * 3)
    .flatMap(({ cells }) => cells.filter(({ box: [x, , w] }) => x < left + width && x + w > left))
  return [...beside, ...above].map(({ text }) => fold(text))
}

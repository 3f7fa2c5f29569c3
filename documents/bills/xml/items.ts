import { type LineItem, LINE_ITEMS_MAX, LINE_TEXT_MAX } from '../../../domain/bills/line-item.ts'
import { onOneLine } from '../../../domain/text.ts'
import type { Element, StatedValue } from '../../xml/element.ts'
import { plainDecimal } from './values.ts'

/** Line as written (BT-153, 129, 130, 146, 131 and 152). */
export type StatedItem = {
  readonly description: StatedValue | null
  readonly quantity: StatedValue | null
  readonly unit: string | null
  readonly unitPrice: StatedValue | null
  /** Number of units of the price (BT-149). */
  readonly priceBasis: StatedValue | null
  readonly amount: StatedValue | null
  readonly taxRate: StatedValue | null
}

export const itemsOf = (lines: readonly Element[], of: (line: Element) => StatedItem): readonly StatedItem[] =>
  lines.length <= LINE_ITEMS_MAX ? lines.map(of) : []

/** Converts lines; none if an amount is no number. */
export function lineItemsOf(items: readonly StatedItem[]): readonly LineItem[] {
  const isWhole = items.every(({ amount }) => amount !== null && plainDecimal(amount.value) !== null)
  return isWhole ? items.map(lineItemOf) : []
}

function lineItemOf({ description, unit, priceBasis, ...numbers }: StatedItem): LineItem {
  const number = (stated: StatedValue | null) => stated && plainDecimal(stated.value)
  const isForOne = !priceBasis || /^1(\.0*)?$/.test(number(priceBasis) ?? '')
  return {
    description: description && short(onOneLine(description.value)),
    quantity: number(numbers.quantity),
    unit: unit && short(onOneLine(unit)),
    unit_price: isForOne ? number(numbers.unitPrice) : null,
    amount: number(numbers.amount),
    tax_rate: number(numbers.taxRate),
  }
}

function short(text: string): string | null {
  const points = Array.from(text)
  return (points.length > LINE_TEXT_MAX ? `${points.slice(0, LINE_TEXT_MAX - 1).join('')}…` : text) || null
}

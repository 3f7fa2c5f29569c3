/** The customer's cells of a page, told apart from the supplier's. */
import { fold } from '../text/labels/fold.ts'
import { CUSTOMER, SUPPLIER } from '../text/roles.ts'
import type { Cell, Line } from '../text/words.ts'
import { CUSTOMER_LABEL, FROM, SUPPLIER_LABEL } from './labels.ts'

/** Lines of the customer's address, and the gap between them in heights of a letter. */
const [ADDRESS_LINES, BLOCK_LINES, GAP] = [5, 9, 2.3]

/** Tells whether a line, or its column above, begins with a word for the payer. */
export function isOfCustomer(lines: readonly Line[], line: Line, cell: Cell): boolean {
  const index = lines.indexOf(line)
  const [left, top, width, height] = cell.box
  if (namesCustomer(cell) || line.cells.some((one) => one.box[0] <= left && namesCustomer(one))) {
    return true
  }
  let bottom = top
  for (const above of lines.slice(Math.max(0, index - ADDRESS_LINES - 1), index).reverse()) {
    if (above.page !== line.page || bottom - above.box[1] > height * 2.6) return false
    const over = above.cells.find(({ box: [x, , w] }) => x < left + Math.max(width, 60) && x + w > left - 2)
    if (!over) continue
    bottom = above.box[1]
    if (SUPPLIER.exec(fold(over.text))?.index === 0 || headAt(over) === 'supplier') return false
    if (namesCustomer(over)) return true
  }
  return false
}

/** Parties whose headings cells are. A cell is asked about for each one beneath it: a page took 85 ms, and takes 45. */
const heads = new WeakMap<Cell, 'customer' | 'supplier' | 'none'>()
const customers = new WeakMap<Cell, boolean>()

function namesCustomer(cell: Cell): boolean {
  const known = customers.get(cell) ?? (CUSTOMER.test(fold(cell.text)) || headAt(cell) === 'customer')
  customers.set(cell, known)
  return known
}

/** Tells whose heading a cell is. */
export function headAt(cell: Cell): 'customer' | 'supplier' | undefined {
  const known = heads.get(cell) ?? headOf(fold(cell.text)) ?? 'none'
  heads.set(cell, known)
  return known === 'none' ? undefined : known
}

/** Tells whose heading a folded cell is: the label alone, or before a colon. */
export function headOf(text: string): 'customer' | 'supplier' | undefined {
  const written = text.replace(/^[^\p{L}]+/u, '')
  if (FROM.test(written)) return 'supplier'
  for (const [party, labels] of [
    ['customer', CUSTOMER_LABEL],
    ['supplier', SUPPLIER_LABEL],
  ] as const) {
    const label = labels(written)
    if (label !== undefined && /^\s*(?:$|[:(/|–-])/.test(written.slice(label.length))) return party
  }
  return undefined
}

/** Tells whether text stands behind a party's label in its cell. */
const hasValue = (text: string): boolean => /:\s*\S/.test(text)

export type Parties = { readonly customer: ReadonlySet<Cell>; readonly supplier: ReadonlySet<Cell> }

/** Finds the cells of labelled parties: of the supplier the first one beneath or beside the label. */
export function partiesOn(lines: readonly Line[]): Parties {
  const [customer, supplier] = [new Set<Cell>(), new Set<Cell>()]
  for (const [index, line] of lines.entries()) {
    for (const [column, cell] of line.cells.entries()) {
      const party = headAt(cell)
      if (party === undefined) continue
      const all = party === 'customer' ? customer : supplier
      all.add(cell)
      const beside = line.cells[column + 1]
      const block = blockBelow(lines, index, cell)
      const isBeside =
        beside !== undefined &&
        !hasValue(cell.text) &&
        !isLabel(beside) &&
        (block[0] === undefined || isLabel(block[0]))
      if (hasValue(cell.text) || !isBeside) for (const one of [...block, ...valuesBeside(lines, block)]) all.add(one)
      if (isBeside) for (const one of [beside, ...blockBelow(lines, index, beside)]) all.add(one)
    }
  }
  return { customer, supplier }
}

/** Finds the values beside labels that end in a colon, in a block that is a form. */
const valuesBeside = (lines: readonly Line[], block: readonly Cell[]): Cell[] =>
  block.flatMap((cell) => {
    const cells = lines.find((line) => line.cells.includes(cell))?.cells ?? []
    const value = cells[cells.indexOf(cell) + 1]
    return cell.text.trimEnd().endsWith(':') && value ? [value] : []
  })

const isLabel = (cell: Cell): boolean => cell.text.trimEnd().endsWith(':') || headAt(cell) !== undefined
/** Lists the cells of the block that begins beneath a cell, at its left, right or middle. */
export function blockBelow(lines: readonly Line[], index: number, { box, page }: Cell): Cell[] {
  const block: Cell[] = []
  const [left, , width] = box
  let [, top, , height] = box
  for (const line of lines.slice(index + 1)) {
    if (line.page !== page || block.length === BLOCK_LINES) break
    if (line.box[1] - top > Math.max(height, line.box[3]) * GAP) break
    const next = line.cells.find(({ box: [x, , w] }) => {
      const off = Math.min(Math.abs(x - left), Math.abs(x + w - left - width), Math.abs(x + w / 2 - left - width / 2))
      return off < 4 || Math.abs(x - left) < height * 0.6
    })
    if (!next) continue
    if (headAt(next) !== undefined) break
    block.push(next)
    ;[, top, , height] = next.box
  }
  return block
}

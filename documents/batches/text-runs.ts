/** Texts of a workbook, in runs of one form each. */
import { CELL_KEPT, UnreadableFile, fileFault } from '../../domain/batches/columns.ts'

/** Characters that are kept of a text: one more than a cell has, so that a longer one is found. */
export const KEPT = CELL_KEPT + 1
const ESCAPED = /_x([0-9A-Fa-f]{4})_/g
/** Half of a character of two code units. */
const HALF = /\p{Cs}/u

/** Joins the runs of a text, without the phonetic ones. */
export class Text {
  value = ''
  private isOpen = false
  private isPhonetic = false

  open(name: string): void {
    if (name === 'rPh') this.isPhonetic = true
    this.isOpen = name === 't' && !this.isPhonetic
  }

  close(name: string): void {
    if (name === 'rPh') this.isPhonetic = false
    if (name === 't') this.isOpen = false
  }

  add(text: string): void {
    if (this.isOpen && this.value.length < KEPT) this.value = (this.value + text).slice(0, KEPT)
  }

  /** Takes the text, whose escaped characters are `_x000D_` (ST_Xstring). */
  take(): string {
    const { value } = this
    this.value = ''
    if (!value.includes('_x')) return value
    const read = value.replaceAll(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    if (HALF.test(read)) throw new UnreadableFile(fileFault('workbook_damaged', null))
    return read
  }
}

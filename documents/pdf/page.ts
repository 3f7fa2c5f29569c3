/** Pages of an invoice: wrapped text, the foot of every page, and the structure for screen readers. */
import PDFDocument from 'pdfkit'
import { BOLD, FEATURES, REGULAR } from './fonts.ts'
import { inLetters } from '../../domain/payments/receipt.ts'

export const [WIDTH, HEIGHT, MARGIN] = [595.28, 841.89, 48]
export const RIGHT = WIDTH - MARGIN
const BOTTOM = HEIGHT - 62
const NOTE_TOP = HEIGHT - 54
const FOOT_TOP = HEIGHT - 38
const TEXT_SIZE = 9
const FOOT = { x: MARGIN, width: RIGHT - MARGIN }
const FOOT_STYLE = { size: 7.5, colour: 'grey' } as const
/** Widths that are remembered: pages of statements are many. */
const WIDTHS_MAX = 10_000
/** Smallest size of letters that people still read. */
const SIZE_MIN = 6
/** Line height relative to the font size. */
const LEADING = 1.36
export const COLOURS = { ink: '#1a1f36', grey: '#5f6b7e', line: '#dfe4ea', panel: '#f6f8fa', link: '#3f4fc4' } as const

const features = FEATURES as unknown as PDFKit.Mixins.OpenTypeFeatures[] // fontkit takes either

export type Style = {
  readonly size?: number
  readonly bold?: boolean
  readonly colour?: keyof typeof COLOURS
  readonly align?: 'left' | 'right'
}
/** Element of the structure tree (ISO 32000-1, 14.8.4). */
export type Part = PDFKit.PDFStructureElement
/** Value in lines, with its size and the height that it takes. */
export type FittedText = { readonly lines: readonly string[]; readonly style: Style; readonly height: number }
type Box = { readonly x: number; readonly width: number }

export const heightOf = ({ size = TEXT_SIZE }: Style = {}): number => size * LEADING

/** Pages drawn from top to bottom; `y` is the place of the next line. */
export class Sheet {
  readonly document: PDFKit.PDFDocument
  y: number = MARGIN
  page = 1
  lacksLetters = false
  private readonly root: Part
  private readonly feet = new Map<number, number>()
  /** Cache of widths at a size of one: measuring letters is half of the work. */
  private readonly widths = new Map<string, number>()

  /** @param head draws the head of a table again, on every page but the first */
  constructor(
    options: PDFKit.PDFDocumentOptions,
    private readonly head: (sheet: Sheet) => void,
  ) {
    const ours = { size: 'A4', margin: 0, font: '', bufferPages: true, tagged: true }
    this.document = new PDFDocument({ ...ours, ...options })
    this.document.registerFont('regular', REGULAR).registerFont('bold', BOLD)
    this.root = this.document.struct('Document')
    this.document.addStructure(this.root)
  }

  part(type: string, within: Part = this.root, options: PDFKit.Mixins.StructureElementOptions = {}): Part {
    const part = this.document.struct(type, options)
    within.add(part)
    return part
  }

  /** Draws what screen readers skip: rules, and repetitions on every page. */
  artifact(draw: () => void): void {
    this.document.markContent('Artifact', { type: 'Layout' })
    draw()
    this.document.endMarkedContent()
  }

  /** Begins a page if less than this height is left. */
  room(height: number, isTable = false): void {
    if (this.y + height <= BOTTOM) return
    this.addPage()
    if (!isTable) return
    this.artifact(() => this.head(this))
    this.rule(this.y)
  }

  addPage(): void {
    this.document.addPage()
    this.page += 1
    this.y = MARGIN
  }

  /** Puts the foot of the page higher, above what is drawn at its bottom. */
  liftFoot(y: number): void {
    this.feet.set(this.page, y)
  }

  readonly tallest = BOTTOM - MARGIN

  /** Wraps text in lines of this width; splits a word that is wider. */
  wrapped(words: string, width: number, style: Style = {}): string[] {
    const widthOf = this.measure(style)
    return this.drawable(words).flatMap((paragraph) => {
      const lines: string[] = []
      let line = ''
      for (const word of paragraph.split(/ +/).flatMap((one) => pieces(one, width, widthOf))) {
        const longer = line && word ? `${line} ${word}` : line || word
        if (line && widthOf(longer) > width) {
          lines.push(line)
          line = word
        } else line = longer
      }
      return [...lines, line]
    })
  }

  line(words: string, box: Box, style: Style = {}, part: Part = this.part('P')): void {
    part.add(() => this.draw(words, box, style))
  }

  /** Fits a value in a width: in lines, and in smaller letters down to 6 points if a word is too wide for one. */
  fit(words: string, width: number, style: Style = {}): FittedText {
    const { size = TEXT_SIZE } = style
    const widthOf = this.measure(style)
    const widest = Math.max(0, ...this.drawable(words).flatMap((line) => line.split(/ +/).map(widthOf)))
    const fitted = { ...style, size: Math.min(size, Math.max(SIZE_MIN, (size * width) / (widest || 1))) }
    const lines = this.wrapped(words, width, fitted)
    return { lines, style: fitted, height: lines.length * heightOf(fitted) + (heightOf(style) - heightOf(fitted)) }
  }

  /** Draws a fitted value from `y` on, which stays where it is. */
  cell({ lines, style }: FittedText, box: Box, part: Part): void {
    const top = this.y
    const { size = TEXT_SIZE } = style
    for (const [index, line] of lines.entries()) {
      this.y = top + index * heightOf({ size })
      this.line(line, box, style, part)
    }
    this.y = top
  }

  /** Draws one line at `y`, smaller if it is too wide, so that no text is lost. */
  draw(words: string, { x, width }: Box, style: Style = {}): void {
    const text = this.drawable(words).join(' ')
    if (!text) return
    const { size = TEXT_SIZE, colour = 'ink', align = 'left' } = style
    const wide = this.measure(style)(text)
    const scale = Math.min(1, width / wide)
    const left = align === 'right' ? x + width - wide * scale : x
    this.document.fontSize(size * scale).fillColor(COLOURS[colour])
    this.document.text(text, left, this.y + size * (1 - scale), { lineBreak: false, features })
  }

  link(words: string, url: string, style: Style): void {
    const part = this.part('Link')
    this.line(words, { x: MARGIN, width: RIGHT - MARGIN }, style, part)
    const width = this.measure(style)(words)
    // pdfkit takes a String for text, and a string for a name; its types know neither option
    const options = { structParent: part, Contents: new String(words) } as unknown as PDFKit.Mixins.AnnotationOption
    this.document.link(MARGIN, this.y, width, heightOf(style), url, options)
  }

  paragraph(words: string, box: Box, style: Style = {}): void {
    const part = this.part('P')
    for (const line of this.wrapped(words, box.width, style)) {
      this.room(heightOf(style))
      this.line(line, box, style, part)
      this.y += heightOf(style)
    }
    part.end()
  }

  rule(y: number, from = MARGIN): void {
    this.artifact(() => this.document.moveTo(from, y).lineTo(RIGHT, y).lineWidth(0.75).stroke(COLOURS.line))
  }

  end(foot: string, pageOf: (number: number, pages: number) => string, note: string): void {
    const { count } = this.document.bufferedPageRange()
    for (let index = 0; index < count; index += 1) {
      this.document.switchToPage(index)
      this.document.markContent('Artifact', { type: 'Pagination' })
      const top = this.feet.get(index + 1) ?? FOOT_TOP
      this.y = top - (FOOT_TOP - NOTE_TOP)
      if (this.lacksLetters) this.draw(note, FOOT, FOOT_STYLE)
      this.y = top
      this.draw(pieces(foot, FOOT.width * 0.8, this.measure(FOOT_STYLE))[0] ?? '', FOOT, FOOT_STYLE)
      this.draw(pageOf(index + 1, count), FOOT, { ...FOOT_STYLE, align: 'right' })
      this.document.endMarkedContent()
    }
    this.close()
  }

  /** Ends a document whose feet are drawn. */
  close(): void {
    this.root.end()
    this.document.end()
  }

  measure({ size = TEXT_SIZE, bold = false }: Style): (text: string) => number {
    const font = bold ? 'bold' : 'regular'
    this.document.font(font, size)
    return (text) => {
      if (this.widths.size > WIDTHS_MAX) this.widths.clear()
      const key = `${font} ${text}`
      const known = this.widths.get(key) ?? this.document.widthOfString(text, { features }) / size
      this.widths.set(key, known)
      return known * size
    }
  }

  /** Splits text in lines, and replaces letters that the fonts lack. */
  private drawable(words: string): string[] {
    return words
      .trim()
      .split(/\r\n|[\r\n]/)
      .map((line) => {
        const text = inLetters(line)
        this.lacksLetters ||= text.split('?').length > line.split('?').length
        return text.trim()
      })
  }
}

function pieces(word: string, width: number, widthOf: (text: string) => number): string[] {
  if (widthOf(word) <= width) return [word]
  const found: string[] = []
  let piece = ''
  for (const letter of word) {
    if (piece && widthOf(piece + letter) > width) {
      found.push(piece)
      piece = letter
    } else piece += letter
  }
  return [...found, piece]
}

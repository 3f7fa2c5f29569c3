/** PDFs by PDFium in WebAssembly, which reaches only its own memory: words, pictures, embedded files. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { init } from '@embedpdf/pdfium'
import { UnreadableBill } from '../../domain/bills/reader.ts'
import type { Page, Word } from '../../domain/bills/page.ts'
import { mayShowCode } from './codes.ts'

export const PAGES_MAX = 100
/** Limit for one page; the smallest print has some 10,000. */
const LETTERS_MAX = 40_000
const EMBEDDED_MAX = 50
const EMBEDDED_BYTES_MAX = 10 * 1024 * 1024
/** A4 at 240 dpi. */
const PIXELS_MAX = 5_600_000
const LETTER_POINTS_MIN = 2.5
/** Pixels per point of a page that is checked for visible words: 72 dpi. */
const LOOK_SCALE = 1
/** Pixels per point of a page for people. */
const SHOWN_SCALE = 2
/** Least contrast between darkest and lightest pixel of a visible word. */
const CONTRAST_MIN = 40

const ENCRYPTED = 4 // FPDF_ERR_PASSWORD
const DEVICE = 20 // fractions of a point, since PDFium answers whole numbers
/** FPDFBitmap_Gray and FPDFBitmap_BGRx, with the bytes of a pixel. */
const [GREY, BGRX] = [[1, 1] as const, [3, 4] as const]
const INVISIBLE = 3 // ISO 32000-1, table 106
const WITH_ANNOTATIONS = 1

export type Grey = { readonly pixels: Uint8Array; readonly width: number; readonly height: number }
/** Picture in grey, or with red, green and blue; `scale` is pixels per point. */
export type Picture = Grey & { readonly scale: number }
/** Visible words, the number of hidden ones, and whether a code may be there. */
export type WrittenPage = Page & { readonly hidden: number; readonly mayShowCode: boolean }
export type EmbeddedFile = { readonly name: string; readonly bytes: Uint8Array }

type Pdfium = Awaited<ReturnType<typeof init>>
/** Emscripten's views of the memory, replaced when it grows; the package's types lack them. */
type Memory = { readonly HEAPU8: Uint8Array }

let loaded: Promise<Pdfium> | undefined

async function load(): Promise<Pdfium> {
  const wasm = await readFile(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm'))
  const pdfium = await init({ wasmBinary: Uint8Array.from(wasm).buffer })
  pdfium.FPDF_InitLibrary()
  return pdfium
}

/** Opens a PDF for `use`, and closes it. Throws UnreadableBill as withDocument() does, `too_many_pages` over 100. */
export const withPdf = <Result>(bytes: Uint8Array, use: (pdf: Pdf) => Promise<Result>): Promise<Result> =>
  withDocument(bytes, async (pdfium, document) => {
    const count = pdfium.FPDF_GetPageCount(document)
    if (count === 0) throw unreadable(0)
    if (count > PAGES_MAX) throw new UnreadableBill('too_many_pages', `The PDF has more than ${PAGES_MAX} pages`)
    return use(new Pdf(pdfium, document, count))
  })

/**
 * Opens a document of PDFium for `use`, and closes it. Throws UnreadableBill: `encrypted` or `damaged`. After any other
 * error of PDFium the process must end: its memory is not trusted.
 */
export async function withDocument<Result>(
  bytes: Uint8Array,
  use: (pdfium: Pdfium, document: number) => Promise<Result>,
): Promise<Result> {
  const pdfium = await (loaded ??= load())
  const at = pdfium.pdfium.wasmExports.malloc(bytes.length)
  if (at === 0) throw new UnreadableBill('too_large', 'The PDF takes too much memory')
  memory(pdfium).set(bytes, at)
  const document = pdfium.FPDF_LoadMemDocument(at, bytes.length, '')
  try {
    if (document === 0) throw unreadable(pdfium.FPDF_GetLastError())
    return await use(pdfium, document)
  } finally {
    if (document !== 0) pdfium.FPDF_CloseDocument(document)
    pdfium.pdfium.wasmExports.free(at)
  }
}

const unreadable = (code: number): UnreadableBill =>
  code === ENCRYPTED
    ? new UnreadableBill('encrypted', 'The PDF is protected by a password')
    : new UnreadableBill('damaged', 'The PDF is damaged')

// a cast: see Memory
export const memory = (pdfium: Pdfium): Uint8Array => (pdfium.pdfium as unknown as Memory).HEAPU8

export class Pdf {
  constructor(
    private readonly pdfium: Pdfium,
    private readonly document: number,
    readonly pageCount: number,
  ) {}

  hasScripts(): boolean {
    return this.pdfium.FPDFDoc_GetJavaScriptActionCount(this.document) > 0
  }

  /** Unpacks embedded files. Throws UnreadableBill `too_large` for too many or too large ones. */
  embedded(): EmbeddedFile[] {
    const count = this.pdfium.FPDFDoc_GetAttachmentCount(this.document)
    if (count > EMBEDDED_MAX) throw new UnreadableBill('too_large', `The PDF has more than ${EMBEDDED_MAX} files in it`)
    return Array.from({ length: Math.max(0, count) }, (_, index) => {
      const file = this.pdfium.FPDFDoc_GetAttachment(this.document, index)
      const name = this.copied((at, length) => this.pdfium.FPDFAttachment_GetName(file, at, length))
      return { name: name.toString('utf16le').replace(/(?<!\0)\0+$/, ''), bytes: this.embeddedBytes(file) }
    })
  }

  private embeddedBytes(file: number): Buffer {
    return this.scratch(8, (size) => {
      const ask = (at: number, length: number): number =>
        this.pdfium.FPDFAttachment_GetFile(file, at, length, size)
          ? new DataView(memory(this.pdfium).buffer, size).getUint32(0, true)
          : 0
      return this.copied(ask)
    })
  }

  /** Copies what PDFium writes, after it has told the length. */
  private copied(write: (at: number, length: number) => number): Buffer {
    const length = write(0, 0)
    if (length > EMBEDDED_BYTES_MAX) throw new UnreadableBill('too_large', 'A file in the PDF is too large')
    if (length === 0) return Buffer.alloc(0)
    return this.scratch(length, (at) => {
      write(at, length)
      return Buffer.from(memory(this.pdfium).slice(at, at + length))
    })
  }

  private scratch<Result>(bytes: number, use: (at: number) => Result): Result {
    const at = this.pdfium.pdfium.wasmExports.malloc(bytes)
    if (at === 0) throw new UnreadableBill('too_large', 'The PDF takes too much memory')
    try {
      return use(at)
    } finally {
      this.pdfium.pdfium.wasmExports.free(at)
    }
  }

  /** Reads the visible words of a page, counts the others, and looks for the shade of a code. */
  page(number: number): WrittenPage {
    return this.onPage(number, (page) => {
      const { width, height } = this.sizeOf(page)
      const words = this.wordsOn(page).filter(({ box: [, , , size] }) => size >= LETTER_POINTS_MIN)
      if (words.length === 0) return { number, width, height, words, hidden: 0, mayShowCode: true }
      const picture = this.drawn(page, LOOK_SCALE, true)
      const seen = words.filter(({ box }) => contrastOf(picture, box) >= CONTRAST_MIN)
      const hidden = words.length - seen.length
      return { number, width, height, words: seen, hidden, mayShowCode: mayShowCode(picture) }
    })
  }

  /** Draws a page in grey at this resolution, if its size allows it. */
  picture(number: number, dpi: number): Grey {
    return this.onPage(number, (page) => this.drawn(page, dpi / 72, true))
  }

  coloured(number: number): Picture {
    return this.onPage(number, (page) => this.drawn(page, SHOWN_SCALE, false))
  }

  private onPage<Result>(number: number, use: (page: number) => Result): Result {
    const page = this.pdfium.FPDF_LoadPage(this.document, number - 1)
    if (page === 0) throw new UnreadableBill('damaged', 'A page of the PDF is damaged')
    try {
      return use(page)
    } finally {
      this.pdfium.FPDF_ClosePage(page)
    }
  }

  private sizeOf(page: number): { width: number; height: number } {
    return { width: this.pdfium.FPDF_GetPageWidthF(page), height: this.pdfium.FPDF_GetPageHeightF(page) }
  }

  private drawn(page: number, wanted: number, isGrey: boolean): Picture {
    const size = this.sizeOf(page)
    const scale = Math.min(wanted, Math.sqrt(PIXELS_MAX / (size.width * size.height)))
    const width = Math.max(1, Math.round(size.width * scale))
    const height = Math.max(1, Math.round(size.height * scale))
    if (!(width * height <= PIXELS_MAX * 1.1))
      throw new UnreadableBill('damaged', 'A page of the PDF has no usable size')
    const [format, bytes] = isGrey ? GREY : BGRX
    const bitmap = this.pdfium.FPDFBitmap_CreateEx(width, height, format, 0, width * bytes)
    if (bitmap === 0) throw new UnreadableBill('too_large', 'A page of the PDF takes too much memory')
    try {
      this.pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff)
      this.pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, WITH_ANNOTATIONS)
      const at = this.pdfium.FPDFBitmap_GetBuffer(bitmap)
      const drawn = memory(this.pdfium).subarray(at, at + width * height * bytes)
      return { pixels: isGrey ? drawn.slice() : coloursOf(drawn), width, height, scale: width / size.width }
    } finally {
      this.pdfium.FPDFBitmap_Destroy(bitmap)
    }
  }

  private wordsOn(page: number): Word[] {
    const { pdfium } = this
    const text = pdfium.FPDFText_LoadPage(page)
    if (text === 0) return []
    try {
      const count = pdfium.FPDFText_CountChars(text)
      if (count > LETTERS_MAX)
        throw new UnreadableBill('too_large', `A page of the PDF has more than ${LETTERS_MAX} letters`)
      return this.scratch(32, (at) => {
        const words: Word[] = []
        let letters: Letter[] = []
        let begins = 0
        const isInvisible = () => {
          const object = pdfium.FPDFText_GetTextObject(text, begins)
          return object !== 0 && pdfium.FPDFTextObj_GetTextRenderMode(object) === INVISIBLE
        }
        const end = () => {
          if (letters.length > 0 && !isInvisible()) words.push(this.wordOf(page, letters, at))
          letters = []
        }
        for (let index = 0; index < count; index += 1) {
          const letter = String.fromCodePoint(pdfium.FPDFText_GetUnicode(text, index))
          if (/[\s\0\u00a0\ufffe\uffff]/.test(letter)) end()
          else if (pdfium.FPDFText_GetLooseCharBox(text, index, at)) {
            const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(memory(pdfium).buffer, at, 4)
            const box = { letter, left, top, right, bottom }
            if (jumps(letters.at(-1), box)) end()
            if (letters.length === 0) begins = index
            letters.push(box)
          }
        }
        end()
        return words
      })
    } finally {
      pdfium.FPDFText_ClosePage(text)
    }
  }

  /** Converts coordinates of a turned or cropped page to points from the visible top left. */
  private wordOf(page: number, letters: readonly Letter[], at: number): Word {
    const { width, height } = this.sizeOf(page)
    const point = (x: number, y: number): [number, number] => {
      const size = [Math.round(width * DEVICE), Math.round(height * DEVICE)] as const
      this.pdfium.FPDF_PageToDevice(page, 0, 0, size[0], size[1], 0, x, y, at, at + 4)
      const [left = 0, top = 0] = new Int32Array(memory(this.pdfium).buffer, at, 2)
      return [left / DEVICE, top / DEVICE]
    }
    const [x1, y1] = point(Math.min(...letters.map(({ left }) => left)), Math.max(...letters.map(({ top }) => top)))
    const [x2, y2] = point(
      Math.max(...letters.map(({ right }) => right)),
      Math.min(...letters.map(({ bottom }) => bottom)),
    )
    return {
      text: letters
        .map(({ letter }) => letter)
        .join('')
        .normalize('NFKC'),
      box: [Math.min(x1, x2), Math.min(y1, y2), Math.abs(x2 - x1), Math.abs(y2 - y1)],
      confidence: null,
    }
  }
}

type Letter = { letter: string; left: number; top: number; right: number; bottom: number }

/** Tells whether a letter does not follow the previous one on its line. */
function jumps(before: Letter | undefined, letter: Letter): boolean {
  if (!before) return false
  const height = Math.max(before.top - before.bottom, letter.top - letter.bottom)
  const width = Math.max(before.right - before.left, letter.right - letter.left)
  const size = Math.max(height, width)
  return Math.abs(letter.left - before.right) > size * 3 || Math.abs(letter.top - before.top) > size * 3
}

function coloursOf(bgrx: Uint8Array): Uint8Array {
  const colours = new Uint8Array((bgrx.length / 4) * 3)
  for (let from = 0, to = 0; from < bgrx.length; from += 4, to += 3) {
    colours[to] = bgrx[from + 2] ?? 0
    colours[to + 1] = bgrx[from + 1] ?? 0
    colours[to + 2] = bgrx[from] ?? 0
  }
  return colours
}

function contrastOf({ pixels, width, height, scale }: Picture, [x, y, w, h]: Word['box']): number {
  let [darkest, lightest] = [255, 0]
  const bottom = Math.min(height, Math.ceil((y + h) * scale))
  const right = Math.min(width, Math.ceil((x + w) * scale))
  for (let row = Math.max(0, Math.floor(y * scale)); row < bottom; row += 1) {
    for (let at = row * width + Math.max(0, Math.floor(x * scale)); at < row * width + right; at += 1) {
      const value = pixels[at] ?? 255
      if (value < darkest) darkest = value
      if (value > lightest) lightest = value
    }
  }
  return lightest - darkest
}

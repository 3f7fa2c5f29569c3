/** Reads the first visible sheet of a workbook (Office Open XML, ECMA-376) as records: the texts of its cells. */
import { SaxesParser } from 'saxes'
import { type FileFaultCode, UnreadableFile, fileFault } from '../../domain/batches/columns.ts'
import { type CellForm, builtInForm, dateText, formOf, numberText } from './cell-texts.ts'
import { CELLS_MAX, type FileRecord } from './table.ts'
import { KEPT, Text } from './text-runs.ts'
import { type Part, partsOf, textOf } from './zip.ts'

const fail = (code: FileFaultCode, line: number | null = null): never => {
  throw new UnreadableFile(fileFault(code, line))
}

const MB = 1024 * 1024
/** Most bytes of a part once it is unpacked, and most characters of all cells: a text may be in many. */
const [SHEET_MAX, STRINGS_MAX, SMALL_MAX, CHARACTERS_MAX] = [64 * MB, 32 * MB, 4 * MB, 16 * MB]
const DEPTH_MAX = 32
/** Most characters between two tags, and attributes of one: a cell has 32,767 characters, each an entity at most. */
const [BETWEEN_TAGS_MAX, ATTRIBUTES_MAX] = [MB, 256]
/** Rows of a sheet, by the format. */
const LINES_MAX = 2 ** 20

type Attributes = Readonly<Record<string, string>>
/** Steps of a reader at a tag, at its end, and in between. Names have no prefix. */
type Reader = {
  readonly open: (name: string, attributes: Attributes) => void
  readonly close?: (name: string) => void
  readonly text?: (text: string) => void
}

/** Reads the XML of a part piece by piece, and yields after each. Document types are refused. */
async function* readXml(part: Part, bytesMax: number, reader: Reader): AsyncGenerator<void> {
  const parser = new SaxesParser({ xmlns: false })
  let [depth, sinceTag, attributesOfTag] = [0, 0, 0]
  parser.on('doctype', () => fail('workbook_damaged'))
  parser.on('error', () => fail('workbook_damaged'))
  parser.on('attribute', () => {
    attributesOfTag += 1
    if (attributesOfTag > ATTRIBUTES_MAX) fail('workbook_damaged')
  })
  parser.on('opentag', ({ name, attributes }) => {
    sinceTag = 0
    attributesOfTag = 0
    depth += 1
    if (depth > DEPTH_MAX) fail('workbook_damaged')
    reader.open(localOf(name), attributes)
  })
  parser.on('closetag', ({ name }) => {
    sinceTag = 0
    depth -= 1
    reader.close?.(localOf(name))
  })
  if (reader.text) for (const event of ['text', 'cdata'] as const) parser.on(event, reader.text)
  for await (const text of textOf(part, bytesMax)) {
    sinceTag += text.length
    parser.write(text)
    if (sinceTag > BETWEEN_TAGS_MAX) fail('workbook_too_large')
    yield
  }
  parser.close()
  yield
}

const localOf = (name: string): string => name.slice(name.indexOf(':') + 1)

async function readWhole(part: Part | undefined, bytesMax: number, reader: Reader): Promise<void> {
  if (part) for await (const _ of readXml(part, bytesMax, reader));
}

/** Relations of a part: its sheets by their ids, and the first part of each other type. */
type Relations = { readonly sheets: ReadonlyMap<string, string>; readonly first: ReadonlyMap<string, string> }

/** Reads records piece by piece. Throws UnreadableFile. */
export async function* recordsOf(file: Buffer): AsyncGenerator<readonly FileRecord[]> {
  const parts = partsOf(file)
  const find = (path: string | undefined) => parts.get(path?.toLowerCase() ?? '')
  const need = (path: string | undefined): Part => find(path) ?? fail('workbook_damaged')
  const book = (await relationsOf(parts, '')).first.get('officeDocument')
  const relations = await relationsOf(parts, book ?? '')
  const { sheet, is1904, isUncalculated } = await readBook(need(book), relations.sheets)
  const strings = await readStrings(find(relations.first.get('sharedStrings')))
  const forms = await readForms(find(relations.first.get('styles')))
  yield* readSheet(need(sheet), { strings, forms, is1904, isUncalculated })
}

/** Reads what a part refers to within the file; that of '' is the file's own list. */
async function relationsOf(parts: ReadonlyMap<string, Part>, path: string): Promise<Relations> {
  const [folder, name] = [path.slice(0, path.lastIndexOf('/') + 1), path.slice(path.lastIndexOf('/') + 1)]
  const [sheets, first] = [new Map<string, string>(), new Map<string, string>()]
  await readWhole(parts.get(`${folder}_rels/${name}.rels`.toLowerCase()), SMALL_MAX, {
    open: (element, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) => {
      if (element !== 'Relationship' || mode === 'External') return
      const kind = type.slice(type.lastIndexOf('/') + 1)
      const [known, key] = kind === 'worksheet' ? ([sheets, id] as const) : ([first, kind] as const)
      if (!known.has(key)) known.set(key, resolvePath(target, folder))
    },
  })
  return { sheets, first }
}

function resolvePath(target: string, folder: string): string {
  try {
    return decodeURI(new URL(target, `file:///${folder}`).pathname.slice(1))
  } catch {
    return fail('workbook_damaged') // neither constructor says more than that it is no address
  }
}

const isSet = (flag: string | undefined): boolean => flag === '1' || flag === 'true'

/** Finds the first visible sheet. Tells from when days are counted, and if no formula has been calculated. */
async function readBook(
  part: Part,
  sheets: Relations['sheets'],
): Promise<{ sheet: string | undefined; is1904: boolean; isUncalculated: boolean }> {
  let [sheet, is1904, isUncalculated]: [string | undefined, boolean, boolean] = [undefined, false, false]
  await readWhole(part, SMALL_MAX, {
    open: (name, attributes) => {
      if (name === 'workbookPr') is1904 = isSet(attributes['date1904'])
      if (name === 'calcPr') isUncalculated = isSet(attributes['fullCalcOnLoad'])
      if (sheet !== undefined || name !== 'sheet' || /hidden/i.test(attributes['state'] ?? '')) return
      const [, id = ''] = Object.entries(attributes).find(([key]) => key.endsWith(':id')) ?? []
      sheet = sheets.get(id)
    },
  })
  return { sheet, is1904, isUncalculated }
}

async function readStrings(part: Part | undefined): Promise<readonly string[]> {
  const strings: string[] = []
  const text = new Text()
  await readWhole(part, STRINGS_MAX, {
    open: (name) => text.open(name),
    text: (piece) => text.add(piece),
    close: (name) => {
      text.close(name)
      if (name === 'si') strings.push(text.take())
    },
  })
  return strings
}

/** Reads the forms of numbers by the style of a cell. */
async function readForms(part: Part | undefined): Promise<readonly CellForm[]> {
  const formats = new Map<number, CellForm>()
  const forms: CellForm[] = []
  let isCells = false
  await readWhole(part, SMALL_MAX, {
    open: (name, { numFmtId: id = '', formatCode: code = '' }) => {
      if (name === 'cellXfs') isCells = true
      if (name === 'numFmt') formats.set(Number(id), formOf(code) ?? fail('workbook_damaged'))
      if (name === 'xf' && isCells) forms.push(formats.get(Number(id)) ?? builtInForm(Number(id)))
    },
    close: (name) => {
      if (name === 'cellXfs') isCells = false
    },
  })
  return forms
}

type Book = {
  readonly strings: readonly string[]
  readonly forms: readonly CellForm[]
  readonly is1904: boolean
  /** Programs that cannot calculate write 0 as the result of each formula. */
  readonly isUncalculated: boolean
}

async function* readSheet(part: Part, book: Book): AsyncGenerator<readonly FileRecord[]> {
  const sheet = new Sheet(book)
  for await (const _ of readXml(part, SHEET_MAX, sheet)) yield sheet.take()
}

/** The rows of a sheet, tag by tag. Cells beyond CELLS_MAX are one, the last. */
class Sheet implements Reader {
  private records: FileRecord[] = []
  private cells: string[] = []
  private line = 0
  private column = -1
  private attributes: Attributes = {}
  private readonly inline = new Text()
  private isData = false
  private inside: 'v' | 'is' | null = null
  private value = ''
  private isFormula = false
  private hasValue = false
  private characters = 0

  constructor(private readonly book: Book) {}

  take(): readonly FileRecord[] {
    const { records } = this
    this.records = []
    return records
  }

  readonly open = (name: string, attributes: Attributes): void => {
    if (name === 'sheetData') this.isData = true
    else if (!this.isData) return // controls have rows and cells of their own
    else if (name === 'row') this.beginRow(attributes['r'])
    else if (name === 'c') this.beginCell(attributes)
    else if (name === 'v' || name === 'is') this.beginValue(name)
    else if (name === 'f') this.isFormula = true
    else if (this.inside === 'is') this.inline.open(name)
  }

  readonly text = (text: string): void => {
    if (this.inside === 'is') this.inline.add(text)
    else if (this.inside === 'v' && this.value.length < KEPT) this.value = (this.value + text).slice(0, KEPT)
  }

  readonly close = (name: string): void => {
    if (name === 'sheetData') this.isData = false
    else if (!this.isData) return
    else if (name === 'row') this.records.push({ line: this.line, cells: this.cells })
    else if (name === 'c') this.endCell()
    else if (name === this.inside) this.inside = null
    else if (this.inside === 'is') this.inline.close(name)
  }

  private beginRow(reference: string | undefined): void {
    const line = reference === undefined ? this.line + 1 : Number(reference)
    if (!Number.isInteger(line) || line <= this.line || line > LINES_MAX) fail('workbook_damaged')
    this.line = line
    this.cells = []
    this.column = -1
  }

  private beginCell(attributes: Attributes): void {
    const letters = /^[A-Z]{1,3}/.exec(attributes['r'] ?? '')?.[0]
    const column = letters === undefined ? this.column + 1 : columnOf(letters)
    if (column <= this.column) fail('workbook_damaged')
    this.column = column
    this.attributes = attributes
    this.value = ''
    this.inline.take()
    this.isFormula = false
    this.hasValue = false
  }

  /** Begins a value: two of them would be read as one number. */
  private beginValue(name: 'v' | 'is'): void {
    if (name === 'v' && this.hasValue) fail('workbook_damaged', this.line)
    this.hasValue ||= name === 'v'
    this.inside = name
  }

  private endCell(): void {
    const text = this.cellText()
    if (text === '') return
    this.characters += text.length
    if (this.characters > CHARACTERS_MAX) fail('workbook_too_large', this.line)
    const place = Math.min(this.column, CELLS_MAX)
    while (this.cells.length < place) this.cells.push('')
    this.cells[place] = text
  }

  private cellText(): string {
    const { t: type = 'n', s: style = '' } = this.attributes
    const { strings, forms, is1904, isUncalculated } = this.book
    if (type === 'inlineStr') return this.inline.take()
    const { value } = this
    if (value === '') return this.isFormula && type !== 'str' ? fail('formula_without_value', this.line) : ''
    if (this.isFormula && isUncalculated && Number(value) === 0) fail('formula_without_value', this.line)
    if (type === 's') return strings[/^\d+$/.test(value) ? Number(value) : -1] ?? fail('workbook_damaged', this.line)
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
    if (type !== 'n') return value
    const form = forms[Number(style)]
    return form?.isDate ? dateText(value, is1904) : numberText(value, form?.zeros)
  }
}

const columnOf = (letters: string): number =>
  Array.from(letters).reduce((index, letter) => index * 26 + letter.charCodeAt(0) - 64, 0) - 1

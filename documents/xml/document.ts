/**
 * XML document as a tree, read within limits. Document types, own entities and inclusions are refused before anything
 * follows them. All else is as strict as XML 1.0 and its namespaces.
 */
import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes'
import { UnreadableBill, type UnreadableCode } from '../../domain/bills/reader.ts'
import type { Element } from './element.ts'
import { decodeXml } from './encoding.ts'

const MB = 1024 * 1024
const DEPTH_MAX = 64
const ATTRIBUTES_MAX = 64
const ATTRIBUTE_LENGTH_MAX = 64 * 1024
/** Characters without a tag, at most, except in an attached file. */
const PIECE_LENGTH_MAX = MB
/** Elements with a base64 file, which is skipped: nothing here opens it. */
const ATTACHMENTS: ReadonlySet<string> = new Set([
  'EmbeddedDocumentBinaryObject', // UBL
  'AttachmentBinaryObject', // CII
  'Attachment', // FatturaPA
  'AttachmentData', // Facturae
])
const XINCLUDE = 'http://www.w3.org/2001/XInclude'
const XML = 'http://www.w3.org/XML/1998/namespace'

const refuse = (code: UnreadableCode, message: string): never => {
  throw new UnreadableBill(code, message)
}

/** Bounds of a document, and a reader of elements at their ends. */
export type Reading = {
  readonly megabytesMax: number
  readonly elementsMax: number
  /** Takes an element with all that is in it; true removes it from the tree, so that it takes no memory. */
  readonly take?: (element: Element) => boolean
}
const WHOLE: Reading = { megabytesMax: 10, elementsMax: 300_000 }

/** Parses a document; answers its root. Throws UnreadableBill for what is too large, hostile or malformed. */
export function parseXml(bytes: Uint8Array, reading: Reading = WHOLE): Element {
  const { megabytesMax } = reading
  if (bytes.length > megabytesMax * MB) refuse('too_large', `The XML has more than ${megabytesMax} MB.`)
  const tree = new Tree(reading)
  const parser = parserInto(tree)
  for (const piece of decodeXml(bytes)) {
    parser.write(piece)
    if (!tree.isAttachment && tree.length - tree.lastTag > PIECE_LENGTH_MAX) {
      refuse('hostile', 'The XML has a single value of more than 1 MB.')
    }
    tree.length += piece.length
  }
  parser.close()
  return tree.root ?? refuse('damaged', 'The XML has no element.')
}

/** Tree that the parser grows, tag by tag. */
class Tree {
  root: Element | undefined
  private current: Element | null = null
  private depth = 0
  private elements = 0
  private readonly ids = new Set<string>()
  /** Characters given to the parser before the present chunk, and those up to the last tag. */
  length = 0
  lastTag = 0
  isAttachment = false

  constructor(private readonly reading: Reading) {}

  open({ uri, local, attributes }: SaxesTagNS): void {
    if (uri === XINCLUDE) refuse('hostile', 'The XML includes other files.')
    const element: Element = {
      namespace: uri,
      name: local,
      parent: this.current,
      attributes: this.attributesOf(Object.values(attributes)),
      children: [],
      text: '',
    }
    this.root ??= element
    this.current?.children.push(element)
    this.current = element
    this.lastTag = this.length
    this.isAttachment = ATTACHMENTS.has(local)
  }

  /** Checks a tag, before more of it than its name is stored. */
  begin(): void {
    this.depth += 1
    this.elements += 1
    if (this.depth > DEPTH_MAX) refuse('hostile', `The XML is more than ${DEPTH_MAX} elements deep.`)
    const { elementsMax } = this.reading
    if (this.elements > elementsMax) refuse('too_large', `The XML has more than ${elementsMax} elements.`)
  }

  write(text: string): void {
    if (this.current && !this.isAttachment) this.current.text += text
  }

  close(): void {
    const closed = this.current
    this.current = closed?.parent ?? null
    if (closed && this.reading.take?.(closed)) this.current?.children.pop()
    this.depth -= 1
    this.lastTag = this.length
    this.isAttachment = false
  }

  private attributesOf(attributes: readonly SaxesAttributeNS[]): ReadonlyMap<string, string> {
    for (const { uri, local, value } of attributes) {
      if (uri !== XML || local !== 'id') continue
      if (this.ids.has(value)) refuse('ambiguous', 'The XML has one id twice.')
      this.ids.add(value)
    }
    // attributes with a namespace mean nothing to a reader of bills
    return new Map(attributes.filter(({ uri }) => uri === '').map(({ local, value }) => [local, value]))
  }
}

function parserInto(tree: Tree): SaxesParser<{ xmlns: true }> {
  const parser = new SaxesParser({ xmlns: true, position: true })
  let attributes = 0
  parser.on('error', () => refuse('damaged', `The XML is damaged in line ${parser.line}.`))
  parser.on('doctype', () => refuse('hostile', 'The XML has a document type definition.'))
  parser.on('opentagstart', () => {
    attributes = 0
    tree.begin()
  })
  parser.on('attribute', ({ value }) => {
    attributes += 1
    if (attributes > ATTRIBUTES_MAX) refuse('hostile', `The XML has more than ${ATTRIBUTES_MAX} attributes in one tag.`)
    if (value.length > ATTRIBUTE_LENGTH_MAX) refuse('hostile', 'The XML has an attribute of more than 64 KB.')
  })
  parser.on('opentag', (tag) => tree.open(tag))
  parser.on('text', (text) => tree.write(text))
  parser.on('cdata', (text) => tree.write(text))
  parser.on('closetag', () => tree.close())
  return parser
}

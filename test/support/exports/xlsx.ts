/** Reads a workbook: its unzipped parts, and the typed cells of its sheets. */
import { inflateRawSync } from 'node:zlib'

const CENTRAL = Buffer.from('PK\u0001\u0002', 'latin1')

/** The parts of a zip file by name, found by its directory. */
export function unzipped(zip: Buffer): Map<string, string> {
  const parts = new Map<string, string>()
  for (let at = zip.indexOf(CENTRAL); at >= 0; at = zip.indexOf(CENTRAL, at + 4)) {
    const [packed, nameLength, local] = [
      zip.readUInt32LE(at + 20),
      zip.readUInt16LE(at + 28),
      zip.readUInt32LE(at + 42),
    ]
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    const begins = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const data = zip.subarray(begins, begins + packed)
    parts.set(name, (zip.readUInt16LE(at + 10) === 0 ? data : inflateRawSync(data)).toString())
  }
  return parts
}

/** Text, number, or null if empty; a time is the number of days since 1899-12-30. */
export type Cell = string | number | null
export type Sheet = { readonly xml: string; readonly rows: Cell[][] }

export function readXlsx(file: Buffer): Sheet[] {
  const parts = unzipped(file)
  const names = [...parts.keys()].filter((name) => /^xl\/worksheets\/sheet\d+\.xml$/.test(name)).toSorted()
  return names.map((name) => {
    const xml = parts.get(name) ?? ''
    const rows = Array.from(xml.matchAll(/<row [^>]*?(?:\/>|>(.*?)<\/row>)/gs), ([, cells = '']) => cellsOf(cells))
    return { xml, rows }
  })
}

function cellsOf(xml: string): Cell[] {
  const cells: Cell[] = []
  for (const [, column = '', attributes = '', content = ''] of xml.matchAll(
    /<c r="([A-Z]+)\d+"([^>]*?)(?:\/>|>(.*?)<\/c>)/gs,
  )) {
    const text = /<t[^>]*>(.*?)<\/t>/s.exec(content)?.[1]
    const value = /<v>(.*?)<\/v>/.exec(content)?.[1]
    const isText = attributes.includes('t="inlineStr"')
    const cell = isText ? plain(text ?? '') : value === undefined ? null : Number(value)
    cells[indexOf(column)] = cell
  }
  return Array.from(cells, (cell) => cell ?? null)
}

const indexOf = (column: string): number =>
  Array.from(column).reduce((index, letter) => index * 26 + letter.charCodeAt(0) - 64, 0) - 1

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const plain = (xml: string): string =>
  xml.replaceAll(/&(?:#x?([0-9a-fA-F]+)|(\w+));/g, (whole, code: string | undefined, name: string | undefined) =>
    code ? String.fromCodePoint(Number.parseInt(code, whole.includes('x') ? 16 : 10)) : (ENTITIES[name ?? ''] ?? whole),
  )

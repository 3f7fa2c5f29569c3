/** Writes zip archives (APPNOTE 6.3) as a stream: each part is deflated, and its length follows it. */
import { Readable, pipeline } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'
import { Unwritable } from '../../domain/exports/export.ts'

type Pieces = AsyncIterable<Uint8Array>
export type ArchivePart = { readonly name: string; readonly content: Pieces }

const [LOCAL, DESCRIPTOR, ENTRY, END] = [0x04034b50, 0x08074b50, 0x02014b50, 0x06054b50]
/** Length after the part, and names in UTF-8. */
const FLAGS = 0x0808
const [VERSION, DEFLATED, NEW_YEAR_1980] = [20, 8, 0x21]
/** Limits without Zip64, which not every program reads. */
const [BYTES_MAX, PARTS_MAX] = [0xffff_ffff, 0xffff]

type PartSize = { readonly crc: number; readonly packed: number; readonly whole: number }
type PartEntry = PartSize & { readonly name: Buffer; readonly at: number }

/** Packs parts, in the memory of a few pieces. Throws `Unwritable` for more than 4 GiB or 65,535 parts. */
export async function* zipOf(parts: AsyncIterable<ArchivePart>): AsyncGenerator<Uint8Array> {
  const written: PartEntry[] = []
  let at = 0
  function* count(bytes: Uint8Array): Generator<Uint8Array> {
    at += bytes.length
    if (at > BYTES_MAX) throw new Unwritable('too_large', 'an archive has more than 4 GiB')
    yield bytes
  }
  for await (const part of parts) {
    const [name, begin] = [Buffer.from(part.name), at]
    yield* count(Buffer.concat([numbers([LOCAL, 4], ...fieldsOf(null, name)), name]))
    const measured = { crc: 0, packed: 0, whole: 0 }
    for await (const piece of deflate(part.content, measured)) yield* count(piece)
    yield* count(numbers([DESCRIPTOR, 4], [measured.crc, 4], [measured.packed, 4], [measured.whole, 4]))
    written.push({ ...measured, name, at: begin })
    if (written.length > PARTS_MAX) throw new Unwritable('too_large', 'an archive has too many parts')
  }
  const begin = at
  for (const one of written) {
    const head = numbers(
      [ENTRY, 4],
      [VERSION, 2],
      ...fieldsOf(one, one.name),
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 4],
      [one.at, 4],
    )
    yield* count(Buffer.concat([head, one.name]))
  }
  const [length, total] = [at - begin, written.length]
  yield* count(numbers([END, 4], [0, 2], [0, 2], [total, 2], [total, 2], [length, 4], [begin, 4], [0, 2]))
}

/** Deflates the pieces of a part, and measures them. */
async function* deflate(content: Pieces, measured: { crc: number; packed: number; whole: number }) {
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const piece of content) {
      measured.crc = crc32(piece, measured.crc)
      measured.whole += piece.length
      if (measured.whole > BYTES_MAX) throw new Unwritable('too_large', 'a part of an archive has more than 4 GiB')
      yield piece
    }
  }
  const packer = createDeflateRaw()
  pipeline(Readable.from(counted(), { objectMode: false }), packer, () => {}) // an error is thrown where it is read
  for await (const piece of packer) {
    const bytes = piece as Buffer // a stream of bytes
    measured.packed += bytes.length
    yield bytes
  }
}

type Field = readonly [value: number, bytes: 2 | 4]

/** Lists the fields that a part has before its content and in the directory. */
const fieldsOf = (measured: PartSize | null, name: Buffer): Field[] => [
  [VERSION, 2],
  [FLAGS, 2],
  [DEFLATED, 2],
  [0, 2],
  [NEW_YEAR_1980, 2],
  [measured?.crc ?? 0, 4],
  [measured?.packed ?? 0, 4],
  [measured?.whole ?? 0, 4],
  [name.length, 2],
  [0, 2],
]

function numbers(...fields: readonly Field[]): Buffer {
  const bytes = Buffer.alloc(fields.reduce((sum, [, length]) => sum + length, 0))
  let at = 0
  for (const [value, length] of fields) at = bytes.writeUIntLE(value, at, length)
  return bytes
}

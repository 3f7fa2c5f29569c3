/** Small files that ask their reader for much work: PDFs, for now. */
import { constants, deflateRawSync } from 'node:zlib'

const MIB = 1024 * 1024
const ZLIB = Buffer.from('789c', 'hex')
const HEAD = Buffer.from('\n/ObjStm stream\n')
/** A MiB of blanks, deflated, which more blocks follow. */
const MIB_OF_BLANKS = deflateRawSync(Buffer.alloc(MIB, ' '), { finishFlush: constants.Z_FULL_FLUSH })
/** Block of a type that there is not (RFC 1951, 3.2.3), and a stored one that is empty. */
const [BROKEN, EMPTY] = [Buffer.from([0x07]), Buffer.from([0, 0, 0, 0xff, 0xff])]

/** Deflated blanks, a thousandth of their size. */
export const blanks = (mib: number): Buffer => Buffer.concat(Array<Buffer>(mib).fill(MIB_OF_BLANKS))
/** Deflated nothing. */
export const nothing = (mib: number): Buffer =>
  Buffer.concat(Array<Buffer>(Math.floor((mib * MIB) / EMPTY.length)).fill(EMPTY))

/**
 * PDF with chained object streams: a stored block of each covers the head of the next. All of them unpack what is
 * inside, and break after that. With 1,000 streams and 16 MiB of blanks it has 39 KB.
 */
export function chainedStreams(count: number, inside: Buffer, marks = ''): Buffer {
  const link = Buffer.concat([HEAD, ZLIB])
  const stored = Buffer.alloc(5)
  stored.writeUInt16LE(link.length, 1)
  stored.writeUInt16LE(0xffff ^ link.length, 3)
  const links = Array<Buffer>(count - 1).fill(Buffer.concat([stored, link]))
  return Buffer.concat([Buffer.from(`%PDF-1.7 ${marks}`), link, ...links, inside, BROKEN])
}

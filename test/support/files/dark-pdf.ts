/** PDFs with an object stream that nobody reads without a filter or a key. */
import { createHash } from 'node:crypto'

/** Padding of passwords (ISO 32000-1, 7.6.3.3), and who may do what. */
const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
const PERMISSIONS = Buffer.from([0xfc, 0xff, 0xff, 0xff])
const KEY_BYTES = 5
const ID = Buffer.alloc(16, 7)

const md5 = (...parts: Buffer[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest()
const padded = (password: string): Buffer => Buffer.concat([Buffer.from(password), PADDING]).subarray(0, 32)

/** Encrypts with RC4, which OpenSSL does no more. */
function rc4(key: Buffer, data: Buffer): Buffer {
  const box = Uint8Array.from({ length: 256 }, (_, index) => index)
  const swap = (a: number, b: number) => ([box[a], box[b]] = [box[b]!, box[a]!])
  for (let at = 0, other = 0; at < 256; at += 1) {
    other = (other + box[at]! + key[at % key.length]!) & 255
    swap(at, other)
  }
  let [a, b] = [0, 0]
  return Buffer.from(
    data.map((value) => {
      a = (a + 1) & 255
      b = (b + box[a]!) & 255
      swap(a, b)
      return value ^ box[(box[a]! + box[b]!) & 255]!
    }),
  )
}

type Dark = { readonly filter?: string; readonly encode?: (data: Buffer) => Buffer; readonly password?: string }

/** Writes a PDF that opens with an action, which its only object stream has. */
export function darkPdf(action: string, { filter = '', encode = (data) => data, password }: Dark): Buffer {
  const head = '5 0 '
  let data = encode(Buffer.from(head + action))
  let encryption = ''
  if (password !== undefined) {
    const owner = rc4(md5(padded('owner')).subarray(0, KEY_BYTES), padded(password))
    const key = md5(padded(password), owner, PERMISSIONS, ID).subarray(0, KEY_BYTES)
    data = rc4(md5(key, Buffer.from([4, 0, 0, 0, 0])).subarray(0, KEY_BYTES + 5), data)
    const [o, u, id] = [owner, rc4(key, PADDING), ID].map((bytes) => `<${bytes.toString('hex')}>`)
    encryption = `/Encrypt<</Filter/Standard/V 1/R 2/O${o}/U${u}/P -4>>/ID[${id}${id}]`
  }
  const streamOf = (dictionary: string, content: Buffer) =>
    Buffer.concat([
      Buffer.from(`<<${dictionary}/Length ${content.length}>>\nstream\n`),
      content,
      Buffer.from('\nendstream'),
    ])
  const objects = [
    Buffer.from('<</Type/Catalog/Pages 2 0 R/OpenAction 5 0 R>>'),
    Buffer.from('<</Type/Pages/Kids[3 0 R]/Count 1>>'),
    Buffer.from('<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>'),
    streamOf(`${filter}/Type/ObjStm/N 1/First ${head.length}`, data),
  ]
  const begin = Buffer.from('%PDF-1.5\n')
  const written = objects.map((object, index) =>
    Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]),
  )
  const places = written.map((_, index) => begin.length + Buffer.concat(written.slice(0, index)).length)
  const end = begin.length + Buffer.concat(written).length
  const entries = [[0, 0], ...places.map((at) => [1, at]), [2, 4], [1, end]].map(([kind = 0, at = 0]) => {
    const entry = Buffer.alloc(7)
    entry.writeUInt8(kind)
    entry.writeUInt32BE(at, 1)
    return entry
  })
  const table = streamOf(`/Type/XRef/Size 7/W[1 4 2]/Root 1 0 R${encryption}`, Buffer.concat(entries))
  const last = Buffer.from(`\nendobj\nstartxref\n${end}\n%%EOF`)
  return Buffer.concat([begin, ...written, Buffer.from('6 0 obj\n'), table, last])
}

/** Media types of files by their first bytes, whatever their names say. */

/** First bytes in hexadecimal; a text that begins with `<` is XML. */
const SIGNS = [
  [/^25504446/, 'application/pdf'],
  [/^89504e47/, 'image/png'],
  [/^ffd8ff/, 'image/jpeg'],
  [/^52494646.{8}57454250/, 'image/webp'],
  [/^(?:49492a00|4d4d002a)/, 'image/tiff'],
  [/^(?:efbbbf)?(?:20|09|0a|0d)*3c|^(?:fffe3c00|feff003c)/, 'application/xml'],
] as const
export type SignedType = (typeof SIGNS)[number][1]

/** Bytes that tell the type. */
export const SIGNS_AT = 64

/** Names the media type of a file; undefined for any other. */
export function typeByFirstBytes(bytes: Uint8Array): SignedType | undefined {
  const start = Buffer.from(bytes.subarray(0, SIGNS_AT)).toString('hex')
  return SIGNS.find(([sign]) => sign.test(start))?.[1]
}

/** Kinds of picture files of bills: WebP, TIFF of many pages, and those that claim too much. */
import { beforeAll, expect, test } from 'vitest'
import sharp from 'sharp'
import { drawPage, readDocument } from '../../documents/bills/read-document.ts'
import { greyPicture, pagesOfPicture } from '../../documents/bills/pictures/files.ts'
import { kindOf } from '../../documents/reading/kinds.ts'
import type { Picture } from '../../documents/pdf/pdf.ts'
import { UnreadableBill } from '../../domain/bills/reader.ts'
import { printPage } from '../support/bills/printed-page.ts'
import { tiff, whitePage } from '../support/files/tiff.ts'

let page: Awaited<ReturnType<typeof printPage>>
beforeAll(async () => {
  page = await printPage()
})

const codeOf = (read: () => unknown) => {
  try {
    return read()
  } catch (error) {
    return error instanceof UnreadableBill ? error.code : String(error)
  }
}

/** Share of the picture's signs that are as dark as those of the page; a codec with losses changes a few. */
function likeness(picture: Picture): number {
  const pairs = Array.from(page.pixels, (value, at) => Math.abs(value - (picture.pixels[at] ?? -255)) < 64)
  return pairs.filter(Boolean).length / pairs.length
}

test('a WebP is decoded as any picture', async () => {
  const { pixels, width, height } = page
  const webp = await sharp(pixels, { raw: { width, height, channels: 1 } })
    .webp({ quality: 90 })
    .toBuffer()
  const decoded = await greyPicture(webp, kindOf(webp))
  expect(decoded).toMatchObject({ width, height })
  expect(likeness(decoded)).toBeGreaterThan(0.99)
})

test('pages of a TIFF are pages of the bill, without smaller copies of them', async () => {
  const bytes = tiff([whitePage(800, 1100), { ...whitePage(80, 110), kind: 1 }, page])
  const [first, second = -1, ...more] = pagesOfPicture(bytes, kindOf(bytes))
  expect([first, more]).toEqual([0, []])
  expect(likeness(await greyPicture(bytes, 'tiff', second))).toBe(1)
  const drawn = async (one: number) => drawPage({ bytes, contentType: '' }, one, [])
  const png = await drawn(2)
  expect((await sharp(png ?? expect.fail('there is no page')).metadata()).height).toBe(1684)
  expect(await drawn(3)).toBe(null)
})

test.each([
  ['ten thousand pages', tiff(Array(10_000).fill({ width: 9, height: 9 })), 'too_many_pages'],
  [
    'a page of 3,600 megapixels behind a small one',
    tiff([whitePage(9, 9), { width: 60_000, height: 60_000 }]),
    'too_large',
  ],
  ['4 megapixels of 65,535 samples', tiff([{ width: 2000, height: 2000 }], { samples: 65_535 }), 'too_large'],
  ['values that are larger than the file', tiff([whitePage(9, 9)], { valueCount: 1_000_000_000 }), 'damaged'],
  ['no page but a mask', tiff([{ ...whitePage(9, 9), kind: 4 }]), 'damaged'],
  ['no directory', Buffer.from('49492a0000000000', 'hex'), 'damaged'],
  ['a directory beyond the end', Buffer.from('4d4d002a00ffffff', 'hex'), 'damaged'],
] as const)('a TIFF of %s is refused before it is decoded', (_, bytes, code) => {
  expect(codeOf(() => pagesOfPicture(bytes, kindOf(bytes)))).toBe(code)
})

test('directories that form a circle are too many pages', () => {
  const circle = tiff([whitePage(90, 90)])
  circle.writeUInt32LE(circle.readUInt32LE(4), circle.length - 4)
  expect(codeOf(() => pagesOfPicture(circle, 'tiff'))).toBe('too_many_pages')
})

test('a WebP that claims 100 megapixels is refused, and so is a TIFF whose pixels are elsewhere', async () => {
  const huge = await sharp({ create: { width: 3, height: 3, channels: 3, background: '#eee' } })
    .webp({ lossless: true })
    .toBuffer()
  // 14 bits each of width and height, less one (WebP lossless, section 3)
  huge.writeUInt32LE(9999 + 9999 * 2 ** 14, huge.indexOf('VP8L') + 9)
  const elsewhere = tiff([whitePage(900, 900)])
  const offset = elsewhere.readUInt32LE(4) + 2 + 6 * 12 + 8
  elsewhere.writeUInt32LE(0x7fff_0000, offset)
  for (const [bytes, code] of [
    [huge, 'too_large'],
    [elsewhere, 'damaged'],
  ] as const) {
    const said = await readDocument({ bytes, contentType: '' }).catch((error: unknown) => error)
    expect(said).toMatchObject({ code })
  }
})

test.each(['heic', 'heix', 'mif1', 'avif'])('a picture of the brand %s is refused with what to send', (brand) => {
  const box = Buffer.concat([Buffer.from('0000001866747970', 'hex'), Buffer.from(brand), Buffer.alloc(99)])
  expect(() => kindOf(box)).toThrow('send it as JPEG, PNG or PDF')
})

/** Preparation of page pictures: their orientation and light. */
import { buffer } from 'node:stream/consumers'
import PdfDocument from 'pdfkit'
import { describe, expect, test } from 'vitest'
import { evenOut } from '../../documents/bills/pictures/evened.ts'
import { openFile } from '../../documents/bills/readers.ts'
import type { Grey } from '../../documents/pdf/pdf.ts'
import type { Recognizer } from '../../documents/bills/pictures/recognition.ts'
import { letterSizeOf } from '../../documents/bills/pictures/letters.ts'
import { greyPicture } from '../../documents/bills/pictures/files.ts'
import { TESSERACT } from '../../documents/bills/pictures/recognition.ts'
import { quartersOf, rotate } from '../../documents/bills/pictures/upright.ts'
import type { Quarters } from '../../domain/bills/page.ts'
import { onGiven } from '../../documents/bills/text/words.ts'
import { receiptOf, slip } from '../support/bills/slips.ts'
import { everyNth, longTest } from '../support/model-runs.ts'

const SIZE = { width: 600, height: 840 }
/** Printed lines as ink: strokes of letters side by side, a few higher ones above every line. */
function printed(): Grey {
  const pixels = new Uint8Array(SIZE.width * SIZE.height).fill(255)
  for (let line = 60; line < 700; line += 16) {
    for (let x = 60; x < 500; x += 4) {
      const height = x % 5 === 0 ? 8 : 5
      for (let row = line - height; row < line; row += 1) pixels[row * SIZE.width + x] = 0
    }
  }
  return { ...SIZE, pixels }
}

describe('a page that lies', () => {
  test.each(everyNth([0, 1, 2, 3] as const, 2))('%i quarters turned is turned back', async (quarters) => {
    const upright = printed()
    const back = ((4 - quarters) % 4) as Quarters // of four
    const lying = rotate(upright, back)
    const isUpright = (part: Grey) => {
      const rows = Array.from({ length: part.height }, (_, row) =>
        part.pixels.subarray(row * part.width, (row + 1) * part.width),
      )
      const column = rows.map((row) => row.filter((value) => value < 128).length)
      const full = Math.max(...column)
      const above = column.findIndex((ink) => ink > 0 && ink < full / 2)
      return above >= 0 && (column[above + 3] ?? 0) > full / 2
    }
    const read = async (part: Grey) => [
      { text: 'A line of print that is read', box: [0, 0, 9, 9] as const, confidence: isUpright(part) ? 0.9 : 0.3 },
    ]
    expect(await quartersOf(lying, 1, read)).toBe(quarters)
    expect(Buffer.compare(rotate(lying, quarters).pixels, upright.pixels)).toBe(0)
  })

  test.each([0, 1, 2, 3] as const)('%i quarters turned shows a field where it stands on the page', (quarters) => {
    const page = new Uint8Array(SIZE.width * SIZE.height).fill(255)
    page[100 * SIZE.width + 40] = 0
    const upright = rotate({ ...SIZE, pixels: page }, quarters)
    const at = upright.pixels.indexOf(0)
    const [x, y] = [at % upright.width, Math.floor(at / upright.width)]
    expect(onGiven([x, y, 1, 1], { quarters, radians: 0, ...SIZE })).toEqual([40, 100, 1, 1])
  })

  test.each([
    ['Courier', 4],
    ['Helvetica', 9],
    ['Courier-Bold', 40],
  ] as const)(
    'is told from a narrow slip that stands, whatever its font and its length: %s, %i',
    async (font, count) => {
      const { scale, ...upright } = await greyPicture(await slip(receiptOf(count), font), 'png')
      const even = evenOut(upright)
      const read = async (part: Grey) => TESSERACT.lines(part, scale, 'en')
      for (const quarters of everyNth([0, 1, 2, 3] as const, 2)) {
        const lying = rotate(even, ((4 - quarters) % 4) as Quarters) // of four
        expect(await quartersOf(lying, scale, read)).toBe(quarters)
      }
    },
  )

  test('has letters of the same size whichever way it lies', () => {
    for (const quarters of [0, 1, 2, 3] as const) expect(letterSizeOf(rotate(printed(), quarters), 1)).toBe(5)
    const large = { width: 60, height: 60, pixels: new Uint8Array(3600).fill(0) }
    expect(letterSizeOf(large, 1)).toBe(undefined)
  })

  test('upright is left as it is, and so is one on which nothing can be read', async () =>
    expect(await quartersOf({ ...SIZE, pixels: new Uint8Array(SIZE.width * SIZE.height) }, 1, async () => [])).toBe(0))
})

test('pale print in a shadow is as dark as any, and an empty page stays empty', () => {
  const { pixels, ...size } = printed()
  const shadow = pixels.map((value, at) => {
    const paper = 230 - (100 * (at % SIZE.width)) / SIZE.width
    return value === 0 ? paper * 0.6 : paper
  })
  const even = evenOut({ ...size, pixels: shadow }).pixels
  expect(even.every((value, at) => (pixels[at] === 0 ? value < 80 : value > 200))).toBe(true)
  const empty = evenOut({ ...size, pixels: new Uint8Array(pixels.length).fill(180) }).pixels
  expect(empty.every((value) => value === 255)).toBe(true)
})

longTest('that pictures beyond the twentieth page are not looked at is told', async () => {
  const blind: Recognizer = { page: async () => ({ words: [], radians: 0 }), lines: async () => [] }
  const pages = async (count: number) => {
    const pdf = new PdfDocument({ size: [200, 200] })
    for (let page = 1; page < count; page += 1) pdf.addPage()
    pdf.end()
    const { readings } = await openFile({ bytes: await buffer(pdf), contentType: '' }, blind)
    return readings.flatMap(({ doubts }) => doubts.map(({ code, fields }) => [code, ...fields]))
  }
  expect(await pages(20)).toEqual([])
  expect(await pages(21)).toEqual([['unread_pages']])
})

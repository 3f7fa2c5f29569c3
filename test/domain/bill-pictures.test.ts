/** Pictures of pages within their processor time: bands of a page, and second looks, of most worth first. */
import { expect, test } from 'vitest'
import type { Word } from '../../domain/bills/page.ts'
import { readBands } from '../../documents/bills/pictures/recognition.ts'
import { secondLook } from '../../documents/bills/pictures/second-look.ts'

const word = (text: string, y: number, confidence = 0.9): Word => ({ text, box: [10, y, 40, 8], confidence })

test('a page is read in bands: its head, then from its foot up, each word once, as long as there is time', () => {
  const words = Array.from({ length: 20 }, (_, line) => word(`w${line}`, line * 10))
  const bands: number[] = []
  const read = (top: number, height: number) => {
    bands.push(top)
    return words.filter(({ box: [, y, , h] }) => y >= top && y + h <= top + height)
  }
  expect(readBands(200, 4, 14, 1, read, () => true)).toEqual({ words, isPart: false })
  expect(bands).toEqual([0, 136, 86, 36])
  const inTime = (count: number) => readBands(200, 4, 14, 1, read, () => (count -= 1) > 0)
  expect(inTime(2)).toEqual({ words: [...words.slice(0, 5), ...words.slice(15)], isPart: true })
  expect(inTime(0)).toEqual({ words: words.slice(0, 5), isPart: true })
})

test('lines of fields are read again whatever the time, and the others once: they are unsure', async () => {
  const words = [word('text', 10, 0.5), word('date', 40), word('total', 70)]
  const worths: Readonly<Record<string, number>> = { total: 2, date: 1 }
  const strips: number[] = []
  const picture = { width: 100, height: 100, pixels: new Uint8Array(10_000).fill(255) }
  const look = async (times: number) => {
    strips.length = 0
    return secondLook(
      { picture, scale: 1, radians: 0 },
      words,
      'en',
      async ({ height }) => {
        strips.push(height)
        return []
      },
      ({ text }) => worths[text] ?? 0,
      () => (times -= 1) >= 0,
    )
  }
  expect((await look(9)).isPart).toBe(false)
  const cut = await look(0)
  expect([cut.isPart, strips.length]).toEqual([true, 2])
  expect(cut.readings[0]?.map(({ text, confidence }) => [text, confidence])).toEqual(
    expect.arrayContaining([['text', 0.5]]),
  )
})

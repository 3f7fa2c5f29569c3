/** Cache of recognized pictures by content, so that rules are tried without recognition. */
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Recognizer, TESSERACT } from '../../documents/bills/pictures/recognition.ts'
import type { Grey } from '../../documents/pdf/pdf.ts'

const FOLDER = 'node_modules/.cache/recognized'

async function remember<Found>({ pixels, width }: Grey, by: string, recognize: () => Promise<Found>): Promise<Found> {
  const name = join(FOLDER, createHash('sha256').update(`${by} ${width} `).update(pixels).digest('hex'))
  // our own file, written below
  const known = await readFile(name, 'utf8').then(
    (text) => JSON.parse(text) as Found,
    () => undefined,
  )
  if (known !== undefined) return known
  const found = await recognize()
  await mkdir(FOLDER, { recursive: true })
  await writeFile(name, JSON.stringify(found))
  return found
}

export const REMEMBERED: Recognizer = {
  page: async (picture, scale) => remember(picture, `page ${scale}`, async () => TESSERACT.page(picture, scale)),
  lines: async (picture, scale, language) =>
    remember(picture, `lines ${scale} ${language}`, async () => TESSERACT.lines(picture, scale, language)),
}

/** Process that reads files: ended by its limits, by a signal, or by who takes no more; others read on. */
import { spawn } from 'node:child_process'
import { buffer } from 'node:stream/consumers'
import PdfDocument from 'pdfkit'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { FileRefused, read, readParts, resultOrLastPart } from '../../documents/reading/process.ts'
import { openFile } from '../../documents/bills/readers.ts'
import { processorTicksOf } from '../../platform/fork.ts'
import { HEADER } from '../support/batches/workbooks.ts'
import { deepPng } from '../support/files/png.ts'

const BOUNDS = { msMax: 600_000 }
const bytes = Buffer.from('a,b\n')
const harmless = () => read('attachments', [{ bytes, type: 'text/csv' }], BOUNDS)

test('a file that takes too much memory ends its own process, and no other file', async () => {
  const hostile = read('picture', deepPng(6300), BOUNDS).catch((error: unknown) => error)
  const beside = Array.from({ length: 3 }, harmless)
  expect(await Promise.all(beside)).toEqual([null, null, null])
  expect(await hostile).toEqual(new FileRefused(null))
  expect(await harmless()).toBe(null)
})

test('a reading ends with its signal, and says why', async () => {
  const controller = new AbortController()
  const reading = read('picture', deepPng(6300), { ...BOUNDS, signal: controller.signal })
  controller.abort(new Error('the worker drains'))
  await expect(reading).rejects.toThrow('the worker drains')
})

test('a refusal of a reader comes with its details', async () => {
  const reading = readParts('table', { bytes: Buffer.from('PK'), isWorkbook: true }, BOUNDS).next()
  await expect(reading).rejects.toMatchObject({ details: { code: 'not_a_workbook', line: null } })
})

test('parts come in their order, each once, also if they are taken slowly, and the rest can be left', async () => {
  const rows = Array.from({ length: 20_000 }, (_, index) => `p${index},1,USD,services,text`)
  const table = { bytes: Buffer.from([HEADER.join(), ...rows].join('\n')), isWorkbook: false }
  const found: number[] = []
  for await (const part of readParts('table', table, BOUNDS)) {
    found.push(...part.rows.map(({ rowNumber }) => rowNumber))
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(found).toEqual(rows.map((_, index) => index + 1))
  for await (const part of readParts('table', table, BOUNDS)) {
    expect(part.rows[0]?.rowNumber).toBe(1)
    break
  }
  expect(await harmless()).toBe(null)
})

test('parts that wait are taken one in each turn of the event loop', async () => {
  const table = Buffer.from(`${HEADER.join()}\n${'p,1,USD,services,text\n'.repeat(4000)}`)
  let turns = 0
  const count = () => {
    turns += 1
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  const taken: number[] = []
  for await (const _ of readParts('table', { bytes: table, isWorkbook: false }, BOUNDS)) {
    taken.push(turns)
    if (taken.length === 1) await harmless() // the next ones come meanwhile
  }
  clearImmediate(counting)
  expect(taken.length).toBeGreaterThan(5)
  expect(new Set(taken).size).toBe(taken.length)
})

test('of a bill of many words few pages come back, though all of them are read', async () => {
  const pdf = new PdfDocument({ size: 'A4', autoFirstPage: false })
  for (let page = 1; page <= 8; page += 1) {
    pdf.addPage().fontSize(page === 2 ? 4 : 12)
    for (let line = 0; line < (page === 2 ? 160 : 1); line += 1) pdf.text('a '.repeat(20), 10, 10 + 5 * line)
    if (page === 8) pdf.text('Invoice number: R-7', 10, 200)
  }
  pdf.end()
  const file = { bytes: await buffer(pdf), contentType: 'application/pdf' }
  const { readings, pages } = await read('bill', file, BOUNDS)
  expect(pages.map(({ number }) => number)).toEqual([1, 3, 4, 5])
  expect(readings.flatMap(({ fields }) => fields.map(({ value }) => value))).toContain('R-7')
})

test('what a reader sent before it took too much is the answer; a refusal with details is none', async () => {
  async function* sending(parts: readonly string[], end: unknown) {
    yield* parts
    throw end
  }
  expect(await resultOrLastPart(sending(['first', 'last'], new FileRefused(null)))).toBe('last')
  await expect(resultOrLastPart(sending([], new FileRefused(null)))).rejects.toThrow('the file is refused')
  await expect(resultOrLastPart(sending(['first'], new FileRefused({ code: 'damaged' })))).rejects.toThrow('is refused')
  await expect(resultOrLastPart(sending(['first'], new Error('no process')))).rejects.toThrow('no process')
})

test('before a picture is recognized, the answer so far has its doubts', async () => {
  const bytes = await sharp({ create: { width: 300, height: 400, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()
  const kept: unknown[] = []
  const stuck = () => Promise.reject(new Error('the process is ended here'))
  const reading = openFile({ bytes, contentType: '' }, { page: stuck, lines: stuck }, undefined, async (document) => {
    kept.push(...document.readings.flatMap(({ fields, doubts }) => [fields, ...doubts.map(({ code }) => code)]))
  })
  await expect(reading).rejects.toThrow('the process is ended here')
  expect(kept).toEqual([[], 'unread_pages'])
})

test.runIf(process.platform === 'linux')(
  'a process that works has more processor time, one that is gone none',
  async () => {
    const works = spawn(process.execPath, ['-e', 'for (;;);'])
    try {
      await expect.poll(() => processorTicksOf(works.pid ?? 0), { timeout: 30_000 }).toBeGreaterThan(10)
    } finally {
      works.kill('SIGKILL')
    }
    expect(processorTicksOf(2 ** 30)).toBe(0)
  },
  40_000,
)

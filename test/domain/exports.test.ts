import fc from 'fast-check'
import sharp from 'sharp'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { csvOf } from '../../documents/statements/csv.ts'
import { pdfOf } from '../../documents/statements/pdf.ts'
import { xlsxOf } from '../../documents/statements/xlsx.ts'
import { NewExport } from '../../domain/exports/export.ts'
import { type Row, type Section, TRANSACTION_COLUMNS } from '../../domain/exports/report.ts'
import { groupThousands, toMinor } from '../../domain/money/money.ts'
import { readCsv } from '../support/exports/csv.ts'
import { type Sums, expected, feed, sectionsOf } from '../support/exports/feeds.ts'
import { readPdf } from '../support/exports/pdf.ts'
import { type Movement, account, report, whole } from '../support/exports/reports.ts'
import { readXlsx, unzipped } from '../support/exports/xlsx.ts'
import { everyNth, propertyRuns } from '../support/model-runs.ts'
import { listed } from '../support/listed.ts'
import { csvLine, resultLine } from '../../domain/batches/results.ts'
import { type Separator, SEPARATORS, inert, isPlain, quoteCell, withoutGuards } from '../../domain/csv.ts'
import { always } from '../support/property.ts'
import { drawReceipt } from '../../documents/statements/receipt-page.ts'
import { type Receipt, writable } from '../../domain/payments/receipt.ts'

const movements = (...minors: number[]): Movement[] => minors.map((minor) => ({ minor: BigInt(minor) }))
/** A list, whose rows have no details. */
const transactions = (section: Section): Section => ({ ...section, account: null, pages: cutPages(section) })
async function* cutPages({ pages }: Section): AsyncGenerator<readonly Row[]> {
  for await (const page of pages) yield page.map((row) => row.slice(0, TRANSACTION_COLUMNS.length))
}

/** Adds up a table, whose lines begin with kind and currency. */
function sumsOf(rows: readonly (string | number | null)[][]): Sums {
  const sums: Sums = []
  for (const [line, unit, , , , , , moneyIn, moneyOut, balance] of rows) {
    const currency = String(unit)
    const minor = (amount: string | number | null | undefined) => toMinor({ amount: String(amount || 0), currency })
    if (line === 'opening_balance') sums.push({ currency, opening: minor(balance), in: 0n, out: 0n, closing: 0n })
    const last = sums.at(-1)
    if (!last) throw new Error('a line before the first balance')
    last.in += minor(moneyIn)
    last.out += minor(moneyOut)
    if (line === 'closing_balance') last.closing = minor(balance)
  }
  return sums
}

test('whatever the feed, the lines of a statement add up to both balances, for each currency and in each format', async () => {
  await fc.assert(
    fc.asyncProperty(feed, async (made) => {
      const sums = expected(made)
      for (const { opening, in: moneyIn, out, closing } of sums) expect(opening + moneyIn - out).toBe(closing)
      const statement = () => report('balance_statement', sectionsOf(made))
      const [header, ...csv] = readCsv(await whole(csvOf(statement())))
      expect(header?.[0]).toBe('line')
      expect(sumsOf(csv)).toEqual(sums)
      const [sheet] = readXlsx(await whole(xlsxOf(statement())))
      expect(sumsOf(sheet?.rows.slice(1) ?? [])).toEqual(sums)
      const { text } = readPdf(await whole(pdfOf(statement())))
      for (const { account: own } of sectionsOf(made)) {
        for (const end of [own?.opening, own?.closing]) {
          expect(text).toContain(`${groupThousands(end ?? '')} ${own?.currency}`)
        }
      }
    }),
    { numRuns: propertyRuns(25) },
  )
})

test('CSV is RFC 4180 in UTF-8 with its mark and CRLF, and no text in it is a formula', async () => {
  const texts = ['=1+1', '+49 30', '-5', '@cmd', '\tx', '\rx', 'RE 1;=1+41;x', 'a\n=1', 'a, "b"\nc', "'ok", 'Łódź', '']
  const moved = texts.map((counterparty) => ({ minor: -500n, counterparty }))
  const file = await whole(csvOf(report('transactions', [transactions(account('EUR', '0.00', moved))])))
  expect(file.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
  expect(file.toString().match(/(?<!\r)\n/g)).toHaveLength(2) // those within quotes
  const [header = [], ...rows] = readCsv(file)
  expect(header).toEqual(
    `id posted_at occurred_at type direction amount currency running_balance counterparty description category internal_notes
    payment_id deposit_id swap_id bill_id payment_batch_id reference invoice_number counterparty_account attachments account_code tax_code labels external_id`.split(
      /\s+/,
    ),
  )
  const inert = ["'=1+1", "'+49 30", "'-5", "'@cmd", "'\tx", "'\rx", "RE 1;'=1+41;x", "a\n'=1", ...texts.slice(8)]
  expect(rows.map((row) => row[8])).toEqual(inert)
  expect(rows[0]?.slice(1, 8)).toEqual(listed`
    2026-01-01T00:00:00.000Z | 2026-01-01T00:00:00.000Z | payment | out | 5.00 | EUR | -5.00`)
})

test('a workbook has typed cells, widths, and a header that stays; what Excel cannot hold exactly is text', async () => {
  const long = 'n'.repeat(40_000)
  const section = account('USD', '9999999999999990.00', [
    { minor: 1050n, counterparty: '=1+1', description: long },
    { minor: -1n, counterparty: 'a\u0001<b>&"', description: '_x0041_x0042_' },
  ])
  const [sheet] = readXlsx(await whole(xlsxOf(report('transactions', [transactions(section)]))))
  const [header = [], one = [], two = []] = sheet?.rows ?? []
  expect(sheet?.xml).toContain('<pane ySplit="1" topLeftCell="A2" state="frozen"')
  expect(sheet?.xml).toContain('<col min="1" max="1" width="38"')
  const day = 46_023 // 2026-01-01
  expect([header[0], one[1], one[5], one[7], one[8]]).toEqual(['id', day, 10.5, '10000000000000000.50', '=1+1'])
  expect(String(one[9])).toHaveLength(32_767)
  expect(two.slice(8, 10)).toEqual(['a<b>&"', '_x005F_x0041_x005F_x0042_']) // Excel shows it as it was written
  expect(sheet?.xml).not.toContain('<f>')
})

test('more rows than a sheet holds go on in another one, with the same header', async () => {
  const section = transactions(account('EUR', '0.00', movements(1, 2, 3, 4, 5)))
  const sheets = readXlsx(await whole(xlsxOf(report('transactions', [section]), 4)))
  const amounts = sheets.map(({ rows }) => rows.map((row) => row[5]).join(' '))
  expect(amounts).toEqual(['amount 0.01 0.02 0.03', 'amount 0.04 0.05'])
})

test('a PDF has logo, address, both balances, every line, and says page x of y', async () => {
  const red = sharp({ create: { width: 512, height: 512, channels: 4, background: '#ff0000' } })
  const logo = await red.webp().toBuffer()
  const minors = Array.from({ length: 100 }, (_, index) => BigInt(index % 3 === 0 ? -5 : 100))
  const many = minors.map((minor, index): Movement => ({ minor, description: `Invoice ${index}` }))
  const made = () =>
    report('balance_statement', [account('EUR', '10.00', many), account('USD', '0.00', movements(100), 500)], { logo })
  const file = await whole(pdfOf(made()))
  const { pages, text } = readPdf(file)
  expect(pages).toBeGreaterThan(4)
  for (let page = 1; page <= pages; page += 1) expect(text).toContain(`Page ${page} of ${pages}`)
  expect(text).not.toContain(`Page ${pages + 1}`)
  const head = listed`Smith & Sons | 1 High Street, London | GB 1 | 10.00 EUR | 2026-01-01 to 2026-01-31, UTC`
  for (const said of head) expect(text).toContain(said)
  for (let index = 0; index < 100; index += 1) expect(text).toMatch(new RegExp(`Invoice ${index}$`, 'm'))
  expect(file.toString('latin1')).toContain('/DCTDecode')
  expect(Buffer.compare(file, await whole(pdfOf(made())))).toBe(0)
})

test('each page of a PDF has its account, currency, sums and both balances, and carries the balance to the next', async () => {
  const bank = { iban: 'DE89370400440532013000', number: null, bic: 'COBADEFFXXX' }
  const many = Array.from({ length: 70 }, (_, index): Movement => ({ minor: index % 2 ? -1_00n : 1_234_567_89n }))
  const sections = [account('EUR', '10.00', many, 0, bank), account('USD', '7.00', movements(100), 500)]
  const { texts } = readPdf(await whole(pdfOf(report('balance_statement', sections))))
  expect(texts).toHaveLength(4)
  const closing = groupThousands(sections[0]?.account?.closing ?? '')
  const euros = listed`DE89 3704 0044 0532 0130 00 | COBADEFFXXX | Smith & Sons | 10.00 EUR | 43,209,876.15 EUR | 35.00 EUR`
  for (const text of texts.slice(0, 3)) for (const said of [...euros, `${closing} EUR`]) expect(text).toContain(said)
  const balanceOf = (page: number, label: string) => new RegExp(`${label}\n([\\d,.]+)`).exec(texts[page] ?? '')?.[1]
  expect(balanceOf(0, 'Opening balance')).toBe('10.00')
  expect(balanceOf(0, 'Carried forward')).toBe(balanceOf(1, 'Brought forward'))
  expect(balanceOf(1, 'Carried forward')).toBe(balanceOf(2, 'Brought forward'))
  expect(texts[2]).not.toContain('Carried forward')
  expect(texts[2]?.split('Closing balance').at(-1)).toContain(closing)
  expect(texts[3]).toContain('8.00 USD')
})

test('a PDF says so on each page that has letters which its font lacks, and on no other', async () => {
  const named = async (counterparty: string) => {
    const section = account('EUR', '0.00', [{ minor: 1n, counterparty }])
    return readPdf(await whole(pdfOf(report('balance_statement', [section])))).text
  }
  expect(await named('Łódź Αθήνα Київ what?')).not.toContain('is not in the font')
  expect(await named('東京')).toMatch(/\?\?.*is not in the font of this page/s)
})

test('expenses are an honest file: its header, and no rows', async () => {
  const [csv, xlsx, pdf] = await Promise.all([csvOf, xlsxOf, pdfOf].map((of) => whole(of(report('expenses', [])))))
  const header = ['id', 'occurred_at', 'person', 'merchant', 'category', 'amount', 'currency', 'description']
  expect(readCsv(csv!)).toEqual([header])
  expect(readXlsx(xlsx!)[0]?.rows).toHaveLength(1)
  expect(readPdf(pdf!).text).toContain('Page 1 of 1')
  expect([...unzipped(xlsx!).keys()]).toContain('xl/workbook.xml')
})

test('an end that is a day stands for all of it, also for a range that begins within it', () => {
  const order = { type: 'transactions', format: 'csv', from: '2026-01-02T10:00:00Z' }
  expect(v.is(NewExport, { ...order, to: '2026-01-02' })).toBe(true)
  for (const to of ['2026-01-01', '2026-01-02T09:59:59Z']) expect(v.is(NewExport, { ...order, to })).toBe(false)
})

const sign = fc.constantFrom(...Array.from('=+-@＝＋－＠\t\r\n,;"\' \u00a0\u200b\u001f1a|'))
const text = fc.string({ unit: sign, maxLength: 12 })
const separator = fc.constantFrom(...SEPARATORS)
const lineOf = (cells: readonly string[], between: Separator): string =>
  `${cells.map((cell) => quoteCell(inert(cell, between))).join(between)}\r\n`

/** The cells that a spreadsheet shows for any separator: quotes enclose only cells that begin with one. */
function shown(file: string, between: string): string[] {
  const cells: string[] = []
  let at = 0
  while (at < file.length) {
    let cell = ''
    if (file[at] === '"') {
      for (at += 1; at < file.length && (file[at] !== '"' || file[at + 1] === '"'); at += 1) {
        cell += file[at]
        if (file[at] === '"') at += 1
      }
      at += 1
    }
    for (; at < file.length && ![between, '\r', '\n'].includes(file[at] ?? ''); at += 1) cell += file[at]
    cells.push(cell)
    at += 1
  }
  return cells
}

test.each([
  ['RE 1;=1+41;x', "RE 1;'=1+41;x"],
  ['a note\n=1+41', "a note\n'=1+41"],
  ['a\r\n@x', "a\r\n'@x"],
  ['a\t+1', "a\t'+1"],
  ['a; -1', "a;' -1"],
  ['a;"=1+41"', `a;'"=1+41"`],
  ['a;＝1', "a;'＝1"],
  [' =1', "' =1"],
  ["'=1", "''=1"],
  ['a;b - c, =d', 'a;b - c, =d'],
])('in a file with commas %j is written as %j', (given, written) => expect(inert(given, ',')).toBe(written))

test('no spreadsheet sees a formula in a text, whatever separates its cells', () =>
  always(20000, fc.array(text, { minLength: 1, maxLength: 4 }), separator, (cells, written) => {
    const line = lineOf(['id', ...cells], written)
    for (const read of [',', ';', '\t']) {
      for (const cell of shown(line, read)) expect(cell).not.toMatch(/^[\s\p{Cc}\p{Cf}"]*[=+\-@＝＋－＠]/u)
    }
    const own = shown(line, written).slice(1, cells.length + 1)
    expect(own.map((cell) => withoutGuards(cell, written))).toEqual(cells)
  }))

test('what is plain needs neither guard nor quotes', () => {
  always(1000, fc.oneof(text, fc.string()), separator, (cell, written) => {
    if (isPlain(cell)) expect(quoteCell(inert(cell, written))).toBe(cell)
  })
  expect(['Łódź', 'a - b', '', 'x@y.com'].every(isPlain)).toBe(true)
})

/** A row of the file of results. */
const row = {
  cells: { payee_svc_id: 'acme', amount: '10.00' },
  status: 'succeeded',
  errors: [],
  payment_id: 'p',
  status_detail: 'settled',
  fee: '0',
  currency: 'USD',
  settled_at: '2026-01-01T00:00:00Z',
  bill_id: 'b',
} as const

test('a line has the cells as they were written, and then status, error, payment, fee, time and bill', () =>
  expect(resultLine(['payee_svc_id', 'amount'], ',', row)).toBe(
    'acme,10.00,succeeded,,p,0.00,2026-01-01T00:00:00Z,b\r\n',
  ))

test('a cell that begins like a formula gets an apostrophe, and an amount that is a number does not', () => {
  for (const cell of ['=1+1', '+1', '-1', '@x', '\tx', '\rx']) {
    const line = resultLine(['internal_notes'], ',', { ...row, cells: { internal_notes: cell } })
    expect(line.split(',succeeded')[0]?.replaceAll('"', '')).toBe(`'${cell}`)
  }
  const behind = resultLine(['internal_notes'], ',', { ...row, cells: { internal_notes: 'RE 1;=1+41;x\n=2' } })
  expect(behind).toMatch(/^"RE 1;'=1\+41;x\n'=2",succeeded/)
  expect(resultLine(['amount'], ',', { ...row, cells: { amount: '-1.00' } })).toMatch(/^-1\.00,/)
  expect(resultLine(['amount'], ',', { ...row, cells: { amount: '-1+cmd' } })).toMatch(/^'-1\+cmd,/)
})

test('what is wrong with the cells is told, and else why the payment failed', () => {
  const errors = [{ column: 'amount', code: 'malformed', message: 'is no number' }]
  const invalid = 'invalid,amount malformed: is no number,p,0.00,2026-01-01T00:00:00Z,b\r\n'
  expect(resultLine([], ',', { ...row, status: 'invalid', errors })).toBe(invalid)
  const failed = resultLine([], ',', { ...row, status: 'failed', status_detail: 'insufficient_funds' })
  expect(failed).toMatch(/^failed,insufficient_funds,/)
})

test('whatever stands in cells, a line of results is read back', () =>
  always(1000, fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2 }), separator, (cells, between) =>
    expect(shown(csvLine(cells, between), between).slice(0, cells.length)).toEqual(cells),
  ))

const money = { amount: '1.00', currency: 'EUR' }
const drawn: Receipt = {
  attachments: null,
  execute_on: null,
  returned: null,
  id: '01900000-0000-7000-8000-000000000000',
  status: 'succeeded',
  rail: 'svc_id',
  connection: null,
  instant: false,
  payer: 'Łódź',
  payer_address: null,
  payer_tax_id: null,
  logo: null,
  payee: 'Αθήνα',
  account: 'BFS1',
  account_holder: null,
  bic: null,
  payee_address: null,
  deducting: money,
  landing: money,
  fee: { ...money, amount: '0.00' },
  rate: null,
  description: 'Invoice 1',
  bill_number: null,
  reference: null,
  transaction_id: null,
  created_at: '2026-01-01T00:00:00.000Z',
  paid_at: '2026-01-02T00:00:00.000Z',
  reversed_at: null,
  event_id: null,
  event_hash: null,
}

test('a receipt has the letterhead of the payer, separators of thousands, and the hash of its event', async () => {
  const logo = await sharp({ create: { width: 8, height: 8, channels: 4, background: '#ff0000' } })
    .webp()
    .toBuffer()
  const large = { amount: '1234567.80', currency: 'EUR' }
  const letterhead = { payer_address: '1 High Street\nLondon', payer_tax_id: 'GB 1', logo }
  const proof = { event_id: '01900000-0000-7000-8000-000000000001', event_hash: 'ab'.repeat(32) }
  const made = await drawReceipt({
    ...drawn,
    ...letterhead,
    ...proof,
    landing: large,
    deducting: large,
    bill_number: 'B-7',
  })
  const { text } = readPdf(made)
  const said = ['1 High Street', 'London', 'Tax ID GB 1', '1,234,567.80 EUR paid on 2 January 2026', 'B-7', 'BFS1']
  for (const part of [...said, `event ${proof.event_id}`, `SHA-256 ${proof.event_hash}`]) expect(text).toContain(part)
  expect(Buffer.from(made).toString('latin1')).toContain('/DCTDecode')
})

test.each([
  [true, 'Instant bank transfer'],
  [false, 'Bank transfer'],
])('a receipt names the speed of an instant payment: %s', async (instant, means) => {
  const { text } = readPdf(await drawReceipt({ ...drawn, rail: 'fiat', instant }))
  expect(text.split('\n')).toContain(means)
})

test('a receipt is the same bytes each time', async () => {
  expect(Buffer.compare(await drawReceipt(drawn), await drawReceipt(drawn))).toBe(0)
})

test('each letter that may be written is one that the font has', async () => {
  const letters = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).filter(
    (letter) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(letter) && writable(letter) === letter,
  )
  expect(letters.length).toBeGreaterThan(1500)
  const parts = Array.from({ length: Math.ceil(letters.length / 100) }, (_, part) =>
    letters.slice(part * 100, part * 100 + 100).join(''),
  )
  for (const payee of everyNth(parts, 15)) {
    const { text } = readPdf(await drawReceipt({ ...drawn, payee }))
    expect(text.replaceAll('\n', '')).toContain(payee)
    expect(text).not.toContain('\ufffd')
  }
})

test('letters that the font lacks lose their marks, and what has no such letter is a question mark', () => {
  const kept = 'Żółć – “naïve” €5 № Αθήνα Київ Iğdır Đặng'
  expect(writable(kept)).toBe(kept)
  expect(writable('東京 Tower שלום 😀')).toBe('?? Tower ???? ?')
  expect(writable('ﬁ Ｗ ² ɓ̀ Ọ̀ṣun')).toBe('fi W ² ɓ Ọṣun')
  expect(writable('a\tb\u200bc\u0000\u202e')).toBe('a bc')
  expect(writable('e\u0301')).toBe('é')
})

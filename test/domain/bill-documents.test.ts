/** Bills as files: printed ones, hostile ones, and content that must never be extracted. */
import { describe, expect, test } from 'vitest'
import { kindOf } from '../../activities/bills/kinds.ts'
import { withPdf } from '../../activities/bills/pdf.ts'
import { readDocument } from '../../activities/bills/read-document.ts'
import { BILL_FIELDS, type BillField } from '../../domain/bills/fields.ts'
import { type Reading, UnreadableBill } from '../../domain/bills/reader.ts'
import { amountsIn, decimalSignOf } from '../../domain/bills/text/amounts.ts'
import { dateIn, orderOf } from '../../domain/bills/text/dates.ts'
import { readPages } from '../../domain/bills/text/reading.ts'
import { hostileFiles } from '../support/bills/hostile.ts'
import { type BillModel, LANGUAGES } from '../support/bills/model.ts'
import { LAYOUTS } from '../support/bills/layouts.ts'
import { printed, printedTruth } from '../support/bills/printed.ts'
import { billOf, ibanOf, randomBy } from '../support/bills/random.ts'
import { everyNth, fullScale } from '../support/model-runs.ts'

async function textOf(pdf: Buffer): Promise<Reading> {
  return withPdf(pdf, async (opened) =>
    readPages(
      Array.from({ length: opened.pageCount }, (_, index) => opened.page(index + 1)),
      'text-layer',
    ),
  )
}

const layoutAt = (index: number) => LAYOUTS[index % LAYOUTS.length] ?? fail()
const fail = (): never => {
  throw new Error('there is no layout')
}
const valueOf = ({ fields }: Reading, wanted: BillField) => fields.find(({ field }) => field === wanted)?.value ?? null

const plainBill = (given: Partial<BillModel> = {}) =>
  billOf(7, 'de', { payerIban: null, prepaid: 0n, rounding: 0n, ...given })

const LANGUAGE_WITH_LAYOUT = LANGUAGES.map((language, index) => [language, index] as const)

describe('a printed bill', () => {
  test.each(everyNth(LANGUAGE_WITH_LAYOUT, 2))(
    'is read as it is printed, without a wrong field: %s',
    async (language, index) => {
      const layout = layoutAt(index)
      const bill = billOf(900 + index, language)
      const reading = await textOf(await printed(bill, layout))
      const { fields } = printedTruth(bill)
      for (const field of ['amount', 'currency', 'bill_number', 'issue_date', 'supplier_name'] as const) {
        expect(valueOf(reading, field), field).toBe(fields?.[field])
      }
      for (const field of BILL_FIELDS) expect([null, fields?.[field]], field).toContain(valueOf(reading, field))
    },
  )

  test('says page and box of each field', async () => {
    const reading = await textOf(await printed(plainBill(), layoutAt(0)))
    expect(reading.fields.length).toBeGreaterThan(5)
    for (const { page, box } of reading.fields) {
      expect(page).toBe(1)
      const [x, y, width, height] = box ?? []
      expect(x).toBeGreaterThan(0)
      expect(y).toBeGreaterThan(0)
      expect((x ?? 0) + (width ?? 0)).toBeLessThan(596)
      expect((y ?? 0) + (height ?? 0)).toBeLessThan(843)
    }
  })

  test.each(everyNth(LANGUAGE_WITH_LAYOUT, 3))(
    'never gives the account of the one who pays for that of the supplier: %s',
    async (language, index) => {
      const country = { de: 'DE', en: 'IE', fr: 'FR', es: 'ES', nl: 'NL', it: 'IT' }[language]
      const payerIban = ibanOf(randomBy(3), country)
      for (const layout of everyNth(LAYOUTS.slice(0, 4), 4, index)) {
        const both = await textOf(await printed(billOf(31, language, { payerIban }), layout))
        expect(valueOf(both, 'iban')).not.toBe(payerIban)
        const alone = await textOf(await printed(billOf(31, language, { payerIban, accounts: [] }), layout))
        expect(valueOf(alone, 'iban')).toBe(null)
      }
    },
  )

  test.each(everyNth(LANGUAGES, 3))('that is debited has no account, and is marked so: %s', async (language) => {
    const payerIban = ibanOf(randomBy(4), 'FR')
    const reading = await textOf(await printed(billOf(32, language, { meansCode: '59', payerIban }), layoutAt(1)))
    expect(reading.notPayable).toBe('direct_debit')
    expect(valueOf(reading, 'iban')).toBe(null)
    expect(valueOf(reading, 'account_number')).toBe(null)
  })

  test.each(everyNth(LANGUAGES, 3))(
    'that is a credit note has a negative amount, and is marked so: %s',
    async (language) => {
      const reading = await textOf(await printed(billOf(33, language, { typeCode: '381', prepaid: 0n }), layoutAt(2)))
      expect(reading.notPayable).toBe('credit_note')
      expect(valueOf(reading, 'amount')).toMatch(/^-/)
    },
  )
})

describe('what is in doubt stays empty', () => {
  const page = (lines: readonly string[]) => {
    const words = lines.flatMap((line, row) =>
      Array.from(line.matchAll(/\S+/g), ({ 0: text, index }) => ({
        text,
        box: [50 + index * 5, 50 + row * 14, text.length * 5, 10] as const,
        confidence: null,
      })),
    )
    return readPages([{ number: 1, width: 595, height: 842, words }], 'text-layer')
  }
  const rest = ['Rechnung', 'Rechnungsnummer: R-7']

  test('a total that the other amounts do not add up to', () => {
    const reading = page([...rest, 'Nettobetrag: 100,00 EUR', '19 % MwSt.: 19,00 EUR', 'Gesamtbetrag: 129,00 EUR'])
    expect(valueOf(reading, 'amount')).toBe(null)
    expect(reading.doubts.map(({ code }) => code)).toContain('does_not_add_up')
  })

  test('the account, if there are two', () => {
    const reading = page([...rest, 'IBAN: DE89370400440532013000', 'IBAN: DE75512108001245126199'])
    expect(valueOf(reading, 'iban')).toBe(null)
    expect(reading.doubts.map(({ code }) => code)).toContain('several_accounts')
  })

  test('an account with wrong check digits', () => {
    expect(valueOf(page([...rest, 'IBAN: DE88370400440532013000']), 'iban')).toBe(null)
  })

  test('a date that could be two days, and the doubt is told', () => {
    const reading = page([
      'Invoice',
      'Invoice number: R-7',
      'Invoice date: 03/04/2026',
      'Due date: 25/05/2026 or later',
    ])
    expect(valueOf(reading, 'issue_date')).toBe('2026-04-03')
    const unclear = page(['Invoice', 'Invoice number: R-7', 'Invoice date: 03/04/2026', 'Due date: 05/05/2026'])
    expect(valueOf(unclear, 'issue_date')).toBe(null)
    expect(valueOf(unclear, 'due_date')).toBe('2026-05-05')
    expect(unclear.doubts).toMatchObject([{ code: 'ambiguous_date', fields: ['issue_date'] }])
    const order = orderOf(['Invoice date: 03/04/2026'], 'en')
    expect(dateIn('03/04/2026', order)).toEqual({ date: null, text: '03/04/2026' })
    expect(dateIn('03/04/2026', orderOf(['03/04/2026', 'due 25/04/2026'], 'en'))?.date).toBe('2026-04-03')
    expect(dateIn('03.04.2026', 'month')?.date).toBe('2026-04-03')
    expect(dateIn('31.02.2026', 'day')).toBe(undefined)
  })

  test('the currency of a sign that several countries have', () => {
    expect(amountsIn('$ 12.50', '.').map(({ currency }) => currency)).toEqual([null])
    expect(amountsIn('US$ 12.50', '.').map(({ currency }) => currency)).toEqual(['USD'])
  })

  test('an amount that could be a thousand or one', () => {
    expect(amountsIn('1.234', null)).toEqual([])
    expect(amountsIn('1.234', decimalSignOf(['12,50'])).map(({ cents }) => cents)).toEqual([123_400n])
    expect(amountsIn("1'234.50 CHF", null).map(({ cents }) => cents)).toEqual([123_450n])
    expect(amountsIn('1 234,50 €', null).map(({ cents }) => cents)).toEqual([123_450n])
  })
})

/** Files that end or fill the process that reads them; content-bomb.pdf represents them. */
const SLOW = new Set(['form-loop.pdf', 'object-loop.pdf', 'huge-page.pdf', 'huge.png'])

test('a signed envelope is refused, and it is said what to send instead', () => {
  const envelope = Buffer.from('308205f806092a864886f70d010702a08205e9', 'hex')
  const base64 = Buffer.from(envelope.toString('base64'))
  const headed = Buffer.concat([Buffer.from('-----BEGIN PKCS7-----\r\n'), base64])
  for (const bytes of [envelope, base64, headed]) expect(() => kindOf(bytes)).toThrow('a signed envelope (.p7m)')
  expect(() => kindOf(Buffer.from('308205f8'))).toThrow('no PDF, PNG, JPEG or XML')
})

test(
  'a hostile or damaged file is refused with its reason, and the next one is read',
  { timeout: 400_000 }, // ten seconds of processor time may take minutes on a busy machine
  async () => {
    for (const { name, bytes, refused } of await hostileFiles()) {
      if (!fullScale && SLOW.has(name)) continue
      const said = await readDocument({ bytes, contentType: 'application/pdf' }).then(
        (readings) => ({ fields: readings.flatMap(({ fields }) => fields), code: null }),
        (error: unknown) => ({ fields: [], code: error instanceof UnreadableBill ? error.code : String(error) }),
      )
      expect(said, name).toEqual({ fields: [], code: refused })
    }
    const pdf = await printed(plainBill(), layoutAt(0))
    expect(await readDocument({ bytes: pdf, contentType: '' })).toHaveLength(1)
  },
)

/** Bills as files: printed ones, hostile ones, and content that must never be extracted. */
import { describe, expect, test } from 'vitest'
import { kindOf } from '../../documents/reading/kinds.ts'
import { readDocument } from '../../documents/bills/read-document.ts'
import { BILL_FIELDS } from '../../domain/bills/fields.ts'
import { type Reading, UnreadableBill } from '../../domain/bills/reader.ts'
import { dateIn, orderOf } from '../../documents/bills/text/dates.ts'
import { readPages } from '../../documents/bills/text/reading.ts'
import { hostileFiles } from '../../dev/sample-bills/hostile.ts'
import { type BillModel, LANGUAGES } from '../../dev/sample-bills/model.ts'
import { LAYOUTS } from '../../dev/sample-bills/layouts.ts'
import { printBill, truthOnPaper } from '../../dev/sample-bills/printed.ts'
import { billOf, ibanOf, randomBy } from '../../dev/sample-bills/random.ts'
import { codesOf, pagesOf, readTyped, valueOf, valuesOf } from '../support/bills/readings.ts'
import { everyNth, fullScale } from '../support/model-runs.ts'

const textOf = async (pdf: Buffer): Promise<Reading> => readPages(await pagesOf(pdf), 'text-layer')
const layoutAt = (index: number) => LAYOUTS[index % LAYOUTS.length] ?? expect.fail('there is no layout')

const plainBill = (given: Partial<BillModel> = {}) =>
  billOf(7, 'de', { payerIban: null, prepaid: 0n, rounding: 0n, ...given })

const LANGUAGE_WITH_LAYOUT = LANGUAGES.map((language, index) => [language, index] as const)

describe('a printed bill', () => {
  test.each(everyNth(LANGUAGE_WITH_LAYOUT, 2))(
    'is read as it is printed, without a wrong field: %s',
    async (language, index) => {
      const layout = layoutAt(index)
      const bill = billOf(900 + index, language)
      const reading = await textOf(await printBill(bill, layout))
      const { fields } = truthOnPaper(bill)
      for (const field of ['amount', 'currency', 'bill_number', 'issue_date', 'supplier_name'] as const)
        expect(valueOf(reading, field), field).toBe(fields?.[field])
      for (const field of BILL_FIELDS) expect([null, fields?.[field]], field).toContain(valueOf(reading, field))
    },
  )

  test('says page and box of each field', async () => {
    const reading = await textOf(await printBill(plainBill(), layoutAt(0)))
    expect(reading.fields.length).toBeGreaterThan(5)
    for (const { page, box } of reading.fields) {
      expect(page).toBe(1)
      const [x, y, width, height] = box ?? [0, 0, 0, 0]
      expect(x > 0 && y > 0 && x + width < 596 && y + height < 843).toBe(true)
    }
  })

  test.each(everyNth(LANGUAGE_WITH_LAYOUT, 3))(
    'never gives the account of the one who pays for that of the supplier: %s',
    async (language, index) => {
      const country = { de: 'DE', en: 'IE', fr: 'FR', es: 'ES', nl: 'NL', it: 'IT' }[language]
      const payerIban = ibanOf(randomBy(3), country)
      for (const layout of everyNth(LAYOUTS.slice(0, 4), 4, index)) {
        const both = await textOf(await printBill(billOf(31, language, { payerIban }), layout))
        expect(valueOf(both, 'iban')).not.toBe(payerIban)
        const alone = await textOf(await printBill(billOf(31, language, { payerIban, accounts: [] }), layout))
        expect(valueOf(alone, 'iban')).toBe(null)
      }
    },
  )

  test.each(everyNth(LANGUAGES, 3))('that is debited has no account, and is marked so: %s', async (language) => {
    const payerIban = ibanOf(randomBy(4), 'FR')
    const reading = await textOf(await printBill(billOf(32, language, { meansCode: '59', payerIban }), layoutAt(1)))
    expect([reading.notPayable, ...valuesOf(reading, 'iban', 'account_number')]).toEqual(['direct_debit', null, null])
  })

  test.each(everyNth(LANGUAGES, 3))(
    'that is a credit note has a negative amount, and is marked so: %s',
    async (language) => {
      const reading = await textOf(await printBill(billOf(33, language, { typeCode: '381', prepaid: 0n }), layoutAt(2)))
      expect(reading.notPayable).toBe('credit_note')
      expect(valueOf(reading, 'amount')).toMatch(/^-/)
    },
  )
})

describe('what is in doubt stays empty', () => {
  test.each([
    [
      'a total that the other amounts do not add up to',
      ['Nettobetrag: 100,00 EUR', '19 % MwSt.: 19,00 EUR', 'Gesamtbetrag: 129,00 EUR'],
      'amount',
      'does_not_add_up',
    ],
    [
      'the account, if there are two',
      ['IBAN: DE89370400440532013000', 'IBAN: DE75512108001245126199'],
      'iban',
      'several_accounts',
    ],
  ] as const)('%s', (_, lines, field, code) => {
    const reading = readTyped(['Rechnung', 'Rechnungsnummer: R-7', ...lines])
    expect(valueOf(reading, field)).toBe(null)
    expect(codesOf(reading).map(([first]) => first)).toContain(code)
  })

  test('a date that could be two days, and the doubt is told', () => {
    const dated = (due: string) =>
      readTyped(['Invoice', 'Invoice number: R-7', 'Invoice date: 03/04/2026', `Due date: ${due}`])
    expect(valueOf(dated('25/05/2026 or later'), 'issue_date')).toBe('2026-04-03')
    const unclear = dated('05/05/2026')
    expect(valuesOf(unclear, 'issue_date', 'due_date')).toEqual([null, '2026-05-05'])
    expect(codesOf(unclear)).toEqual([['ambiguous_date', 'issue_date']])
    const order = orderOf(['Invoice date: 03/04/2026'], 'en')
    expect(dateIn('03/04/2026', order)).toEqual({ date: null, text: '03/04/2026' })
    expect(dateIn('03/04/2026', orderOf(['03/04/2026', 'due 25/04/2026'], 'en'))?.date).toBe('2026-04-03')
    expect(dateIn('03.04.2026', 'month')?.date).toBe('2026-04-03')
    expect(dateIn('31.02.2026', 'day')).toBe(undefined)
  })
})

/** Files that end or fill the process that reads them; content-bomb.pdf represents them. */
const SLOW = new Set(['form-loop.pdf', 'object-loop.pdf', 'huge-page.pdf', 'huge.png'])

test('a signed envelope is refused, and it is said what to send instead', () => {
  const envelope = Buffer.from('308205f806092a864886f70d010702a08205e9', 'hex')
  const base64 = Buffer.from(envelope.toString('base64'))
  const headed = Buffer.concat([Buffer.from('-----BEGIN PKCS7-----\r\n'), base64])
  for (const bytes of [envelope, base64, headed]) expect(() => kindOf(bytes)).toThrow('a signed envelope (.p7m)')
  expect(() => kindOf(Buffer.from('308205f8'))).toThrow('no PDF, PNG, JPEG, WebP, TIFF or XML')
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
    const pdf = await printBill(plainBill(), layoutAt(0))
    expect(await readDocument({ bytes: pdf, contentType: '' })).toHaveLength(1)
  },
)

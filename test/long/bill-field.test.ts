/** Pages of many countries, printed by a browser: a floor under what is read of them. */
import { expect, test } from 'vitest'
import { type FieldPage, fieldPage, fieldReceipt } from '../../dev/sample-bills/field/pages.ts'
import { withPrinter } from '../../dev/sample-bills/field/print.ts'
import { mergeReadings } from '../../documents/bills/merged.ts'
import { readDocument } from '../../documents/bills/read-document.ts'
import type { BillField } from '../../domain/bills/fields.ts'
import { bareTaxId } from '../../domain/tax-ids.ts'
import { chromiumPath } from '../support/identity/chromium.ts'

const [PAGES, RECEIPTS] = [120, 30]
const ACCOUNTS = ['iban', 'account_number', 'sort_code', 'aba_code', 'bsb_code'] as const
const SETTLED: readonly unknown[] = ['paid', 'card', 'direct_debit']
/** Scripts whose letters few machines have. */
const OTHER_LETTERS = ['ja', 'ar', 'zh']

type Tally = { right: number; wrong: number; all: number }
const share = (tally: Tally | undefined, part: 'right' | 'wrong'): number => (tally ? tally[part] / tally.all : 0)

function isRight(field: BillField, is: string | undefined, should: string): boolean {
  if (field === 'supplier_tax_id') return is !== undefined && bareTaxId(is) === bareTaxId(should)
  return is?.normalize('NFC').replaceAll('’', "'") === should.normalize('NFC').replaceAll('’', "'")
}

/** Tallies each field of pages, and whether it is known that they are settled. */
async function tallyPages(pages: readonly FieldPage[]): Promise<ReadonlyMap<string, Tally>> {
  const tallies = new Map<string, Tally>()
  const add = (name: string, verdict: 'right' | 'wrong' | 'empty') => {
    const tally = tallies.get(name) ?? { right: 0, wrong: 0, all: 0 }
    if (verdict !== 'empty') tally[verdict] += 1
    tally.all += 1
    tallies.set(name, tally)
  }
  await withPrinter(chromiumPath, async (print) => {
    for (const { html, size, truth } of pages) {
      const bytes = await print(html, size)
      const { fields, notPayable } = mergeReadings(await readDocument({ bytes, contentType: 'application/pdf' }))
      const found = new Map(fields.map(({ field, value }) => [field, value]))
      if (SETTLED.includes(truth.not_payable)) add('settled', SETTLED.includes(notPayable) ? 'right' : 'empty')
      for (const [name, should] of Object.entries(truth.fields)) {
        const field = name as BillField // a key of the fields
        const is = found.get(field)
        if (is === undefined ? should !== null : should !== null || ACCOUNTS.some((account) => account === field)) {
          const verdict = should !== null && isRight(field, is, should) ? 'right' : 'wrong'
          add(field, is === undefined ? 'empty' : verdict)
        }
      }
    }
  })
  return tallies
}

const indexes = (count: number) => Array.from({ length: count }, (_, index) => index)
const isWritten = ({ truth }: FieldPage) => !OTHER_LETTERS.includes(truth.language)

test.each(['made', 'held-out'] as const)('pages of the half %s are read as well as before', async (half) => {
  const tallies = await tallyPages(
    indexes(PAGES)
      .map((index) => fieldPage(half, index))
      .filter(isWritten),
  )
  for (const account of ACCOUNTS) expect(tallies.get(account)?.wrong ?? 0, account).toBe(0)
  const floors = FLOORS[half]
  for (const [field, floor] of Object.entries(floors)) {
    expect(share(tallies.get(field), 'right'), `${field}: ${JSON.stringify(tallies.get(field))}`).toBeGreaterThan(floor)
  }
})

test.each(['made', 'held-out'] as const)(
  'totals of receipts of the half %s are read as well as before',
  async (half) => {
    const tallies = await tallyPages(indexes(RECEIPTS).map((index) => fieldReceipt(half, index)))
    expect(share(tallies.get('amount'), 'right')).toBeGreaterThan(RECEIPT_FLOOR[half])
  },
)

/** Shares of right answers, five percent below what was reached; raise them when the reader gets better. */
const FLOORS = {
  made: { amount: 0.95, bill_number: 0.92, issue_date: 0.94, supplier_name: 0.57, settled: 0.84 },
  'held-out': { amount: 0.88, bill_number: 0.63, issue_date: 0.29, supplier_name: 0.34, settled: 0.6 },
}
const RECEIPT_FLOOR = { made: 0.85, 'held-out': 0.7 }

/**
 * `npm run bench:bills [-- folder …] [--wrong] [--half made] [--kind scan] [--remember]`. Reads each file with a truth
 * beside it (`x.pdf.json` for `x.pdf`) and scores fields by half and kind: right, empty, or wrong. The default folder
 * is the project's own; `npm run corpus:bills` writes its PDFs. `--remember` skips pictures that were recognized
 * before; times then mean nothing. A report, never a test.
 */
import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { BILL_FIELDS, type BillField } from '../../domain/bills/fields.ts'
import { mergeReadings } from '../../documents/bills/merged.ts'
import { type BillFile, UnreadableBill } from '../../domain/bills/reader.ts'
import type { Truth } from '../../dev/sample-bills/model.ts'
import { quantile } from '../measure.ts'

type Findings = {
  readonly fields: Partial<Record<string, string>>
  readonly notPayable: string | null
  readonly refused: string | null
}
type Score = {
  right: number
  empty: number
  wrong: number
  files: number
  times: number[]
  readonly byField: Map<string, { right: number; empty: number; wrong: number }>
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    wrong: { type: 'boolean' },
    half: { type: 'string' },
    kind: { type: 'string' },
    remember: { type: 'boolean' },
  },
})
const OWN = ['node_modules/.cache/bills', 'test/corpus/bills'].filter((folder) => existsSync(folder))
process.env['DATABASE_URL'] ??= 'postgres://unused' // the configuration asks for one; nothing connects
const { readDocument } = await import('../../documents/bills/read-document.ts')
const { readings } = await import('../../documents/bills/readers.ts')
const { REMEMBERED } = await import('./remembered.ts')
const ACCOUNT: ReadonlySet<string> = new Set(['iban', 'account_number', 'sort_code', 'aba_code', 'bsb_code'])
const scores = new Map<string, Score>()
let wrongAccounts = 0

const read = async (file: BillFile) => (values.remember ? readings(file, REMEMBERED) : readDocument(file))

async function find(bytes: Uint8Array): Promise<Findings> {
  try {
    const { fields, notPayable } = mergeReadings(await read({ bytes, contentType: '' }))
    return { fields: Object.fromEntries(fields.map(({ field, value }) => [field, value])), notPayable, refused: null }
  } catch (error) {
    if (!(error instanceof UnreadableBill)) throw error
    return { fields: {}, notPayable: null, refused: error.code }
  }
}

/** Compares as a person would: "FR12 345" equals "FR12345". */
const same = (field: string, one: string, other: string): boolean => {
  const plain = (text: string) => text.normalize('NFC').replaceAll(/\s+/gu, ' ').replaceAll('’', "'").trim()
  const bare = (text: string) => plain(text).replaceAll(/[ .,-]/g, '')
  return field === 'supplier_tax_id' ? bare(one) === bare(other) : plain(one) === plain(other)
}

function count(score: Score, field: string, kind: 'right' | 'empty' | 'wrong'): void {
  score[kind] += 1
  const one = score.byField.get(field) ?? { right: 0, empty: 0, wrong: 0 }
  one[kind] += 1
  score.byField.set(field, one)
}

const truths = async (folder: string) =>
  (await readdir(folder, { recursive: true }))
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name))
const files = (await Promise.all((positionals.length > 0 ? positionals : OWN).map(truths))).flat().toSorted()
for (const name of files) {
  const half = /made|held-out/.exec(name)?.[0] ?? 'all'
  if (values.half && half !== values.half) continue
  const truth = JSON.parse(await readFile(name, 'utf8')) as Truth
  if (values.kind && values.kind !== truth.kind) continue
  const bytes = await readFile(name.replace(/\.json$/, ''))
  const began = performance.now()
  const found = await find(bytes)
  const key = `${half.padEnd(8)} ${truth.kind}`
  const score: Score = scores.get(key) ?? { right: 0, empty: 0, wrong: 0, files: 0, times: [], byField: new Map() }
  scores.set(key, score)
  score.files += 1
  score.times.push(performance.now() - began)
  const say = (field: string, is: unknown, should: unknown) => {
    if (values.wrong) console.log(`${name}: ${field} is ${String(is)}, not ${String(should)}`)
  }
  for (const [field, is, should] of [
    ['refused', found.refused, truth.refused],
    ['not_payable', found.notPayable, truth.not_payable],
  ] as const) {
    if (is === should) count(score, field, 'right')
    else {
      count(score, field, 'wrong')
      say(field, is, should)
    }
  }
  if (!truth.fields || truth.refused) continue
  for (const field of BILL_FIELDS) {
    const should = truth.fields[field]
    if (should !== undefined) judge(score, field, found.fields[field] ?? null, should, say)
  }
}

function judge(
  score: Score,
  field: BillField,
  is: string | null,
  should: string | null,
  say: (field: string, is: unknown, should: unknown) => void,
): void {
  if (is === null && should === null) return
  const kind = is === null ? 'empty' : should !== null && same(field, is, should) ? 'right' : 'wrong'
  count(score, field, kind)
  if (kind !== 'right') say(field, is, should)
  if (kind === 'wrong' && ACCOUNT.has(field)) wrongAccounts += 1
}

for (const [key, { right, empty, wrong, files: number, times, byField }] of [...scores].toSorted(([a], [b]) =>
  a.localeCompare(b),
)) {
  const all = right + empty + wrong
  const percent = (part: number, of = all) => `${((part / of) * 100).toFixed(1)} %`
  console.log(
    `${key.padEnd(18)} ${String(number).padStart(4)} files  right ${percent(right)}  empty ${percent(empty)}  wrong ${percent(wrong)}  ` +
      `p50 ${quantile(times, 0.5).toFixed(0)} ms  max ${quantile(times, 1).toFixed(0)} ms`,
  )
  for (const [field, one] of byField) {
    if (one.empty + one.wrong > 0)
      console.log(`    ${field.padEnd(22)} right ${one.right}  empty ${one.empty}  wrong ${one.wrong}`)
  }
}
console.log(`wrong account numbers: ${wrongAccounts}`)
process.exit(0)

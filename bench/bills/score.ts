/**
 * Scores the reader on files with a truth beside them, `x.pdf.json` for `x.pdf`.
 *
 * `npm run bench:bills [-- folder …] [--wrong] [--half made] [--kind scan] [--remember] [--table]` counts right, empty
 * and wrong fields by half and kind; the default folder is the project's own, and `npm run corpus:bills` writes its
 * PDFs. A table of each half has all kinds in percent: there an answer with a doubt is neither right nor wrong. The
 * reader leaves most of what it doubts empty, so the part of the empty ones that a doubt names stands at the end.
 * `--table` prints nothing else. `--remember` skips pictures recognized before; times then mean nothing. A report,
 * never a test.
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
  /** Fields that a doubt names. */
  readonly doubted: ReadonlySet<string>
  readonly notPayable: string | null
  readonly refused: string | null
}
/** Counts of one field in a half: answered with a doubt, it is neither right nor wrong. `unsure` are of the empty. */
type Tally = { right: number; doubted: number; empty: number; wrong: number; unsure: number }
/** Pages with a wrong field, by the nearest doubt that came with it. */
type WrongPages = { ofIt: number; ofOthers: number; none: number }
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
    table: { type: 'boolean' },
  },
})
const OWN = ['node_modules/.cache/bills', 'test/corpus/bills'].filter((folder) => existsSync(folder))
process.env['DATABASE_URL'] ??= 'postgres://unused' // the configuration asks for one; nothing connects
const { readDocument } = await import('../../documents/bills/read-document.ts')
const { readings } = await import('../../documents/bills/readers.ts')
const { REMEMBERED } = await import('./remembered.ts')
const ACCOUNT: ReadonlySet<string> = new Set(['iban', 'account_number', 'sort_code', 'aba_code', 'bsb_code'])
const scores = new Map<string, Score>()
const tallies = new Map<string, Map<string, Tally>>()
const timesByHalf = new Map<string, number[]>()
const wrongPages = new Map<string, WrongPages>()
let wrongAccounts = 0

const read = async (file: BillFile) => (values.remember ? readings(file, REMEMBERED) : readDocument(file))

async function find(bytes: Uint8Array): Promise<Findings> {
  try {
    const { fields, doubts, notPayable } = mergeReadings(await read({ bytes, contentType: '' }))
    const doubted = new Set<string>(doubts.flatMap((doubt) => doubt.fields))
    const values = Object.fromEntries(fields.map(({ field, value }) => [field, value]))
    return { fields: values, doubted, notPayable, refused: null }
  } catch (error) {
    if (!(error instanceof UnreadableBill)) throw error
    return { fields: {}, doubted: new Set(), notPayable: null, refused: error.code }
  }
}

/** Compares as a person would: "FR12 345" equals "FR12345". */
const same = (field: string, one: string, other: string): boolean => {
  const plain = (text: string) => text.normalize('NFC').replaceAll(/\s+/gu, ' ').replaceAll('’', "'").trim()
  const bare = (text: string) => plain(text).replaceAll(/[ .,-]/g, '')
  return field === 'supplier_tax_id' ? bare(one) === bare(other) : plain(one) === plain(other)
}

/** Reasons that mean the same to who would pay: paid by card, or a page that claims nothing. */
const ALIKE: readonly (readonly (string | null)[])[] = [
  ['paid', 'card'],
  ['pro_forma', 'not_a_bill'],
]
const isSameReason = (one: string | null, other: string | null): boolean =>
  one === other || ALIKE.some((alike) => alike.includes(one) && alike.includes(other))

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
  const took = performance.now() - began
  score.times.push(took)
  timesByHalf.set(half, [...(timesByHalf.get(half) ?? []), took])
  const say = (field: string, is: unknown, should: unknown) => {
    if (values.wrong) console.log(`${name}: ${field} is ${String(is)}, not ${String(should)}`)
  }
  for (const [field, is, should] of [
    ['refused', found.refused, truth.refused],
    ['not_payable', found.notPayable, truth.not_payable],
  ] as const) {
    const isRight = field === 'refused' ? is === should : isSameReason(is, should)
    tally(half, field, isRight ? 'right' : 'wrong')
    if (isRight) count(score, field, 'right')
    else {
      count(score, field, 'wrong')
      say(field, is, should)
    }
  }
  tallySettled(half, truth, found)
  if (!truth.fields || truth.refused) continue
  const wrong: BillField[] = []
  for (const field of BILL_FIELDS) {
    const should = truth.fields[field]
    if (should === undefined) continue
    const kind = judge(score, field, found.fields[field] ?? null, should, say)
    if (!kind) continue
    const isDoubted = kind !== 'empty' && found.doubted.has(field)
    if (kind === 'wrong') wrong.push(field)
    tally(half, field, isDoubted ? 'doubted' : kind, found)
    if (field === 'amount' && truth.kind.startsWith('receipt'))
      tally(half, 'total of a receipt', isDoubted ? 'doubted' : kind)
  }
  countWrongPage(half, wrong, found)
}

function countWrongPage(half: string, wrong: readonly BillField[], { doubted }: Findings): void {
  const pages = wrongPages.get(half) ?? { ofIt: 0, ofOthers: 0, none: 0 }
  wrongPages.set(half, pages)
  if (wrong.length === 0) return
  pages[wrong.some((field) => doubted.has(field)) ? 'ofIt' : doubted.size > 0 ? 'ofOthers' : 'none'] += 1
}

function tally(half: string, field: string, kind: 'right' | 'doubted' | 'empty' | 'wrong', found?: Findings): void {
  const fields = tallies.get(half) ?? new Map<string, Tally>()
  const one = fields.get(field) ?? { right: 0, doubted: 0, empty: 0, wrong: 0, unsure: 0 }
  one[kind] += 1
  if (kind === 'empty' && found?.doubted.has(field)) one.unsure += 1
  tallies.set(half, fields.set(field, one))
}

/** Tallies whether a page is known to be settled, or to be paid. */
function tallySettled(half: string, { not_payable: should }: Truth, { notPayable: is }: Findings): void {
  if (should === 'paid' || should === 'card' || should === 'direct_debit') {
    tally(half, 'paid known', is === 'paid' || is === 'card' || is === 'direct_debit' ? 'right' : 'empty')
  } else if (should === null) tally(half, 'payable known', is === null ? 'right' : 'wrong')
}

function judge(
  score: Score,
  field: BillField,
  is: string | null,
  should: string | null,
  say: (field: string, is: unknown, should: unknown) => void,
): 'right' | 'empty' | 'wrong' | undefined {
  if (is === null && should === null) return undefined
  const kind = is === null ? 'empty' : should !== null && same(field, is, should) ? 'right' : 'wrong'
  count(score, field, kind)
  if (kind !== 'right') say(field, is, should)
  if (kind === 'wrong' && ACCOUNT.has(field)) wrongAccounts += 1
  return kind
}

for (const [key, { right, empty, wrong, files: number, times, byField }] of [...scores].toSorted(([a], [b]) =>
  a.localeCompare(b),
)) {
  if (values.table) break
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
for (const [half, fields] of tallies) {
  const times = timesByHalf.get(half) ?? []
  const milliseconds = [0.5, 1].map((part) => quantile(times, part).toFixed(0))
  console.log(`${half}: ${times.length} files, p50 ${milliseconds[0]} ms, max ${milliseconds[1]} ms`)
  for (const [field, one] of fields) {
    const all = one.right + one.doubted + one.empty + one.wrong
    const parts = (['right', 'doubted', 'empty', 'wrong'] as const).map(
      (kind) => `${kind} ${((one[kind] / all) * 100).toFixed(1).padStart(5)} %`,
    )
    const unsure = one.unsure > 0 ? `  empty in doubt ${((one.unsure / all) * 100).toFixed(1).padStart(5)} %` : ''
    console.log(`    ${field.padEnd(22)} ${String(all).padStart(4)}  ${parts.join('  ')}${unsure}`)
  }
  const { ofIt, ofOthers, none } = wrongPages.get(half) ?? { ofIt: 0, ofOthers: 0, none: 0 }
  console.log(
    `    pages with a wrong field: ${ofIt + ofOthers + none}; a doubt of it ${ofIt}, of others ${ofOthers}, none ${none}`,
  )
}
console.log(`wrong account numbers: ${wrongAccounts}`)
process.exit(0)

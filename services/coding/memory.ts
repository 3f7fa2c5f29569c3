/** Memory of codings: a line of a supplier with the words of an earlier one is proposed to be coded like that. */
import { canonicalJson } from '../../domain/canonical.ts'
import type { CodingPart } from '../../domain/coding/coding.ts'
import type { CodedLine } from '../../domain/coding/lines.ts'
import { areShares, percentOf, shareOf, sharesOf, splitByShares } from '../../domain/coding/splits.ts'
import { LIKENESS_MIN, likenessOf, listWords, wordsOfLine } from '../../domain/coding/words.ts'
import { moneyOf } from '../../domain/money/money.ts'
import { type Reader, type Tx, sql } from '../../db/postgres/sql.ts'
import type { CodedBill } from './bill-lines.ts'
import { type Codes, isChosen } from './codes.ts'

/** Part of a remembered coding, by its share of the line in percent. */
type RememberedPart = Omit<CodingPart, 'amount'> & { readonly share: string }

const wordsOf = ({ description }: CodedLine): string => wordsOfLine(description ?? '')

/** Remembers how lines of a supplier were coded. */
export async function rememberLines(
  tx: Tx,
  { currency, supplier }: CodedBill,
  coded: readonly { readonly line: CodedLine; readonly parts: readonly CodingPart[] }[],
): Promise<void> {
  if (supplier === null || currency === null || coded.length === 0) return
  const rows = coded.flatMap(({ line, parts }) => {
    const amounts = parts.map(({ amount }) => moneyOf(amount, currency))
    if (!areShares(amounts)) return []
    const shares = sharesOf(amounts)
    const remembered = parts.map(({ amount: _amount, ...part }, at) => ({
      ...part,
      share: percentOf(shares[at] ?? 0n),
    }))
    return [[wordsOf(line), { words: wordsOf(line), parts: remembered }] as const]
  })
  await tx`
    insert into coding_memories (organization_id, supplier, words, parts)
    select ${tx.organizationId}, ${supplier}, n.words, n.parts
    from jsonb_to_recordset(${tx.json([...new Map(rows).values()])}) n (words text, parts jsonb)
    on conflict (organization_id, supplier, words) do update set parts = excluded.parts, coded_at = business_now()`
}

/** Memories of a supplier with which words are compared, the latest ones. */
const MEMORIES_MAX = 100
/** Words of a bill that are compared with them, the first ones that no memory has. */
const COMPARED_MAX = 100

type Memory = { readonly words: string; readonly parts: readonly RememberedPart[] }

/**
 * Proposes codings of some lines of a bill, by number: as the line of equal words was coded, else as the one most like it,
 * else as all lines of the supplier were.
 */
export async function proposeLines(
  reader: Reader,
  { currency, supplier }: CodedBill,
  lines: readonly CodedLine[],
  codes: Codes,
): Promise<Map<number, CodingPart[]>> {
  const proposed = new Map<number, CodingPart[]>()
  if (supplier === null || currency === null || lines.length === 0) return proposed
  const byWords = await recallWords(reader, supplier, new Set(lines.map(wordsOf)))
  for (const one of lines) {
    const parts = byWords.get(wordsOf(one))?.parts
    if (!parts || !one.amount || !parts.every((part) => isChosen(codes, part))) continue
    const amounts = splitByShares(one.amount, parts.map(({ share }) => shareOf(share))) // prettier-ignore
    proposed.set(
      one.line,
      parts.map(({ share: _share, ...part }, at) => ({ ...part, amount: amounts[at]?.amount ?? '0' })),
    )
  }
  return proposed
}

/** Finds the memory of each of some words: their own, that of words most like them, or the usual one of the supplier. */
async function recallWords(
  reader: Reader,
  supplier: string,
  wanted: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Memory>> {
  const own = sql`select words, parts from coding_memories
    where organization_id = ${reader.organizationId} and supplier = ${supplier}`
  const [equal, latest] = await Promise.all([
    reader<Memory>(sql`${own} and words = any (${[...wanted]}::text[])`),
    reader<Memory>(sql`${own} order by coded_at desc, words limit ${MEMORIES_MAX}`),
  ])
  const recalled = new Map(equal.map((memory) => [memory.words, memory]))
  const [only, ...others] = new Set(latest.map(({ parts }) => canonicalJson(parts)))
  const usual = only !== undefined && others.length === 0 ? latest[0] : undefined
  const compared = latest.map((memory) => ({ memory, words: listWords(memory.words) }))
  const open = [...wanted].filter((words) => !recalled.has(words))
  for (const [at, words] of open.entries()) {
    const memory = (at < COMPARED_MAX ? closestTo(listWords(words), compared) : undefined) ?? usual
    if (memory) recalled.set(words, memory)
  }
  return recalled
}

type ComparedMemory = { readonly memory: Memory; readonly words: ReadonlySet<string> }

/** Finds the memory that has the most words in common, at least half of all; the latest of equal ones. */
function closestTo(words: ReadonlySet<string>, memories: readonly ComparedMemory[]): Memory | undefined {
  const alike = memories.map(({ memory, words: others }) => ({ memory, likeness: likenessOf(words, others) }))
  const [best] = alike.filter(({ likeness }) => likeness >= LIKENESS_MIN).toSorted((a, b) => b.likeness - a.likeness)
  return best?.memory
}

/** Memory of codings: a line of a supplier with the words of an earlier one is proposed to be coded like that. */
import { canonicalJson } from '../../domain/canonical.ts'
import type { CodingPart } from '../../domain/coding/coding.ts'
import type { CodedLine } from '../../domain/coding/lines.ts'
import { areShares, percentOf, shareOf, sharesOf, splitByShares } from '../../domain/coding/splits.ts'
import { LIKENESS_MIN, likenessOf, wordsOfLine } from '../../domain/coding/words.ts'
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

/** Memories of a supplier that are looked at, the latest ones. */
const MEMORIES_MAX = 1000

type Memory = { readonly words: string; readonly parts: readonly RememberedPart[] }

/** Proposes codings of lines, by number: as the line most like it was coded, else as all lines of the supplier were. */
export async function proposeLines(
  reader: Reader,
  { currency, lines, supplier }: CodedBill,
  codes: Codes,
): Promise<Map<number, CodingPart[]>> {
  const proposed = new Map<number, CodingPart[]>()
  if (supplier === null || currency === null || lines.length === 0) return proposed
  const memories = await reader<Memory>(sql`
    select words, parts from coding_memories
    where organization_id = ${reader.organizationId} and supplier = ${supplier} order by coded_at desc limit ${MEMORIES_MAX}`)
  const [only, ...others] = new Set(memories.map(({ parts }) => canonicalJson(parts)))
  const usual = only !== undefined && others.length === 0 ? memories[0] : undefined
  for (const one of lines) {
    const parts = (closestTo(wordsOf(one), memories) ?? usual)?.parts
    if (!parts || !one.amount || !parts.every((part) => isChosen(codes, part))) continue
    const amounts = splitByShares(one.amount, parts.map(({ share }) => shareOf(share))) // prettier-ignore
    proposed.set(
      one.line,
      parts.map(({ share: _share, ...part }, at) => ({ ...part, amount: amounts[at]?.amount ?? '0' })),
    )
  }
  return proposed
}

/** Finds the memory of the words, or of those that have half of all words in common; the latest of equal ones. */
function closestTo(words: string, memories: readonly Memory[]): Memory | undefined {
  const alike = memories.map((memory) => ({ memory, likeness: likenessOf(words, memory.words) }))
  const [best] = alike.filter(({ likeness }) => likeness >= LIKENESS_MIN).toSorted((a, b) => b.likeness - a.likeness)
  return best?.memory
}

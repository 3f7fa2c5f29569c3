/** Draw of a sample by an auditor's seed, as docs/evidence.md publishes it. */
import { createHmac } from 'node:crypto'
import type { Noun, Sample } from '../../domain/exports/audit-pack.ts'

/** Computes the place of an item in the order of a seed: HMAC-SHA256 of its noun and id. */
const rankOf = (seed: string, noun: Noun, id: string): string =>
  createHmac('sha256', seed).update(`${noun}:${id}`).digest('hex')

/** Draws a sample from a list of any length, in the memory of twice its size. */
export function drawFrom(noun: Noun, { size, seed }: Sample) {
  let drawn: { readonly id: string; readonly rank: string }[] = []
  const cut = () => {
    drawn.sort((a, b) => (a.rank < b.rank ? -1 : 1)) // no two are alike
    drawn = drawn.slice(0, size)
  }
  return {
    add(id: string): void {
      drawn.push({ id, rank: rankOf(seed, noun, id) })
      if (drawn.length >= size * 2) cut()
    },
    ids(): string[] {
      cut()
      return drawn.map(({ id }) => id)
    },
  }
}

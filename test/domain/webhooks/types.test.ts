/** Types of an endpoint over time: the places after changes say what a record of every filter says. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type TypeStarts, startsAfter } from '../../../domain/webhooks/types.ts'
import { always } from '../../support/property.ts'

const TYPES = ['a', 'b', 'c', 'd']
const change = fc.record({ after: fc.nat(3), types: fc.subarray(TYPES) })

const isTaken = (types: readonly string[], type: string): boolean => types.length === 0 || types.includes(type)

test('an event is sent if each filter since it was written takes its type, and no other is', () => {
  always(2000, fc.subarray(TYPES), fc.array(change, { maxLength: 6 }), (first, changes) => {
    let [types, starts, end]: [readonly string[], TypeStarts, number] = [first, {}, 3]
    const filters = [{ from: 0, types }]
    for (const { after, types: next } of changes) {
      end += after
      starts = startsAfter({ types, starts }, next, String(end))
      types = next
      filters.push({ from: end, types })
    }
    for (let seq = 1; seq <= end + 2; seq += 1)
      for (const type of TYPES) {
        const since = filters.filter((_, index) => (filters[index + 1]?.from ?? Number.POSITIVE_INFINITY) >= seq)
        const wanted = since.every((filter) => isTaken(filter.types, type))
        const sent = isTaken(types, type) && seq > Number(starts[type] ?? starts['*'] ?? 0)
        expect(sent, JSON.stringify({ seq, type, filters, starts })).toBe(wanted)
      }
  })
})

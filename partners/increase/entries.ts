/** Entries of Increase's lists, of which any may be unreadable. */
import * as v from 'valibot'
import type { UnreadableRecord } from '../schemas.ts'
import type { WindowPage } from './lists.ts'
import { TheirId } from './words.ts'

/** Reads each entry of a page on its own; one that cannot be read stops no other. */
export function sortOut<Read>(
  entries: WindowPage['entries'],
  schemaOf: (resource: number) => v.GenericSchema<unknown, Read>,
): { readonly data: readonly ReadEntry<Read>[]; readonly odd: readonly UnreadableRecord[] } {
  const [data, odd]: [ReadEntry<Read>[], UnreadableRecord[]] = [[], []]
  for (const [position, { resource, entry }] of entries.entries()) {
    const read = v.safeParse(schemaOf(resource), entry)
    const id = idIn(entry)
    if (read.success) data.push({ one: read.output, position, id })
    else odd.push({ id, position, isZeroAmount: false })
  }
  return { data, odd }
}
type ReadEntry<Read> = { readonly one: Read; readonly position: number; readonly id: string | null }

const Identified = v.object({ id: TheirId })
function idIn(entry: unknown): string | null {
  const read = v.safeParse(Identified, entry)
  return read.success ? read.output.id : null
}

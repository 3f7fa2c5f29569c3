/** Lists that are the same for everybody: their items are kept as the JSON that pages are put together from. */
import type { PageRequest } from '../model/pagination.ts'
import { refuseCursor } from '../pagination.ts'

/** The JSON of an item, in UTF-8, and the code that is its place in the list. */
export type Item = { readonly code: string; readonly json: Buffer }

const [BEGIN, COMMA] = [Buffer.from('{"data":['), Buffer.from(',')]

/**
 * A page of items, which are in the order of their codes, as JSON. Refuses `invalid_request`, `unknown_cursor`, for a
 * cursor that is none of them.
 */
export function pageOfItems(items: readonly Item[], { limit, cursor }: PageRequest): Buffer<ArrayBuffer> {
  const start = cursor === undefined ? 0 : items.findIndex(({ code }) => code === cursor) + 1
  if (cursor !== undefined && start === 0) refuseCursor()
  const shown = items.slice(start, start + limit)
  const more = start + limit < items.length
  const end = { has_more: more, next_cursor: more ? shown.at(-1)?.code : null }
  const data = shown.flatMap(({ json }, index) => (index === 0 ? [json] : [COMMA, json]))
  return Buffer.concat([BEGIN, ...data, Buffer.from(`],${JSON.stringify(end).slice(1)}`)])
}

/** An item of this code. */
export const item = (code: string, value: object): Item => ({ code, json: Buffer.from(JSON.stringify(value)) })

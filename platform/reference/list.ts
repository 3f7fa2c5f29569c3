/** Static lists, whose items are stored as the JSON that pages are joined from. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { DEFAULT_LIMIT, type PageRequest, refuseCursor } from '../../domain/pagination.ts'

/** JSON of an item, in UTF-8, and the code that orders it. */
export type Item = { readonly code: string; readonly json: Buffer }

/** Page of a list; its tag changes with the list, and is known before the JSON is made. */
export type PreparedPage = {
  readonly tag: string
  readonly json: () => Buffer<ArrayBuffer>
  readonly gzip: () => Promise<Buffer<ArrayBuffer>>
}

type PageRequested = { readonly [Name in keyof PageRequest]?: PageRequest[Name] | undefined }

const [BEGIN, COMMA] = [Buffer.from('{"data":['), Buffer.from(',')]

/** Items in the order of their codes. The latest page stays in memory: usually the first. */
export class StaticList {
  private hash: string | undefined
  private last: { readonly tag: string; readonly json: Buffer<ArrayBuffer> } | undefined

  constructor(readonly items: readonly Item[]) {}

  /** Returns the page after the cursor, or the whole list without limit and cursor. Refuses an unknown cursor. */
  page({ cursor, limit = cursor === undefined ? this.items.length : DEFAULT_LIMIT }: PageRequested): PreparedPage {
    const start = cursor === undefined ? 0 : this.items.findIndex(({ code }) => code === cursor) + 1
    if (cursor !== undefined && start === 0) refuseCursor()
    const end = Math.min(start + limit, this.items.length)
    const tag = `${this.version()}-${start}-${end - start}`
    const json = () => (this.last?.tag === tag ? this.last : (this.last = { tag, json: this.joined(start, end) })).json
    return { tag, json, gzip: () => packOnce(tag, json) }
  }

  private joined(start: number, end: number): Buffer<ArrayBuffer> {
    const shown = this.items.slice(start, end)
    const data = shown.flatMap(({ json }, index) => (index === 0 ? [json] : [COMMA, json]))
    const more = end < this.items.length
    const rest = { has_more: more, next_cursor: more ? shown.at(-1)?.code : null }
    return Buffer.concat([BEGIN, ...data, Buffer.from(`],${JSON.stringify(rest).slice(1)}`)])
  }

  private version(): string {
    return (this.hash ??= this.items
      .reduce((hash, { json }) => hash.update(json), createHash('sha256'))
      .digest('base64url'))
  }
}

const PACKED_MAX = 64 // up to 120 KB each, except for all countries
const packed = new Map<string, Promise<Buffer<ArrayBuffer>>>()

/** Packs a page, or returns it from the cache of recent pages of all lists. */
function packOnce(tag: string, json: () => Buffer<ArrayBuffer>): Promise<Buffer<ArrayBuffer>> {
  const known = packed.get(tag)
  packed.delete(tag)
  const oldest = packed.keys().next()
  if (packed.size >= PACKED_MAX && !oldest.done) packed.delete(oldest.value)
  const page = known ?? promisify(gzip)(json())
  packed.set(tag, page) // the latest at the end
  return page
}

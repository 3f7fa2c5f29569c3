/** Settings of the driver `lists`: published lists of sanctions, in files that an operator keeps fresh. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as v from 'valibot'
import type { ListCode } from '../../domain/screening/lists.ts'
import { Common, ONE_SERVED, Screening, type Surroundings } from './entry.ts'

const Path = v.optional(v.pipe(v.string(), v.minLength(1, 'must be the path of a file or of a folder')))

export const ListsEntry = v.strictObject({
  ...Common,
  driver: v.literal('lists'),
  serves: v.strictTuple([Screening], ONE_SERVED),
  lists: v.pipe(
    v.strictObject({ eu: Path, un: Path, ofac: Path }),
    v.check((lists) => Object.values(lists).some(Boolean), 'must name a list: eu, un or ofac'),
  ),
})

export type ListsSettings = {
  readonly driver: 'lists'
  /** Paths of the files, or of folders whose newest file counts. */
  readonly paths: Readonly<Partial<Record<ListCode, string>>>
}

export function readLists({ lists }: v.InferOutput<typeof ListsEntry>, { dataDir }: Surroundings) {
  const given = Object.entries(lists).flatMap(([list, path]) => (path ? [[list, resolve(path)] as const] : []))
  const paths: ListsSettings['paths'] = Object.fromEntries(given)
  const settings: ListsSettings = { driver: 'lists', paths }
  return { settings, url: pathToFileURL(given[0]?.[1] ?? dataDir).href, key: '', callbackSecret: null }
}

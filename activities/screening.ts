/** Steps of screening: a name is compared with lists, and lists are read from their files. */
import { createHash } from 'node:crypto'
import { readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UnreadableList, readListParts } from '../documents/reading/lists.ts'
import type { ScreeningId } from '../domain/ids.ts'
import type { ConnectionName } from '../domain/partner.ts'
import type { ProcessRef } from '../domain/process.ts'
import { LIST_MEGABYTES_MAX, type ListCode } from '../domain/screening/lists.ts'
import type { AskedQuestion, ScreeningAnswer } from '../domain/screening/screening.ts'
import { partnerRefusal } from '../partners/http.ts'
import { askScreening } from '../partners/screening.ts'
import { log } from '../platform/log.ts'
import { asSystem } from '../db/postgres/sql.ts'
import { organizationOf } from '../db/processes/views.ts'
import { syncServiceFindings } from '../services/audit/findings.ts'
import { listScreeningFindings } from '../services/screening/findings.ts'
import { type ListFile, isKnownFile, noteListFault, replaceList } from '../services/screening/lists.ts'
import { findListConnection, listsOf } from '../services/screening/settings.ts'
import { noteUnanswered, questionOf, recordScreening } from '../services/screening/steps.ts'
import { repeatsAtOnce } from './repeats.ts'

/** Asks about a name that waits, and records the answer, or that there is none. */
export async function screenName(ref: ProcessRef<ScreeningId>): Promise<void> {
  const organizationId = organizationOf(ref)
  const { id } = ref
  const due = await asSystem(organizationId, (tx) => questionOf(tx, id))
  if (!due) return
  const answer = await ask(due.connection, id, due.question)
  await asSystem(organizationId, (tx) =>
    typeof answer === 'string' ? noteUnanswered(tx, id, answer) : recordScreening(tx, id, answer),
  )
}

/** Answers what the lists say, or why there is no answer. */
async function ask(
  connection: ConnectionName,
  id: ScreeningId,
  question: AskedQuestion,
): Promise<ScreeningAnswer | string> {
  try {
    return (await askScreening(connection, id, question)) ?? 'has lists that were never read'
  } catch (error) {
    const refusal = partnerRefusal(error)
    if (!refusal && repeatsAtOnce(error)) throw error
    if (!refusal) log.warn({ err: error, screening_id: id }, 'a name could not be compared with lists')
    return refusal ? `refused: ${refusal.code}` : 'gave no clear answer'
  }
}

export type ReadLists = { readonly read: number; readonly refused: number }

/** Reads the lists of a connection whose files have changed; one that cannot be read leaves the list before in use. */
export async function readScreeningLists({ connection }: { readonly connection: ConnectionName }): Promise<ReadLists> {
  const found = findListConnection(connection)
  let [read, refused] = [0, 0]
  for (const [list, path] of found ? listsOf(found) : []) {
    const outcome = await readOne(connection, list, path)
    if (outcome === 'read') read += 1
    if (outcome === 'refused') refused += 1
  }
  await syncServiceFindings('screening', await listScreeningFindings())
  return { read, refused }
}

async function readOne(connection: ConnectionName, list: ListCode, path: string): Promise<'read' | 'refused' | 'same'> {
  const bytes = await bytesAt(path)
  const file = (more: Pick<ListFile, 'sha256' | 'modifiedAt'>): ListFile => ({ connection, list, ...more })
  if (typeof bytes === 'string') {
    await noteListFault(file({ sha256: null, modifiedAt: null }), bytes)
    log.error({ connection, list, reason: bytes }, 'a list of sanctions cannot be read')
    return 'refused'
  }
  const sha256 = createHash('sha256').update(bytes.content).digest('hex')
  const found = file({ sha256, modifiedAt: bytes.modifiedAt })
  if (await isKnownFile(found)) return 'same'
  try {
    const subjects = await replaceList(found, readListParts(bytes.content, list))
    log.info({ connection, list, subjects }, 'a list of sanctions was read')
    return 'read'
  } catch (error) {
    if (!(error instanceof UnreadableList)) throw error
    log.error({ connection, list, reason: error.reason }, 'a list of sanctions cannot be read')
    await noteListFault(found, error.reason)
    return 'refused'
  }
}

const BYTES_MAX = LIST_MEGABYTES_MAX * 1024 * 1024

/** Reads the file at a path, or the newest one in a folder; answers why that is not possible. */
async function bytesAt(path: string): Promise<{ readonly content: Buffer; readonly modifiedAt: Date } | string> {
  try {
    const file = await fileAt(path)
    if (!file) return 'The folder has no file of XML.'
    if (file.size > BYTES_MAX) return `The file has more than ${LIST_MEGABYTES_MAX} MB.`
    return { content: await readFile(file.path), modifiedAt: file.modifiedAt }
  } catch {
    return 'There is no file that can be read.'
  }
}

async function fileAt(path: string) {
  const of = async (at: string) => {
    const found = await stat(at)
    return { path: at, size: found.size, modifiedAt: found.mtime, isFolder: found.isDirectory() }
  }
  const given = await of(path)
  if (!given.isFolder) return given
  const names = (await readdir(path)).filter((name) => /\.xml$/i.test(name))
  const files = (await Promise.all(names.map((name) => of(join(path, name))))).filter(({ isFolder }) => !isFolder)
  return files.toSorted((one, other) => other.modifiedAt.getTime() - one.modifiedAt.getTime())[0]
}

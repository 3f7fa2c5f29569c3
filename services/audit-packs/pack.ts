/** Archive of an audit pack, part by part: lists, a sample, the chain of the log, and what signs all of it. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type ListRow, csvHead, folderOf, toCsv, toJsonLines } from '../../documents/audit-pack/lists.ts'
import { README } from '../../documents/audit-pack/readme.ts'
import { drawFrom } from '../../documents/audit-pack/sample.ts'
import type { ArchivePart } from '../../documents/audit-pack/zip.ts'
import { NOUNS, type Noun, type Sample } from '../../domain/exports/audit-pack.ts'
import type { OrganizationId, UserId } from '../../domain/ids.ts'
import { now } from '../../platform/clock.ts'
import { type Pieces, type StoredObject, measureContent, onePiece } from '../../platform/storage/storage.ts'
import { type Reader, first, inSnapshot, readerOf, sql } from '../../db/postgres/sql.ts'
import { endOf, startOf } from '../../db/postgres/filters.ts'
import { publicKeys, signStatement } from '../events/heads.ts'
import { type Head, chainPages, headBefore, headsBetween, publishCut } from './cut.ts'
import { type Period, countPopulation, populationPages } from './population.ts'
import { type SampleOrder, sampleParts } from './sample.ts'

/** Period and sample of an audit pack. */
export type PackOrder = {
  readonly from: string
  readonly to: string
  readonly sample: Sample
  readonly userId: UserId
}

/** Counts what is written: rows of lists, items, and events. */
export type Progress = { total: number; readonly add: (count: number) => Promise<void> }

type Pack = PackOrder & {
  readonly organizationId: OrganizationId
  readonly reader: Reader
  readonly period: Period
  readonly opening: Head | null
  readonly cut: Head
  readonly progress: Progress
  readonly files: PackedFile[]
}

/** Part of the archive; `found` answers what it was once it is written. */
type PackedFile = { readonly path: string; readonly found: () => StoredObject }

const EVENTS_A_FILE = 50_000
const SCRIPT = new URL('../../documents/audit-pack/verify.mjs', import.meta.url)

/** Lets `write` write an archive whose lists are all of one cut of the log. */
export async function withAuditPack<Result>(
  organizationId: OrganizationId,
  order: PackOrder,
  progress: Progress,
  write: (parts: AsyncIterable<ArchivePart>) => Promise<Result>,
): Promise<Result> {
  const cut = await publishCut(organizationId)
  return inSnapshot(organizationId, async (reader) => {
    const { from, to } = order
    const bounds = await first(
      reader<{ begins_at: string; ends_before: string }>(
        sql`select ${startOf(from)} as begins_at, ${endOf(to)} as ends_before`,
      ),
    )
    if (!bounds) throw new Error('a select without a table has one row')
    const opening = (await headBefore(reader, bounds.begins_at)) ?? null
    const after = opening?.seq ?? 0
    const period = { after, upTo: cut.seq, beginsAt: bounds.begins_at, endsBefore: bounds.ends_before }
    progress.total = (await countPopulation(reader, period)) * 2 + cut.seq - after
    return write(partsOf({ ...order, organizationId, reader, period, opening, cut, progress, files: [] }))
  })
}

/** Writes the parts in an order in which each knows what it needs: the sample after the lists, the chain after both. */
async function* partsOf(pack: Pack): AsyncGenerator<ArchivePart> {
  const { files, organizationId, period, opening, cut } = pack
  const part = (path: string, content: Pieces): ArchivePart => {
    const { pieces, found } = measureContent(content)
    files.push({ path, found })
    return { name: path, content: pieces }
  }
  yield part('readme.txt', onePiece(README))
  yield part('verify.mjs', onePiece(await readFile(SCRIPT)))
  const [counts, drawn]: [Partial<Record<Noun, number>>, Partial<Record<Noun, string[]>>] = [{}, {}]
  for (const noun of NOUNS) {
    const draw = drawFrom(noun, pack.sample)
    const count = (rows: readonly ListRow[]) => {
      counts[noun] = (counts[noun] ?? 0) + rows.length
      for (const { id } of rows) draw.add(String(id))
    }
    const of = `population/${folderOf(noun)}`
    yield part(`${of}.jsonl`, linesOf(pack, noun, count))
    yield part(`${of}.csv`, tableOf(pack, noun))
    drawn[noun] = draw.ids()
  }
  const sampled: SampleOrder = { organizationId, userId: pack.userId, drawn }
  for await (const { path, content } of sampleParts(sampled)) yield part(path, content)
  const closing = await publishCut(organizationId)
  const log = readerOf(organizationId)
  yield* chainParts(pack, closing, part)
  const heads = await headsBetween(log, opening?.seq ?? 0, closing.seq)
  yield part('heads.json', onePiece(json(heads)))
  yield part('keys.json', onePiece(json(publicKeys())))
  const manifest = json({
    format: 'audit-pack/1',
    organization: await readOrganization(pack.reader),
    period: { from: pack.from, to: pack.to, begins_at: period.beginsAt, ends_before: period.endsBefore },
    written_at: now().toISOString(),
    opening: placeOf(opening),
    cut: placeOf(cut),
    closing: placeOf(closing),
    counts,
    sample: { ...pack.sample, drawn },
    files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)).map(describeFile),
  })
  yield { name: 'manifest.json', content: onePiece(manifest) }
  yield { name: 'signature.json', content: onePiece(json(signManifest(organizationId, manifest))) }
}

/** Signs the hash of a manifest by the key that signs heads. */
const signManifest = (organizationId: OrganizationId, manifest: string) =>
  signStatement((keyId) => ({
    audit_pack: createHash('sha256').update(manifest).digest('hex'),
    key_id: keyId,
    organization_id: organizationId,
  }))

const placeOf = (head: Head | null) => head && { seq: head.seq, hash: head.hash }

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

function describeFile({ path, found }: PackedFile) {
  const { byteSize, sha256 } = found()
  return { path, byte_size: byteSize, sha256 }
}

async function* linesOf(
  { reader, period, progress }: Pack,
  noun: Noun,
  count: (rows: readonly ListRow[]) => void,
): AsyncGenerator<Uint8Array> {
  for await (const rows of populationPages(reader, noun, period)) {
    count(rows)
    yield Buffer.from(toJsonLines(rows))
    await progress.add(rows.length)
  }
}

async function* tableOf({ reader, period, progress }: Pack, noun: Noun): AsyncGenerator<Uint8Array> {
  yield Buffer.from(csvHead(noun))
  for await (const rows of populationPages(reader, noun, period)) {
    yield Buffer.from(toCsv(noun, rows))
    await progress.add(rows.length)
  }
}

/** Writes the chain behind the opening head up to the closing one, 50,000 events in a file. */
async function* chainParts(
  { organizationId, opening, progress }: Pack,
  closing: Head,
  part: (path: string, content: Pieces) => ArchivePart,
): AsyncGenerator<ArchivePart> {
  for (let after = opening?.seq ?? 0, file = 1; after < closing.seq; after += EVENTS_A_FILE, file += 1) {
    const range = { after, upTo: Math.min(after + EVENTS_A_FILE, closing.seq) }
    yield part(`chain/${String(file).padStart(6, '0')}.jsonl`, eventsIn(organizationId, range, progress))
  }
}

async function* eventsIn(
  organizationId: OrganizationId,
  range: { readonly after: number; readonly upTo: number },
  progress: Progress,
): AsyncGenerator<Uint8Array> {
  for await (const { lines, events } of chainPages(organizationId, range)) {
    yield lines
    await progress.add(events)
  }
}

async function readOrganization(reader: Reader): Promise<{ id: string; name: string }> {
  const found = await first(
    reader<{ id: string; name: string }>(sql`select id, name from organizations where id = ${reader.organizationId}`),
  )
  return found ?? { id: reader.organizationId, name: '' }
}

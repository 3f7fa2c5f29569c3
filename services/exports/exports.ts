/** Exports as their creator reads them. */
import { refuse } from '../../domain/errors.ts'
import { type Export, type ExportFailure, FAILURES, filenameOf } from '../../domain/exports/export.ts'
import type { ExportId, FileId, UserId } from '../../domain/ids.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import { downloadLink } from '../files/files.ts'
import { pageOf } from '../../db/postgres/pagination.ts'
import { type Fragment, type Reader, first, sql } from '../../db/postgres/sql.ts'

/** Days for which a file is kept, and for which a failed export asks for another try. */
export const KEPT_DAYS = 30

/** The creator of exports, and whether they may see only what they caused themselves. */
export type Creator = { readonly userId: UserId; readonly ownOnly: boolean }

type ExportRow = Omit<Export, 'filename' | 'failure' | 'download_url' | 'expires_at'> & {
  readonly failure: ExportFailure | null
  readonly own_only: boolean
  readonly file_id: FileId | null
}

const selectExport = (userId: UserId): Fragment => sql`
  select exports.id, exports.organization_id, exports.status, exports.type, exports.format, exports.range_from as from,
    exports.range_to as to, exports.currency, case when exports.sample_size is not null then
      jsonb_build_object('size', exports.sample_size, 'seed', exports.sample_seed) end as sample, exports.rows_processed, exports.rows_total, exports.failure, exports.own_only,
    case when exports.ended_at > business_now() - make_interval(days => ${KEPT_DAYS}) then exports.file_id end as file_id,
    exports.inserted_at
  from exports where exports.created_by = ${userId}`

/** Reads an export of this person, with a fresh link to its file. Throws `not_found`, also for another person's. */
export async function findExport(reader: Reader, id: ExportId, creator: Creator): Promise<Export> {
  const row = await first(
    reader<ExportRow>(sql`
      ${selectExport(creator.userId)} and exports.id = ${id} and exports.organization_id = ${reader.organizationId}`),
  )
  return row ? toExport(row, creator) : refuse('not_found')
}

/** Lists the exports of this person, newest first, each with a fresh link. */
export async function listExports(reader: Reader, page: PageRequest, creator: Creator): Promise<Page<Export>> {
  const found = await pageOf<ExportRow>(reader, 'exports', page, selectExport(creator.userId))
  return { ...found, data: found.data.map((row) => toExport(row, creator)) }
}

/** Leaves out the link if the creator may no longer see all that is in the file. */
function toExport({ own_only: madeOfOwn, file_id: fileId, failure, ...row }: ExportRow, { ownOnly }: Creator): Export {
  const link = fileId && (madeOfOwn || !ownOnly) ? downloadLink(fileId) : null
  return {
    ...row,
    filename: filenameOf(row),
    failure: failure && { code: failure, message: FAILURES[failure] },
    download_url: link?.url ?? null,
    expires_at: link?.expiresAt.toISOString() ?? null,
  }
}

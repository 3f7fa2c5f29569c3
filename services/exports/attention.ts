/** Attention kind of failed exports, for their creator alone. */
import { FOR_VIEWER, type Kind, itemAction, itemSubject } from '../attention-kind.ts'
import { KEPT_DAYS } from './exports.ts'
import { type ExportFailure, FAILURES, type ExportOrder, filenameOf } from '../../domain/exports/export.ts'
import { quoteName, uuid } from '../../domain/text.ts'
import { sql } from '../../db/postgres/sql.ts'

const Action = itemAction('failed_export', { export_id: uuid })
const Subject = itemSubject('export', { export_id: uuid })

type Facts = Pick<ExportOrder, 'type' | 'format'> & {
  readonly range_from: string
  readonly range_to: string
  readonly failure: ExportFailure
}

export const failedExport: Kind<Facts, typeof Action, typeof Subject> = {
  kind: 'failed_export',
  audience: 'viewer',
  action: Action,
  subjects: [Subject],
  items: (reader, { userId }) => sql`
    select x.id as obligation_id, x.ended_at as raised_at, null::timestamptz as due_at, x.type, x.format, x.range_from,
      x.range_to, x.failure
    from exports x
    where x.organization_id = ${reader.organizationId} and x.created_by = ${userId} and x.status = 'failed'
      and x.ended_at > business_now() - make_interval(days => ${KEPT_DAYS})`,
  raisedAt: (reader, id, { userId }) => sql`
    (select max(e.occurred_at) from events e join exports x on x.id = e.subject_id
      where e.subject_id = ${id} and e.organization_id = ${reader.organizationId} and e.type = 'export.failed'
        and x.created_by = ${userId})`,
  standing: () => FOR_VIEWER,
  describe: (reader, { id, facts }) => ({
    title: 'An export has failed',
    summary: `${quoteName(filenameOf({ ...facts, from: facts.range_from, to: facts.range_to }))} could not be written. ${FAILURES[facts.failure]}`,
    ...FOR_VIEWER,
    href: `/organizations/${reader.organizationId}/exports/${id}`,
    action: { kind: 'failed_export', export_id: id },
    subject: { type: 'export', export_id: id },
  }),
}

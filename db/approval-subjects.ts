/** What each approval is about, read with it in one statement and written as the approver sees it. */
import type { TargetType } from './model/approval.ts'
import type { Subject } from './model/approval-subject.ts'
import { allTargets, targetOf } from './approval-target.ts'
import { type Fragment, sql } from './sql.ts'

/** The subject of `approvals` as json. Its members are those of the variant but for amounts, which are as they are kept. */
export const subjectColumn = (): Fragment => {
  const cases = allTargets().map(([type, { subject }]) => sql`when ${type} then ${subject.column(type)}`)
  return sql`case approvals.target_type ${cases.reduce((before, next) => sql`${before} ${next}`, sql``)} end`
}

/** As all answers write instants. Postgres writes them into JSON by itself, at a fraction of what to_char() costs. */
const instants = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (name.endsWith('_at') && typeof value === 'string') return [name, value.replace('+00:00', 'Z')]
      return [name, value && typeof value === 'object' && !Array.isArray(value) ? instants(value as typeof row) : value]
    }),
  )

/** A row of subjectColumn() as its variant. */
export const toSubject = (type: TargetType, row: Record<string, unknown>): Subject =>
  // the target wrote exactly the members of the variant that the type names
  ({ type, [type]: targetOf(type).subject.shown(instants(row), type) }) as unknown as Subject

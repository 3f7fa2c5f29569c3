/** What approvals know of the things that wait for them: each kind of thing is a target. */
import type { TargetType } from '../model/approvals/approval.ts'
import type { Subject } from '../model/approvals/subject.ts'
import type { Flow } from '../model/flow.ts'
import { type Fragment, type Tx, sql } from '../sql.ts'

/** How an approval ends without being given. */
export type Ending =
  | 'rejected'
  | 'withdrawn'
  | 'expired'
  | 'organization banned'
  | 'organization deleted'
  | 'contact deleted'
  | 'destination deleted'

export type ApprovalTarget<State extends { readonly status: string } = { readonly status: string }> = {
  /** Whose workflow waits for the decision. */
  readonly machine: Pick<Flow, 'workflow'>
  /** What an approver sees: read as json from `approvals.target_id`, and written as the variant of the type. */
  readonly subject: {
    readonly column: () => Fragment
    readonly shown: (row: Record<string, unknown>) => object
  }
  /** What the decision needs to know of the thing; refuses `not_found`. */
  readonly read: (tx: Tx, id: string) => Promise<State>
  /** Refuses an approval that the thing itself stands against, whoever gives it. */
  readonly guard: (state: State) => void
  /** The effect of the last approval, guarded by the thing's own state. Answers its status then. */
  readonly approve: (tx: Tx, state: State, cause: string) => Promise<string>
  /** The effect on a set of things whose approvals ended, each with a cause of its own. Answers their status then. */
  readonly stop: (tx: Tx, ids: readonly string[], how: Ending, cause: (id: string) => string) => Promise<string>
}

/** All targets, by their types; the registry says which (approval-targets.ts). */
export type Targets = Readonly<Partial<Record<TargetType, ApprovalTarget<any>>>>

let targets: Targets = {}

/** Called once, by the registry: approvals stand below the things that wait for them, and import none of these. */
export function registerTargets(all: Targets): void {
  targets = all
}

/** The target of a type; throws for one that nothing asks approval for yet, and where the registry is not loaded. */
export function targetOf(type: TargetType): ApprovalTarget<any> {
  const target = targets[type]
  if (!target) throw new Error(`nothing of the type ${type} waits for approval`)
  return target
}

/** The subject of `approvals` as json. Its members are those of the variant but for amounts, which are as they are kept. */
export const subjectColumn = (): Fragment => {
  // Object.entries of a record typed by TargetType gives exactly those keys.
  const all = Object.entries(targets) as [TargetType, ApprovalTarget<any>][]
  const cases = all.map(([type, { subject }]) => sql`when ${type} then ${subject.column()}`)
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
  ({ type, [type]: targetOf(type).subject.shown(instants(row)) }) as unknown as Subject

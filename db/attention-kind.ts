/** What a kind of attention is: its items as rows, how they stand to a viewer, and what each of them says. */
import type * as v from 'valibot'
import type {
  AttentionFilters,
  AttentionKind,
  Audience,
  Count,
  ItemFields,
  Severity,
} from '../domain/attention/attention.ts'
import type { Reviewer, Viewer } from '../domain/approvals/requirements.ts'
import { type Permission, can } from '../domain/permissions.ts'
import type { Fragment, Reader } from './sql.ts'

type ActionSchema = v.VariantOptions<'kind'>[number]
type SubjectSchema = v.VariantOptions<'type'>[number]

/**
 * One kind. Facts are the columns of items() as JSON, which would round numerics: those are selected as text.
 */
export type Kind<
  Facts = never,
  Action extends ActionSchema = ActionSchema,
  Subject extends SubjectSchema = SubjectSchema,
> = {
  readonly kind: AttentionKind
  readonly audience: Audience
  /** What can be done about an item: `kind`, and the ids that it takes. */
  readonly action: Action
  /** What an item is about, one of these: `type`, and its id. */
  readonly subjects: readonly Subject[]
  /** All that the viewer may see, no order, no cap: `obligation_id`, `raised_at`, `due_at`, what describe() needs. */
  readonly items: (reader: Reader, viewer: Viewer) => Fragment
  /** When the item of this id was raised, also if it is done by now; null if it never was. A scalar. */
  readonly raisedAt: (reader: Reader, id: string, viewer: Viewer) => Fragment
  /** What an item says beyond what every item says. */
  readonly describe: (
    reader: Reader,
    item: ItemOf<Facts>,
    viewer: Viewer,
    members: readonly Reviewer[],
  ) => ItemText<v.InferOutput<Action>, v.InferOutput<Subject>>
} & (Uniform | PerItem)

export type ItemOf<Facts> = { readonly id: string; readonly facts: Facts }

type ItemText<Action, Subject> = Omit<
  v.InferOutput<typeof ItemFields>,
  'id' | 'kind' | 'audience' | 'raised_at' | 'due_at'
> & {
  readonly action: Action
  readonly subject: Subject
}

/** What an item is to the viewer. */
export type ViewerSeverity = { readonly severity: Severity; readonly actionable_by_viewer: boolean }

/** An action to a viewer who has the permission, and information to everybody else. */
export const actionFor =
  (permission: Permission) =>
  ({ role }: Viewer): ViewerSeverity => {
    const may = can(role, permission)
    return { severity: may ? 'action' : 'info', actionable_by_viewer: may }
  }

/** A kind whose items are all the same to a viewer; they are listed and counted by items(). */
type Uniform = { readonly standing: (viewer: Viewer) => ViewerSeverity }

/** A kind whose items differ in what they are to a viewer. */
type PerItem = {
  /** A query for the newest LISTED_PER_KIND_MAX that fit the filters, as items() has them; empty if none can. */
  readonly listed: (
    reader: Reader,
    filters: AttentionFilters,
    viewer: Viewer,
    members: Promise<readonly Reviewer[]>,
  ) => Promise<Fragment[]>
  /** How many there are, exactly, and how many of them the viewer can do. */
  readonly count: (reader: Reader, viewer: Viewer) => Promise<Count>
}

/** Kind of attention: the queries of its items, their severity for a viewer, and their texts. */
import * as v from 'valibot'
import type {
  AttentionFilters,
  AttentionKind,
  Audience,
  Count,
  ItemFields,
  Severity,
} from '../domain/attention/attention.ts'
import type { Reviewer, Viewer } from '../domain/approvals/requirements.ts'
import { type Permission, can, mayDecide } from '../domain/permissions.ts'
import { model } from '../domain/text.ts'
import type { Fragment, Reader } from '../db/postgres/sql.ts'

/** Turns `payment_on_hold` into `PaymentOnHold`. */
const pascalCase = (word: string): string =>
  word.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Makes the schema of what can be done about a kind, named after it in the document. */
export const itemAction = <const Name extends string, More extends v.ObjectEntries = {}>(kind: Name, more?: More) =>
  model(`${pascalCase(kind)}Action`, { kind: v.literal(kind), ...(more as More) })

/** Makes the schema of what an item is about, named after its type in the document. */
export const itemSubject = <const Name extends string, More extends v.ObjectEntries>(type: Name, more: More) =>
  model(`${pascalCase(type)}Subject`, { type: v.literal(type), ...more })

type ActionSchema = v.VariantOptions<'kind'>[number]
type SubjectSchema = v.VariantOptions<'type'>[number]

/**
 * Kind of attention. Facts are the columns of items() as JSON; select numerics as text, since JSON would round them.
 */
export type Kind<
  Facts = never,
  Action extends ActionSchema = ActionSchema,
  Subject extends SubjectSchema = SubjectSchema,
> = {
  readonly kind: AttentionKind
  readonly audience: Audience
  /** Action on an item: `kind`, and the ids that it takes. */
  readonly action: Action
  /** Possible subjects of an item: `type`, and its id. */
  readonly subjects: readonly Subject[]
  /** All that the viewer may see, no order, no cap: `obligation_id`, `raised_at`, `due_at`, columns for describe(). */
  readonly items: (reader: Reader, viewer: Viewer) => Fragment
  /** Instant at which the item of this id was raised, even if it is done; null if it never was. A scalar. */
  readonly raisedAt: (reader: Reader, id: string, viewer: Viewer) => Fragment
  /** Fields of an item beyond the common ones. */
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

export type ViewerSeverity = { readonly severity: Severity; readonly actionable_by_viewer: boolean }

/** Standing of an item that its viewer alone has, and can do. */
export const FOR_VIEWER: ViewerSeverity = { severity: 'action', actionable_by_viewer: true }

/** Severity `action` for a viewer with the permission, information for others. */
export const actionFor =
  (permission: Permission) =>
  (viewer: Viewer): ViewerSeverity => {
    const may = can(viewer, permission)
    return { severity: may ? 'action' : 'info', actionable_by_viewer: may }
  }

/** Severity `action` for a viewer who may decide by the permission, information for others. */
export const decisionFor =
  (permission: Permission) =>
  (viewer: Viewer): ViewerSeverity =>
    mayDecide(viewer) ? actionFor(permission)(viewer) : { severity: 'info', actionable_by_viewer: false }

/** Kind whose items all have one severity for a viewer; items() lists and counts them. */
type Uniform = { readonly standing: (viewer: Viewer) => ViewerSeverity }

/** Kind whose items differ in severity for a viewer. */
type PerItem = {
  /** Query of the newest LISTED_PER_KIND_MAX that fit the filters, shaped like items(); empty if none can fit. */
  readonly listed: (
    reader: Reader,
    filters: AttentionFilters,
    viewer: Viewer,
    members: Promise<readonly Reviewer[]>,
  ) => Promise<Fragment[]>
  /** Exact number of items, and of those that the viewer can do. */
  readonly count: (reader: Reader, viewer: Viewer) => Promise<Count>
}

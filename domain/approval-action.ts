import type * as v from 'valibot'
import type { Flow } from './flow.ts'
import { type Permission, type Standing, can } from './permissions.ts'

/** Declared by its noun; the registry lists all of them (domain/approvals/actions.ts). */
export type Action = {
  readonly type: string
  readonly title: string
  /** Permissions to request it; any one is enough. */
  readonly permissions: readonly Permission[]
  /** True if it has an amount: only then may a rule depend on one. */
  readonly hasAmount: boolean
  /** True if money leaves the organization by it: what is requested adds up to limits. */
  readonly paysOut?: true
  /** True if it waits for an owner or admin when no rule of the organization applies. */
  readonly waitsByDefault: boolean
  /** Target types of the contract. */
  readonly targets: readonly string[]
  readonly flow: Pick<Flow, 'workflow'>
  /** Things with a flow of their own that are answered as another target: `as` names its type. */
  readonly guises?: readonly {
    readonly type: string
    readonly as: string
    readonly title: string
    readonly flow: Pick<Flow, 'workflow'>
  }[]
  /** Variants of Subject, one for each type of target: `{ type, [type]: { … } }`. */
  readonly subjects: v.VariantOptions<'type'>
}

/** Tells if a member with this role may request the action; the role of a former member is null. */
export const mayAskFor = ({ permissions }: Pick<Action, 'permissions'>, standing: Standing | null): boolean =>
  standing !== null && permissions.some((permission) => can(standing, permission))

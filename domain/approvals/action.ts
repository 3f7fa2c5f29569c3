/** An action of the contract that may wait for approval: policies have rules for it. */
import type * as v from 'valibot'
import type { Flow } from '../flows/flow.ts'
import { type Permission, type Role, can } from '../permissions.ts'

/** The noun declares it; the registry has all of them (domain/registries/approval-actions.ts). */
export type Action = {
  readonly type: string
  /** The title of an approval of it. */
  readonly title: string
  /** Each of them lets a member ask for it. */
  readonly permissions: readonly Permission[]
  /** True if an amount comes with it: only then may a rule depend on one. */
  readonly hasAmount: boolean
  /** True if it waits for an owner or admin when no rule of the organization applies. */
  readonly waitsByDefault: boolean
  /** The types of the things that it is asked for. */
  readonly targets: readonly string[]
  /** The flow whose workflow waits for the decision. */
  readonly flow: Pick<Flow, 'workflow'>
  /** One variant of Subject for each type of target: `{ type, [type]: { … } }`. */
  readonly subjects: v.VariantOptions<'type'>
}

/** Tells if a member with this role may ask for it; the role of a former member is null. */
export const mayAskFor = ({ permissions }: Pick<Action, 'permissions'>, role: Role | null): boolean =>
  role !== null && permissions.some((permission) => can(role, permission))

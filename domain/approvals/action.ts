/** An action of the contract that may wait for approval: policies have rules for it. */
import type * as v from 'valibot'
import type { Flow } from '../flows/flow.ts'
import { type Permission, type Role, can } from '../permissions.ts'

/** The noun declares it; the registry has all of them (domain/registries/approval-actions.ts). */
export type Action = {
  readonly type: string
  /** What an approval of it lets happen. */
  readonly title: string
  /** Each of them lets somebody ask for it. */
  readonly permissions: readonly Permission[]
  /** Whether an amount comes with it: only then may a rule depend on one. */
  readonly hasAmount: boolean
  /** Whether it waits for an owner or admin if no rule of the organization applies. */
  readonly waitsByDefault: boolean
  /** The types of the things that it is asked for. */
  readonly targets: readonly string[]
  /** The flow whose workflow waits for the decision. */
  readonly flow: Pick<Flow, 'workflow'>
  /** What an approver sees, one variant for each type that there is so far: `{ type, [type]: { … } }`. */
  readonly subjects: v.VariantOptions<'type'>
}

/** Whether somebody with this role may ask for it; null is who is no member any more. */
export const mayAskFor = ({ permissions }: Pick<Action, 'permissions'>, role: Role | null): boolean =>
  role !== null && permissions.some((permission) => can(role, permission))

/** What an approval is about, as an approver sees it: one variant for each kind of target. */
import * as v from 'valibot'
import { ACTIONS } from '../registries/approval-actions.ts'

type Variant = (typeof ACTIONS)[number]['subjects'][number]

export const Subject = v.variant(
  'type',
  ACTIONS.flatMap((action): readonly Variant[] => action.subjects),
)
export type Subject = v.InferOutput<typeof Subject>

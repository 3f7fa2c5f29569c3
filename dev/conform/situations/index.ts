/** All situations, in the order in which they happen. */
import type { Situation } from '../situation.ts'
import { answers } from './answers.ts'
import { callbacks } from './callbacks.ts'
import { cancellations } from './cancellations.ts'
import { changes } from './changes.ts'
import { deposits } from './deposits.ts'
import { lists } from './lists.ts'

export const SITUATIONS: readonly Situation[] = [
  ...answers,
  ...changes,
  ...cancellations,
  ...callbacks,
  ...deposits,
  ...lists,
]

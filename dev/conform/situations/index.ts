/** All situations, in the order in which they happen. */
import type { Situation } from '../situation.ts'
import { answers } from './answers.ts'

export const SITUATIONS: readonly Situation[] = [...answers]

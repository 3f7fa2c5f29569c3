/** Budgets of the lines that decide, in `budgets.json`: goal, last ratio, its commit and machine. */
import budgets from './budgets.json' with { type: 'json' }

export type Goal = { readonly atLeast?: number; readonly atMost?: number }
type Budget = {
  readonly goal: Goal
  /** Ratio that was measured last, at a commit on a machine. */
  readonly ratio: number
  readonly commit: string
  readonly machine: string
  /** Cause of the last change of the goal. */
  readonly reason?: string
}

const lines: Readonly<Record<string, Budget>> = budgets.lines

/** Finds the budget of a line; undefined for one whose goal stands beside its code. */
export const budgetOf = (line: string): Budget | undefined => lines[line]

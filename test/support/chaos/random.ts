/** Chance that can be had again: the same seed gives the same numbers. */

/** Whole numbers below a limit, the same for the same seed (a linear congruential generator, Numerical Recipes). */
export function numbersFrom(seed: number): (limit: number) => number {
  let state = seed >>> 0
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

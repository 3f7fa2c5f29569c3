/** Repeatable random numbers: the same seed gives the same ones. */

/** Whole numbers below a limit, by seed (a linear congruential generator, Numerical Recipes). */
export function numbersFrom(seed: number): (limit: number) => number {
  let state = seed >>> 0
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

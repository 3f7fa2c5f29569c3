/** Bulkhead: limits how many slow activities run at once, so that fast ones always get a slot. */

/** Makes a limit of concurrent calls in this process; a call without a free slot does nothing, and is undefined. */
export function room(most: number) {
  let underWay = 0
  return async <Result>(work: () => Promise<Result>): Promise<{ readonly done: Result } | undefined> => {
    if (underWay >= most) return undefined
    underWay += 1
    try {
      return { done: await work() }
    } finally {
      underWay -= 1
    }
  }
}

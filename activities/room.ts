/** Room for steps that may take long: they never have all the places that they share with others. */

/** At most so many at a time in this process: undefined if there is no room, and then nothing was done. */
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

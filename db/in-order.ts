/** Statements that are sent at once on one transaction, and carried out by Postgres in the order they stand in. */

/**
 * Sends all statements before the first answer is back: one round trip for all of them. Postgres carries them out in
 * this order, because a transaction is one connection; so a statement that locks may stand before one that reads what
 * it locked.
 *
 * Each function sends its first statement as soon as it is called. What it sends after an `await` has no fixed place
 * among the others: a lock that others rely on is the first statement of its function. A list within a list is such an
 * `await` too: only its first two statements are sure to come before what follows it in the outer one.
 *
 * Waits for all of them, and then throws the failure that stands first in the list, whichever came first in time.
 */
export async function inOrder<Results extends readonly unknown[]>(
  ...statements: { readonly [Index in keyof Results]: () => PromiseLike<Results[Index]> }
): Promise<Results> {
  const sent: Promise<unknown>[] = []
  for (const statement of statements) {
    // then() sends a query of postgres.js, which is lazy; one that an async function awaits is sent with the next
    // microtask
    sent.push((async () => statement().then((rows) => rows))())
    await Promise.resolve()
  }
  const settled = await Promise.allSettled(sent)
  const results = settled.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
  return results as unknown as Results // one result for each statement, in the order of the list
}

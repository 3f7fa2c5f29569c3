/** Waits that follow progress: a busy machine is slow, and only what stands still has failed. */

/**
 * Returns a question to ask again and again: may the wait go on? It may until what `look` sees has stayed the same for
 * `silentMs`, such as the size of a log.
 */
export function patience(
  look: () => number | string,
  silentMs: number,
  now: () => number = () => performance.now(),
): () => boolean {
  let [seen, since] = [look(), now()]
  return () => {
    const seenNow = look()
    if (seenNow !== seen) [seen, since] = [seenNow, now()]
    return now() - since <= silentMs
  }
}

/** Returns the same question for a wait with a fixed end, for what shows no progress. */
export function within(ms: number): () => boolean {
  const deadline = performance.now() + ms
  return () => performance.now() <= deadline
}

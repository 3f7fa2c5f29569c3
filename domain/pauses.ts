/** How long a partner is left alone before it is asked again. */

/** A partner that has nothing new is asked again after at most this. */
export const PAUSE_MAX_SECONDS = 900
/** One that gives no clear answer at all, while we have patience: at first, and at most. */
const [UNCLEAR_PAUSE_SECONDS, UNCLEAR_PAUSE_MAX_SECONDS] = [1, 30]

/**
 * Seconds before the next question: `base` after the first one that brought nothing new, and twice as long each time.
 */
export const pauseSeconds = (base: number, asks: number): number => Math.min(base * 2 ** asks, PAUSE_MAX_SECONDS)

/**
 * Seconds before the next question after no clear answer: soon, but not all the time. `base` is how often one is
 * polled.
 */
export const unclearPauseSeconds = (base: number, asks: number): number =>
  Math.min(Math.min(base, UNCLEAR_PAUSE_SECONDS) * 2 ** asks, UNCLEAR_PAUSE_MAX_SECONDS)

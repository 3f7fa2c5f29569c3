/** Longest pause while a partner answers without anything new. */
export const PAUSE_MAX_SECONDS = 900
/** First and longest pause after unclear answers. */
const [UNCLEAR_PAUSE_SECONDS, UNCLEAR_PAUSE_MAX_SECONDS] = [1, 30]

/** Computes the pause in seconds: `base`, doubled by each poll without a change. */
export const pauseSeconds = (base: number, asks: number): number => Math.min(base * 2 ** asks, PAUSE_MAX_SECONDS)

/** Computes the pause in seconds after an unclear answer. `base` is the polling interval. */
export const unclearPauseSeconds = (base: number, asks: number): number =>
  Math.min(Math.min(base, UNCLEAR_PAUSE_SECONDS) * 2 ** asks, UNCLEAR_PAUSE_MAX_SECONDS)

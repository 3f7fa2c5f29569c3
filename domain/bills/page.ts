/** Pages of a bill as words with their places. */

/** Left, top, width and height in points, from the top left of the page. */
export type Box = readonly [x: number, y: number, width: number, height: number]

export type Word = {
  readonly text: string
  readonly box: Box
  /** From 0 to 1 if recognized; null if the file says it. */
  readonly confidence: number | null
}

export type Page = {
  readonly number: number
  readonly width: number
  readonly height: number
  readonly words: readonly Word[]
}

export type Quarters = 0 | 1 | 2 | 3

/** Turn of a page of a size in points: by quarters, then about its middle by its skew. */
export type Turn = {
  readonly quarters: Quarters
  readonly radians: number
  readonly width: number
  readonly height: number
}

/** Upright page, and its turn; null if it is as given. */
export type ReadPage = Page & { readonly turn: Turn | null }

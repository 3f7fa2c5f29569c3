/** Names that connected books have for the codes of an organization. */

export type BooksNames = {
  /** Tax rates of the books by our tax codes. */
  readonly taxes: ReadonlyMap<string, string>
  /** Tracking categories by our dimensions; other dimensions are not posted. */
  readonly categories: ReadonlyMap<string, string>
  /** Tracking options by our values, those of equal codes first. */
  readonly options: readonly {
    readonly dimension: string
    readonly value: string
    readonly category: string
    readonly option: string
  }[]
}

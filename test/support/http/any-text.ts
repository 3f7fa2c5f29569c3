import fc from 'fast-check'

const SURROGATES = { from: 0xd800, count: 0x800 }

/** Any character of Unicode. fast-check's own unit `binary` takes seconds to build a map of all of them. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map((nth) => String.fromCodePoint(nth < SURROGATES.from ? nth : nth + SURROGATES.count))

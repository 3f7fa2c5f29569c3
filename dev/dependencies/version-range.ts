/** Ranges of versions as advisories write them: comparators, joined by blanks, alternatives by `||`. */

type Version = { readonly numbers: readonly number[]; readonly before: readonly string[] }

const VERSION = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([\w.-]+))?(?:\+[\w.-]+)?$/
const COMPARATOR = /^(<=|>=|<|>|=)?(.+)$/

/** Tells if a version is in a range. One that cannot be read is in it: a person has to look. */
export function isInRange(version: string, range: string): boolean {
  const own = parse(version)
  if (!own) return true
  return range.split('||').some((part) => {
    const comparators = part
      .trim()
      .replaceAll(/([<>=])\s+/g, '$1')
      .split(/\s+/)
    return comparators.every((text) => meets(own, text))
  })
}

function meets(own: Version, text: string): boolean {
  if (text === '' || text === '*') return true
  const [, sign = '=', written = ''] = COMPARATOR.exec(text) ?? []
  const other = parse(written)
  if (!other) return true
  const order = compare(own, other)
  return sign === '<'
    ? order < 0
    : sign === '<='
      ? order <= 0
      : sign === '>'
        ? order > 0
        : sign === '>='
          ? order >= 0
          : order === 0
}

function parse(text: string): Version | undefined {
  const found = VERSION.exec(text)
  if (!found) return undefined
  return {
    numbers: [found[1], found[2], found[3]].map((part) => Number(part ?? 0)),
    before: found[4]?.split('.') ?? [],
  }
}

/** Compares by precedence (Semantic Versioning 2.0.0, section 11): a release comes after what was before it. */
function compare(one: Version, other: Version): number {
  for (const [at, number] of one.numbers.entries()) {
    const difference = number - (other.numbers[at] ?? 0)
    if (difference !== 0) return difference
  }
  if (one.before.length === 0 || other.before.length === 0) return other.before.length - one.before.length
  for (const [at, part] of one.before.entries()) {
    const against = other.before[at]
    if (against === undefined) return 1
    const difference = comparePart(part, against)
    if (difference !== 0) return difference
  }
  return one.before.length - other.before.length
}

/** Compares parts of a prerelease: numbers by value and before words, words by their letters. */
function comparePart(one: string, other: string): number {
  const [left, right] = [one, other].map((part) => (/^\d+$/.test(part) ? Number(part) : null))
  if (left !== null && left !== undefined && right !== null && right !== undefined) return left - right
  if (left !== null) return -1
  if (right !== null) return 1
  return one < other ? -1 : one > other ? 1 : 0
}

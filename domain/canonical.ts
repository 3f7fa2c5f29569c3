/** One text for one value: what idempotency and evidence hashes are taken of. */

/**
 * The value as JSON with members sorted by key (UTF-16 order) and no whitespace, in the spirit of RFC 8785. Members
 * that are undefined are left out; anything else that JSON cannot carry throws: a bigint, a Date, NaN, a function.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value)
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${Array.from(value, canonicalJson).join(',')}]`
  if (isPlainObject(value)) {
    const members = Object.keys(value)
      .filter((key) => value[key] !== undefined)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`)
    return `{${members.join(',')}}`
  }
  throw new TypeError(`JSON cannot carry ${Object.prototype.toString.call(value)}`)
}

/** An object literal or one without a prototype, of this realm or another; not an instance of a class. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

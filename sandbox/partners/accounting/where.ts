/** The filter that Xero's lists take: comparisons of fields, joined by AND and OR. */

export type Test = (item: Readonly<Record<string, unknown>>) => boolean
type Literal = string | number | boolean | null

const TOKEN =
  /\s*(?:(\()|(\))|(&&|AND\b)|(\|\||OR\b)|(==|!=|>=|<=|>|<|=)|(?:guid\("([^"]*)"\))|(?:DateTime\((\d+),\s*(\d+),\s*(\d+)\))|"((?:[^"\\]|\\.)*)"|(-?\d+(?:\.\d+)?)|(true|false|null)\b|([A-Za-z]\w*(?:\.[A-Za-z]\w*)*))/iy

type Token =
  | { readonly kind: '(' | ')' | 'and' | 'or' }
  | { readonly kind: 'operator'; readonly text: string }
  | { readonly kind: 'value'; readonly value: Literal }
  | { readonly kind: 'path'; readonly text: string }

/** The filter as a test of items; undefined if it is none. */
export function parseWhere(text: string): Test | undefined {
  const tokens = tokensOf(text)
  if (!tokens) return undefined
  let at = 0
  const is = (kind: Token['kind']): boolean => tokens[at]?.kind === kind

  function either(): Test | undefined {
    let left = both()
    while (left && is('or')) {
      at += 1
      const [first, second] = [left, both()]
      left = second && ((item) => first(item) || second(item))
    }
    return left
  }
  function both(): Test | undefined {
    let left = single()
    while (left && is('and')) {
      at += 1
      const [first, second] = [left, single()]
      left = second && ((item) => first(item) && second(item))
    }
    return left
  }
  function single(): Test | undefined {
    if (is('(')) {
      at += 1
      const inside = either()
      if (!is(')')) return undefined
      at += 1
      return inside
    }
    const [path, operator, value] = [tokens?.[at], tokens?.[at + 1], tokens?.[at + 2]]
    if (path?.kind !== 'path') return undefined
    const called = calledOn(path.text)
    if (called && operator?.kind === '(' && value?.kind === 'value' && tokens?.[at + 3]?.kind === ')') {
      at += 4
      return (item) => called.holds(valueAt(item, called.path), value.value)
    }
    if (operator?.kind !== 'operator' || value?.kind !== 'value') return undefined
    at += 3
    return (item) => compare(valueAt(item, path.text), operator.text, value.value)
  }

  const test = either()
  return at === tokens.length ? test : undefined
}

function tokensOf(text: string): Token[] | undefined {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  const length = text.trimEnd().length
  while (TOKEN.lastIndex < length) {
    const found = TOKEN.exec(text)
    if (!found) return undefined
    tokens.push(tokenOf(found))
  }
  return tokens
}

function tokenOf([
  ,
  open,
  close,
  and,
  or,
  operator,
  id,
  year,
  month,
  day,
  quoted,
  number,
  word,
  path,
]: RegExpExecArray): Token {
  if (open) return { kind: '(' }
  if (close) return { kind: ')' }
  if (and) return { kind: 'and' }
  if (or) return { kind: 'or' }
  if (operator) return { kind: 'operator', text: operator === '=' ? '==' : operator }
  if (id !== undefined) return { kind: 'value', value: id.toLowerCase() }
  if (year) return { kind: 'value', value: Date.UTC(Number(year), Number(month) - 1, Number(day)) }
  if (quoted !== undefined) return { kind: 'value', value: quoted.replaceAll(/\\(.)/g, '$1') }
  if (number) return { kind: 'value', value: Number(number) }
  if (word) return { kind: 'value', value: word.toLowerCase() === 'null' ? null : word.toLowerCase() === 'true' }
  return { kind: 'path', text: path ?? '' }
}

type Called = { readonly path: string; readonly holds: (value: Literal, part: Literal) => boolean }

/** `Reference.StartsWith("…")` and its like. */
function calledOn(text: string): Called | undefined {
  const [, path, name] = /^(.*)\.(Contains|StartsWith|EndsWith)$/i.exec(text) ?? []
  if (path === undefined || name === undefined) return undefined
  const asTexts = (does: (value: string, part: string) => boolean) => (value: Literal, part: Literal) =>
    typeof value === 'string' && typeof part === 'string' && does(value, part)
  switch (name.toLowerCase()) {
    case 'contains':
      return { path, holds: asTexts((value, part) => value.includes(part)) }
    case 'startswith':
      return { path, holds: asTexts((value, part) => value.startsWith(part)) }
    default:
      return { path, holds: asTexts((value, part) => value.endsWith(part)) }
  }
}

/** What stands at a path, an instant as milliseconds; null if nothing does. */
export function valueAt(item: Readonly<Record<string, unknown>>, path: string): Literal {
  let value: unknown = item
  for (const name of path.split('.')) {
    value =
      typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : null
  }
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value !== 'string') return null
  const [, ms] = /^\/Date\((-?\d+)/.exec(value) ?? []
  return ms === undefined ? value : Number(ms)
}

function compare(value: Literal, operator: string, wanted: Literal): boolean {
  if (operator === '==') return value === wanted
  if (operator === '!=') return value !== wanted
  if (value === null || wanted === null || typeof value !== typeof wanted) return false
  if (operator === '>') return value > wanted
  if (operator === '<') return value < wanted
  return operator === '>=' ? value >= wanted : value <= wanted
}

/** Strings that cost a backtracking matcher most, made from the attacked expression. */

type Term =
  | { readonly kind: 'atom'; readonly signs: readonly string[] }
  | { readonly kind: 'group'; readonly options: readonly Sequence[]; readonly isLookaround: boolean }
type Part = { readonly term: Term; readonly min: number }
type Sequence = readonly Part[]

/** Characters of many classes, some of them in every class that is in use. */
const COMMON = [
  ...Array.from('a0 1-._,:;/"\'\\@+=()[]{}<>!xZ\t\n\r\0%&|#*$^?'),
  'ä',
  'ß',
  '中',
  '𝒳',
  '😀',
  '👍🏽',
  '\u0301',
  '\u200d',
  '\u200b',
  '\ufe0f',
  '\u2028',
  '\u2018',
  '\u{e0061}',
]
const FAILING = ['\u0001', '\n!']
const PUMPS_MAX = 3

/** Makes attacks of about `length` characters: each part of the expression is reached, repeated, and made to fail. */
export function attacksOn(expression: RegExp): ((length: number) => string)[] {
  const parts = [...pieces(parse(expression), '')]
  const made = parts.flatMap(({ before, loop }) => [
    ...FAILING.map((end) => (length: number) => before + repeated(loop, length) + end),
    (length: number) => repeated(before + loop, length) + FAILING[0],
    (length: number) => repeated(loop, length / 2) + before + repeated(loop, length / 2) + FAILING[0],
  ])
  const unique = new Map(made.map((attack) => [attack(64), attack]))
  return [...unique.values()]
}

const repeated = (text: string, length: number): string => text.repeat(Math.max(1, Math.ceil(length / text.length)))

/** Yields a text that leads to each part, and one that the part matches repeatedly. */
function* pieces(options: readonly Sequence[], lead: string): Generator<{ before: string; loop: string }> {
  for (const parts of options) {
    let before = lead
    for (const { term, min } of parts) {
      if (term.kind === 'atom') for (const sign of term.signs.slice(0, PUMPS_MAX)) yield { before, loop: sign }
      else {
        yield* pieces(term.options, before)
        for (const option of term.options) {
          const loop = example(option, true)
          if (loop !== '') yield { before, loop }
        }
      }
      before += exampleOf(term, min > 0)
    }
  }
}

const example = (parts: Sequence, whole: boolean): string =>
  parts.map(({ term, min }) => exampleOf(term, whole || min > 0)).join('')

function exampleOf(term: Term, isNeeded: boolean): string {
  if (!isNeeded) return ''
  if (term.kind === 'atom') return term.signs[0] ?? ''
  return term.isLookaround ? '' : example(term.options[0] ?? [], false)
}

const ATOM = /\[(?:\\[^]|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u\w{4}|\\x\w\w|\\c\w|\\[^]|[^]/uy
/** With the flag v, classes may be nested. */
const ATOM_OF_SETS = new RegExp(String.raw`\[(?:\\[^]|\[(?:\\[^]|[^\]\\])*\]|[^\[\]\\])*\]|${ATOM.source}`, 'uy')

/** Parses an expression; conditions of assertions and references are ignored. */
function parse({ source, flags }: RegExp): readonly Sequence[] {
  let at = 0
  const flagsOfOne = flags.replaceAll(/[gymd]/g, '')
  const literals = Array.from(source.replaceAll(/\\[a-zA-Z]|[^\p{L}\p{N}]/gu, '')).slice(0, 20)
  const candidates = [...new Set([...literals, ...COMMON])]
  const signsOf = (atom: string): string[] => {
    const one = new RegExp(`^(?:${atom})$`, flagsOfOne)
    return candidates.filter((sign) => one.test(sign))
  }

  const readOptions = (): Sequence[] => {
    const options = [readSequence()]
    while (source[at] === '|') {
      at += 1
      options.push(readSequence())
    }
    return options
  }
  const readSequence = (): Sequence => {
    const parts: Part[] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      const term = readTerm()
      const quantifier = take(/[*+?]\??|\{\d+(?:,\d*)?\}\??/y) ?? ''
      if (!term) continue
      const [, least = ''] = /^\{(\d+)/.exec(quantifier) ?? []
      const min = least ? Number(least) : /^[*?]/.test(quantifier) ? 0 : 1
      parts.push({ term, min })
    }
    return parts
  }
  const readTerm = (): Term | undefined => {
    const group = take(/\((?:\?(?:<?[=!]|:|<\w+>))?/y)
    if (group !== undefined) {
      const options = readOptions()
      at += 1
      return { kind: 'group', options, isLookaround: /[=!]$/.test(group) }
    }
    if (take(/[$^]|\\[bBk1-9](?:<\w+>)?/y) !== undefined) return undefined
    const atom = take(flags.includes('v') ? ATOM_OF_SETS : ATOM) ?? ''
    return { kind: 'atom', signs: signsOf(atom) }
  }
  const take = (form: RegExp): string | undefined => {
    form.lastIndex = at
    const [taken] = form.exec(source) ?? []
    if (taken !== undefined) at += taken.length
    return taken
  }

  const options = readOptions()
  if (at !== source.length) throw new Error(`stopped at ${at} of /${source}/`)
  return options
}

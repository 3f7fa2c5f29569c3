/** Finds habits that make readers stumble, in comments, pages, names and summaries. */
import { readFileSync } from 'node:fs'

/** A place that breaks a rule of CONTRIBUTING.md, How to write. */
export type Habit = { readonly rule: string; readonly file: string; readonly line: number; readonly text: string }

const GENERATED =
  /openapi\.json|typescript\/src\/(schemas|operations)\.ts|cli\/src\/operation-commands\.ts|schema\.sql|_flows\.sql|\/data\/|\/migrations\/|docs\/(states|data|event-types|refusals|configuration)\.md/
const FIRST_LINE_MAX = 90
const SUMMARY_MAX = 60

/** First words that hide the subject of a docstring. */
const NO_SUBJECT =
  /^(What|Whatever|Whether|Who|Whom|Whose|Whoever|Where|Of|As|So|That|Those|One that|Nobody|Nothing|Until|Then|How (often|long|many)|By|To whom|With what|For whom)\b/

const INDIRECT = [
  /\bwho(m|)ever\b/i,
  /\b(some|any)body\b/i,
  /\banew\b/i,
  /\bso (many|often|far as)\b/i,
  /\bby and by\b/i,
  /\bof nobody\b/i,
  /\bnothing of (it|them|this)\b/i,
  /\b(is|are) told\b/i,
  /\bis said\b/i,
  /\bstands in\b(?! for\b)/i,
  /\bwhat (became|becomes) of\b/i,
  /\bsuch a one\b/i,
  /\bthat is to say\b/i,
  /\bnews of\b/i,
  /\ba word (of|about)\b/i,
]

/** Participles that name functions; verbs that only look like one are left out. */
const PARTICIPLE =
  /^(?:(?!need|feed|seed|speed|embed|exceed|proceed|succeed)[a-z]{3,}ed|told|said|met|kept|drawn|written|given|taken|found|sent|made|paid|spent|known|shown|chosen|hidden|driven|begun|lost)(?=[A-Z]|$)/

/** Participles that name types; a noun says what the value is: `SweptProcess`, not `Swept`. */
const TYPE_OF_PARTICIPLE =
  /^(?:export )?(?:type|interface|class) ((?!Feed|Seed|Deed|Speed)[A-Z][a-z]+ed|Woken|Written|Given|Taken|Seen|Held|Sent|Made|Found|Said|Known|Paid|Kept|Drawn|Begun|Told|Frozen|Chosen|Proven|Overtaken|Stood)\b/

const FUNCTION =
  /^(?:export )?(?:default )?(?:async )?function\*? (\w+)|^(?:export )?const (\w+)(?:: [^=]+)? = (?:async )?(?:<[^>]*>)?\((?:[^()]|\([^()]*\))*\)(?:: [^=]+)? =>/

/** Leaves out names of tests, which a page quotes as they are. */
const withoutCitations = (line: string): string =>
  line.includes('.test.ts`') ? line.replaceAll(/\*[^*]+\*/g, '') : line

/** Finds the habits of a file: TypeScript, SQL or Markdown. */
export function habitsOf(file: string): Habit[] {
  if (GENERATED.test(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  const isCode = file.endsWith('.ts')
  return lines.flatMap((line, index) => {
    const found = (rule: string, text: string): Habit => ({ rule, file, line: index + 1, text: text.trim() })
    const comment = isCode
      ? /(?:\/\*\*?|^\s*\*|\/\/)(.*)$/.exec(line)?.[1]
      : file.endsWith('.sql')
        ? /--(.*)$/.exec(line)?.[1]
        : withoutCitations(line)
    return [
      ...INDIRECT.filter((habit) => habit.test(comment ?? '')).map(() => found('indirect', comment ?? '')),
      ...(isCode ? docstringRules(file, lines, index).map((rule) => found(rule, line)) : []),
      ...(isCode && !file.startsWith('test/') && PARTICIPLE.test(nameIn(line))
        ? [found('participle', nameIn(line))]
        : []),
      ...(isCode && !file.startsWith('test/') && TYPE_OF_PARTICIPLE.test(line) ? [found('participle', line)] : []),
    ]
  })
}

/** Reads the name of the function that a line begins; empty if it begins none. */
function nameIn(line: string): string {
  const [, declared, assigned] = FUNCTION.exec(line) ?? []
  return declared ?? assigned ?? ''
}

/** Lists the rules that the docstring which begins at a line breaks. */
function docstringRules(file: string, lines: readonly string[], begin: number): string[] {
  if (!/^\s*\/\*\*/.test(lines[begin] ?? '')) return []
  const end = lines.findIndex((line, index) => index >= begin && line.includes('*/'))
  const text = lines
    .slice(begin, end + 1)
    .map((line) => line.replace(/^\s*(\/\*\*|\*(?!\/))\s?/, '').replace(/\s*\*\/\s*$/, ''))
    .join(' ')
    .trim()
  const first = /^.*?[.:;](?=\s|$)/.exec(text)?.[0] ?? text
  const next = (lines[end + 1] ?? '').trim()
  const isFunction = nameIn(next) !== ''
  const isBoolean = /: boolean\b|= (true|false)\b/.test(next)
  const isValue = /=>(?! *\{)/.test(next) && /^(The|A|An|One)\b/.test(first)
  const isProduct = !/^(test|bench|dev)\//.test(file)
  const beginsWithVerb = /^(@|[A-Z][a-z]*s\b(?! (is|are|of|that)\b))/.test(first)
  return [
    ...(NO_SUBJECT.test(first) && !(first.startsWith('Whether') && (isBoolean || !isFunction)) ? ['no subject'] : []),
    ...(first.length > FIRST_LINE_MAX ? ['long first sentence'] : []),
    ...(isProduct && isFunction && first && !isValue && !beginsWithVerb ? ['no verb'] : []),
  ]
}

type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly summary?: string }>>>> }

/** Lists summaries of operations that are too long for a list, or indirect. */
export function habitsOfSummaries({ paths }: Document): string[] {
  return Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ summary }) => summary ?? [])
    .filter((summary) => summary.length > SUMMARY_MAX || INDIRECT.some((habit) => habit.test(summary)))
}

/** Splits the names in the code of a file into words of lower case; comments and texts are left out. */
export function wordsOfNames(file: string): string[] {
  const code = readFileSync(file, 'utf8')
    .replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, '')
    .replaceAll(/'(?:\\.|[^'\\\n])*'|`[^`]*`|\/(?:\\.|[^/\\\n])+\/[a-z]*/g, '')
  return (code.match(/[A-Za-z]\w*/g) ?? [])
    .flatMap((name) => name.match(/[A-Z]?[a-z]+/g) ?? [])
    .map((word) => word.toLowerCase())
}

/** `npm run format:comments`: wraps comments that pass 120 columns, which the formatter leaves as they are. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { commentedFiles } from './comments.ts'

const WIDTH = 120

/** Comments that tools read: they stay on their line. */
const DIRECTIVE = /@ts-|oxlint-|eslint-|<reference|prettier-|oxfmt-/

const isLong = (line: string): boolean => line.length > WIDTH

/** Fills lines of at most 120 columns; those after the first begin with `hanging`. */
function filled(text: string, prefix: string, hanging = prefix): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(`${last === undefined ? prefix : hanging}${word}`)
  }
  return lines
}

/** Where a paragraph of a comment begins anew: an item of a list, a tag, a table. */
const BREAK = /^\s*(?:[-*|@]|\d+\.\s|$)/

/** The lines of one comment, without their prefix: paragraphs with a long line are filled anew, others stay. */
function paragraphs(lines: readonly string[], prefix: string): string[] {
  const made: string[] = []
  let open: string[] = []
  const close = () => {
    if (open.some((line) => isLong(`${prefix}${line}`))) {
      const [indent = '', marker = ''] = /^\s*((?:[-*]|\d+\.)\s+)?/.exec(open[0] ?? '') ?? []
      const before = indent.slice(0, indent.length - marker.length)
      made.push(...filled(open.join(' '), `${prefix}${before}`, `${prefix}${' '.repeat(indent.length)}`))
    } else made.push(...open.map((line) => `${prefix}${line}`.trimEnd()))
    open = []
  }
  for (const line of lines) {
    if (BREAK.test(line)) close()
    open.push(line)
    if (line.trim() === '') close()
  }
  close()
  return made
}

/** A text with its long comments wrapped: the same text again changes nothing. */
export function wrapped(text: string): string {
  const lines = text.split('\n')
  const made: string[] = []
  for (let at = 0; at < lines.length;) {
    const comment = commentAt(lines, at)
    made.push(...(comment?.lines ?? ownLine(lines[at] ?? '')))
    at += comment?.length ?? 1
  }
  return made.join('\n')
}

type Comment = { readonly lines: readonly string[]; readonly length: number }

/** The comment that begins in this line, wrapped; undefined if none does, or a tool reads it. */
function commentAt(lines: readonly string[], at: number): Comment | undefined {
  const [first = ''] = lines.slice(at)
  const indent = /^\s*/.exec(first)?.[0] ?? ''
  const mark = /^\s*(\/\/|--|\/\*\*)(?= |$)/.exec(first)?.[1]
  if (mark === undefined) return undefined
  if (mark === '/**') return blockAt(lines, at, indent)
  const prefix = `${indent}${mark} `
  const rest = lines.slice(at)
  const end = rest.findIndex((line) => !`${line} `.startsWith(prefix) || DIRECTIVE.test(line))
  const own = end === -1 ? rest : rest.slice(0, end)
  if (own.length === 0) return undefined
  const bare = own.map((line) => line.slice(prefix.length))
  return { lines: paragraphs(bare, prefix), length: own.length }
}

function blockAt(lines: readonly string[], at: number, indent: string): Comment | undefined {
  const prefix = `${indent} * `
  const [first = ''] = lines.slice(at)
  const single = /^\s*\/\*\* (.*) \*\/$/.exec(first)?.[1]
  if (single !== undefined) {
    if (!isLong(first)) return { lines: [first], length: 1 }
    return { lines: [`${indent}/**`, ...filled(single, prefix), `${indent} */`], length: 1 }
  }
  if (first.trim() !== '/**') return undefined
  const end = lines.findIndex((line, index) => index > at && line.trim() === '*/')
  if (end === -1) return undefined
  const inside = lines.slice(at + 1, end)
  if (inside.some((line) => !`${line} `.startsWith(prefix))) return undefined
  const body = paragraphs(
    inside.map((line) => line.slice(prefix.length)),
    prefix,
  )
  return { lines: [first, ...body, lines[end] ?? ''], length: end - at + 1 }
}

/** A line of code; a comment after it that makes it too long goes above it. */
function ownLine(line: string): string[] {
  const [, code, mark, comment] = /^(.*\S)\s+(\/\/|--) ([^'"`]*)$/.exec(line) ?? []
  if (!isLong(line) || code === undefined || comment === undefined || DIRECTIVE.test(comment)) return [line]
  if (code.split('`').length % 2 === 0) return [line] // above it is the inside of a template
  const indent = /^\s*/.exec(code)?.[0] ?? ''
  return [...filled(comment, `${indent}${mark} `), code]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const file of commentedFiles()) {
    const text = readFileSync(file, 'utf8')
    const better = wrapped(text)
    if (better !== text) writeFileSync(file, better)
  }
}

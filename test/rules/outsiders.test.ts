/** Words of outsiders on pages and in sentences: each goes through the function that isolates and marks it. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { OUTSIDERS } from '../../api/mcp/untrusted.ts'
import { FILES } from './files.ts'

/** Members of outsiders that have no letters beyond ASCII. */
const PLAIN = /^(?:.*emails?|url|avatar|phone_number)$/
/** Words that our own variables have, too; as members they are of outsiders. */
const OURS_AS_VARIABLES = /^(?:title|label|name|address|note|description|comment|filename|reason|region|city|unit)$/
const MEMBERS = [...OUTSIDERS].filter((name) => !PLAIN.test(name))
const VARIABLES = MEMBERS.filter((name) => !OURS_AS_VARIABLES.test(name))
/** Reads such a word as it is, with or without another one for want of it. */
const BARE = new RegExp(
  String.raw`^\s*(?:\w+\s*&&\s*)?(?:[\w.?]*\.(?:${MEMBERS.join('|')})|(?:${VARIABLES.join('|')}))\s*(?:(?:\?\?|\|\|)[^]*)?$`,
)
const FOLDERS = /^(?:pages|services|documents|domain|api|activities|partners|workflows)\/.*\.ts$/

const sources = FILES.filter((file) => FOLDERS.test(file)).map((file) => [file, readFileSync(file, 'utf8')] as const)

/** Finds the expressions of templates in a source, those within others too. */
function expressionsIn(source: string): string[] {
  const found: string[] = []
  for (let at = source.indexOf('${'); at >= 0; at = source.indexOf('${', at + 2)) {
    let end = at + 2
    for (let depth = 1; end < source.length && depth > 0; end += 1) {
      if (source[end] === '{') depth += 1
      if (source[end] === '}') depth -= 1
    }
    found.push(source.slice(at + 2, end - 1))
  }
  return found
}

test('pages show words of outsiders only by the function that isolates and marks them', () => {
  const bare = sources.flatMap(([file, source]) => {
    if (!file.startsWith('pages/')) return []
    const rows = [...source.matchAll(/\['[^']*',\s*([^[\]]*)\]/g)].map(([, value = '']) => value)
    return [...expressionsIn(source), ...rows].filter((one) => BARE.test(one)).map((one) => `${file}: ${one}`)
  })
  expect(bare).toEqual([])
})

/** Sentences with names in quotes already, our own words, and a partner's word for a state. */
const SAID = /^(?:(?:[\w.]*\.)?(?:summary|payee)|words\.title|facts\.reason)\b/

test('sentences for people name outsiders only in the quotes that mark them', () => {
  const bare = sources.flatMap(([file, source]) => {
    if (/^(?:pages|api\/openapi)\//.test(file)) return []
    const sentences = source.match(/\b(?:summary|title|subject|body|says|paragraphs|what|whose)\b[^\n]*`[^`]*`/g) ?? []
    return sentences
      .flatMap(expressionsIn)
      .filter((one) => BARE.test(one) && !SAID.test(one))
      .map((one) => `${file}: ${one}`)
  })
  expect(bare).toEqual([])
})

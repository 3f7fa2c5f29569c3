/** Reads the API calls of a shell script without running it. */

/** A method and a path, with `{}` for each part that is computed at run time. */
export type ApiCall = { readonly method: string; readonly path: string }

/** The words of a command, without quotes; `$(…)` is a command of its own. */
type Words = readonly string[]

const HOLE = '{}'

export function apiCallsOf(script: string): ApiCall[] {
  const commands: Words[] = []
  split(withoutComments(script), commands)
  const variables = new Map<string, string>()
  const functions = new Map<string, ApiCall>() // functions that put their first argument into a path
  const calls: ApiCall[] = []
  for (const given of commands) {
    const [first = '', ...rest] = given.map((word) => expand(word, variables))
    const [, name, value = ''] = /^(\w+)=(.*)$/s.exec(first) ?? []
    const call = functions.get(first) ?? callOf([first, ...rest])
    if (name) variables.set(name, name === 'API' ? '$API' : value)
    else if (call && first.endsWith('()') && call.path.endsWith('$1')) functions.set(first.slice(0, -2), call)
    else if (call) calls.push({ ...call, path: call.path.replace('$1', pathIn(rest[0] ?? '')) })
  }
  return calls
}

/** Reads the call from a command with an address below `$API`. */
function callOf(words: Words): ApiCall | undefined {
  const address = words.find((word) => word.startsWith('$API/') || word.startsWith('$API$1'))
  if (address === undefined) return undefined
  const given = words[words.indexOf('-X') + 1]
  const method = words.includes('-X') ? given : words.includes('-d') ? 'POST' : words.includes('-T') ? 'PUT' : 'GET'
  return { method: method ?? '', path: pathIn(address.slice('$API'.length)) }
}

const pathIn = (address: string): string => address.split('?')[0] ?? ''

const expand = (word: string, variables: ReadonlyMap<string, string>): string =>
  word.replaceAll(/\$(\w+)/g, (text, name: string) => variables.get(name) ?? (/^(API|\d)$/.test(name) ? text : HOLE))

/** Removes comments, here-documents and arithmetic; unwraps the conditions that `soon` is given. */
const withoutComments = (script: string): string =>
  script
    .replaceAll(/^(.*)<<'(\w+)'$[^]*?^\2$/gm, '$1')
    .replaceAll(/^soon '([^']*)'/gm, (_, condition: string) => condition.replaceAll('\\"', '"'))
    .split('\n')
    .map((line) => line.replace(/(^|\s)#\s.*$/, '').replace(/\$\(\(.*?\)\)/, '0'))
    .join('\n')

const BETWEEN = new Set(['\n', ';', '|', '&'])
const OPENING = /^(until|while|if|do|then|else|!|\{|\[|\[\[)$/

/** Splits a script into commands, inner ones first. Returns the position of its end, or behind the closing `)`. */
function split(script: string, commands: Words[], start = 0): number {
  let words: string[] = []
  let word: string | undefined
  let quote = ''
  let at = start
  const endWord = () => {
    if (word !== undefined && !(words.length === 0 && OPENING.test(word))) words.push(word)
    word = undefined
  }
  const endCommand = () => {
    endWord()
    if (words.length > 0) commands.push(words)
    words = []
  }
  for (; at < script.length; at += 1) {
    const sign = script[at] ?? ''
    if (sign === '\\' && quote !== "'") word = (word ?? '') + (script[(at += 1)] ?? '')
    else if (sign === quote) quote = ''
    else if (!quote && (sign === '"' || sign === "'")) [quote, word] = [sign, word ?? '']
    else if (quote !== "'" && script.startsWith('$(', at)) {
      at = split(script, commands, at + 2)
      word = (word ?? '') + HOLE
    } else if (!quote && sign === ')' && script[at - 1] !== '(') break
    else if (!quote && BETWEEN.has(sign)) endCommand()
    else if (!quote && sign === ' ') endWord()
    else word = (word ?? '') + sign
  }
  endCommand()
  return at
}

/** Commands of operators: their words, and the arguments that are read from them. */
import * as v from 'valibot'
import { isUuid } from '../domain/ids.ts'
import { line } from '../domain/text.ts'

const WORDS = line(1, 255)
const UUID_CHARACTERS = 36

/** Argument of a command; `read` answers undefined for what it cannot be. */
export type Argument<Value> = {
  readonly name: string
  readonly read: (word: string) => Value | undefined
  readonly words?: readonly string[]
  /** It takes the rest of the words. */
  readonly rest?: true
}
export type Command = {
  readonly usage: string
  readonly run: (words: readonly string[]) => Promise<string> | undefined
  /** Whether the words begin like this command. */
  readonly isMeant: (words: readonly string[]) => boolean
}

export const oneOf = <Word extends string>(words: readonly Word[]): Argument<Word> => ({
  name: words.join('|'),
  words,
  read: (given) => words.find((word) => word === given),
})
export const id = <Id extends string>(name = '<id>'): Argument<Id> => ({
  name,
  // A checked uuid is what the brand stands for.
  read: (word) => (isUuid(word) ? (word.toLowerCase() as Id) : undefined),
})
export const email: Argument<string> = { name: '<email>', read: (word) => (word.includes('@') ? word : undefined) }
/** Parses text that others read: on one line, without characters that hide or reorder others. */
export const words = (name: string): Argument<string> => ({
  name,
  read: (given) => (v.is(WORDS, given) ? given : undefined),
})
/** Reads JSON of a schema; it may be typed as several words. */
export const json = <Schema extends v.GenericSchema>(
  name: string,
  schema: Schema,
): Argument<v.InferOutput<Schema>> => ({
  name,
  rest: true,
  read: (given) => {
    try {
      return v.parse(schema, JSON.parse(given))
    } catch (error) {
      const path = error instanceof v.ValiError ? (v.getDotPath(error.issues[0]) ?? '') : ''
      throw new Error(`${name}: ${path} ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    }
  },
})
/** Option to answer as JSON. */
export const asJson: Argument<boolean> = {
  name: '[--json]',
  rest: true,
  read: (given) => (given === '' ? false : given === '--json' || undefined),
}
/** Words to filter a list by. */
export const filter: Argument<string> = { name: '[words]', rest: true, read: (given) => given }
export const reason: Argument<string> = { ...words('<reason>'), rest: true }
export const word = (name: string, shape: RegExp): Argument<string> => ({
  name,
  read: (given) => (shape.test(given) ? given : undefined),
})
export const currency = word('<currency>', /^[A-Z]{3,16}$/)
/** The operator's address and present authenticator code. */
export const operator = [email, word('<code>', /^\d{6}$/)] as const
/** The id of a process' row, or of its run, which ends with it. */
export const processId: Argument<string> = { name: '<id>', read: (word) => id().read(word.slice(-UUID_CHARACTERS)) }

/** Makes a command; it runs when all of its arguments can be read, and nothing is left. */
export function command<Values extends readonly unknown[]>(
  name: string,
  args: readonly [...{ [Place in keyof Values]: Argument<Values[Place]> }],
  run: (...values: Values) => Promise<string>,
): Command {
  const start = name.split(' ')
  return {
    usage: [name, ...args.map((arg) => arg.name)].join(' '),
    isMeant: (words) =>
      start.every((word, place) => word === words[place]) &&
      args.every(({ words: of }, place) => !of || of.includes(words[start.length + place] ?? '')),
    run: (words) => {
      if (!start.every((word, place) => word === words[place])) return undefined
      const given = words.slice(start.length)
      if (args.at(-1)?.rest) given.push(given.splice(args.length - 1).join(' '))
      if (given.length !== args.length) return undefined
      const values: readonly unknown[] = args.map(({ read }, place) => read(given[place] ?? ''))
      // each was read by the argument in its place
      const areRead = (all: readonly unknown[]): all is Values => !all.includes(undefined)
      return areRead(values) ? run(...values) : undefined
    },
  }
}

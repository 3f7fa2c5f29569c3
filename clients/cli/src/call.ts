/** Commands that call one operation each, made from the table of operations. */
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Event } from 'business-finance-client'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Field, OperationCommand } from './command-table.ts'
import type { Context } from './context.ts'
import { EXIT, Failure } from './failures.ts'
import { readInput } from './io.ts'
import { NOUNS, OPERATION_COMMANDS } from './operation-commands.ts'
import { isPage } from './output.ts'
import type { Act } from './run.ts'
import { formatValue } from './table.ts'
import { toOption } from './text.ts'

type Options = Readonly<Record<string, unknown>>

/** Adds a noun for each tag of the API, with a verb for each of its operations. */
export function addOperationCommands(program: Command, act: Act): void {
  const nouns = new Map<string, Command>()
  for (const one of OPERATION_COMMANDS) {
    const noun = nouns.get(one.noun) ?? program.command(one.noun).description(NOUNS[one.noun] ?? '')
    nouns.set(one.noun, noun)
    const verb = noun
      .command(one.verb)
      .description(one.summary + (one.needsStepUp ? ' (asks a person for a proof)' : ''))
    for (const name of one.path) verb.argument(`<${toOption(name)}>`)
    for (const field of one.fields) verb.addOption(optionOf(field))
    if (one.takesBody) verb.option('--data <json>', 'whole body as JSON, @file or - for the input; options win')
    if (one.takesFile) verb.requiredOption('--file <path>', 'file to send')
    if (one.form === 'page') verb.option('--all', 'read all pages')
    if (one.form === 'bytes') verb.option('-o, --output <file>', 'file to write')
    const key = new Option('--idempotency-key <key>', 'the same key does nothing twice')
    if (one.key !== 'none') verb.addOption(key.makeOptionMandatory(one.key === 'required'))
    verb.action(
      act((context: Context, ...args: unknown[]) => {
        const options = args[one.path.length] as Options // commander passes them behind the arguments
        return callOperation(context, one, args.slice(0, one.path.length) as string[], options)
      }),
    )
  }
}

function optionOf({ name, kind, isList, choices, description = '' }: Field): Option {
  const value = kind === 'boolean' ? '[boolean]' : kind === 'money' ? '<"amount currency">' : `<${kind}>`
  const option = new Option(`--${toOption(name)} ${value}`, description + (isList ? ' (may be repeated)' : ''))
  if (choices) option.choices(choices)
  const parseOne = choices ? option.parseArg : undefined
  option.argParser((text: string, before: unknown) => {
    const parsed = parseOne ? (parseOne(text, undefined) as unknown) : parseValue(kind, text)
    return isList ? [...((before as unknown[] | undefined) ?? []), parsed] : parsed
  })
  return kind === 'boolean' ? option.preset('true') : option
}

/** Reads an option as its kind. Throws what commander prints as wrong usage. */
export function parseValue(kind: Field['kind'], text: string): unknown {
  if (kind === 'string') return text
  if (kind === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
  if (kind === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text)
  const [, amount, currency] = (kind === 'money' && /^(\d+(?:\.\d+)?) (\w+)$/.exec(text)) || []
  if (amount && currency) return { amount, currency }
  throw new InvalidArgumentError(kind === 'money' ? 'Write it as "10.00 USD".' : `It is no ${kind}.`)
}

type Call = (input: object, options: object) => Promise<unknown>

async function callOperation(context: Context, one: OperationCommand, path: readonly string[], options: Options) {
  const { client, output, io } = context
  const input = await inputOf(context, one, path, options)
  const key = one.key === 'none' ? undefined : options['idempotencyKey'] // of a list it is a filter
  const given = { signal: io.signal, ...(typeof key === 'string' && { idempotencyKey: key }) }
  if (one.form === 'stream') return followStream(context, { ...input, organization_id: context.organization() }, given)
  const call = client[one.operation] as unknown as Call // the table is of the same document as the client
  if (one.form === 'page' && options['all']) return readAll(context, (more) => call({ ...input, ...more }, given))
  const answer = await call(input, given)
  if (one.form === 'none') return output.isForPeople ? output.say('done') : undefined
  if (one.form === 'bytes') return writeBytes(context, answer as Response, options['output'] as string | undefined)
  output.answer(context.latestJson(), answer)
  if (output.isForPeople && isPage(answer)) {
    if (answer.data.length === 0) output.say('nothing found')
    if (answer.next_cursor) output.say(`There is more: --all, or --cursor ${answer.next_cursor}`)
  }
}

/** Builds the input of an operation: arguments, then `--data`, then options. Throws if something is missing. */
async function inputOf(context: Context, one: OperationCommand, path: readonly string[], options: Options) {
  const data = typeof options['data'] === 'string' ? await readData(context, options['data']) : {}
  const ofOptions = one.fields.flatMap(({ name }): [string, unknown][] => {
    const value = options[toAttribute(name)]
    return value === undefined ? [] : [[name, value]]
  })
  const input: Record<string, unknown> = { ...data, ...Object.fromEntries(ofOptions) }
  for (const [index, name] of one.path.entries()) input[name] = path[index]
  if (one.takesOrganization) input['organization_id'] ??= context.organization()
  if (one.takesFile) {
    const file = String(options['file'])
    input['file'] = new File([await readFile(file)], basename(file))
  }
  const missing = one.fields.filter(({ name, required }) => required && input[name] === undefined)
  if (missing.length > 0)
    throw new Failure(EXIT.usage, `missing: ${missing.map(({ name }) => `--${toOption(name)}`).join(', ')}`)
  return input
}

/** Writes a name of the API as commander names its option. */
const toAttribute = (name: string): string => name.replaceAll(/_(\w)/g, (_, first: string) => first.toUpperCase())

async function readData({ io }: Context, given: string): Promise<object> {
  const text =
    given === '-' ? await readInput(io) : given.startsWith('@') ? await readFile(given.slice(1), 'utf8') : given
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Failure(EXIT.usage, '--data takes a JSON object')
  return value
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads all pages: one table for people, the pages as they came line by line in a pipe. */
async function readAll(context: Context, read: (more: object) => Promise<unknown>): Promise<void> {
  const rows: Readonly<Record<string, unknown>>[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await read(cursor ? { cursor } : {})
    if (!isPage(page)) throw new Error('the answer is no page')
    if (context.output.isForPeople) rows.push(...page.data)
    else context.output.answer(context.latestJson(), page)
    cursor = page.next_cursor
  }
  if (context.output.isForPeople) context.output.answer('', { data: rows, next_cursor: null })
}

/** Writes a file: to where it is asked, or into the pipe. A terminal gets none. */
export async function writeBytes({ io, output }: Context, { body }: Response, file: string | undefined): Promise<void> {
  if (!file && io.stdout.isTTY) throw new Failure(EXIT.usage, 'This is a file: give -o <file>')
  if (!body) return
  if (!file) {
    for await (const chunk of Readable.fromWeb(body as never) as AsyncIterable<Uint8Array>) output.bytes(chunk)
    return
  }
  await pipeline(Readable.fromWeb(body as never), createWriteStream(file))
  output.say(`written: ${file}`)
}

async function followStream(
  { client, output, io }: Context,
  input: { organization_id: string },
  given: object,
): Promise<void> {
  const events = client.streamEvents(input, given)
  for await (const event of events) {
    if (output.isForPeople) output.line(describeEvent(event))
    else output.line(JSON.stringify(event))
    if (io.signal.aborted) return
  }
}

export const describeEvent = ({ occurred_at: at, event_type: type, subject_id: subject }: Event): string =>
  [at, type, subject].map(formatValue).join('  ')

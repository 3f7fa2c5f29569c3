/** Bridge of the Model Context Protocol: lines of the input go to `/mcp`, its answers to the output. */
import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { EXIT } from '../failures.ts'
import { readLines } from '../io.ts'
import type { Act } from '../run.ts'

type Params = Readonly<Record<string, unknown>>
type Message = {
  readonly id?: string | number
  readonly method?: string
  readonly params?: Params
  readonly result?: { readonly protocolVersion?: unknown }
}
/** Session and version that the server named, for the requests that follow. */
type Session = { id?: string; version?: string }

const VERSION_IN_META = 'io.modelcontextprotocol/protocolVersion'
const INTERNAL_ERROR = -32_603
const PARSE_ERROR = -32_700

export function addMcp(program: Command, act: Act): void {
  program
    .command('mcp')
    .description('bridge for agents that start a server as a process (Model Context Protocol over stdio)')
    .action(act(bridge))
}

/** Sends lines on until the input ends. Requests go at once, except that others wait for the first. */
async function bridge(context: Context): Promise<number> {
  await context.token() // says at once if nobody is signed in
  const session: Session = {}
  const open = new Set<Promise<void>>()
  for await (const line of readLines(context.io)) {
    if (line.trim() === '') continue
    const message = parse(line)
    if (!message) {
      writeError(context, null, PARSE_ERROR, 'this line is no JSON')
      continue
    }
    const sent = send(context, session, message, line).finally(() => open.delete(sent))
    open.add(sent)
    if (message.method === 'initialize' || message.id === undefined) await sent
  }
  await Promise.all(open)
  return EXIT.done
}

function parse(line: string): Message | undefined {
  try {
    return JSON.parse(line) as Message
  } catch {
    return undefined
  }
}

/** Posts a message, and writes what comes back; a failure becomes the answer of a request. */
async function send(context: Context, session: Session, message: Message, line: string): Promise<void> {
  try {
    const response = await post(context, session, message, line)
    session.id = response.headers.get('mcp-session-id') ?? session.id ?? ''
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
    if (isStream) for await (const text of readData(response)) writeAnswer(context, session, text)
    else if (isJson) writeAnswer(context, session, await response.text())
    else if (!response.ok) throw new Error(`HTTP ${response.status}`)
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    if (message.id !== undefined) writeError(context, message.id, INTERNAL_ERROR, text)
    else context.output.say(text)
  }
}

async function post({ baseUrl, token, io }: Context, session: Session, message: Message, line: string) {
  const { method, params } = message
  const name = params?.['name'] ?? params?.['uri']
  const version = (params?.['_meta'] as Params | undefined)?.[VERSION_IN_META] ?? session.version
  const attempt = (bearer: string | undefined) =>
    fetch(`${baseUrl}/mcp`, {
      method: 'POST',
      body: line,
      headers: {
        authorization: `Bearer ${bearer}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session.id && { 'mcp-session-id': session.id }),
        ...(typeof version === 'string' && { 'mcp-protocol-version': version }),
        ...(method && { 'mcp-method': method }),
        ...(typeof name === 'string' && { 'mcp-name': encodeHeader(name) }),
      },
      redirect: 'error',
      signal: io.signal,
    })
  const bearer = await token()
  const response = await attempt(bearer)
  return response.status === 401 ? attempt(await token(bearer)) : response
}

/** Writes a name as a header can carry it: as it is in ASCII, else in base64 with its mark. */
const encodeHeader = (name: string): string =>
  /^[\u0021-\u007e]+( [\u0021-\u007e]+)*$/.test(name) ? name : `=?base64?${Buffer.from(name).toString('base64')}?=`

/** Reads the data of server-sent events. */
async function* readData({ body }: Response): AsyncGenerator<string> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).replaceAll('\r\n', '\n').split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = block.split('\n').flatMap((line) => /^data: ?(.*)$/.exec(line)?.[1] ?? [])
      if (data.length > 0) yield data.join('\n')
    }
  }
}

/** Writes an answer as one line. */
function writeAnswer({ output }: Context, session: Session, text: string): void {
  const message = parse(text)
  if (!message) throw new Error('the answer is no JSON')
  const { protocolVersion: version } = message.result ?? {}
  if (typeof version === 'string') session.version = version
  output.line(JSON.stringify(message))
}

function writeError({ output }: Context, id: string | number | null, code: number, text: string): void {
  output.line(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: text } }))
}

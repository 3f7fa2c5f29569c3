/** Context of a command: the client of the service, the organization in use, the output. */
import { type Client, createClient } from 'business-finance-client'
import { type Config, readConfig } from './config.ts'
import { printRequest } from './dry-run.ts'
import { DryRun, EXIT, Failure } from './failures.ts'
import type { Io } from './io.ts'
import { type Output, makeOutput } from './output.ts'
import { tokenSource } from './sign-in/renewal.ts'

/** Options that every command has. */
export type GlobalOptions = {
  readonly baseUrl?: string
  readonly org?: string
  readonly json?: boolean
  readonly dryRun?: boolean
}

export type Context = {
  readonly io: Io
  readonly output: Output
  readonly baseUrl: string
  readonly client: Client
  /** Client that needs no sign-in, for what the sandbox offers. */
  readonly anonymous: Client
  /** Organization in use, if one was chosen. */
  readonly chosen: string | undefined
  /** Shows the first request, and sends none. */
  readonly isDry: boolean
  /** Names the organization in use. Throws if none was chosen. */
  readonly organization: () => string
  /** Gets a token of the present sign-in; asked again with one that was refused, a new one. */
  readonly token: (refused?: string) => Promise<string | undefined>
  /** Reads the JSON of the latest answer as it came. */
  readonly latestJson: () => string
}

const DEFAULT_URL = 'http://localhost:3000'

/** Opens the context of a command. */
export async function openContext(io: Io, options: GlobalOptions): Promise<Context> {
  const config = await readConfig(io)
  const baseUrl = addressOf(io, options, config)
  const output = makeOutput(io.stdout, io.stderr, options.json === true)
  const chosen = options.org ?? io.env['BFS_ORGANIZATION'] ?? config.organization_id
  const isDry = options.dryRun === true
  let json = ''
  const request: typeof fetch = async (input, init) => {
    if (isDry) {
      printRequest(output, input instanceof Request ? input.url : input.toString(), init)
      throw new DryRun()
    }
    const response = await io.fetch(input, init)
    if (!response.headers.get('content-type')?.startsWith('application/json')) return response
    json = await response.text()
    return new Response(json, { status: response.status, headers: response.headers })
  }
  const token = isDry ? () => Promise.resolve('hidden') : tokenSource(io, baseUrl)
  const sandboxToken = io.env['BFS_SANDBOX_TOKEN']
  const anonymous = createClient({
    baseUrl,
    fetch: request,
    ...(isDry && { retries: 0 }),
    ...(sandboxToken && { headers: { 'x-sandbox-token': sandboxToken } }),
  })
  return {
    io,
    output,
    baseUrl,
    client: anonymous.withToken(token),
    anonymous,
    chosen,
    isDry,
    token,
    latestJson: () => json,
    organization: () => {
      if (!chosen)
        throw new Failure(EXIT.usage, 'Which organization? Choose one: bfs use <organization>, or --org <id>')
      return chosen
    },
  }
}

/** Finds the address of the service. Throws unless it is one of the web. */
export function addressOf(io: Io, options: GlobalOptions, config: Config): string {
  const address = options.baseUrl ?? io.env['BFS_BASE_URL'] ?? config.base_url ?? DEFAULT_URL
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw new Failure(EXIT.usage, `${address} is no address of a service`)
  const isHere = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (url.protocol === 'http:' && !isHere)
    throw new Failure(EXIT.usage, `${address} would carry secrets without encryption: use https`)
  return url.origin
}

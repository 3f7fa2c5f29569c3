/** Surroundings of a command: streams, environment, questions to a person. */
import { spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { type Keyring, openKeyring } from './sign-in/secrets.ts'

/** Output: of a terminal or a pipe. */
export type Sink = {
  readonly isTTY: boolean
  readonly columns: number
  readonly write: (chunk: string | Uint8Array) => void
}

export type Io = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: AsyncIterable<string | Uint8Array> & { readonly isTTY: boolean }
  readonly stdout: Sink
  readonly stderr: Sink
  /** Asks a person; only if the input is a terminal. */
  readonly confirm: (question: string) => Promise<boolean>
  readonly askSecret: (question: string) => Promise<string>
  /** Opens a page in the browser; does nothing where there is none. */
  readonly openPage: (url: string) => void
  readonly openKeyring: () => Promise<Keyring | undefined>
  /** Requests to the service and its files. */
  readonly fetch: typeof fetch
  /** Waits before it looks again. */
  readonly pause: (ms: number) => Promise<unknown>
  /** Aborted by an interrupt of the user. */
  readonly signal: AbortSignal
}

/** Makes the surroundings of this process. */
export function ioOfProcess(signal: AbortSignal): Io {
  return {
    env: process.env,
    stdin: Object.assign(process.stdin, { isTTY: process.stdin.isTTY ?? false }),
    stdout: sinkOf(process.stdout),
    stderr: sinkOf(process.stderr),
    confirm: async (question) => {
      const { confirm } = await import('@clack/prompts')
      return (await confirm({ message: question, initialValue: false, output: process.stderr })) === true
    },
    askSecret: async (question) => {
      const { password } = await import('@clack/prompts')
      const answer = await password({ message: question, output: process.stderr })
      return typeof answer === 'string' ? answer : ''
    },
    openPage,
    openKeyring,
    fetch,
    pause: (ms) => delay(ms, undefined, { signal }),
    signal,
  }
}

const sinkOf = (stream: NodeJS.WriteStream): Sink => ({
  isTTY: stream.isTTY ?? false,
  columns: stream.columns ?? 100,
  write: (chunk) => void stream.write(chunk),
})

/** Opens a page by the command of the system, without a shell. */
function openPage(url: string): void {
  const command = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open'
  spawn(command, [url], { stdio: 'ignore', detached: true })
    .on('error', () => {}) // there is no browser: the address was printed
    .unref()
}

/** Reads all of the input as text. */
export async function readInput({ stdin }: Io): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

/** Reads the input line by line. */
export async function* readLines({ stdin }: Io): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stdin) {
    const lines = (rest + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }))).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Terminal of a test: runs a command within this process, and keeps what it writes. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { Io } from '../../../clients/cli/src/io.ts'
import { run } from '../../../clients/cli/src/run.ts'
import type { Keyring } from '../../../clients/cli/src/sign-in/secrets.ts'
import { baseUrl } from '../api.ts'
import { here } from '../files/files.ts'

export type Surroundings = {
  readonly env?: Readonly<Record<string, string>>
  readonly tty?: boolean
  readonly input?: string | AsyncIterable<string>
  readonly confirms?: boolean
  /** Gets each question that is asked. */
  readonly asked?: (question: string) => void
  readonly keyring?: Keyring | undefined
  readonly signal?: AbortSignal
  readonly openPage?: (url: string) => void
  /** Told of each piece that the command writes. */
  readonly written?: (text: string) => void
}
export type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string }

const LOOK_MS = 20

/** A folder for the settings of one user, until the test is over. */
export async function home(): Promise<Readonly<Record<string, string>>> {
  const folder = await mkdtemp(join(tmpdir(), 'bfs-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return { XDG_CONFIG_HOME: folder, BFS_BASE_URL: baseUrl }
}

/** Runs a command; the environment is what is given, and the service that of this file. */
export async function bfs(args: readonly string[], surroundings: Surroundings = {}): Promise<Ran> {
  const { tty = false, env, input = '', signal = new AbortController().signal } = surroundings
  let [stdout, stderr] = ['', '']
  const sink = (keep: (text: string) => void) => ({
    isTTY: tty,
    columns: 100,
    write: (chunk: string | Uint8Array) => {
      const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('latin1')
      keep(text)
      surroundings.written?.(text)
    },
  })
  const io: Io = {
    env: { XDG_CONFIG_HOME: join(tmpdir(), `none-${randomUUID()}`), BFS_BASE_URL: baseUrl, ...env },
    stdin: Object.assign(typeof input === 'string' ? textInput(input) : input, { isTTY: tty }),
    stdout: sink((text) => (stdout += text)),
    stderr: sink((text) => (stderr += text)),
    confirm: async (question) => {
      surroundings.asked?.(question)
      return surroundings.confirms ?? false
    },
    askSecret: async () => (typeof input === 'string' ? input : ''),
    openPage: surroundings.openPage ?? (() => {}),
    // links to files name the public origin, which does not lead here in tests
    fetch: (input, init) => {
      const url = input instanceof Request ? input.url : input.toString()
      return fetch(new URL(url).pathname.startsWith('/files/') ? here(url) : url, init)
    },
    openKeyring: async () => surroundings.keyring,
    pause: () => delay(LOOK_MS, undefined, { signal }),
    signal,
  }
  const code = await run(args, io)
  return { code, stdout, stderr }
}

async function* textInput(text: string): AsyncGenerator<string> {
  yield text
}

/** A keyring in memory. */
export function memoryKeyring(): Keyring & { readonly entries: ReadonlyMap<string, string> } {
  const entries = new Map<string, string>()
  return {
    entries,
    read: (account) => entries.get(account) ?? null,
    write: (account, text) => void entries.set(account, text),
    remove: (account) => void entries.delete(account),
  }
}

/** Replaces what differs between runs: ids in the order of their appearance, instants, ports. */
export function steady(text: string): string {
  const ids: string[] = []
  return text
    .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, (id) => {
      if (!ids.includes(id)) ids.push(id)
      return `00000000-0000-0000-0000-${String(ids.indexOf(id) + 1).padStart(12, '0')}`
    })
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-01-01T00:00:00.000Z')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:3000')
    .replaceAll(/req_\w+/g, 'req_1')
    .replaceAll(/t-[\da-f]{8}-[\da-f]{4}/g, 't-00000000-0000')
}

/** Writes one file of a run as people and pipes see it. */
export const transcript = (args: readonly string[], { code, stdout, stderr }: Ran): string =>
  steady(`$ bfs ${args.join(' ')}\n--- stdout\n${stdout}--- stderr\n${stderr}--- exit ${code}\n`)

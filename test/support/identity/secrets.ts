/** The service as operators run it, with its fullest logs, and a search for secrets in them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, vi } from 'vitest'
import { rootFolder } from '../../../dev/settings.ts'
import { compiled } from '../compiled.ts'
import { owner } from '../database.ts'

export type Service = { url: string; said: () => string; stop: () => Promise<void> }

/** Waits as long as a busy machine needs. */
export const until = <Result>(holds: () => Result | Promise<Result>): Promise<Result> =>
  vi.waitFor(holds, { timeout: 60_000 })

/** Starts a process of the service at the most verbose log level. */
export async function startService(entry: string, readyMessage: string, env: NodeJS.ProcessEnv = {}): Promise<Service> {
  const child: ChildProcess = spawn(process.execPath, [compiled(entry)], {
    cwd: rootFolder,
    env: { ...process.env, LOG_LEVEL: 'trace', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (said += text))
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  const ended = once(child, 'exit').then(() => process.off('exit', end))
  await until(() => expect(said).toContain(`"msg":"${readyMessage}"`))
  return {
    url: `http://127.0.0.1:${/"port":(\d+)/.exec(said)?.[1]}/api/v1`,
    said: () => said,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

export async function startBoth(workerEnv: NodeJS.ProcessEnv = {}): Promise<{ api: Service; worker: Service }> {
  const [api, worker] = await Promise.all([
    startService('server.ts', 'api ready'),
    startService('worker.ts', 'worker ready', workerEnv),
  ])
  return { api, worker }
}

export const secrets = new Map<string, string>()

/** Remembers a value that must not be found. */
export const secret = (name: string, value: string): string => {
  if (!value) throw new Error(`there is no ${name}`)
  secrets.set(name, value)
  return value
}

/** Finds secrets in a text: plain, and as in URLs, JSON, base64 and hex. */
export function found(text: string): string[] {
  const words = text.replaceAll(/\.\d+/g, '') // fractions of seconds look like codes
  return [...secrets].flatMap(([name, value]) => {
    if (/^\w{6}$/.test(value)) return new RegExp(`\\b${value}\\b`).test(words) ? [name] : []
    const base64 = Buffer.from(value).toString('base64').replace(/=+$/, '')
    const plain = [value, value.replaceAll('-', ''), encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]
    const shapes = [...plain, base64, Buffer.from(value).toString('hex')]
    return shapes.some((shape) => text.includes(shape)) ? [name] : []
  })
}

/** Every row of every table as Postgres's text, bytes in hex. */
export async function tablesAsText(): Promise<Map<string, string>> {
  const tables = await owner<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' order by tablename`
  const read = async (name: string): Promise<[string, string]> => {
    const rows = await owner`select t::text as row from ${owner(name)} t`
    return [name, rows.map(({ row }) => row).join('\n')]
  }
  return new Map(await Promise.all(tables.map(({ name }) => read(name))))
}

export async function without<Result>(table: string, work: () => Promise<Result>): Promise<Result> {
  await owner`alter table ${owner(table)} rename to hidden`
  try {
    return await work()
  } finally {
    await owner`alter table hidden rename to ${owner(table)}`
  }
}

/** Runs `work` while the table refuses every row: Postgres then quotes the row. */
export async function whileRefusing<Result>(table: string, work: () => Promise<Result>): Promise<Result> {
  await owner`alter table ${owner(table)} add constraint nobody check (false) not valid`
  try {
    return await work()
  } finally {
    await owner`alter table ${owner(table)} drop constraint nobody`
  }
}

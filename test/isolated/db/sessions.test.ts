/** A pooler before Postgres that keeps no settings or no prepared statements: the start refuses with one sentence. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import '../../support/api.ts'
import { relay } from '../../support/relay.ts'

const SCRIPT = `
  const { explainStart } = await import('./platform/start-faults.js')
  const { requireSessions } = await import('./db/sessions.js')
  await requireSessions().then(() => console.log('starts'), (error) => console.log(explainStart(error) ?? error))
  process.exit()`

async function started(url: string): Promise<string> {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, DATABASE_URL: url }
  const args = ['--input-type=module', '--eval', SCRIPT]
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: inject('compiledService'),
    env,
    timeout: 60_000,
  }).catch((error) => error)
  return stdout.trim()
}

/** Ends an answer outside a transaction. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])
const isReady = (chunk: Buffer) => chunk.subarray(-6).equals(READY)

/** Removes every setting from the first message of a connection: user and database are left. */
function withoutSettings(startup: Buffer): Buffer {
  const words = startup.subarray(8).toString().split('\0')
  const kept = ['user', 'database'].map((name) => `${name}\0${words[words.indexOf(name) + 1]}\0`).join('')
  const body = Buffer.concat([startup.subarray(4, 8), Buffer.from(`${kept}\0`)])
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([length, body])
}

/** Message that drops the prepared statements of a session. */
const DROP = Buffer.from('Q\0\0\0\x13deallocate all\0', 'latin1')

/** Starts a pooler; it may drop the prepared statements before each transaction. Returns its URL. */
async function pooler(drops: boolean, startupOf: (startup: Buffer) => Buffer): Promise<string> {
  const { href } = await relay((client, session) => {
    let rests = false
    let held: Buffer[] | undefined
    session.on('data', (chunk: Buffer) => {
      if (!held) client.write(chunk)
      rests = !held && isReady(chunk)
      if (!held || !isReady(chunk)) return
      for (const kept of held) session.write(kept)
      held = undefined
    })
    client.once('data', (startup: Buffer) => {
      session.write(startupOf(startup))
      client.on('data', (chunk: Buffer) => {
        if (held) return void held.push(chunk)
        if (!drops || !rests) return void session.write(chunk)
        held = [chunk]
        session.write(DROP)
      })
    })
  })
  return href
}

test.each([
  ['that keeps sessions starts', false, (startup: Buffer) => startup, /^starts$/],
  [
    'that drops settings does not',
    false,
    withoutSettings,
    /DATABASE_URL: a pooler drops settings of our sessions \(.*enable_seqscan/,
  ],
  [
    'that drops statements does not',
    true,
    (startup: Buffer) => startup,
    /^A pooler at 127.0.0.1:\d+\/\w+ keeps no prepared/,
  ],
])('a service behind a pooler %s', async (_, drops, startupOf, said) => {
  expect(await started(await pooler(drops, startupOf))).toMatch(said)
})

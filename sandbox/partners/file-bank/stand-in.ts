/** Stand-in of a bank by files: it looks into its folder again and again, and writes into it. */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import * as v from 'valibot'
import { transaction } from '../../../db/postgres/sql.ts'
import { config } from '../../../platform/config.ts'
import type { Connection } from '../../../platform/connections.ts'
import type { Iso20022Settings } from '../../../platform/drivers/iso20022.ts'
import { log } from '../../../platform/log.ts'
import { bookSums, businessDay, noteWritten, takeDueFiles } from '../../db/file-bank.ts'
import { readJson, readText } from '../http.ts'
import type { StandIn, StandInRequest } from '../stand-in.ts'
import type { FileBank } from './bank.ts'
import { bookChanges } from './booking.ts'
import { closeDays } from './statements.ts'
import { takeFiles } from './taking.ts'

const PAUSE_MS = Math.min(Math.max(config.sandboxSettleMs / 4, 50), 250)
const MAX_BODY_BYTES = 1024
const Settings = v.object({ books_sums: v.boolean() })

/** Makes the stand-in of a connection whose folder is the sandbox's. */
export function fileBankStandIn({ name, settings }: Connection<Iso20022Settings>): StandIn {
  const { accounts, directories, transport } = settings
  if (transport.kind !== 'folder') throw new Error('the stand-in of a bank by files has a folder')
  const bank = {
    name,
    upload: join(transport.folder, directories.upload),
    download: join(transport.folder, directories.download),
    accounts,
  }
  return {
    serve: (asked) => serve(bank, asked),
    message: () => Promise.resolve(null),
    start: () => startFileBank(bank),
  }
}

/** Starts a bank at its folders. All that it knows is in the database: several may run, and any may be killed. */
export async function startFileBank(bank: FileBank): Promise<{ readonly stop: () => Promise<void> }> {
  await mkdir(bank.upload, { recursive: true })
  await mkdir(bank.download, { recursive: true })
  const stopping = new AbortController()
  const working = work(bank, stopping.signal)
  return {
    stop: async () => {
      stopping.abort()
      await working
    },
  }
}

async function work(bank: FileBank, signal: AbortSignal): Promise<void> {
  let closedFor = ''
  while (!signal.aborted) {
    try {
      const day = await businessDay()
      if (day !== closedFor) await closeDays(bank)
      closedFor = day
      const taken = await takeFiles(bank)
      const isBooked = await bookChanges(bank)
      if (taken + (await writeDueFiles(bank)) > 0 || isBooked) continue
    } catch (error) {
      log.warn({ err: error }, 'the sandbox partners were interrupted')
    }
    await delay(PAUSE_MS, undefined, { signal }).catch(() => {})
  }
}

/** Writes due files, each under a temporary name first. One whose writer died is written again. */
const writeDueFiles = (bank: FileBank): Promise<number> =>
  transaction(async (tx) => {
    const due = await takeDueFiles(tx, bank.name)
    for (const { content, name } of due) {
      const temporary = join(bank.download, `.${name}.${process.pid}.part`)
      await writeFile(temporary, content)
      await rename(temporary, join(bank.download, name))
    }
    if (due.length > 0)
      await noteWritten(
        tx,
        bank.name,
        due.map(({ name }) => name),
      )
    return due.length
  })

/** Serves what only a sandbox has: a statement of now, and how batches are booked. */
async function serve(bank: FileBank, { path, request, response }: StandInRequest): Promise<void> {
  const { body } = readJson(await readText(request, MAX_BODY_BYTES))
  const settings = v.safeParse(Settings, body)
  const asked = `${request.method} ${path}`
  if (asked === 'POST /statements') await closeDays(bank, true)
  else if (asked === 'PUT /settings' && settings.success) await bookSums(bank.name, settings.output.books_sums)
  else return void response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
}

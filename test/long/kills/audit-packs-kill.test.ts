/** SIGKILL to the worker in each step of an audit pack: the next one writes a whole pack, which verifies. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { config } from '../../../platform/config.ts'
import { approve, createPayment, payerAndPayee } from '../../support/api.ts'
import { owner, untilBlocked } from '../../support/database.ts'
import { becomes, fetched, requestExport } from '../../support/exports/exports.ts'
import { extract, verifyPack } from '../../support/exports/packs.ts'
import { type Child, startWorker } from '../../support/processes.ts'
import { until } from '../../support/until.ts'

const { boss, payer, contactId } = await payerAndPayee('1000.00')
for (const amount of ['1.00', '2.00', '3.00']) await approve(boss, await createPayment(boss, contactId, amount))
/** Events of the organization that make its chain long enough to be killed within. */
await owner`
  insert into events (organization_id, stream, subject_id, type, actor_kind, cause, payload)
  select ${payer.id}, 'organizations', ${payer.id}, 'organization.updated', 'system', 'test:' || n, '{"changed":[]}'
  from generate_series(1, 5000) n`

const ask = async (): Promise<string> =>
  (await requestExport(boss, payer.id, { type: 'audit_pack', sample: { size: 3, seed: 'blue moon' } })).body.id

/** Holds a lock, and waits until the worker waits for it; `then` runs while both do. */
const holding = (lock: string, then: () => Promise<void>): Promise<void> =>
  owner.begin(async (tx) => {
    await tx.unsafe(lock)
    await untilBlocked(tx)
    await then()
  })

const ofHeads = 'lock table event_heads in share mode' // they are read, and not written

/** Makes a pack come to a step, at which it runs `then`. */
type Step = (id: string, then: () => Promise<void>) => Promise<void>

const STEPS: Readonly<Record<string, Step>> = {
  'before its first head': (_, then) => holding(ofHeads, then),
  'within the lists': (_, then) => holding('lock table bills in access exclusive mode', then),
  'within the sample': (_, then) => holding('lock table ledger_entries in access exclusive mode', then),
  'before its last head': async (_, then) => {
    let letSample = () => {}
    const sampled = new Promise<void>((resolve) => (letSample = resolve))
    const names = holding('lock table ledger_entries in access exclusive mode', () => sampled)
    await untilWaiting()
    await Promise.all([
      names,
      owner.begin(async (tx) => {
        await tx.unsafe(ofHeads)
        letSample()
        await untilBlocked(tx)
        await then()
      }),
    ])
  },
  'within the chain': async (_, then) => {
    await untilWritten('chain/000001.jsonl')
    await then()
  },
  'once it is stored, before that is recorded': async (id, then) => {
    await until('its try', async () => (await triesOf(id)) === 1)
    await holding('lock table events in share mode', then) // of a try, the outcome alone is in the log
  },
}

const triesOf = async (id: string): Promise<number | undefined> =>
  (await owner<{ tries: number }[]>`select tries from exports where id = ${id}`)[0]?.tries

/** Waits until a statement waits for a lock of a table. */
const untilWaiting = () =>
  until('a statement that waits', async () => {
    const waiting = await owner`select from pg_locks where not granted and locktype = 'relation'`
    return waiting.length > 0
  })

/** Waits until the archive that is being written has a part of this name. */
async function untilWritten(name: string): Promise<void> {
  const folder = join(config.storage.folder, 'parts')
  const has = () => readdirSync(folder).some((part) => readFileSync(join(folder, part)).includes(name))
  while (!has()) await turn()
}

let worker: Child = await startWorker()
await until('the runs of the payments to end', async () => {
  const running = await owner`select from processes where organization_id = ${payer.id} and workflow = 'payment'`
  return running.length === 0
})

test.each(Object.entries(STEPS))('killed %s, it is whole', async (_, come) => {
  const id = await ask()
  await come(id, () => worker.kill())
  worker = await startWorker()
  const done = await becomes(boss, id, 'completed', 120_000)
  expect(await triesOf(id)).toBeGreaterThan(1)
  const { said, code } = await verifyPack(await extract((await fetched(done.download_url)).bytes))
  expect(said).toContain('The pack holds.')
  expect([code, worker.bugs()]).toEqual([0, []])
})

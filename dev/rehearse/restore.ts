/** Rehearses a restore: Postgres goes back to a point in time, while Temporal and the partners stay as they are. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'

import { makeTemporaryFolder } from '../machine/temporary.ts'
import { archiveAll, archiveLog, backUp, readInstant, restoreTo } from '../postgres/backup.ts'
import { say } from '../terminal.ts'
import { type Build, makeBuild } from './builds.ts'
import type { Flags } from './flags.ts'
import { type Call, type PaidPayment, payOnce, requestPayment } from './load.ts'
import { admin, countAndName, readPayouts, untilSettled } from './proof.ts'
import type { Report } from './report.ts'
import { type Stage, openStage, startApi, startPartners, startWorker } from './stage.ts'
import { type Payer, askAt, openOwner, settle } from './town.ts'

const LOOK_MS = 200
const LOOK_MAX_MS = 60_000
const WITNESS_MAX_MS = 90_000

/** Payments by what the point in time finds of each. */
type Scenes = {
  /** Settled before it. */
  readonly settled: PaidPayment[]
  /** Approved before it, and taken by the bank after it. */
  readonly submitted: PaidPayment[]
  /** Taken by the bank before it, and settled after it. */
  readonly taken: PaidPayment[]
  /** Requested before it, approved and settled after it. */
  readonly waiting: readonly { readonly id: string; readonly approve: () => Promise<void> }[]
}

export async function rehearseRestore(report: Report, flags: Flags): Promise<void> {
  say('Building the present sources.')
  const build = await makeBuild(makeTemporaryFolder().path, 'a')
  const stage = await openStage({ build, apart: true })
  const { cluster, options } = stage.database
  const [archive, backup] = [join(stage.folder.path, 'archive'), join(stage.folder.path, 'backup')]
  await archiveLog(cluster, options, archive)
  stage.folder.holds(cluster.mark())
  await startPartners(stage, build)
  const service = await startService(stage, build)
  const url = `http://127.0.0.1:${stage.port}`
  const ask = askAt(() => url)
  const call: Call = async (wanted, ...args) => {
    const answer = await ask(...args)
    if (wanted.includes(answer.status)) return answer
    throw new Error(`${args[0]} ${args[1]} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  }
  const payers = await settle(stage, ask, flags.payers)
  await copyDeposits(stage)

  say('A base backup; payments before the point in time, and after it.')
  await backUp(cluster, options, backup)
  const scenes = await payBefore(stage, call, payers)
  const instant = await readInstant(cluster)
  const lost = await payAfter(stage, call, payers, scenes)
  report.expect('seconds until storage witnessed the log', ...(await untilWitnessed(stage)))
  const known = await readPayouts(stage)
  await archiveAll(cluster, archive)

  say(`The database is lost, and restored to ${instant}.`)
  const began = Date.now()
  await cluster.kill()
  await Promise.all(service.map((child) => child.stop()))
  const restored = { ...options, folder: join(stage.folder.path, 'restored') }
  const again = await restoreTo(instant, { backup, archive, options: restored })
  stage.folder.holds(again.mark())
  report.note('restored to', instant)
  report.note('seconds of the restore', ((Date.now() - began) / 1000).toFixed(1))
  await startService(stage, build)
  await proveRestored(report, stage, { scenes, lost })
  await proveNamed(report, stage, build, { url, lost, payers })
  for (const { approve } of scenes.waiting) await approve()
  await proveOnce(report, stage, { scenes, known })
  await proveAccepted(report, stage, build, url)
}

const startService = (stage: Stage, build: Build) =>
  Promise.all([startApi(stage, build, stage.port), startWorker(stage, build)])

/** Copies the sandbox's deposits to the partners' own books, their place in reality. */
async function copyDeposits(stage: Stage): Promise<void> {
  const { owner } = await openOwner(stage)
  const rows = await owner`
    select partner, id, account, amount, currency, sender, reference, received_at::text from sandbox_deposits order by seq`
  await atPartners(stage, (sql) => sql`insert into sandbox_deposits ${sql(rows)}`)
}

async function atPartners(stage: Stage, work: (sql: postgres.Sql) => PromiseLike<unknown>): Promise<void> {
  const sql = postgres(stage.partners.ownerUrl, { max: 1, onnotice: () => {} })
  await work(sql)
  await sql.end()
}

const letFault = (stage: Stage, fault: string, times: number): Promise<void> =>
  atPartners(
    stage,
    (sql) => sql`
      insert into sandbox_faults (partner, fault, times) values ('bank', ${fault}, ${times})
      on conflict (partner, fault) do update set times = excluded.times`,
  )

async function payBefore(stage: Stage, call: Call, payers: readonly Payer[]): Promise<Scenes> {
  const pay = (rail: PaidPayment['rail']) =>
    Promise.all(payers.map(async (payer): Promise<PaidPayment> => ({ id: await payOnce(call, payer, rail), rail })))
  const settled = [...(await pay('svc_id')), ...(await pay('bank'))]
  await untilSettled(stage, settled)
  const waiting = await Promise.all(payers.map((payer) => requestPayment(call, payer, 'bank')))
  await letFault(stage, 'manual', payers.length)
  const taken = await pay('bank')
  await untilStatus(stage, taken, 'processing')
  await letFault(stage, 'down', 1_000_000)
  const submitted = await pay('bank')
  return { settled, submitted, taken, waiting }
}

/** Settles the payments that are under way at the point in time, and makes others. */
async function payAfter(stage: Stage, call: Call, payers: readonly Payer[], scenes: Scenes): Promise<PaidPayment[]> {
  await atPartners(stage, (sql) => sql`delete from sandbox_faults`)
  await atPartners(
    stage,
    (sql) => sql`update sandbox_payouts set manual = false, due_at = clock_timestamp() where manual`,
  )
  for (const { approve } of scenes.waiting) await approve()
  const lost: PaidPayment[] = []
  for (const payer of payers) lost.push({ id: await payOnce(call, payer, 'bank'), rail: 'bank' })
  const waiting = scenes.waiting.map(({ id }): PaidPayment => ({ id, rail: 'bank' }))
  await untilSettled(stage, [...scenes.submitted, ...scenes.taken, ...waiting, ...lost])
  return lost
}

/** Waits for the next witness of the log in storage; answers the seconds, and if it came. */
async function untilWitnessed({ env }: Stage): Promise<[seconds: string, came: boolean]> {
  const file = join(env['DATA_DIR'] ?? '', 'files/event-heads/latest')
  const since = Date.now()
  const writtenAt = () => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
  while (writtenAt() < since && Date.now() < since + WITNESS_MAX_MS) await delay(LOOK_MS)
  return [((Date.now() - since) / 1000).toFixed(0), writtenAt() >= since]
}

async function untilStatus(stage: Stage, paid: readonly PaidPayment[], status: string): Promise<void> {
  const { owner } = await openOwner(stage)
  const ids = paid.map(({ id }) => id)
  const others = () => owner`select from payments where id = any (${ids}) and status <> ${status}`
  while ((await others()).length > 0) await delay(LOOK_MS)
}

type After = { readonly scenes: Scenes; readonly lost: readonly PaidPayment[] }

/** Reports that the database is at the point in time. */
async function proveRestored(report: Report, stage: Stage, { scenes, lost }: After): Promise<void> {
  const { owner } = await openOwner(stage)
  const count = async (ids: readonly string[], status: string): Promise<number> => {
    const [row] = await owner`
      select count(*)::int as n from payments where id = any (${[...ids]}) and (status = ${status} or ${status} = '')`
    return Number(row?.['n'])
  }
  const idsOf = (all: readonly { readonly id: string }[]) => all.map(({ id }) => id)
  const [lacking, waiting] = [await count(idsOf(lost), ''), await count(idsOf(scenes.waiting), 'awaiting_approval')]
  report.expect('payments that the database lacks', `${lost.length - lacking} of ${lost.length}`, lacking === 0)
  const all = scenes.waiting.length
  report.expect('payments that wait for approval again', `${waiting} of ${all}`, waiting === all)
}

type RestoreStage = { readonly url: string; readonly lost: readonly PaidPayment[]; readonly payers: readonly Payer[] }

/** Follows the runbook's "A restored database" up to its third step, and reports. */
async function proveNamed(
  report: Report,
  stage: Stage,
  build: Build,
  { url, lost, payers }: RestoreStage,
): Promise<void> {
  for (const line of (await admin(stage, build, 'reconcile')).split('\n')) say(`    ${line}`)
  const findings = await admin(stage, build, 'books', 'findings')
  const unnamed = lost.filter(({ id }) => !findings.includes(`database_behind payment:${id}`)).map(({ id }) => id)
  report.expect('lost payments that no finding names', countAndName(unnamed), unnamed.length === 0)
  const warned = payers.filter(({ organizationId }) =>
    findings.includes(`organization ${organizationId}: database database_behind event:`),
  )
  const all = payers.length
  report.expect('organizations that are warned', `${warned.length} of ${all}`, warned.length === all)
  report.expect('faults of /readyz', (await faultsOf(url)).join(' '), (await faultsOf(url)).includes('database_behind'))
}

const faultsOf = async (url: string): Promise<string[]> => {
  const answer: any = await (await fetch(`${url}/readyz`)).json() // the contract of /readyz
  return answer.faults
}

type Once = { readonly scenes: Scenes; readonly known: Map<string, { status: string; amount: string }> }

/** Reports that all payments settle again, and that the partner's books are as before. */
async function proveOnce(report: Report, stage: Stage, { scenes, known }: Once): Promise<void> {
  const { settled, submitted, taken } = scenes
  const waiting = scenes.waiting.map(({ id }): PaidPayment => ({ id, rail: 'bank' }))
  const { seconds, open } = await untilSettled(stage, [...settled, ...submitted, ...taken, ...waiting])
  report.expect('payments not settled again', countAndName(open), open.length === 0)
  report.note('seconds until all were settled', seconds.toFixed(1))
  const now = await readPayouts(stage)
  const differing = [...new Set([...known.keys(), ...now.keys()])].filter(
    (id) => JSON.stringify(known.get(id)) !== JSON.stringify(now.get(id)),
  )
  report.note('payouts at the bank', now.size)
  report.expect('of them new or changed since the restore', countAndName(differing), differing.length === 0)
}

/** Reports that the books are right, and that the warning ends once it is accepted. */
async function proveAccepted(report: Report, stage: Stage, build: Build, url: string): Promise<void> {
  const said = await admin(stage, build, 'reconcile')
  const books = /books: .*/.exec(said)?.[0] ?? said
  report.expect('books audited (admin reconcile)', books, books.includes(' 0 with faults, 0 faults'))
  const accepted = await admin(stage, build, 'books', 'accept')
  const deadline = Date.now() + LOOK_MAX_MS
  while ((await faultsOf(url)).length > 0 && Date.now() < deadline) await delay(LOOK_MS)
  const left = await faultsOf(url)
  report.expect('admin books accept', accepted, left.length === 0)
}

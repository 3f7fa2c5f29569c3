/** Rehearses the loss of Temporal's data in the middle of payments: an empty server, and everything ends all the same. */
import { setTimeout as delay } from 'node:timers/promises'

import { makeTemporaryFolder } from '../machine/temporary.ts'
import { say } from '../terminal.ts'
import { makeBuild } from './builds.ts'
import type { Flags } from './flags.ts'
import { offerLoad } from './load.ts'
import { countAndName, provePayments, proveRest } from './proof.ts'
import type { Report } from './report.ts'
import { type Stage, openStage, startApi, startPartners, startWorker } from './stage.ts'
import { askAt, openOwner, settle } from './town.ts'

const REPAIRED_MS = 240_000
const LOOK_MS = 500

export async function rehearseLostTemporal(report: Report, flags: Flags): Promise<void> {
  say('Building the present sources.')
  const build = await makeBuild(makeTemporaryFolder().path, 'a')
  const stage = await openStage({ build })
  await startPartners(stage, build)
  await startApi(stage, build, stage.port)
  await Promise.all([startWorker(stage, build), startWorker(stage, build)])
  const ask = askAt(() => `http://127.0.0.1:${stage.port}`)
  const payers = await settle(stage, ask, flags.payers)

  say(`Offering ${flags.rate} payments a second; after ${flags.quiet} s the data of Temporal is removed.`)
  const load = offerLoad(ask, payers, flags)
  await delay(flags.quiet * 1000)
  const { owner } = await openOwner(stage)
  const [moving] = await owner`select count(*)::int as n from processes`
  const lost = Date.now()
  await stage.temporal.wipe()
  const back = Date.now()
  say(`An empty Temporal answers; ${flags.quiet} s of load with it.`)
  await delay(flags.quiet * 1000)
  await load.stop()

  report.note('offered', `${flags.rate} payments a second, ${flags.reads} reads each`)
  report.expect('requests failed', `${countAndName(load.failures)} of ${load.offered()}`, load.failures.length === 0)
  report.note('seconds without Temporal', ((back - lost) / 1000).toFixed(1))
  report.note('open processes when it was lost', moving?.['n'])
  await provePayments(report, stage, load.approved)
  report.note('seconds from the loss until all were settled', ((Date.now() - lost) / 1000).toFixed(0))
  await proveRepaired(report, stage, lost)
  await proveRest(report, stage, build)
}

/** Reports that build and schedules are made again, and when. */
async function proveRepaired(report: Report, stage: Stage, lost: number): Promise<void> {
  await openOwner(stage) // sets the environment that the client reads
  const { client } = await import('../../temporal/client.ts')
  const { currentBuild } = await import('../../temporal/deployment.ts')
  const schedules = async () => {
    let count = 0
    for await (const _ of client.schedule.list()) count += 1
    return count
  }
  const deadline = Date.now() + REPAIRED_MS
  const isRepaired = async () => (await currentBuild()) === 'a' && (await schedules()) > 0
  while (!(await isRepaired()) && Date.now() < deadline) await delay(LOOK_MS)
  const seconds = ((Date.now() - lost) / 1000).toFixed(0)
  report.expect('current build after the loss', (await currentBuild()) ?? 'none', (await currentBuild()) === 'a')
  report.expect('schedules after the loss', `${await schedules()}, ${seconds} s after it`, (await schedules()) > 0)
}

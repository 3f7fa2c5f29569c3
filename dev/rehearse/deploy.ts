/** Rehearses a deployment: APIs and workers of one build are replaced by those of the next under load. */
import { setTimeout as delay } from 'node:timers/promises'

import { makeTemporaryFolder } from '../machine/temporary.ts'
import { say } from '../terminal.ts'
import { type Balancer, startBalancer } from './balancer.ts'
import { type Build, makeBuild } from './builds.ts'
import { type Fleet, replaceApis, startFleet, startWorkers } from './fleet.ts'
import type { Flags } from './flags.ts'
import { type Load, offerLoad } from './load.ts'
import { countAndName, provePayments, proveRest } from './proof.ts'
import type { Report } from './report.ts'
import { type Stage, deployAtOnce, migrate, openStage, startPartners } from './stage.ts'
import { askAt, openOwner, settle } from './town.ts'

const APIS = 2
const WORKERS = 3
const DRAINED_MS = 60_000
const LOOK_MS = 500

export async function rehearseDeploy(report: Report, flags: Flags): Promise<void> {
  const place = makeTemporaryFolder()
  say(`Building ${flags.from ?? 'the present sources'} as build a, and the present sources as build b.`)
  const a = await makeBuild(place.path, 'a', flags.from)
  const b = flags.from === undefined ? { ...a, id: 'b' } : await makeBuild(place.path, 'b')
  const stage = await openStage({ build: a })
  await startPartners(stage, b)
  const balancer = await startBalancer(stage.port)
  const fleet = await startFleet({ stage, balancer }, a, { apis: APIS, workers: WORKERS })
  await deployAtOnce(stage, a)
  const ask = askAt(() => balancer.url)
  const payers = await settle(stage, ask, flags.payers)

  say(`Offering ${flags.rate} payments a second; ${flags.quiet} s before the deployment.`)
  const load = offerLoad(ask, payers, flags)
  await delay(flags.quiet * 1000)
  const began = Date.now()
  const said = await rollOut({ stage, balancer, fleet, build: b, flags })
  const ended = Date.now()
  say(`The deployment is over; ${flags.quiet} s after it.`)
  await delay(flags.quiet * 1000)
  await load.stop()

  tellLoad(report, load, { began, ended, flags })
  report.note('builds', flags.from === undefined ? 'a and b of the same sources' : `${flags.from}, and the sources`)
  report.expect(
    'last words of deploy:current',
    said.trim().split('\n').at(-1) ?? '',
    said.includes('go to build b from'),
  )
  await provePayments(report, stage, load.approved)
  const left = await runsOf(stage, a)
  report.expect('runs left on build a', left, left === 0)
  await proveRest(report, stage, b)
  await balancer.stop()
}

type RollOut = {
  readonly stage: Stage
  readonly balancer: Balancer
  readonly fleet: Fleet
  readonly build: Build
  readonly flags: Flags
}

/** Follows docs/processes.md, "A deployment". Answers what `deploy:current` printed. */
async function rollOut({ stage, balancer, fleet, build, flags }: RollOut): Promise<string> {
  say('  migrate; workers of build b beside those of a')
  await migrate(stage, build, stage.database)
  await startWorkers(stage, build, WORKERS)
  say('  the APIs are replaced, one by one')
  await replaceApis({ stage, balancer }, fleet, build)
  say('  deploy:current')
  const { code, said } = await stage.children.run(build, ['deploy.js', '--pause', String(flags.pause)])
  for (const line of said.trim().split('\n')) say(`    ${line}`)
  if (code !== 0) return said // the workers of build a go on
  say('  workers of build a are stopped when none of its runs is open')
  const deadline = Date.now() + DRAINED_MS
  while ((await runsOf(stage, { id: 'a' })) > 0 && Date.now() < deadline) await delay(LOOK_MS)
  for (const worker of fleet.workers) await worker.stop()
  return said
}

/** Counts the open runs of a build. */
async function runsOf(stage: Stage, { id }: Pick<Build, 'id'>): Promise<number> {
  await openOwner(stage) // sets the environment that the client reads
  const { client } = await import('../../temporal/client.ts')
  const { deployment } = await import('../../temporal/deployment.ts')
  const version = `${deployment.version.deploymentName}:${id}`
  const query = `ExecutionStatus = 'Running' AND TemporalWorkerDeploymentVersion = '${version}'`
  return (await client.workflow.count(query)).count
}

type Times = { readonly began: number; readonly ended: number; readonly flags: Flags }

function tellLoad(report: Report, load: Load, { began, ended, flags }: Times): void {
  const p99 = (from: number, to: number) => `${load.quantileMs(0.99, from, to).toFixed(0)} ms`
  report.note('offered', `${flags.rate} payments a second, ${flags.reads} reads each`)
  report.note('requests offered', load.offered())
  report.expect('requests failed', countAndName(load.failures), load.failures.length === 0)
  report.note('p99 before', p99(0, began))
  report.note('p99 during', p99(began, ended))
  report.note('p99 after', p99(ended, Infinity))
  report.note('seconds of the deployment', ((ended - began) / 1000).toFixed(0))
}

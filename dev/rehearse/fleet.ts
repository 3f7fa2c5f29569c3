/** Fleet of a rehearsal: APIs behind the balancer, and workers, which are replaced one by one. */
import { freePort } from '../machine/ports.ts'
import type { Balancer } from './balancer.ts'
import type { Build } from './builds.ts'
import type { Child, Environment } from './children.ts'
import { type Stage, startApi, startWorker } from './stage.ts'

type RunningChild = { readonly child: Child; readonly port: number }
export type Fleet = { readonly apis: readonly RunningChild[]; readonly workers: readonly Child[] }

type Place = { readonly stage: Stage; readonly balancer: Balancer }

/** Starts APIs and workers of a build. */
export async function startFleet(
  place: Place,
  build: Build,
  size: { readonly apis: number; readonly workers: number },
  env: Environment = {},
): Promise<Fleet> {
  const apis: RunningChild[] = []
  while (apis.length < size.apis) apis.push(await addApi(place, build, env))
  return { apis, workers: await startWorkers(place.stage, build, size.workers, env) }
}

export const startWorkers = (stage: Stage, build: Build, count: number, env: Environment = {}): Promise<Child[]> =>
  Promise.all(Array.from({ length: count }, () => startWorker(stage, build, env)))

/** Replaces each API: adds one, takes the old one out of the balancer, stops it when its requests are answered. */
export async function replaceApis(
  place: Place,
  { apis }: Fleet,
  build: Build,
  env: Environment = {},
): Promise<RunningChild[]> {
  const replaced: RunningChild[] = []
  for (const { child, port } of apis) {
    replaced.push(await addApi(place, build, env))
    await place.balancer.remove(port)
    await child.stop()
  }
  return replaced
}

/** Restarts everything with other settings, one by one, under the same build. */
export async function restartWith(place: Place, fleet: Fleet, build: Build, env: Environment): Promise<Fleet> {
  const apis = await replaceApis(place, fleet, build, env)
  const workers: Child[] = []
  for (const worker of fleet.workers) {
    workers.push(await startWorker(place.stage, build, env))
    await worker.stop()
  }
  return { apis, workers }
}

async function addApi({ stage, balancer }: Place, build: Build, env: Environment): Promise<RunningChild> {
  const port = await freePort()
  const child = await startApi(stage, build, port, env)
  await balancer.add(port)
  return { child, port }
}

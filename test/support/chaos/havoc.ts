/**
 * What goes wrong in a chaos run: partners misbehave at random, and every process is killed in turn and started again.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Fault, StandIn } from '../../../db/model/sandbox/sandbox.ts'
import { owner } from '../database.ts'
import { type Child, type Server, startApi, startPartners, startWorker } from '../processes.ts'

type Random = (limit: number) => number

/** The whole service as processes. */
export type Service = {
  readonly url: string
  /** `drain`, if there is one, ends it as a deployment does. */
  readonly targets: Readonly<
    Record<Target, { kill: () => Promise<void>; drain?: () => Promise<unknown>; restart: () => Promise<void> }>
  >
  /** The bugs that any of its processes has logged, those that were killed too. */
  readonly bugs: () => string[]
}
export const TARGETS = ['worker', 'api', 'partners', 'postgres', 'temporal'] as const
export type Target = (typeof TARGETS)[number]

/** Starts worker, API and partners on servers that run. */
export async function startService(servers: { postgres: Server; temporal: Server }, apiPort: number): Promise<Service> {
  const every: Child[] = []
  const child = async (start: () => Promise<Child>) => {
    let now = await start()
    every.push(now)
    return {
      kill: () => now.kill(),
      drain: () => now.stop(),
      restart: async () => {
        now = await start()
        every.push(now)
      },
    }
  }
  const [worker, api, partners] = await Promise.all([
    child(startWorker),
    child(() => startApi(apiPort)),
    child(startPartners),
  ])
  return {
    url: `http://127.0.0.1:${apiPort}`,
    targets: { worker, api, partners, ...servers },
    bugs: () => every.flatMap(({ bugs }) => bugs()),
  }
}

const OF_REQUESTS = ['down', 'slow', 'error', 'rate_limited', 'malformed', 'ambiguous'] as const
const OF_CALLBACKS = ['duplicate_callback', 'lost_callback', 'late_callback', 'out_of_order'] as const
const OF_MONEY = [...OF_REQUESTS, ...OF_CALLBACKS, 'manual'] as const
const FAULTS: readonly (readonly [StandIn, Fault])[] = [
  ...OF_MONEY.flatMap((fault) => [['bank', fault] as const, ['custodian', fault] as const]),
  ...OF_REQUESTS.map((fault) => ['rates', fault] as const),
]

export type Havoc = { readonly kills: Record<Target, number>; readonly faults: Record<string, number> }
type Pace = { readonly faultEveryMs: number; readonly killEveryMs: number; readonly downMs: number }

/**
 * Makes things go wrong until `over` says that it is enough and everything was killed once at least; then everything
 * runs, and all partners behave. The same seed chooses the same.
 */
export async function wreak(service: Service, random: Random, pace: Pace, over: () => boolean): Promise<Havoc> {
  const havoc: Havoc = { kills: { worker: 0, api: 0, partners: 0, postgres: 0, temporal: 0 }, faults: {} }
  let killed = false
  const kill = async () => {
    let turn: Target[] = []
    for (let rounds = 0; rounds === 0 || turn.length > 0 || !over();) {
      if (turn.length === 0) {
        turn = shuffled(TARGETS, random)
        rounds += 1
      }
      const target = turn.shift() as Target // there is one
      await delay(pace.killEveryMs / 2 + random(pace.killEveryMs))
      if (over() && rounds > 1) break
      const { kill: end, drain } = service.targets[target]
      await (drain && random(2) === 0 ? drain() : end())
      havoc.kills[target] += 1
      await delay(random(pace.downMs))
      await service.targets[target].restart()
    }
    killed = true
  }
  const misbehave = async () => {
    while (!killed) {
      const [partner, fault] = FAULTS[random(FAULTS.length)] ?? ['bank', 'error']
      const times = 1 + random(3)
      const set = await owner`
        insert into sandbox_faults (partner, fault, times) values (${partner}, ${fault}, ${times})
        on conflict (partner, fault) do update set times = excluded.times`.catch(() => undefined) // Postgres may be away
      if (set) havoc.faults[fault] = (havoc.faults[fault] ?? 0) + times
      await delay(random(pace.faultEveryMs * 2))
    }
  }
  await Promise.all([kill().finally(() => (killed = true)), misbehave()])
  await insistOn(() => owner`delete from sandbox_faults`)
  return havoc
}

const INSIST_MS = 30_000
const INSIST_PAUSE_MS = 100

/** Asks Postgres until it answers: a connection from before its death fails first. */
export async function insistOn<Found>(ask: () => PromiseLike<Found>): Promise<Found> {
  const deadline = Date.now() + INSIST_MS
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (Date.now() > deadline) throw error
      await delay(INSIST_PAUSE_MS)
    }
  }
}

function shuffled<One>(all: readonly One[], random: Random): One[] {
  const [rest, mixed]: [One[], One[]] = [[...all], []]
  while (rest.length > 0) mixed.push(...rest.splice(random(rest.length), 1))
  return mixed
}

/** The people at the partners work off what waits to be told, as they would have without a fault. */
export const workOff = () =>
  insistOn(
    () => owner`
      update sandbox_payouts set manual = false, due_at = clock_timestamp()
      where manual and due_at is null and status in ('pending', 'processing')`,
  )

/** Havoc of a chaos run: random faults of partners, and processes that are killed in turn and restarted. */
import { setTimeout as delay } from 'node:timers/promises'
import type { ConnectionName } from '../../../domain/partner.ts'
import type { Fault } from '../../../domain/sandbox/sandbox.ts'
import { owner } from '../database.ts'
import { type Child, type Server, startApi, startPartners, startWorker } from '../processes.ts'

type Random = (limit: number) => number

/** An optional `drain` ends it as a deployment does. */
type Mortal = { kill: () => Promise<void>; drain?: () => Promise<unknown>; restart: () => Promise<void> }

export type Service = {
  readonly url: string
  readonly targets: Readonly<Record<Target, Mortal>>
  readonly bugs: () => string[]
}
type Target = 'worker' | 'api' | 'partners' | 'postgres' | 'temporal'

/** Runs a process of the service, restartable; `bugs` include those of its predecessors. */
export async function restartable(start: () => Promise<Child>) {
  let now = await start()
  const every = [now]
  return {
    kill: () => now.kill(),
    drain: () => now.stop(),
    restart: async () => {
      now = await start()
      every.push(now)
    },
    bugs: () => every.flatMap(({ bugs }) => bugs()),
  }
}

export async function startService(servers: { postgres: Server; temporal: Server }, apiPort: number): Promise<Service> {
  const [worker, api, partners] = await Promise.all([
    restartable(startWorker),
    restartable(() => startApi(apiPort)),
    restartable(startPartners),
  ])
  return {
    url: `http://127.0.0.1:${apiPort}`,
    targets: { worker, api, partners, ...servers },
    bugs: () => [worker, api, partners].flatMap(({ bugs }) => bugs()),
  }
}

const OF_REQUESTS = ['down', 'slow', 'error', 'rate_limited', 'malformed', 'ambiguous'] as const
const OF_CALLBACKS = ['duplicate_callback', 'lost_callback', 'late_callback', 'out_of_order'] as const
const OF_MONEY = [...OF_REQUESTS, ...OF_CALLBACKS, 'manual'] as const
const FAULTS: readonly (readonly [ConnectionName, Fault])[] = [
  ...OF_MONEY.flatMap((fault) => ['bank', 'usd', 'custodian'].map((name) => [name, fault] as const)),
  ...OF_REQUESTS.map((fault) => ['rates', fault] as const),
]

export type Havoc = { readonly kills: Record<Target, number>; readonly faults: Record<string, number> }
type KillPace = { readonly killEveryMs: number; readonly downMs: number }
type Pace = KillPace & { readonly faultEveryMs: number }

/**
 * Kills or drains the targets in turn and restarts them, until `over`. Each ends at least once, in another order each
 * round; returns the count.
 */
export async function endInTurn<Name extends string>(
  targets: Readonly<Record<Name, Mortal>>,
  random: Random,
  pace: KillPace,
  over: () => boolean,
): Promise<Record<Name, number>> {
  const names = Object.keys(targets) as Name[] // it has no other keys
  const kills = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>
  let turn: Name[] = []
  for (let rounds = 0; rounds === 0 || turn.length > 0 || !over();) {
    if (turn.length === 0) {
      turn = shuffled(names, random)
      rounds += 1
    }
    const name = turn.shift() as Name // there is one
    await delay(pace.killEveryMs / 2 + random(pace.killEveryMs))
    if (over() && rounds > 1) break
    const { kill, drain, restart } = targets[name]
    await (drain && random(2) === 0 ? drain() : kill())
    kills[name] += 1
    await delay(random(pace.downMs))
    await restart()
  }
  return kills
}

/**
 * Causes havoc until `over` and everything was killed at least once; then everything runs and all partners behave. The
 * same seed makes the same choices.
 */
export async function wreak(service: Service, random: Random, pace: Pace, over: () => boolean): Promise<Havoc> {
  const faults: Record<string, number> = {}
  let killed = false
  const misbehave = async () => {
    while (!killed) {
      const [partner, fault] = FAULTS[random(FAULTS.length)] ?? ['bank', 'error']
      const times = 1 + random(3)
      const set = await owner`
        insert into sandbox_faults (partner, fault, times) values (${partner}, ${fault}, ${times})
        on conflict (partner, fault) do update set times = excluded.times`.catch(() => undefined) // Postgres may be away
      if (set) faults[`${partner} ${fault}`] = (faults[`${partner} ${fault}`] ?? 0) + times
      await delay(random(pace.faultEveryMs * 2))
    }
  }
  const [kills] = await Promise.all([
    endInTurn(service.targets, random, pace, over).finally(() => (killed = true)),
    misbehave(),
  ])
  await insistOn(() => owner`delete from sandbox_faults`)
  return { kills, faults }
}

const INSIST_MS = 30_000
const INSIST_PAUSE_MS = 100

/** Repeats until Postgres answers: connections from before its death fail first. */
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

/** Lets payouts that faults left to the partners' staff go on by themselves. */
export const workOff = () =>
  insistOn(
    () => owner`
      update sandbox_payouts set manual = false, due_at = clock_timestamp()
      where manual and due_at is null and status in ('pending', 'processing')`,
  )

/** Table of costs beside a test file: what each path cost when the table was written. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { type Costs, countCosts } from './counters.ts'

/** Share by which bytes may differ from the table: runs differ by 0.1 %, an index entry of a payment is 1 to 3 %. */
const BYTES_MAY_DIFFER = 0.01
/** Runs of a path that are counted, after one that warms caches up. */
const RUNS = 3

/** Path whose costs are in the table: `prepare` is not counted, `run` is. */
export type Path<Prepared> = {
  readonly prepare: () => Promise<Prepared>
  readonly run: (prepared: Prepared) => Promise<unknown>
}

/** Declares tests of paths: each costs what the table says, every time. `COSTS=write` writes the table anew. */
export function tableOf(file: URL): <Prepared>(name: string, path: Path<Prepared>) => void {
  const known: Record<string, Costs> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const found: Record<string, Costs> = {}
  const writes = process.env['COSTS'] === 'write'
  if (writes) afterAll(() => writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`))
  return (name, path) =>
    test(name, async () => {
      const costs = await costsOf(path)
      found[name] = costs
      const old = known[name]
      if (!writes) expect(old ? withBytesOf(old, costs) : costs, HOW).toEqual(old)
    })
}

const HOW = 'other costs than the table has; `COSTS=write npx vitest run test/isolated/costs` writes it anew'

/** Counts a path several times, and expects the same each time; bytes are the middle of all, because pages may be full. */
async function costsOf<Prepared>({ prepare, run }: Path<Prepared>): Promise<Costs> {
  await run(await prepare())
  const runs: Costs[] = []
  while (runs.length < RUNS) {
    const prepared = await prepare()
    runs.push(await countCosts(() => run(prepared)))
  }
  const bytes = runs.map((one) => one.wal_bytes).toSorted((a, b) => a - b)
  const costs = { ...runs[0], wal_bytes: bytes[1] } as Costs // there are RUNS
  for (const one of runs)
    expect({ ...one, wal_bytes: costs.wal_bytes }, 'a path costs the same each time').toEqual(costs)
  return costs
}

function withBytesOf(old: Costs, costs: Costs): Costs {
  const isNear = Math.abs(costs.wal_bytes - old.wal_bytes) <= old.wal_bytes * BYTES_MAY_DIFFER
  return isNear ? { ...costs, wal_bytes: old.wal_bytes } : costs
}

/** Table of costs beside a test file: what each path cost when the table was written. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { type Costs, countCosts } from './counters.ts'

/**
 * Share by which bytes may differ from the table, and number if that is more. Runs differ by 0.1 %, and by 44 bytes; an
 * index entry has 70 at least, and is 1 to 3 % of a payment.
 */
const [SHARE_MAY_DIFFER, BYTES_MAY_DIFFER] = [0.01, 64]
/**
 * Share for paths of many rows: an attempt notes its milliseconds, and a digit more on 50 rows was 1.1 %; an index entry
 * on each of them is 5 %.
 */
const [MANY_ROWS, SHARE_OF_MANY_MAY_DIFFER] = [40, 0.02]
/** Runs of a path that are counted, after one that warms caches up; fewer of many rows, whose bytes differ by less. */
const [RUNS, RUNS_OF_MANY] = [7, 3]

/** Path whose costs are in the table: `prepare` is not counted, `run` is. */
export type Path<Prepared> = {
  readonly prepare: () => Promise<Prepared>
  readonly run: (prepared: Prepared) => Promise<unknown>
}

/**
 * Declares tests of paths: each costs what the table says, every time. `COSTS=write` updates the table, and leaves what
 * has not changed.
 */
export function tableOf(file: URL): <Prepared>(name: string, path: Path<Prepared>) => void {
  const known: Record<string, Costs> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const found: Record<string, Costs> = {}
  const writes = process.env['COSTS'] === 'write'
  if (writes) afterAll(() => writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`))
  return (name, path) =>
    test(name, async () => {
      const costs = await costsOf(path)
      const changed = changes(known[name], costs)
      found[name] = changed.length === 0 && known[name] ? known[name] : costs
      if (!writes) expect(changed, HOW).toEqual([])
    })
}

const HOW =
  'it costs what the table does not say. If it has to, `COSTS=write npx vitest run test/isolated/costs` updates the ' +
  'table, and the reason belongs in the commit'

/** Lists what costs more or less than before, by name. */
function changes(old: Costs | undefined, costs: Costs): string[] {
  if (!old) return ['it is not in the table']
  const [before, after] = [figuresOf(old), figuresOf(costs)]
  const share = hasManyRows(old) ? SHARE_OF_MANY_MAY_DIFFER : SHARE_MAY_DIFFER
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].flatMap((name) => {
    const [from, to] = [before.get(name) ?? 0, after.get(name) ?? 0]
    const mayDiffer = name === 'wal_bytes' ? Math.max(from * share, BYTES_MAY_DIFFER) : 0
    return Math.abs(to - from) > mayDiffer ? [`${name}: ${from} → ${to}`] : []
  })
}

const hasManyRows = ({ rows_written: written }: Costs): boolean =>
  Object.values(written).reduce((sum, count) => sum + count, 0) >= MANY_ROWS

function figuresOf({ commits, wal_bytes, rows_written, statements }: Costs): ReadonlyMap<string, number> {
  return new Map(Object.entries({ commits, wal_bytes, ...rows_written, ...statements }))
}

/** Counts a path several times, and expects the same each time; bytes are the middle of all, because pages may be full. */
async function costsOf<Prepared>({ prepare, run }: Path<Prepared>): Promise<Costs> {
  await run(await prepare())
  const count = async () => {
    const prepared = await prepare()
    return countCosts(() => run(prepared))
  }
  const first = await count()
  const runs = [first]
  while (runs.length < (hasManyRows(first) ? RUNS_OF_MANY : RUNS)) runs.push(await count())
  const bytes = runs.map((one) => one.wal_bytes).toSorted((a, b) => a - b)
  const costs = { ...first, wal_bytes: bytes[(runs.length - 1) / 2] ?? first.wal_bytes }
  for (const one of runs)
    expect({ ...one, wal_bytes: costs.wal_bytes }, 'a path costs the same each time').toEqual(costs)
  return costs
}

/** Faults of the driver when a statement breaks off, and arrays without type lookups. */
import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { owner } from '../../support/database.ts'

vi.stubEnv('DATABASE_POOL_SIZE', '1')
const { begin, isConnectionLost } = await import('../../../db/postgres/driver.ts')
const { first, read, sql, transaction } = await import('../../../db/postgres/sql.ts')
const { inOrder, pipeline } = await import('../../../db/postgres/pipeline.ts')
const failsAfterThreeRows = () => sql`select i, 1 / (4 - i) as boom from generate_series(1, 10) i`

test('the answer after a statement that failed in the middle of its rows has all of its rows, and no others', async () => {
  const seven = [{ x: 7 }]
  const asked: [() => Promise<unknown>, unknown][] = [
    [async () => [...(await sql`select x from generate_series(7, 8) x`)], [...seven, { x: 8 }]],
    [() => first(sql<{ x: number }[]>`select 7 as x`), seven[0]],
    [async () => [...(await read(randomUUID() as never, sql`select 7 as x`))], seven],
    [() => transaction(async (tx) => [...(await tx`select 7 as x`)]), seven],
    [async () => [...(await sql`select 7 as x where false`)], []],
  ]
  for (const [ask, answer] of asked) {
    await expect(failsAfterThreeRows()).rejects.toThrow('division by zero')
    expect(await ask()).toEqual(answer)
  }
})

test('the answer after a connection that was lost in the middle of its rows has all of its rows', async () => {
  const [{ pid } = { pid: 0 }] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  const long = sql`select i, repeat('x', 10000) as x, pg_sleep(0.02) from generate_series(1, 1000) i`
  const lost = long.catch((error: unknown) => error)
  const underWay = () => owner`select from pg_stat_activity
    where pid = ${pid} and state = 'active' and query_start < clock_timestamp() - interval '200 ms'`
  await expect.poll(underWay).toHaveLength(1)
  await owner`select pg_terminate_backend(${pid})`
  expect(isConnectionLost(await lost) || String(await lost).includes('terminating connection')).toBe(true)
  let answer: readonly unknown[] | undefined
  const ask = async () => (answer ??= await sql`select 7 as x`.then(Array.from<unknown>, () => undefined))
  await expect.poll(ask).toEqual([{ x: 7 }])
})

test('a pipeline runs its statements in the order of their names, answers their rows, and throws the first failure', async () => {
  const order = await transaction(async (tx) => {
    await tx`create temporary sequence turns`
    const turn = () => tx<{ turn: string }[]>`select nextval('turns') as turn`
    const { first: one, second, third } = await pipeline({ first: turn(), second: turn(), third: turn() })
    return [one, second, third].map(([row]) => Number(row?.turn))
  })
  expect(order).toEqual([1, 2, 3])
  const failing = transaction((tx) =>
    pipeline({ good: tx`select 1`, bad: tx`select 1 / 0`, after: tx`select from no_such_table` }),
  )
  await expect(failing).rejects.toThrow('division by zero')
})

test('work that was begun together runs in order; its first failure is thrown, and what that made Postgres skip is not', async () => {
  const order = await transaction(async (tx) => {
    await tx`create temporary sequence places`
    const step = async (more: number) => {
      const places: number[] = []
      for (let at = 0; at <= more; at += 1) {
        const [row] = await tx<{ place: string }[]>`select nextval('places') as place`.execute()
        places.push(Number(row?.place))
      }
      return places
    }
    return inOrder([step(1), step(0), step(0)])
  })
  expect(order).toEqual([[1, 4], [2], [3]])
  const refusing = async () => Promise.reject(new Error('refused'))
  const failing = (late: () => Promise<unknown>) =>
    transaction(async (tx) => {
      const skipped = async () => {
        await tx`select 1`.execute()
        await tx`select 2` // skipped: the other has failed
      }
      await inOrder([skipped(), tx`select 1 / 0`.execute(), late()])
    })
  await expect(failing(refusing)).rejects.toThrow('division by zero')
  await expect(transaction((tx) => inOrder([refusing(), tx`select 1 / 0`.execute()]))).rejects.toThrow('refused')
})

test('the last statement of a transaction goes out with its commit, and takes all back if it fails', async () => {
  await sql`create temporary table kept (x int)`
  const write = (last: string) =>
    begin(
      sql,
      (tx) => tx`insert into kept values (1)`,
      async (tx) => await tx.unsafe<{ x: number }[]>(last).execute(),
    )
  await expect(write('select 1 / 0')).rejects.toThrow('division by zero')
  expect(await sql`select from kept`).toHaveLength(0)
  expect((await write('insert into kept values (2) returning x')).said[0]).toEqual({ x: 2 })
  expect(await sql`select x from kept order by x`).toMatchObject([{ x: 1 }, { x: 2 }])
})

test('behind any number of statements on its connection a transaction is one', async () => {
  for (let ahead = 95; ahead < 105; ahead += 1) {
    const reads = Array.from({ length: ahead }, () => sql`select 1`.execute())
    const begun = transaction((tx) => tx<{ x: number }[]>`select 7 as x`)
    await Promise.all(reads)
    expect((await begun)[0], `${ahead} statements ahead`).toEqual({ x: 7 })
  }
})

test('arrays of every type arrive as they were sent', async () => {
  const id = randomUUID()
  const words = ['', 'a,b', '"', '\\', '{}', 'null', ' ', '😀', '\n', null]
  const [row] = await sql`
    select ${words}::text[] as words, ${[id, null]}::uuid[] as ids, ${[1, -2]}::int[] as ints,
      ${['9007199254740993']}::bigint[] as bigs, ${['0.10', '-1']}::numeric[] as decimals, ${[]}::text[] as none,
      array[true, false] as bools, array[date '2026-01-02'] as days,
      ${['2026-01-02T03:04:05.678901Z']}::timestamptz[] as instants, array['\\x00ff'::bytea] as bytes,
      array['{"a": [1, "b"]}'::jsonb] as documents, array_agg(7) as sum, ${id} = any (${[id]}::uuid[]) as found`
  expect(row).toEqual({
    words,
    ids: [id, null],
    ints: [1, -2],
    bigs: ['9007199254740993'],
    decimals: ['0.10', '-1'],
    none: [],
    bools: [true, false],
    days: ['2026-01-02'],
    instants: ['2026-01-02T03:04:05.678901Z'],
    bytes: [Buffer.from([0, 255])],
    documents: [{ a: [1, 'b'] }],
    sum: [7],
    found: true,
  })
})

/** Faults that the stand-in partners show next. */
import type postgres from 'postgres'
import type { ActiveFault, Fault, Faulty } from '../../domain/sandbox/sandbox.ts'
import { first, sql } from '../../db/sql.ts'

type Runner = postgres.ISql

/** From now on the next `times` of what this fault is of are hit, whatever was set before. */
export async function setFault({ partner, fault, times }: ActiveFault): Promise<void> {
  await sql`
    insert into sandbox_faults (partner, fault, times) values (${partner}, ${fault}, ${times})
    on conflict (partner, fault) do update set times = excluded.times`
}

/** Every fault that hits somebody yet. */
export const listFaults = async (): Promise<ActiveFault[]> => [
  ...(await sql<ActiveFault[]>`
    select partner, fault, times from sandbox_faults where times > 0 order by partner, fault`),
]

/** Everybody behaves again. */
export async function clearFaults(): Promise<void> {
  await sql`delete from sandbox_faults`
}

/** Whether the partner has any of these faults at the moment; takes none. */
export const hasFault = async (partner: Faulty, faults: readonly Fault[], runner: Runner = sql): Promise<boolean> =>
  (
    await runner`
      select from sandbox_faults where partner = ${partner} and fault = any (${[...faults]}) and times > 0 limit 1`
  ).length > 0

/** Takes one hit of the first of these faults that the partner has; each hit is taken once, also by many at once. */
export async function takeFault(
  partner: Faulty,
  faults: readonly Fault[],
  runner: Runner = sql,
): Promise<Fault | undefined> {
  if (!(await hasFault(partner, faults, runner))) return undefined
  const names = [...faults]
  const taken = await first(runner<{ fault: Fault }[]>`
    update sandbox_faults f set times = times - 1
    where f.partner = ${partner} and f.fault = (
      select g.fault from sandbox_faults g where g.partner = ${partner} and g.fault = any (${names}) and g.times > 0
      order by array_position(${names}, g.fault) limit 1 for update)
    returning f.fault`)
  return taken?.fault
}

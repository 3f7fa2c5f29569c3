import type postgres from 'postgres'
import type { ActiveFault, Fault, Faulty } from '../../domain/sandbox/sandbox.ts'
import { type Transaction, first, sql } from '../../db/postgres/sql.ts'

type Runner = postgres.ISql
/** Sets the number of next requests, callbacks or payouts that the fault hits. */
export async function setFault(tx: Transaction, { partner, fault, times }: ActiveFault): Promise<void> {
  await tx`
    insert into sandbox_faults (partner, fault, times) values (${partner}, ${fault}, ${times})
    on conflict (partner, fault) do update set times = excluded.times`
}

export const listFaults = async (): Promise<ActiveFault[]> => [
  ...(await sql<ActiveFault[]>`
    select partner, fault, times from sandbox_faults where times > 0 order by partner, fault`),
]

export async function clearFaults(tx: Transaction): Promise<void> {
  await tx`delete from sandbox_faults`
}

export const hasFault = async (partner: Faulty, faults: readonly Fault[], runner: Runner = sql): Promise<boolean> =>
  (
    await runner`
      select from sandbox_faults where partner = ${partner} and fault = any (${[...faults]}) and times > 0 limit 1`
  ).length > 0

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

/** Sweep among many waiting processes, against a statement that does nothing. */
import { sweepProcesses } from '../db/processes/processes.ts'
import { against, compare, line, median, run } from './measure.ts'
import { owner } from './owner.ts'

const WAITING = 100_000
const DUE = 10_000
const PAGE = 200
const PAGES = 10

export async function benchSweep(rounds: number): Promise<void> {
  await owner`
    insert into processes (id, workflow, why, look_at, unseen_since)
    select gen_random_uuid(), 'payment', 'created', business_now() + interval '30 days' * random() + interval '1 day', null
    from generate_series(1, ${WAITING})`
  await owner`analyze processes`
  const nothing = () => run(PAGE, 1, () => sweepProcesses(3, PAGE))
  const one = () => run(PAGE, 1, () => owner`select 1`)
  const name = 'sweep with nothing due ÷ select 1, p50'
  const idle = await compare(name, rounds, nothing, one)
  line(name, idle.p50, against(idle.a.p50Ms, idle.b.p50Ms, 'ms', 2), { atMost: 10 })
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    await owner`
      update processes set look_at = business_now() - interval '1 minute', told = 0
      where id = any (array(select id from processes limit ${DUE}))`
    times.push((await run(PAGES, 1, () => sweepProcesses(3, PAGE))).p50Ms)
  }
  console.log(`     sweep of ${PAGE} of ${DUE} due among ${WAITING} p50 ${median(times).toFixed(1)} ms`)
  await owner`delete from processes`
}

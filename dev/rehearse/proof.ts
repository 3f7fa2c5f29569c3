/** Proof at the end of a rehearsal: every payment settled once, books balanced, nothing stuck. */
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'

import type { Build } from './builds.ts'
import type { PaidPayment } from './load.ts'
import type { Report } from './report.ts'
import type { Stage } from './stage.ts'
import { openOwner } from './town.ts'

const LOOK_MS = 200
const SETTLED_MS = 240_000

/** Waits until no payment moves any more; answers the seconds, and those that still do. */
export async function untilSettled(
  stage: Stage,
  paid: readonly PaidPayment[],
): Promise<{ seconds: number; open: string[] }> {
  const { owner } = await openOwner(stage)
  const began = Date.now()
  for (;;) {
    const rows = await owner<{ what: string }[]>`
      select concat_ws(' ', id, rail, status, status_detail) as what from payments
      where id = any (${paid.map(({ id }) => id)}) and status <> 'succeeded'`
    const seconds = (Date.now() - began) / 1000
    if (rows.length === 0 || Date.now() - began > SETTLED_MS) return { seconds, open: rows.map(({ what }) => what) }
    await delay(LOOK_MS)
  }
}

/** Lists the payouts of the partners by the key that made them; each payment of ours has its own. */
export async function readPayouts(stage: Stage): Promise<Map<string, { status: string; amount: string }>> {
  const partners = postgres(stage.partners.ownerUrl, { max: 1, onnotice: () => {} })
  try {
    const rows = await partners<{ id: string; status: string; amount: string }[]>`
      select id, status, amount || ' ' || currency as amount from sandbox_payouts order by seq`
    return new Map(rows.map(({ id, ...row }) => [id, row]))
  } finally {
    await partners.end()
  }
}

/** Reports that the payments have settled, each by one payout, and that nothing waits. */
export async function provePayments(report: Report, stage: Stage, paid: readonly PaidPayment[]): Promise<void> {
  const { owner } = await openOwner(stage)
  const { seconds, open } = await untilSettled(stage, paid)
  report.expect('payments approved', paid.length, paid.length > 0)
  report.expect('of them not settled', countAndName(open), open.length === 0)
  report.note('seconds until all were settled', seconds.toFixed(1))
  const payouts = await readPayouts(stage)
  const byBank = paid.filter(({ rail }) => rail === 'bank')
  const missing = byBank.filter(({ id }) => payouts.get(id)?.status !== 'settled').map(({ id }) => id)
  report.expect('bank payments without their payout', countAndName(missing), missing.length === 0)
  const twice = await owner<{ key: string }[]>`
    select p.id::text as key from payments p
      join ledger_transfers t on t.key like 'payment:' || p.id || ':%' and split_part(t.key, ':', 3) = 'settle'
    where p.id = any (${paid.map(({ id }) => id)}) group by 1 having count(*) <> 1`
  report.expect('settled more than once', countAndName(twice.map(({ key }) => key)), twice.length === 0)
  const unknown = [...payouts.keys()].filter((id) => !byBank.some((payment) => payment.id === id))
  report.expect('payouts of no approved payment', countAndName(unknown), unknown.length === 0)
}

/** Reports that no process is stuck, and that audit and reconciliation find nothing. */
export async function proveRest(report: Report, stage: Stage, build: Build): Promise<void> {
  await untilSeen(stage)
  const processes = await admin(stage, build, 'processes', 'list')
  const stuck = processes.split('\n').filter((line) => line.includes('nobody has looked'))
  report.expect('stuck runs (admin processes list)', countAndName(stuck), stuck.length === 0)
  const reconciled = await admin(stage, build, 'reconcile')
  report.expect(
    'books audited (admin reconcile)',
    /books: .*/.exec(reconciled)?.[0] ?? reconciled,
    /books: \d+ organizations audited, 0 with faults, 0 faults/.test(reconciled),
  )
  const findings = (await admin(stage, build, 'books', 'findings')).split('\n').filter((line) => /^\d{4}-/.test(line))
  report.expect('findings (admin books findings)', countAndName(findings), findings.length === 0)
}

/** Waits until all signalled changes are looked at, or a minute is over. */
async function untilSeen(stage: Stage): Promise<void> {
  const { owner } = await openOwner(stage)
  const deadline = Date.now() + 60_000
  const unseen = () => owner`select from processes where unseen_since is not null limit 1`
  while ((await unseen()).length > 0 && Date.now() < deadline) await delay(LOOK_MS)
}

/** Runs a command of an operator; answers what it printed without log lines. */
export async function admin(stage: Stage, build: Build, ...words: readonly string[]): Promise<string> {
  const { code, said } = await stage.children.run(build, ['admin.js', ...words], { LOG_LEVEL: 'fatal' })
  if (code !== 0) throw new Error(`admin ${words.join(' ')} ended with ${code}: ${said}`)
  return said.trim()
}

/** Counts, and names the first. */
export const countAndName = (all: readonly string[]): string => (all.length === 0 ? '0' : `${all.length}: ${all[0]}`)

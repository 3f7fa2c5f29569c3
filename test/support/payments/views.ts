/** A payment by its model, by the service and by its partner: status, money, feed, log and book. */
import type { TestPerson } from '../api.ts'
import { owner } from '../database.ts'
import type { Word } from './arrows.ts'
import { type Model, type Rail, booksOf } from './model.ts'

/** A payer by one rail, with plenty of money. */
export type Payer = { rail: Rail; boss: TestPerson; payer: { id: string }; payeeBoss: TestPerson }

type Payment = { id: string; organization_id: string; approval_request_id: string; deducting: { amount: string } }
export type Scene = { m: Model; at: Payer; contact: string; payee: string; payment: Payment; fee: number }

export type View = ReturnType<typeof expectedOf>

export function expectedOf({ m, payment, fee }: Scene) {
  const { money, feed } = booksOf(m, { gross: Number(payment.deducting.amount), fee })
  return {
    id: payment.id,
    status: m.status,
    money,
    feed,
    log: m.log.map((name) => `payment.${name}`),
    repeated: 0,
    accepted: m.accepted,
    decided: m.decided,
    approval: m.approval,
    book: m.rail === 'svc_id' || m.idTaken ? undefined : m.book,
  }
}

/** Reads the same from the service: payments, ledger, feed, log, and the partner's book. */
export async function lookAt(scenes: readonly Scene[]): Promise<View[]> {
  const ids = scenes.map(({ payment }) => payment.id)
  const rows = await owner<(Omit<View, 'book'> & { book: Word | null })[]>`
    select p.id, p.status, p.rail = 'crypto' and p.custody_decided or p.rail = 'fiat' and p.partner_version >= 0
        as decided, p.partner_version >= 0 as accepted,
      (select a.status from approvals a where a.id = p.approval_request_id) as approval,
      (select coalesce(jsonb_object_agg(moved.kind, moved.amount), '{}') from (
        select case when l.organization_id = p.payee_organization_id then 'payee ' else '' end || l.kind as kind,
          sum(e.amount)::float8 as amount
        from ledger_transfers t join ledger_entries e on e.transfer_id = t.id join ledger_accounts l on l.id = e.account_id
        where t.key = any (array['payment:' || p.id || ':reserve', 'payment:' || p.id || ':settle',
          'payment:' || p.id || ':fee', 'payment:' || p.id || ':release', 'payment:' || p.id || ':reverse'])
        group by 1 having sum(e.amount) <> 0) moved) as money,
      (select coalesce(jsonb_agg(f.row order by f.row), '[]') from (
        select concat_ws(' ', case when p.rail <> 'svc_id' then t.type end, t.direction,
          case when t.discarded_at is null then t.status else 'discarded' end) as row
        from transactions t where t.payment_id = p.id) f) as feed,
      (select jsonb_agg(e.type order by e.occurred_at, e.id) from events e where e.subject_id = p.id) as log,
      (select count(*)::int from (select from events e where e.subject_id = p.id group by e.type, e.cause
        having count(*) > 1) twice) as repeated,
      (select b.status from sandbox_payouts b where b.id = p.id and b.manual and b.body_hash <> '') as book
    from payments p where p.id = any (${ids})`
  const byId = new Map(rows.map((row) => [row.id, row]))
  return scenes.map(({ payment, m }) => {
    const row = byId.get(payment.id)
    if (!row) throw new Error(`no payment ${payment.id}`)
    const { book, ...rest } = row
    return { ...rest, book: m.idTaken || book === null ? undefined : book }
  })
}

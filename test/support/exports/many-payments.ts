/** Many payments of an organization: copies of one that was paid, with approval, proof, log and ledger of their own. */
import { owner } from '../database.ts'

type Payment = { readonly id: string; readonly organization_id: string; readonly approval_request_id: string }

/** Copies a paid payment by the owner of the database, without triggers; its events have no places yet. */
export async function copyPayment({ id, organization_id: org, approval_request_id: approval }: Payment, count: number) {
  await owner.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      create temporary table copies on commit drop as
      select c.*, b.body, encode(sha256(convert_to(b.body, 'UTF8')), 'hex') as hash, a.subject_hash as before
      from (select gen_random_uuid() as id, gen_random_uuid() as approval, gen_random_uuid() as decision,
          gen_random_uuid() as proof, gen_random_uuid() as event from generate_series(1, ${count})) c
      cross join (select subject_body, subject_hash from approvals where id = ${approval}) a
      cross join lateral (select replace(a.subject_body, ${id}, c.id::text) as body) b`
    await tx`
      insert into approvals select n.* from copies c, approvals a, lateral jsonb_populate_record(a, jsonb_build_object(
        'id', c.approval, 'target_id', c.id, 'subject_body', c.body, 'subject_hash', c.hash)) n where a.id = ${approval}`
    await tx`
      insert into payments select n.* from copies c, payments p, lateral jsonb_populate_record(p, jsonb_build_object(
        'id', c.id, 'approval_request_id', c.approval, 'event_id', c.event, 'feed_id', gen_random_uuid())) n
      where p.id = ${id}`
    await tx`
      insert into step_ups select n.* from copies c, approval_decisions d join step_ups s on s.id = d.step_up_id,
        lateral jsonb_populate_record(s, jsonb_build_object('id', c.proof, 'authentication_id', gen_random_uuid(),
          'target', replace(replace(s.target, ${approval}, c.approval::text), c.before, c.hash))) n
      where d.approval_id = ${approval}`
    await tx`
      insert into approval_decisions select n.* from copies c, approval_decisions d, lateral jsonb_populate_record(d,
        jsonb_build_object('decision_id', c.decision, 'approval_id', c.approval, 'step_up_id', c.proof)) n
      where d.approval_id = ${approval}`
    await tx`
      insert into events select n.* from copies c, (
          select e as event, e.*, d.decision_id from events e
          left join approval_decisions d on d.approval_id = ${approval} where e.subject_id in (${id}, ${approval})) o,
        lateral jsonb_populate_record(o.event, jsonb_build_object('id', gen_random_uuid(),
          'subject_id', case when o.subject_id = ${id} then c.id else c.approval end,
          'cause', replace(replace(replace(o.cause, ${id}, c.id::text), ${approval}, c.approval::text),
            coalesce(o.decision_id::text, ''), c.decision::text),
          'payload', replace(o.payload, c.before, c.hash), 'xact', pg_current_xact_id(),
          'written', nextval('events_written_seq'))) n
      order by c.id, o.written`
    const of = 'payment:%'
    await tx`
      with old as (select t.*, gen_random_uuid() as copy, c.id as payment from ledger_transfers t, copies c
        where t.organization_id = ${org} and t.key like ${of} and split_part(t.key, ':', 2) = ${id}),
      moved as (insert into ledger_transfers (id, key, organization_id, posted_at)
        select copy, replace(key, ${id}, payment::text), organization_id, posted_at from old)
      insert into ledger_entries (transfer_id, account_id, organization_id, amount, posted_at)
      select o.copy, e.account_id, e.organization_id, e.amount, e.posted_at from old o join ledger_entries e on e.transfer_id = o.id`
  })
  await owner`analyze payments, approvals, events, ledger_transfers, ledger_entries`
}

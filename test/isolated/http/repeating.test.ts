/** T6: a transaction that Postgres breaks off is repeated or refused, never half done and never a bug. */
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { api, approvalPath, approve, createPayment, payerAndPayee, paymentBody } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { invited, resend } from '../../support/invitations/invitations.ts'
import { earnStepUp } from '../../support/runs/runs.ts'

type Kind = 'insert payment' | 'insert decision' | 'commit' | 'change'
/** Breaks off the next statements of a kind; a sequence keeps its count through rollbacks. */
async function breakOff(kind: Kind, times: number): Promise<void> {
  await owner`update planned_faults set times = ${times} where kind = ${kind}`
  await owner.unsafe(`alter sequence "fault ${kind}" restart with 1`)
}

beforeAll(async () => {
  await owner.unsafe(`
    create table planned_faults (kind text primary key, code text, times integer not null default 0);
    insert into planned_faults values ('insert payment', '40P01'), ('insert decision', '40001'), ('commit', null), ('change', null);
    grant select on planned_faults to business_finance_app;
    create sequence "fault insert payment"; create sequence "fault insert decision"; create sequence "fault commit"; create sequence "fault change";
    create function plan_fault() returns trigger language plpgsql security definer as $$
    declare planned planned_faults;
    begin
      select * into planned from planned_faults where kind = tg_argv[0];
      if planned.times > 0 and nextval(format('%I', 'fault ' || planned.kind)::regclass) <= planned.times then
        if planned.code is null then perform pg_terminate_backend(pg_backend_pid());
        else raise exception using errcode = planned.code, message = 'planned';
        end if;
      end if;
      return null;
    end $$;
    create trigger plan after insert on payments for each row execute function plan_fault('insert payment');
    create trigger plan after insert on approval_decisions for each row execute function plan_fault('insert decision');
    create constraint trigger plan_commit after insert on payments deferrable initially deferred
      for each row execute function plan_fault('commit');
    create constraint trigger plan_change after update on payments deferrable initially deferred
      for each row execute function plan_fault('change');
    create constraint trigger plan_change after update on invitations deferrable initially deferred
      for each row execute function plan_fault('change');`)
})

/** A payment asked for again and again under one key, and how many of it are there. */
async function asked() {
  const { boss, contactId } = await payerAndPayee('0')
  const call = { token: boss.token, key: randomUUID(), body: paymentBody(contactId) }
  const written = () => owner`select id from payments where payment_contact_id = ${contactId}`
  return { ask: () => api('POST', '/payments', call), written }
}

test.each(['insert payment', 'commit'] as const)('%s broken off twice: the payment is made once', async (kind) => {
  const { ask, written } = await asked()
  await breakOff(kind, 2)
  const [first, second] = [await ask(), await ask()]
  expect([first.status, second.status, second.body.id]).toEqual([201, 201, first.body.id])
  expect(await written()).toHaveLength(1)
})

test('after a connection lost at the commit, a change is repeated, and a mail is not sent again', async () => {
  const { boss, contactId } = await payerAndPayee('100.00')
  const payment = await createPayment(boss, contactId)
  await breakOff('change', 1)
  const body = { internal_notes: 'later' }
  const changed = await api('PATCH', `/payments/${payment.id}`, { token: boss.token, body })
  expect(changed).toMatchObject({ status: 200, body })
  const { boss: inviter, id, invitation } = await invited()
  await breakOff('change', 1)
  expect(refusal(await resend(inviter, id, invitation.id))).toEqual([503, 'service_unavailable'])
  expect((await resend(inviter, id, invitation.id)).status).toBe(200)
})

test('broken off each time: 503 with its Retry-After, nothing is written, and the same key succeeds later', async () => {
  const { ask, written } = await asked()
  await breakOff('insert payment', 3)
  const refused = await ask()
  expect([...refusal(refused), refused.headers.get('retry-after')]).toEqual([503, 'service_unavailable', '1'])
  expect(await written()).toHaveLength(0)
  expect((await ask()).status).toBe(201)
})

test('a decision that is broken off twice is recorded once, with its proof used up once', async () => {
  const { boss, contactId } = await payerAndPayee('100.00')
  const payment = await createPayment(boss, contactId)
  await earnStepUp(boss, payment)
  await breakOff('insert decision', 2)
  const key = randomUUID()
  const decide = () => api('POST', `${approvalPath(payment)}/approve`, { token: boss.token, key, body: {} })
  expect([(await decide()).status, (await decide()).status]).toEqual([200, 200])
  const [row] = await owner`
    select (select count(*)::int from approval_decisions where approval_id = ${payment.approval_request_id}) as decisions,
      (select count(*)::int from step_ups where session_id = ${boss.sessionId} and status = 'consumed') as proofs,
      (select count(*)::int from ledger_transfers where key like ${`payment:${payment.id}:%`}) as transfers`
  expect(row).toEqual({ decisions: 1, proofs: 1, transfers: 2 })
})

test('a decision waits for a lock for a while and then again, and is recorded when it is let go', async () => {
  const { boss, contactId } = await payerAndPayee('100.00')
  const payment = await createPayment(boss, contactId)
  await earnStepUp(boss, payment)
  let decided: ReturnType<typeof approve> | undefined
  await owner.begin(async (tx) => {
    await tx`select from approvals where id = ${payment.approval_request_id} for update`
    decided = approve(boss, payment)
    // waits until the first try has given up: its backend no longer waits
    const waiting = async () =>
      (
        await owner`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%from approvals%for update%'`
      ).length
    await expect.poll(waiting).toBe(1)
    await expect.poll(waiting).toBe(0)
  })
  expect((await decided)?.status).toBe(200)
})

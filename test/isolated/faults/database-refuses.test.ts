/** Postgres that answers and takes no writes, read-only or full: 503, nothing half done, and all is well afterwards. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api, payerAndPayee, paymentBody } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'

const ready = async () => {
  const { status, body } = await api('GET', '//readyz')
  return [status, body.missing.includes('postgres')]
}

/** Sets how new sessions of the service begin; those that are open keep what they have. */
const setReadOnly = (on: boolean) =>
  owner.unsafe(`do $$ begin execute format(
    'alter role business_finance_app in database %I set default_transaction_read_only = ${on ? 'on' : 'off'}',
    current_database()); end $$`)

const endSessions = () =>
  owner`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = 'business_finance_app'`

/** A payment under one key, and how many of it are there. */
async function asked() {
  const { boss, contactId } = await payerAndPayee('0')
  const call = { token: boss.token, key: randomUUID(), body: paymentBody(contactId) }
  const written = () => owner`select id from payments where payment_contact_id = ${contactId}`
  return { boss, ask: () => api('POST', '/payments', call), written }
}

beforeAll(async () => {
  await owner.unsafe(`
    create table planned_refusal (code text);
    grant select on planned_refusal to business_finance_app;
    create function refuse_as_planned() returns trigger language plpgsql as $$
    declare planned text := (select code from planned_refusal);
    begin
      if planned is not null then raise exception using errcode = planned, message = 'planned'; end if;
      return null;
    end $$;
    create trigger planned after insert on payments for each row execute function refuse_as_planned();`)
})
afterAll(() => setReadOnly(false))

test('read-only: reads are answered, writes get 503 with Retry-After, readyz is not ready; then sessions are left', async () => {
  const { boss, ask, written } = await asked()
  expect(await ready()).toEqual([200, false])
  await setReadOnly(true)
  await endSessions()
  await expect.poll(ready).toEqual([503, true])
  await expect.poll(async () => (await api('GET', '/me', { token: boss.token })).status).toBe(200)
  const refused = await ask()
  expect([...refusal(refused), refused.headers.get('retry-after')]).toEqual([503, 'service_unavailable', '1'])
  expect(await written()).toHaveLength(0)
  await setReadOnly(false) // sessions that are open stay read-only: only new ones are not
  await expect.poll(ready).toEqual([200, false])
  await expect.poll(async () => (await ask()).status).toBe(201)
  expect(await written()).toHaveLength(1)
})

test.each(['53100', '53200', '58030', '57P01', '08006'])(
  '%s of a statement is 503, and the key succeeds later',
  async (code) => {
    const { ask, written } = await asked()
    await owner`insert into planned_refusal values (${code})`
    const refused = await ask()
    await owner`delete from planned_refusal`
    expect([...refusal(refused), refused.headers.get('retry-after')]).toEqual([503, 'service_unavailable', '1'])
    expect(await written()).toHaveLength(0)
    expect((await ask()).status).toBe(201)
  },
)

test('a statement that was cancelled is no outage', async () => {
  const { ask } = await asked()
  await owner`insert into planned_refusal values ('57014')`
  const refused = await ask()
  await owner`delete from planned_refusal`
  expect(refusal(refused)).toEqual([500, 'internal_error'])
})

/** Stops in our database: a process that writes there dies, or waits there to be killed. */
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { owner } from './service.ts'

/** Writes at which a process can be stopped. */
const STOPS = {
  'remember an order': { table: 'partner_orders', on: 'insert or update', when: 'true' },
  'record an answer': {
    table: 'payments',
    on: 'update',
    when: '(old.asks, old.status, old.unclear_since) is distinct from (new.asks, new.status, new.unclear_since)',
  },
  'book a deposit': { table: 'deposits', on: 'insert', when: 'true' },
  'record a return': { table: 'deposits', on: 'update', when: "new.status = 'returned'" },
  'write a file': { table: 'bank_files', on: 'update', when: "new.status = 'written' and old.status <> 'written'" },
  'claim a rename': { table: 'bank_files', on: 'update', when: 'new.upload is distinct from old.upload' },
  'record an upload': { table: 'bank_files', on: 'update', when: "new.status = 'uploaded' and old.status = 'written'" },
  'store a fetched file': { table: 'bank_files', on: 'insert', when: 'true' },
  'book an entry': { table: 'bank_entries', on: 'insert', when: 'true' },
  'record a reading': { table: 'bank_files', on: 'update', when: "new.status = 'read' and old.status = 'fetched'" },
} as const
export type Stop = keyof typeof STOPS

const [LOOK_MS, PATIENCE_MS] = [10, 50_000]

/** Installs the stops once; a stop whose table is not there is left out. All are open. */
export async function installStops(): Promise<void> {
  await owner.unsafe(`
    create table if not exists conform_stops (at text not null, subject text not null, primary key (at, subject));
    create or replace function conform_stop() returns trigger language plpgsql security definer set lock_timeout = 0 as $$
    declare row jsonb := to_jsonb(new);
    begin
      if exists (select from conform_stops s where s.at = tg_argv[0]
          and s.subject in (row ->> 'subject', row ->> 'subject_id', row ->> 'payment_id', row ->> 'id')) then
        raise exception 'the process dies at: %', tg_argv[0];
      end if;
      perform pg_advisory_xact_lock_shared(hashtextextended(tg_argv[0], 0));
      return new;
    end $$;`)
  for (const [at, { table, on, when }] of Object.entries(STOPS)) {
    const [there] = await owner`select 1 from pg_class where relname = ${table} and relkind = 'r'`
    if (!there) continue
    const name = `conform_${at.replaceAll(' ', '_')}`
    const condition = on === 'update' ? `when (${when})` : ''
    await owner.unsafe(`
      create or replace trigger ${name} before ${on} on ${table} for each row ${condition}
        execute function conform_stop('${at}')`)
  }
}

/** Tells whether a stop has its table. */
export async function hasStop(at: Stop): Promise<boolean> {
  const rows = await owner`select 1 from pg_class where relname = ${STOPS[at].table} and relkind = 'r'`
  return rows.length > 0
}

/** Lets writes about a subject fail at a stop, as if the process died there; answers how they go on. */
export async function dieAt(at: Stop, subject: string): Promise<() => Promise<void>> {
  await owner`insert into conform_stops (at, subject) values (${at}, ${subject}) on conflict do nothing`
  return async () => void (await owner`delete from conform_stops where at = ${at} and subject = ${subject}`)
}

/** Closes a stop: the next write waits there. `end` ends what waits, and opens the stop. */
export async function closeStop(at: Stop): Promise<{ waiting: () => Promise<void>; end: () => Promise<void> }> {
  const session = postgres(process.env['MIGRATION_DATABASE_URL'] ?? '', { max: 1, onnotice: () => {} })
  const [keeper] = await session<{ pid: number }[]>`select pg_backend_pid() as pid`
  await session`select pg_advisory_lock(hashtextextended(${at}, 0))`
  const waiters = () => owner<{ pid: number }[]>`
    select pid from pg_stat_activity where wait_event = 'advisory' and ${keeper?.pid ?? 0} = any (pg_blocking_pids(pid))`
  return {
    waiting: async () => {
      for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await delay(LOOK_MS))
        if ((await waiters()).length > 0) return
      throw new Error(`nobody came to: ${at}`)
    },
    end: async () => {
      for (const { pid } of await waiters()) await owner`select pg_terminate_backend(${pid})`
      await session.end({ timeout: 1 })
    },
  }
}

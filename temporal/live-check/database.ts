/** Checks of Postgres: reached safely, bound by row-level security, with the schema of this build. */
import { listMigrations } from '../../db/migrate.ts'
import { first, sql } from '../../db/postgres/sql.ts'
import { type Check, type Result, missing, ok, warning } from './check.ts'

const PAGE = 'docs/running.md#the-database'

export const databaseChecks: readonly Check[] = [
  {
    name: 'database',
    page: PAGE,
    async look() {
      const row = await first(sql<{ version: string; tls: string | null; unbound: boolean; archives: boolean }[]>`
        select current_setting('server_version') as version,
          (select s.version from pg_stat_ssl s where s.pid = pg_backend_pid() and s.ssl) as tls,
          exists (select from pg_roles where rolname = session_user and (rolsuper or rolbypassrls)) as unbound,
          current_setting('archive_mode') <> 'off' as archives`)
      if (!row) throw new Error('no row came back')
      const { version, tls, unbound, archives } = row
      return [
        ok(`Postgres ${version} answers, ${tls ? `by ${tls}` : 'in clear, on this host or beside it'}`),
        ...(unbound ? [missing('row-level security does not bind its user: name business_finance_app')] : []),
        archives
          ? ok('its log is archived: restore it once before you rely on it')
          : { ...warning('no archive of its log is seen from here: see to backups'), page: BACKUPS },
      ]
    },
  },
  { name: 'migrations', page: PAGE, needs: ['database'], look: checkMigrations },
]

const BACKUPS = 'docs/runbook.md#a-restored-database'

async function checkMigrations(): Promise<readonly Result[]> {
  const known = await listMigrations()
  const rows = await sql<{ name: string; checksum: string }[]>`select name, checksum from migrations`
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]))
  const open = known.filter(({ name, checksum }) => applied.get(name) !== checksum).map(({ name }) => name)
  if (open.length === 0) return [ok(`all ${known.length} files of this build are applied`)]
  return [missing(`${open.length} files of this build are not applied, ${open[0] ?? ''} first: run migrate`)]
}

/** Staging of a file's rows: copied into a temporary table, then judged and inserted by one statement. */
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import type { FileForm, FileRows } from '../../domain/batches/columns.ts'
import { type BatchId, type OrganizationId, newIdOf } from '../../domain/ids.ts'
import { drawBytes } from '../../platform/encryption.ts'
import { allKeysOf, joinAccount, storeAccounts } from '../contacts/payee-accounts.ts'
import { joinByHash } from '../../db/postgres/joins.ts'
import { type Fragment, type Tx, sql, within } from '../../db/postgres/sql.ts'
import { cellsIn, columnsOf, read, sealCells } from './cells.ts'
import { duplicateWarning, readRowRules, verdictColumns, verdictsOn, withOthers } from './verdicts.ts'

/** Lists the columns that the cells of a row fill. */
const ALONE = (): Fragment => sql`
  id, row_number, line, sealed, cell_errors, svc_id, named_contact_id, fingerprint, name_key, holder_key, amount,
  currency, payout_reason, statement_description, internal_notes, reference, address_fingerprint`
/** Columns in the order of COPY. */
const STAGED = (): Fragment => sql`${ALONE()}, payee, account_keys`

const ID_BYTES = 16

/** Writes rows as text for COPY. */
function toCopyText(organizationId: OrganizationId, { columns, rows }: FileRows): Buffer {
  const lines = rows.map(({ rowNumber, line, cells: written }) => {
    const id = newIdOf<'payment_batch_row'>(drawBytes(ID_BYTES))
    const cells = cellsIn(columns, written)
    const own = columnsOf(organizationId, read(cells))
    const fields = [
      id,
      String(rowNumber),
      String(line),
      bytes(sealCells(id, cells).toString('hex')),
      text(own.cell_errors),
      own.svc_id ?? NULL,
      own.named_contact_id ?? NULL,
      own.fingerprint === null ? NULL : bytes(own.fingerprint),
      text(own.name_key),
      text(own.holder_key),
      own.amount ?? NULL,
      own.currency ?? NULL,
      text(own.payout_reason),
      text(own.statement_description),
      text(own.internal_notes),
      text(own.reference),
      own.address_fingerprint === null ? NULL : bytes(own.address_fingerprint),
      text(own.payee),
      own.account && own.fingerprints ? allKeysOf(organizationId, own.account, own.fingerprints).join(',') : NULL,
    ]
    return `${fields.join('\t')}\n`
  })
  return Buffer.from(lines.join(''))
}

const NULL = String.raw`\N`
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** Escapes text for COPY. */
function text(value: string | null): string {
  if (value === null) return NULL
  return ESCAPED.test(value) ? value.replaceAll(/[\\\t\n\r]/g, (sign) => ESCAPES[sign] ?? '') : value
}
const ESCAPED = /[\\\t\n\r]/
const bytes = (hex: string): string => String.raw`\\x` + hex

/** Timeout of a COPY, since the driver does not report a failure at its end. */
const COPY_MS_MAX = 60_000
/** Rows that are copied at once, while the next ones are read. */
const COPIED_AT_ONCE = 5000

/** Reads the rows of a file into a table of this transaction, and returns its form. Throws what `parts` throw. */
export async function stage(tx: Tx, parts: AsyncIterable<FileRows>): Promise<FileForm> {
  await tx`
    create temporary table staged_rows (
      id uuid, row_number integer, line integer, sealed bytea, cell_errors jsonb, payee text, svc_id text,
      named_contact_id uuid, fingerprint bytea, name_key text, holder_key text, amount numeric, currency text,
      payout_reason text, statement_description text, internal_notes text, reference text, address_fingerprint bytea,
      account_keys text, named_destination_id uuid, named_address_id uuid
    ) on commit drop`
  let form: FileForm = { columns: [], separator: ',', emptyRows: 0, emptyColumns: 0 }
  let [texts, rows]: [Buffer[], number] = [[], 0]
  let copying = Promise.resolve()
  try {
    for await (const part of parts) {
      form = part
      texts.push(toCopyText(tx.organizationId, part))
      rows += part.rows.length
      if (rows < COPIED_AT_ONCE) continue
      await copying
      copying = copy(tx, texts)
      copying.catch(() => {}) // it is thrown as soon as the next ones are read
      ;[texts, rows] = [[], 0]
    }
    await copying
  } finally {
    await Promise.allSettled([copying]) // nothing is under way any more when the transaction ends
  }
  await copy(tx, texts)
  return form
}

async function copy(tx: Tx, texts: readonly Buffer[]): Promise<void> {
  const copying = await tx`copy staged_rows (${STAGED()}) from stdin`.writable()
  await pipeline(Readable.from(texts), copying, { signal: AbortSignal.timeout(COPY_MS_MAX) })
}

/** Lists the columns that an import writes, without the warnings. */
const WRITTEN = (): Fragment => sql`
  ${ALONE()}, payee, organization_id, payment_batch_id, status, errors, payee_key, account_id, payee_organization_id, rail,
  destination_id, payment_contact_id, payee_address_id, known_as, inserted_at, updated_at`

/** Inserts staged rows with their verdicts, and warns of those that pay the same. */
export const insertStaged = (tx: Tx, batchId: BatchId): Promise<void> => joinByHash(tx, () => insertJudged(tx, batchId))

async function insertJudged(tx: Tx, batchId: BatchId): Promise<void> {
  const rules = await readRowRules(within(tx))
  const verdicts = verdictsOn(
    tx,
    sql`select ${verdictColumns()} from staged_rows
    ${joinAccount(tx.organizationId, sql`split_part(account_keys, ',', 1)`)}`,
    rules,
  )
  const duplicates = sql`
    select id, row_number, payee_key, amount, currency from judged
    join (select payee_key, amount, currency from judged group by 1, 2, 3 having count(*) > 1) d
      using (payee_key, amount, currency)`
  await storeAccounts(tx, sql`select account_keys as keys from staged_rows where account_keys is not null`)
  await tx`
    with judged as materialized (
      select ${ALONE()}, v.payee, ${tx.organizationId}::uuid as organization_id, ${batchId}::uuid as payment_batch_id,
        v.status, v.errors, v.warnings, v.payee_key, v.account_id, v.payee_organization_id, v.rail, v.destination_id,
        v.payment_contact_id, v.payee_address_id, v.known_as, clock.now as inserted_at, clock.now as updated_at
      from (select business_now() as now offset 0) clock cross join staged_rows s join (${verdicts}) v using (id))
    insert into payment_batch_rows (${WRITTEN()}, warnings)
    select ${WRITTEN()}, case when other is null then warnings else warnings || ${duplicateWarning()} end
    from judged left join (select id, other from (${withOthers(duplicates)}) o) d using (id)`
}

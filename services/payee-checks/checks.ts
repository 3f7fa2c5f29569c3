/** Answers of the bank about payees: stored with their time, sealed, and read by destination. */
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../domain/canonical.ts'
import type { Coordinates } from '../../domain/destinations/destination.ts'
import { type DestinationId, type PayeeCheckId, newId } from '../../domain/ids.ts'
import { PAYEE_CHECK_HOURS, type PayeeAnswer, type PayeeCheck } from '../../domain/payee-checks/payee-check.ts'
import { now } from '../../platform/clock.ts'
import { decryptForRow, encryptForRow } from '../../platform/encryption.ts'
import { log } from '../../platform/log.ts'
import { type Fragment, type Reader, type Tx, first, sql } from '../../db/postgres/sql.ts'

/** A check as it is stored; `sealed` in hexadecimal. */
export type PayeeCheckRow = {
  readonly id: PayeeCheckId
  readonly result: PayeeAnswer['result']
  readonly sealed: string
  readonly checked_at: string
}

/** Sealed part of a check: the name that was asked for beside the answer. */
type SealedAnswer = Pick<PayeeAnswer, 'name' | 'reason'> & { readonly holder: string }

/** A check that was opened; without a holder if it does not open. */
export type OpenPayeeCheck = Omit<PayeeCheckRow, 'sealed'> & SealedAnswer

/** Selects a check `k` as JSON. */
export const payeeCheckJson = (k: Fragment): Fragment => sql`
  json_build_object('id', ${k}.id, 'result', ${k}.result, 'sealed', encode(${k}.sealed, 'hex'),
    'checked_at', ${k}.checked_at)`

/** Selects the columns of a PayeeCheckRow of a check `k`. */
const checkColumns = (k: Fragment): Fragment =>
  sql`${k}.id, ${k}.result, encode(${k}.sealed, 'hex') as sealed, ${k}.checked_at`

/** Selects the check that counts for a destination: the latest one. */
export const latestCheck = (destination: Fragment): Fragment => sql`
  select k.* from payee_checks k where k.destination_id = ${destination}
  order by k.checked_at desc, k.id desc limit 1`

/** Selects the latest answer since a check, and itself; a bank that gave no answer has said nothing new. */
export const answerSince = (check: Fragment): Fragment => sql`
  select k.* from payee_checks a join payee_checks k on k.destination_id = a.destination_id
  where a.id = ${check} and k.result <> 'not_possible' and k.checked_at >= a.checked_at
  order by k.checked_at desc, k.id desc limit 1`

/** The instant from which the bank is asked again after a check `k`. */
export const nextCheckAt = (k: Fragment): Fragment =>
  sql`${k}.checked_at + make_interval(hours => ${PAYEE_CHECK_HOURS})`

export type AskedCheck = {
  readonly destinationId: DestinationId
  readonly coordinates: Coordinates
  readonly answer: PayeeAnswer
}

/**
 * Stores an answer of the bank. A bank that gives none leaves an answer that is not older than a day as it is: its
 * silence says nothing.
 */
export async function recordCheck(tx: Tx, { destinationId, coordinates, answer }: AskedCheck): Promise<OpenPayeeCheck> {
  const holder = holderIn(coordinates)
  if (answer.result === 'not_possible') {
    const standing = await findCheck(tx, destinationId)
    if (standing && standing.result !== 'not_possible' && standing.fresh && standing.holder === holder) return standing
  }
  const { id, result, content, sealed } = prepareCheck(coordinates, answer)
  const [row] = await tx<{ checked_at: string }[]>`
    insert into payee_checks (id, organization_id, destination_id, result, sealed)
    values (${id}, ${tx.organizationId}, ${destinationId}, ${result}, decode(${sealed}, 'hex'))
    returning checked_at`
  if (!row) throw new Error('the check was not written')
  return { id, result, checked_at: row.checked_at, ...content }
}

/** An answer of the bank before it is stored; `sealed` in hexadecimal. */
export type PreparedCheck = PayeeCheckRow & { readonly content: SealedAnswer }

/** Seals an answer under a new id. */
export function prepareCheck(coordinates: Coordinates, { result, name, reason }: PayeeAnswer): PreparedCheck {
  const id = newId<'payee_check'>()
  const content: SealedAnswer = { holder: holderIn(coordinates), name, reason }
  return { id, result, content, sealed: encryptForRow(id, content).toString('hex'), checked_at: now().toISOString() }
}

/** Stores prepared answers about destinations that were written. */
export async function insertChecks(
  tx: Tx,
  checks: readonly (PreparedCheck & { readonly destinationId: DestinationId })[],
): Promise<void> {
  if (checks.length === 0) return
  const rows = checks.map(({ content: _content, ...row }) => row)
  await tx`
    insert into payee_checks (id, organization_id, destination_id, result, sealed, checked_at)
    select c.id, ${tx.organizationId}, c."destinationId", c.result, decode(c.sealed, 'hex'), c.checked_at
    from jsonb_to_recordset(${sql.json(rows)})
      c (id uuid, "destinationId" uuid, result text, sealed text, checked_at timestamptz)`
}

/** Stores answers of the bank about many destinations without a younger answer. */
export async function recordChecks(tx: Tx, answered: readonly AskedCheck[]): Promise<void> {
  const rows = answered.map(({ destinationId, coordinates, answer }) => {
    const { id, result, sealed } = prepareCheck(coordinates, answer)
    return { id, destinationId, result, sealed }
  })
  await tx`
    insert into payee_checks (id, organization_id, destination_id, result, sealed)
    select c.id, ${tx.organizationId}, c."destinationId", c.result, decode(c.sealed, 'hex')
    from jsonb_to_recordset(${sql.json(rows)}) c (id uuid, "destinationId" uuid, result text, sealed text)`
}

const holderIn = (coordinates: Coordinates): string => coordinates['account_holder_name'] ?? ''

async function findCheck(tx: Tx, destinationId: DestinationId) {
  const [row] = await tx<(PayeeCheckRow & { readonly fresh: boolean })[]>`
    select ${checkColumns(sql`k`)}, ${nextCheckAt(sql`k`)} > business_now() as fresh
    from (${latestCheck(sql`${destinationId}`)}) k`
  return row && { ...openCheck(row), fresh: row.fresh }
}

/** Reads the latest answer since a check. */
export async function findAnswerSince(tx: Tx, id: PayeeCheckId): Promise<OpenPayeeCheck | undefined> {
  const [row] = await tx<PayeeCheckRow[]>`
    select ${checkColumns(sql`k`)} from (${answerSince(sql`${id}::uuid`)}) k`
  return row && openCheck(row)
}

/** Reads a check of the organization; undefined if there is none. */
export async function readCheck(reader: Reader, id: PayeeCheckId): Promise<OpenPayeeCheck | undefined> {
  const row = await first(
    reader<PayeeCheckRow>(sql`
      select ${checkColumns(sql`k`)} from payee_checks k
      where k.id = ${id} and k.organization_id = ${reader.organizationId}`),
  )
  return row && openCheck(row)
}

/** Opens a check to be shown or compared; one that does not open is logged, and shown without names. */
export function openCheck({ id, result, checked_at: at, sealed }: PayeeCheckRow): OpenPayeeCheck {
  const checked_at = at.replace('+00:00', 'Z') // JSON writes instants otherwise than the driver
  try {
    // recordCheck() wrote exactly these
    const { holder, name, reason } = decryptForRow(id, Buffer.from(sealed, 'hex')) as SealedAnswer
    return { id, result, checked_at, holder, name, reason }
  } catch (error) {
    log.error({ err: error, payee_check_id: id }, 'an answer about a payee could not be decrypted')
    return { id, result, checked_at, holder: UNREADABLE, name: null, reason: null }
  }
}

const UNREADABLE = '…'

/** Selects what quotes show of a check. */
export const toPayeeCheck = ({ result, name, reason, checked_at }: OpenPayeeCheck): PayeeCheck => ({
  result,
  name,
  reason,
  checked_at,
})

/** Selects what approvers see of a check. */
export const toCheckInSubject = (check: OpenPayeeCheck) => ({
  id: check.id,
  ...toPayeeCheck(check),
  holder: check.holder,
})

/** Selects what the hash of an approval covers: names only by the hash of all that was answered. */
export const toHashedCheck = (check: OpenPayeeCheck) => {
  const { id, result, checked_at, holder, name, reason } = check
  const body = canonicalJson({ id, result, checked_at, holder, name, reason })
  return { id, result, checked_at, sha256: createHash('sha256').update(body).digest('hex') }
}

/**
 * Key rotation: encrypts with the first key what an earlier key encrypted, so that earlier keys can be removed from the
 * configuration. A value that does not open stays as it is and is logged. All other encrypted values live for a day at
 * most, except messages, which are deleted after 30.
 */
import type { BillId, OrganizationId } from '../../domain/ids.ts'
import {
  currentHead,
  decrypt,
  decryptForRow,
  encrypt,
  encryptForRow,
  usesCurrentKey,
} from '../../platform/encryption.ts'
import { log } from '../../platform/log.ts'
import { columnsOf, openCells, read, sealCells } from '../batches/cells.ts'
import { resealDetails } from '../bills/fields.ts'
import { holderKeyIn } from '../../domain/destinations/holder.ts'
import { type Account, encryptCoordinates, fingerprintsOf, keyHeads } from '../contacts/destination-encryption.ts'
import { type EncryptedCoordinates, coordinatesOf } from '../contacts/destinations.ts'
import { storeAccount } from '../contacts/payee-accounts.ts'
import { type Tx, asSystem, sql } from '../../db/postgres/sql.ts'

const BATCH = 1000

/** Reencrypts everything; returns the number of values. */
export async function reencryptAll(): Promise<number> {
  let done = 0
  for (const reencrypt of [
    reencryptAuthenticators,
    reencryptDestinations,
    reencryptAddresses,
    reencryptTravelRules,
    reencryptBatchRows,
    reencryptBills,
    reencryptInvoices,
    reencryptAccounting,
    reencryptWebhooks,
    reencryptPayeeChecks,
    ...reencryptOnboardings,
    reencryptMails,
    reencryptProviders,
    reencryptScreenings,
    reencryptScreeningAnswers,
  ]) {
    done += await reencrypt()
  }
  await sql`select forget_payee_keys(array(select decode(h, 'hex') from unnest(${[...keyHeads]}::text[]) h))`
  return done
}

export const reencryptAuthenticators = (batch = BATCH): Promise<number> =>
  inBatches(
    batch,
    (after) => sql<{ id: string; secret: Buffer }[]>`
      select user_id as id, secret from authenticators where ${after}::uuid is null or user_id > ${after}
      order by user_id limit ${batch}`,
    async ({ id, secret }) => {
      const fresh = reencryptValue(id, secret)
      if (!fresh) return false
      const changed = await sql`
        update authenticators set secret = ${fresh} where user_id = ${id} and secret = ${secret} returning user_id`
      return changed.length === 1
    },
  )

/** Reencrypts coordinates with their fingerprints. Until then accounts are found under every configured key. */
export const reencryptDestinations = ofOrganizations('destinations_to_seal', resealDestination)
/** Reencrypts addresses of payees; their fingerprints stay. */
export const reencryptAddresses = ofOrganizations('payee_addresses_to_seal', resealObject('payee_addresses'))
export const reencryptTravelRules = ofOrganizations('travel_rules_to_seal', resealTravelRule)
/** Reencrypts cells of batches, and fingerprints of drafts; approved ones stay, and their accounts get the new key. */
export const reencryptBatchRows = ofOrganizations('batch_rows_to_seal', resealBatchRow)
/** Reencrypts bank details of bills with their fingerprints, and the readings of bills. */
export const reencryptBills = ofOrganizations('bills_to_seal', resealBill)
export const reencryptInvoices = ofOrganizations('invoices_to_seal', resealObject('invoices', 'page_token_sealed'))
export const reencryptAccounting = ofOrganizations(
  'accounting_connections_to_seal',
  resealObject('accounting_connections'),
)
const reencryptProviders = ofOrganizations('identity_providers_to_seal', resealObject('identity_providers'))
const reencryptPayeeChecks = ofOrganizations('payee_checks_to_seal', resealObject('payee_checks'))
const reencryptOnboardings = [
  ofOrganizations('onboarding_entities_to_seal', resealObject('onboardings', 'entity')),
  ofOrganizations('submissions_to_seal', resealObject('onboardings', 'submitted')),
  ofOrganizations('onboarding_people_to_seal', resealObject('onboarding_people')),
  ofOrganizations('onboarding_papers_to_seal', resealKeyOf('onboarding_documents')),
]
const reencryptMails = ofOrganizations('inbound_mails_to_seal', resealKeyOf('inbound_mails'))
const reencryptScreenings = ofOrganizations('screenings_to_seal', resealObject('screenings'))
const reencryptScreeningAnswers = ofOrganizations(
  'screening_answers_to_seal',
  resealObject('screenings', 'answer_sealed'),
)
const reencryptWebhooks = ofOrganizations('webhook_endpoints_to_seal', resealObject('webhook_endpoints'))

/** Builds a rotation of the rows of an SQL function, each in its organization. */
function ofOrganizations(listed: string, reseal: (tx: Tx, id: string) => Promise<boolean>) {
  return (batch = BATCH): Promise<number> =>
    inBatches(
      batch,
      (after) => sql<{ readonly id: string; readonly organization_id: OrganizationId }[]>`
        select id, organization_id from ${sql(listed)}(${currentHead}::bytea, ${after}, ${batch})`,
      ({ id, organization_id: organizationId }) => asSystem(organizationId, (tx) => reseal(tx, id)),
    )
}

/** Runs the work on all rows in the order of their ids; returns how many changed. */
async function inBatches<Row extends { readonly id: string }>(
  batch: number,
  list: (after: string | null) => PromiseLike<readonly Row[]>,
  work: (row: Row) => Promise<boolean>,
): Promise<number> {
  let done = 0
  for (let after: string | null = null; ;) {
    const rows: readonly Row[] = await list(after)
    for (const row of rows) done += Number(await work(row))
    after = rows.at(-1)?.id ?? null
    if (rows.length < batch) return done
  }
}

/** Returns the result of `make`; undefined, and logged, if the encrypted value does not open. */
function tryOpen<Made>(id: string, make: () => Made): Made | undefined {
  try {
    return make()
  } catch (error) {
    log.error({ err: error, id }, 'data could not be decrypted for a new key')
    return undefined
  }
}

const reencryptValue = (id: string, sealed: Buffer): Buffer | undefined =>
  usesCurrentKey(sealed) ? undefined : tryOpen(id, () => encrypt(decrypt(sealed)))

type SealedRow = EncryptedCoordinates & Pick<Account, 'type' | 'payee_organization_id'> & { account_id: string | null }

async function resealDestination(tx: Tx, id: string): Promise<boolean> {
  const [row] = await tx<SealedRow[]>`
    select id, type, payee_organization_id, encode(sealed, 'hex') as sealed, account_id
    from payment_destinations where id = ${id} for update`
  if (!row) return false
  const fresh = tryOpen(id, () => {
    const coordinates = coordinatesOf(row)
    const account = { ...row, coordinates }
    const [fingerprint] = fingerprintsOf(tx.organizationId, account)
    const holder = holderKeyIn(coordinates)
    return { account, sealed: coordinates && encryptCoordinates(row.id, coordinates), fingerprint, holder }
  })
  if (!fresh) return false
  await tx`
    update payment_destinations set sealed = ${fresh.sealed}, fingerprint = decode(${fresh.fingerprint}, 'hex'),
      account_id = ${await storeAccount(tx, fresh.account, row.account_id)}, holder_key = ${fresh.holder}
    where id = ${id}`
  return true
}

async function resealTravelRule(tx: Tx, id: string): Promise<boolean> {
  const [row] = await tx<{ travel_rule: Buffer | null }[]>`select travel_rule from deposits where id = ${id} for update`
  const fresh = row?.travel_rule && reencryptValue(id, row.travel_rule)
  if (!fresh) return false
  await tx`update deposits set travel_rule = ${fresh} where id = ${id}`
  return true
}

async function resealBatchRow(tx: Tx, id: string): Promise<boolean> {
  const [batch] = await tx<{ draft: boolean }[]>`
    select b.status = 'draft' as draft from payment_batches b
    where b.id = (select payment_batch_id from payment_batch_rows where id = ${id}) for share`
  const [row] = await tx<{ sealed: string; account_id: string | null }[]>`
    select encode(sealed, 'hex') as sealed, account_id from payment_batch_rows where id = ${id} for update`
  const cells = row && tryOpen(id, () => openCells({ id, sealed: row.sealed }))
  if (!cells) return false
  await tx`update payment_batch_rows set sealed = ${sealCells(id, cells)} where id = ${id}`
  const { account, fingerprint, address_fingerprint: address } = columnsOf(tx.organizationId, read(cells))
  if (account && row.account_id) {
    await tx`
      update payment_batch_rows set account_id = ${await storeAccount(tx, account, row.account_id)}
      where id = ${id} and payment_id is null`
  }
  if (!batch?.draft) return true
  await tx`
    update payment_batch_rows set address_fingerprint = decode(${address}, 'hex'), fingerprint = decode(${fingerprint}, 'hex')
    where id = ${id} and fingerprint is not null`
  return true
}

async function resealBill(tx: Tx, id: string): Promise<boolean> {
  const [row] = await tx<{ sealed: Buffer; of: 'bills' | 'bill_readings' | 'bill_findings' }[]>`
    select sealed, 'bills' as of from bills where id = ${id} and sealed is not null
    union all select sealed, 'bill_readings' from bill_readings where id = ${id}
    union all select sealed, 'bill_findings' from bill_findings where id = ${id}`
  const content = row && openObject(id, row.sealed)
  if (!content) return false
  if (row.of === 'bills') await resealDetails(tx, id as BillId) // the row is one
  else
    await tx`
    update ${tx(row.of)} set sealed = ${encryptForRow(id, content)} where id = ${id} and sealed = ${row.sealed}`
  return true
}

/** Reseals a column that encryptForRow() sealed. */
function resealObject(table: string, column = 'sealed') {
  return async (tx: Tx, id: string): Promise<boolean> => {
    const [row] = await tx<{ sealed: Buffer }[]>`
      select ${tx(column)} as sealed from ${tx(table)} where id = ${id} and ${tx(column)} is not null for no key update`
    const content = row && openObject(id, row.sealed)
    if (!content) return false
    await tx`update ${tx(table)} set ${tx(column)} = ${encryptForRow(id, content)} where id = ${id}`
    return true
  }
}

/** Reseals the key of a file that is encrypted under a key of its own. */
function resealKeyOf(table: 'onboarding_documents' | 'inbound_mails') {
  return async (tx: Tx, id: string): Promise<boolean> => {
    const [row] = await tx<{ sealed_key: Buffer }[]>`
      select sealed_key from ${tx(table)} where id = ${id} and sealed_key is not null for update`
    const fresh = row && reencryptValue(id, row.sealed_key)
    if (!fresh) return false
    await tx`update ${tx(table)} set sealed_key = ${fresh} where id = ${id}`
    return true
  }
}

// sealed as an object
const openObject = (id: string, sealed: Buffer) => tryOpen(id, () => decryptForRow(id, sealed) as object)

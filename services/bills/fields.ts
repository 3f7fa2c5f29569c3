/** Fields of a bill: their only writer, and the comparison of bills and accounts after each change. */
import { type Account, fingerprintsOf } from '../contacts/destination-encryption.ts'
import { storeAccount } from '../contacts/payee-accounts.ts'
import { record } from '../events.ts'
import { encryptForRow } from '../../platform/encryption.ts'
import { accountFaults, comparableAccount, namesPartOfAccount } from '../../domain/bills/account.ts'
import { amountForStorage } from '../../domain/bills/totals.ts'
import { billEvents } from '../../domain/bills/events.ts'
import { type BillField, type BillFields, SEALED_FIELDS } from '../../domain/bills/fields.ts'
import type { Doubt } from '../../domain/bills/reader.ts'
import { keysOf, supplierKeysOf, textToSearch } from '../../domain/bills/likeness.ts'
import { isOwnTaxId } from '../../domain/tax-id-keys.ts'
import { coordinatesIn } from '../../domain/destinations/destination.ts'
import { refuse } from '../../domain/errors.ts'
import type { BillId, EventId } from '../../domain/ids.ts'
import { type Fragment, type Tx, sql, within } from '../../db/postgres/sql.ts'
import { type BillRow, billColumns, fieldsIn } from './bills.ts'
import { findDuplicates } from './duplicates.ts'
import { findOtherHolder } from './found-account.ts'
import { keySource, mayBeSameSupplier, sameSupplier } from './suppliers.ts'

/** Source of each field: the event that brought its value, and whether a person typed it. */
export type Origins = Readonly<
  Partial<Record<BillField | 'not_payable', { readonly event: EventId; readonly typed?: true }>>
>

/** Bill that is locked until the transaction ends; fieldsIn() has its fields. */
export type LockedBill = BillRow & { readonly origins: Origins; readonly tries: number }

export async function lockBill(tx: Tx, id: BillId, before: Fragment = sql``): Promise<LockedBill> {
  const [row] = await tx<LockedBill[]>`
    select ${billColumns()}, origins, tries from ${before} bills where id = ${id} for no key update of bills`
  return row ?? refuse('not_found')
}

/** Reads a bill as it is before it is locked. Refuses `not_found`. */
export async function readLockable(tx: Tx, id: BillId): Promise<LockedBill> {
  const [row] = await tx<LockedBill[]>`select ${billColumns()}, origins, tries from bills where id = ${id}`
  return row ?? refuse('not_found')
}

/** Locks bills, by id, and reads them in that order. */
export async function lockAllBills(tx: Tx, ids: readonly BillId[]): Promise<LockedBill[]> {
  await tx`select from bills where id = any (${[...ids]}::uuid[]) order by id for no key update`
  return tx<LockedBill[]>`
    select ${billColumns()}, origins, tries from bills where id = any (${[...ids]}::uuid[]) order by id`
}

export type KnownFields = {
  readonly fields: BillFields
  readonly origins: Origins
  readonly notPayable: BillRow['not_payable']
  readonly doubts: readonly Doubt[]
  /** True if bank details were typed in this change. */
  readonly bankTyped?: boolean
}

/** Writes all fields of a bill and their keys, and logs duplicates and a new account. */
export async function writeFields(
  tx: Tx,
  id: BillId,
  { fields: given, origins, notPayable, doubts, bankTyped }: KnownFields,
): Promise<void> {
  const fields: BillFields = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value.normalize('NFC')]), // files have letters and accents apart
  )
  const { tax_key: taxKey, name_key: nameKey, number_key: numberKey } = keysOf(fields)
  const { tax_number: taxNumber, plain_name: plainName } = supplierKeysOf(fields)
  const textOf = (text: string | undefined) => sql`${text ?? null}::text`
  const source = keySource(textOf(fields.supplier_tax_id), textOf(fields.supplier_name))
  const account = await sealAccount(tx, id, fields)
  const other = await findOtherHolder(within(tx), fields, sql`${account.id}::uuid`)
  const changed = bankTyped ? sql`, bank_changed_at = business_now()` : sql``
  await tx`
    update bills set tax_total = ${fields.tax_total ?? null}, amount = ${amountForStorage(fields)},
      currency = ${fields.currency ?? null},
      bill_number = ${fields.bill_number ?? null}, supplier_name = ${fields.supplier_name ?? null},
      supplier_tax_id = ${fields.supplier_tax_id ?? null}, payment_reference = ${fields.payment_reference ?? null},
      issue_date = ${fields.issue_date ?? null}, due_date = ${fields.due_date ?? null},
      ${account.assignments()},
      not_payable = ${await whyNotPayable(tx, { fields, notPayable })}, origins = ${sql.json(origins)}, doubts = ${sql.json(doubts)},
      tax_key = ${taxKey}, name_key = ${nameKey}, number_key = ${numberKey}, tax_number = ${taxNumber},
      plain_name = ${plainName}, keys_of = ${source}, words = ${textToSearch(fields)},
      holder_differs = ${other !== null}, payee_seen = null, updated_at = business_now() ${changed}
    where id = ${id}`
  const duplicates = await findDuplicates(within(tx), id)
  const causes = duplicates.map(({ bill_id: other, reason }) => `duplicate:${reason}:${other}`)
  await recordOnce(tx, id, billEvents.duplicate_found, causes)
  await noteNewAccount(tx, id, fields)
}

type Reason = KnownFields['notPayable']

/** Chooses the read or typed reason, else `own_invoice`, which typing cannot overrule. */
async function whyNotPayable(
  tx: Tx,
  { fields, notPayable }: Pick<KnownFields, 'fields' | 'notPayable'>,
): Promise<Reason> {
  const said = notPayable === 'own_invoice' ? null : notPayable
  if (said || !fields.supplier_tax_id) return said
  return isOwnTaxId(fields.supplier_tax_id, await findOwn(tx)) ? 'own_invoice' : null
}

type Own = Parameters<typeof isOwnTaxId>[1] & { readonly name: string; readonly invoice_name: string | null }

export async function findOwn(tx: Tx): Promise<Own> {
  const [own] = await tx<Own[]>`
    select name, invoice_name, tax_id, vat_id, country_code from organizations where id = ${tx.organizationId}`
  return own ?? refuse('not_found')
}

/** Encrypts the bank details of a bill with the present key; the fingerprint and the keys of their account follow. */
export async function resealDetails(tx: Tx, id: BillId): Promise<void> {
  const fields = fieldsIn(await lockBill(tx, id))
  const account = await sealAccount(tx, id, fields)
  await tx`update bills set ${account.assignments()} where id = ${id}`
}

type SealedAccount = { readonly id: string | null; readonly assignments: () => Fragment }

/** Stores the account that bank details name, and builds the assignments of both. */
async function sealAccount(tx: Tx, id: BillId, fields: BillFields): Promise<SealedAccount> {
  const account = accountOf(fields)
  const isPayable = accountFaults(fields).length === 0
  const fingerprint = account && isPayable ? fingerprintsOf(tx.organizationId, account)[0] : null
  const accountId = account && (await storeAccount(tx, account, await accountNamed(tx, id)))
  const assignments = () => sql`sealed = ${sealDetails(id, fields)}, fingerprint = decode(${fingerprint}, 'hex'),
    account_id = ${accountId}`
  return { id: accountId, assignments }
}

const sealDetails = (id: BillId, fields: BillFields): Buffer | null => {
  const details = Object.fromEntries(SEALED_FIELDS.flatMap((name) => (fields[name] ? [[name, fields[name]]] : [])))
  return SEALED_FIELDS.some((name) => fields[name] !== undefined) ? encryptForRow(id, { details }) : null
}

/** Reads a bill's account; null unless its number is whole and valid. */
export function accountOf(fields: BillFields): Account | null {
  const coordinates = comparableAccount(fields)
  return (
    coordinates && {
      type: 'bank',
      coordinates: coordinatesIn({ ...coordinates, default: false }),
      payee_organization_id: null,
    }
  )
}

/** Reads the id of the account that a bill names; null without one. */
export async function accountNamed(tx: Tx, id: BillId): Promise<string | null> {
  const [bill] = await tx<{ account_id: string | null }[]>`select account_id from bills where id = ${id}`
  return bill?.account_id ?? null
}

/** Account of a locked bill as it was read, and whether it is marked as new. */
type KnownAccount = { readonly account: string | null; readonly differs: boolean }

/**
 * Marks a bill whose account is new for its supplier, and logs that. Answers whether it is. An account that is named in
 * part may be any, so it counts as new.
 */
export async function noteNewAccount(tx: Tx, id: BillId, fields: BillFields, known?: KnownAccount): Promise<boolean> {
  const account = known ? known.account : await accountNamed(tx, id)
  const differs = namesPartOfAccount(fields) || (await isNewAccount(tx, id, account))
  if (differs !== known?.differs)
    await tx`update bills set bank_details_differ = ${differs} where id = ${id} and bank_details_differ <> ${differs}`
  if (differs) await recordOnce(tx, id, billEvents.bank_details_differ, [`account:${account ?? 'part'}`])
  return differs
}

type Comparison = (typeof billEvents)['duplicate_found' | 'bank_details_differ']

async function recordOnce(tx: Tx, id: BillId, found: Comparison, causes: readonly string[]): Promise<void> {
  if (causes.length === 0) return
  const rows = await tx<{ cause: string }[]>`
    select cause from events where subject_id = ${id} and type = ${found.type} and cause = any (${[...causes]})`
  const known = new Set(rows.map(({ cause }) => cause))
  for (const cause of causes.filter((one) => !known.has(one))) {
    await record(tx, found, { subjectId: id, cause, provider: 'comparison' })
  }
}

/**
 * Tells if an account is new for the supplier of a bill. It is compared with the accounts of the supplier's earlier
 * bills, of the bill's contact, and of payments before a person typed the account; false without any. A bill whose own
 * account was new vouches for it only once it is paid; one of a sender whom nobody has accepted never does.
 * @param account id of the account; null without one
 */
export async function isNewAccount(tx: Tx, id: BillId, account: string | null): Promise<boolean> {
  if (account === null) return false
  const [found] = await tx<{ differs: boolean }[]>`
    with before as (
      select o.account_id from bills b join bills o on o.organization_id = b.organization_id and o.id <> b.id
        and o.status <> 'cancelled' and not o.sender_is_unknown and (o.inserted_at, o.id) < (coalesce(b.bank_changed_at, b.inserted_at), b.id)
        and ${mayBeSameSupplier(sql`o`, sql`b`)} and ${sameSupplier(sql`o`, sql`b`)}
      where b.id = ${id} and o.account_id is not null and (not o.bank_details_differ
        or exists (select from payments p where p.id = o.payment_id and p.status = 'succeeded'))
    ), paid_at as (
      select d.account_id from bills b join payment_destinations d on d.payment_contact_id = b.payment_contact_id
        and d.type = 'bank' and d.deleted_at is null and not d.pending
      where b.id = ${id}
    ), paid_before as (
      select d.account_id from bills b join payments p on p.bill_id = b.id and p.inserted_at < b.bank_changed_at
        join payment_destinations d on d.id = p.destination_id and d.type = 'bank'
      where b.id = ${id}
    )
    select coalesce(bool_or(o.differs), false) as differs from (
      select bool_and(account_id <> ${account}) as differs from before
      union all select bool_and(account_id <> ${account}) from paid_at
      union all select bool_and(account_id <> ${account}) from paid_before) o`
  return found?.differs ?? false
}

/**
 * Tells if an account is new to the organization. It is, if no payment to it has succeeded, and no contact has had it
 * for these hours.
 * @param account as of isNewAccount()
 */
export async function isUnknownAccount(tx: Tx, account: string | null, hours: number): Promise<boolean> {
  if (account === null) return false
  const [known] = await tx`
    select d.id from payment_destinations d join payment_contacts c on c.id = d.payment_contact_id
    where d.organization_id = ${tx.organizationId} and d.type = 'bank' and d.account_id = ${account}
      and (exists (select from payments p where p.destination_id = d.id and p.status = 'succeeded')
        or (not c.one_time and c.status = 'active' and c.deleted_at is null and d.deleted_at is null and not d.pending
          and d.inserted_at <= business_now() - make_interval(hours => ${hours})))
    limit 1`
  return !known
}

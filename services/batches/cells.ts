/** The cells of a row as they were written, encrypted at rest because they hold bank details. */
import { type PreparedAddress, addressFingerprints, prepareAddress } from '../contacts/addresses.ts'
import { type Account, fingerprintsOf } from '../contacts/destination-encryption.ts'
import { decryptForRow, encryptForRow } from '../../platform/encryption.ts'
import { log } from '../../platform/log.ts'
import { COLUMNS, type Cells, type Column } from '../../domain/batches/columns.ts'
import { type Reading, readCells, readMisaligned } from '../../domain/batches/row.ts'
import { type Coordinates, coordinatesIn } from '../../domain/destinations/destination.ts'
import { type NewPayeeAddress, toPayeeAddress } from '../../domain/destinations/payee-address.ts'
import { holderKeyOf } from '../../domain/destinations/holder.ts'
import { payeeKeyOf } from '../../domain/account-changes/change.ts'
import type { OrganizationId, PayeeAddressId } from '../../domain/ids.ts'

/** All cells of a row: by column, and those beyond the header. */
export type RowCells = {
  readonly cells: Cells
  readonly more: readonly string[]
  /** The row ends before the header does. */
  readonly short: boolean
}

/** Sealed cells of a row, in hexadecimal. */
export type SealedCells = { readonly id: string; readonly sealed: string }

/** Assigns the cells of a row to the columns of the header. */
export function cellsIn(columns: readonly Column[], row: readonly string[]): RowCells {
  const cells: Partial<Record<Column, string>> = {}
  for (const [index, column] of columns.entries()) {
    const cell = row[index]
    if (cell !== undefined) cells[column] = cell
  }
  return { cells, more: row.slice(columns.length), short: row.length < columns.length }
}

/** Reads what the cells of a row say by themselves. */
export function read({ cells, more, short }: RowCells): Reading {
  if (short) return readMisaligned('too_few_cells')
  return more.length > 0 ? readMisaligned('too_many_cells') : readCells(cells)
}

/** Cells before they are sealed: in the order of COLUMNS, null for one that is missing. */
type WrittenCells = { readonly written: (string | null)[]; readonly more?: readonly string[]; readonly short?: true }

/** Seals cells for their row alone, without their names: a file has 50,000 rows. */
export function sealCells(id: string, { cells, more, short }: RowCells): Buffer {
  const written = COLUMNS.map((column) => cells[column] ?? null)
  while (written.length > 0 && written.at(-1) === null) written.pop()
  const content: WrittenCells = { written, ...(more.length > 0 && { more }), ...(short && { short }) }
  return encryptForRow(id, content)
}

/** Opens sealed cells; throws if they were sealed for another row, or changed. */
export function openCells({ id, sealed }: SealedCells): RowCells {
  // sealCells() wrote exactly these
  const { written, more = [], short = false } = decryptForRow(id, Buffer.from(sealed, 'hex')) as WrittenCells
  const cells: Partial<Record<Column, string>> = {}
  for (const [index, column] of COLUMNS.entries()) {
    const cell = written[index] ?? null
    if (cell !== null) cells[column] = cell
  }
  return { cells, more, short }
}

/** Opens cells to be shown; undefined, and logged, if they do not open. */
export function readableCells(row: SealedCells): RowCells | undefined {
  try {
    return openCells(row)
  } catch (error) {
    log.error({ err: error, row_id: row.id }, 'the cells of a row could not be decrypted')
    return undefined
  }
}

/** Opens the bank account that a row names. Throws if the row names none, or does not open. */
export const bankDetailsOf = (row: SealedCells): Coordinates => bankPayeeOf(row).coordinates

/** Opens the bank account that a row names, with its holder's address. Throws as bankDetailsOf(). */
export function bankPayeeOf(row: SealedCells): { coordinates: Coordinates; address: NewPayeeAddress | null } {
  const { payee } = read(openCells(row))
  const coordinates = payee?.way === 'bank' ? coordinatesIn({ ...payee.account, default: false }) : null
  if (payee?.way !== 'bank' || !coordinates) throw new Error(`the row ${row.id} names no bank account`)
  return { coordinates, address: payee.address }
}

/** A row that is paid: what its cells name, and what was approved of them. */
type PaidRow = SealedCells & {
  readonly rail: string
  readonly payment_contact_id: string | null
  readonly fingerprint: string | null
  readonly address_fingerprint: string | null
  readonly own_address: PayeeAddressId
}

/** Account and address that a row names; none if it pays a contact with its own address, or by service ID. */
export type Payable = {
  readonly coordinates: Coordinates | null
  readonly address: PreparedAddress | null
  /** The cells do not open, or name another account or address than was approved. */
  readonly isUnpayable: boolean
}

/** Opens the bank account and the address of a row; logs one that cannot be paid. */
export function openPayee(organizationId: OrganizationId, row: PaidRow): Payable {
  const isStranger = row.rail === 'fiat' && !row.payment_contact_id
  if (!isStranger && row.address_fingerprint === null) return { coordinates: null, address: null, isUnpayable: false }
  try {
    const { coordinates, address: named } = bankPayeeOf(row)
    const account = { type: 'bank', coordinates, payee_organization_id: null } as const
    if (!fingerprintsOf(organizationId, account).includes(row.fingerprint ?? '')) {
      throw new Error('the account is not the one that was approved')
    }
    const address = named && prepareAddress(organizationId, named, row.own_address)
    const approved: readonly (string | null)[] = address ? addressFingerprints(organizationId, address.address) : [null]
    if (!approved.includes(row.address_fingerprint)) throw new Error('the address is not the one that was approved')
    return { coordinates, address, isUnpayable: false }
  } catch (error) {
    log.error({ err: error, row: row.id }, 'a row of a batch cannot be paid')
    return { coordinates: null, address: null, isUnpayable: true }
  }
}

/** The columns of a row that its cells say. */
type SaidColumns = {
  readonly cell_errors: string
  readonly payee: string | null
  readonly svc_id: string | null
  readonly named_contact_id: string | null
  /** Bank account that the cells name. */
  readonly account: Account | null
  /** In hexadecimal; one for each key, the first is stored. */
  readonly fingerprints: readonly [string, ...string[]] | null
  readonly fingerprint: string | null
  readonly address_fingerprint: string | null
  /** Key of a payee that an account names, equal for names that look alike. */
  readonly name_key: string | null
  /** Key of the holder of an account, equal for spellings of one name. */
  readonly holder_key: string | null
  readonly amount: string | null
  readonly currency: string | null
  readonly payout_reason: string | null
  readonly statement_description: string | null
  readonly internal_notes: string | null
  readonly reference: string | null
}

/** Converts a reading to the columns of its row. */
export function columnsOf(
  organizationId: OrganizationId,
  { payee, currency, money, texts, errors }: Reading,
): SaidColumns {
  const bank = payee?.way === 'bank' ? { ...payee.account, default: false } : null
  const coordinates = bank && coordinatesIn(bank)
  const account = coordinates && ({ type: 'bank', coordinates, payee_organization_id: null } as const)
  const fingerprints = account && fingerprintsOf(organizationId, account)
  return {
    cell_errors: errors.length > 0 ? JSON.stringify(errors) : '[]',
    payee: bank?.account_holder_name ?? null,
    svc_id: payee?.way === 'svc_id' ? payee.svcId : null,
    named_contact_id: payee?.way === 'contact' ? payee.contactId : null,
    account,
    fingerprints,
    fingerprint: fingerprints && fingerprints[0],
    address_fingerprint:
      payee?.way === 'bank' && payee.address
        ? addressFingerprints(organizationId, toPayeeAddress(payee.address))[0]
        : null,
    name_key: bank && payeeKeyOf(bank.account_holder_name),
    holder_key: bank && holderKeyOf(bank.account_holder_name),
    amount: money?.amount ?? null,
    currency,
    ...texts,
  }
}

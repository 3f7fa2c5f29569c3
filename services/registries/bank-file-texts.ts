/** Texts for operators about files of banks. */
import { writeFile } from 'node:fs/promises'
import type { BankFileId } from '../../domain/ids.ts'
import { minuteOf } from '../../domain/instants.ts'
import { formatAmount } from '../../domain/money/money.ts'
import { type ListedFile, bytesOfFile, describeFile, listFiles } from '../bank-files/lookups.ts'
import { joinLines } from './operator-texts.ts'

const LISTED_MAX = 1000

/** Lists the latest files of all banks. */
export const describeFiles = async (filter = ''): Promise<string> =>
  joinLines((await listFiles(LISTED_MAX)).map(lineOf), 'there are no files', filter)

function lineOf(file: ListedFile): string {
  const { id, connection, direction, name, status, kind, count, faults } = file
  const way = direction === 'out' ? `to ${connection}` : `from ${connection}`
  const payments = count === null ? '' : `, ${count} payments of ${sumOf(file)}`
  const wrong = faults.length === 0 ? '' : `, ${faults.length} faults`
  return `${minuteOf(file.inserted_at)} ${id} ${way} ${name || 'without a name'}: ${kind ? `${kind}, ` : ''}${status}${payments}${wrong}`
}

const sumOf = ({ sum, currency }: ListedFile): string =>
  sum === null || currency === null ? '?' : `${formatAmount(sum, currency)} ${currency}`

/** Describes a file, its payments by status, and what is wrong with it. */
export async function showFile(id: BankFileId): Promise<string> {
  const { file, payments } = await describeFile(id)
  const by = payments.map(({ status, count }) => `${count} payments are ${status}`)
  const stored = file.sha256 ? [`${file.byte_size} bytes, SHA-256 ${file.sha256}`] : []
  return [lineOf(file), ...stored, ...by, ...file.faults].join('\n')
}

/** Writes the bytes of a file to a path, for the operator alone. */
export async function downloadFile(id: BankFileId, path: string): Promise<string> {
  const bytes = await bytesOfFile(id)
  await writeFile(path, bytes, { mode: 0o600, flag: 'wx' })
  return `${bytes.length} bytes are in ${path}: they name people, so delete them when you are done`
}

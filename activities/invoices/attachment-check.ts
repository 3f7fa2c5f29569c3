/** Check of attachments by their bytes: the kind that they claim, and nothing that runs. */
import { refuse } from '../../domain/errors.ts'
import type { AttachmentType } from '../../domain/invoices/details/attachment.ts'
import { UnreadableBill } from '../../domain/bills/reader.ts'
import { kindOf, refuseProgram } from '../bills/kinds.ts'

const KINDS: Readonly<Partial<Record<AttachmentType, string>>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpeg',
}

/** Parts of packages (ZIP) that a spreadsheet of the type has, and that bring programs. */
const PACKAGES: Readonly<Partial<Record<AttachmentType, readonly [part: string, program: string]>>> = {
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xl/workbook.xml', 'vbaProject'],
  'application/vnd.oasis.opendocument.spreadsheet': ['application/vnd.oasis.opendocument.spreadsheet', 'Basic/'],
}

/** Refuses `invalid_file`: `unknown_format` if the bytes are no such file, `hostile` for what runs programs. */
export function requireHarmless(bytes: Uint8Array, type: AttachmentType): void {
  const reason = findFault(bytes, type)
  if (reason) refuse('invalid_file', { reason })
}

function findFault(bytes: Uint8Array, type: AttachmentType): string | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  try {
    refuseProgram(bytes)
    if (KINDS[type] && kindOf(bytes) !== KINDS[type]) return 'unknown_format'
  } catch (error) {
    if (error instanceof UnreadableBill) return error.code
    throw error
  }
  if (type === 'application/pdf' && /\/S\s*\/(JavaScript|Launch)\b/.test(text)) return 'hostile'
  if (type === 'text/csv') return isText(bytes) ? null : 'unknown_format'
  const [part, program] = PACKAGES[type] ?? []
  if (part === undefined || program === undefined) return null
  if (!text.startsWith('PK\x03\x04') || !text.includes(part)) return 'unknown_format'
  return text.includes(program) ? 'hostile' : null
}

function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

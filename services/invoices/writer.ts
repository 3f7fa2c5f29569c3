/** People who wrote or submitted an invoice or credit note, as answers show them. */
import type { Invoice } from '../../domain/invoices/invoice.ts'
import { config } from '../../platform/config.ts'
import { type Fragment, sql } from '../../db/postgres/sql.ts'

export type WriterRow = {
  readonly id: string
  readonly avatar_id: string | null
  readonly first_name: string | null
  readonly last_name: string | null
}

/** Selects a WriterRow as JSON; `column` names the person. */
export const writerColumn = (column: Fragment): Fragment => sql`(
  select json_build_object('id', p.id, 'avatar_id', a.id, 'first_name', p.first_name, 'last_name', p.last_name)
  from people p left join avatars a on a.user_id = p.id where p.id = ${column})`

export function toWriter(found: WriterRow | null): Invoice['created_by'] {
  if (!found) return null
  const { avatar_id: avatar, ...rest } = found
  return { ...rest, avatar: avatar && `${config.publicUrl}/api/v1/avatars/${avatar}` }
}

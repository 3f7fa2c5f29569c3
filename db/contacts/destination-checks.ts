/** What is known of a destination before it is made. */
import type { Check } from '../../domain/contacts/check.ts'
import { checkCoordinates } from '../../domain/contacts/coordinates.ts'
import type { NewDestination } from '../../domain/contacts/destination.ts'
import { sql } from '../sql.ts'

/** A check of each field of a destination; a service ID is only asked for its existence, as by GET /handles. */
export async function checkDestination(destination: NewDestination): Promise<Check[]> {
  if (destination.type !== 'svc_id') return checkCoordinates(destination)
  const found = await sql`select from resolve_handle(${destination.svc_id})`
  return [
    found.length > 0
      ? { field: 'svc_id', status: 'ok', code: 'ok' }
      : { field: 'svc_id', status: 'invalid', code: 'unknown_handle' },
  ]
}

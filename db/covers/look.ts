/** What the process of a cover finds: whether our own position is closed, and when the desk is asked again. */
import { type AskRow, askColumns, askedState } from '../asking.ts'
import { type CoverStatus, coverFlow } from '../../domain/flows/cover.ts'
import { minuteOf } from '../../domain/instants.ts'
import type { Found, ProcessRef } from '../../domain/process.ts'
import { type Tx, sql } from '../sql.ts'

/** Where a cover stands; undefined if there is none. */
export async function findCoverState(tx: Tx, { id }: ProcessRef): Promise<Found<CoverStatus> | undefined> {
  const [row] = await tx<(AskRow & { status: CoverStatus })[]>`
    select c.status, ${askColumns(sql`c`)} from covers c where c.id = ${id}`
  if (!row) return undefined
  const state = askedState(coverFlow, row)
  const { ask_at: lookAt, ask_note: note } = row
  const said = note && lookAt ? ` The rates desk ${note}. It is asked again by ${minuteOf(lookAt)}.` : ''
  return {
    ...state,
    says: state.driven ? `Closes our own position at the rates desk.${said}` : 'Our own position is closed.',
    waits_for: 'Ask the rates desk again',
  }
}

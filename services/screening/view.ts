/** View of a screening: what its run decides by. */
import { type AskRow, askColumns } from '../../db/processes/asking.ts'
import { type Reader, sql } from '../../db/postgres/sql.ts'
import { isDriven } from '../../domain/flow.ts'
import type { ScreeningId } from '../../domain/ids.ts'
import { minuteOf } from '../../domain/instants.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { type AtRest, type Standing, sayState } from '../../domain/process.ts'
import { type ScreeningStatus, screeningFlow } from '../../domain/screening/flow.ts'
import { findConnection } from '../connections/connections.ts'

type OpenView = Standing<'waiting'> & {
  readonly partner: ConnectionName
  /** The connection was not asked yet, or is due to be asked again. */
  readonly ask_due: boolean
}

/** Reads a screening for its run. */
export async function viewScreening(reader: Reader, id: ScreeningId): Promise<OpenView | AtRest | undefined> {
  const [row] = await reader<AskRow & { status: ScreeningStatus; connection: ConnectionName }>(sql`
    select s.status, s.connection, ${askColumns(sql`s`)} from screenings s where s.id = ${id}`)
  if (!row) return undefined
  const { status, connection: partner, due, ask_at: lookAt, ask_note: note } = row
  if (!isDriven(screeningFlow, status)) return { at_rest: true, status, says: sayState('screening', status) }
  const waiting = { at_rest: false, status: 'waiting', partner } as const
  if (!findConnection(partner)) {
    const says = `Nobody answers: the connection ${partner} is not configured any more.`
    return { ...waiting, ask_due: false, step_due: false, look_at: null, says }
  }
  const said = note && lookAt ? ` It ${note}. It is asked again by ${minuteOf(lookAt)}.` : ''
  const says = `Compares a name with the lists of the connection ${partner}.${said}`
  return { ...waiting, ask_due: due, step_due: due, look_at: lookAt, says }
}

/** View of a cover: what its run decides by. */
import { type AskRow, askColumns } from '../../db/processes/asking.ts'
import { isDriven } from '../../domain/flow.ts'
import { type CoverStatus, coverFlow } from '../../domain/covers/flow.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { isTraded } from './desks.ts'
import type { CoverId } from '../../domain/ids.ts'
import { minuteOf } from '../../domain/instants.ts'
import type { AtRest, Standing } from '../../domain/process.ts'
import { type Reader, sql } from '../../db/postgres/sql.ts'
import { deskOf, pauseOf, sayPause } from '../connections/pauses.ts'

type OpenView = Standing<CoverStatus> & {
  /** The rates desk was not asked yet, or is due to be asked again; or operators have dealt for it. */
  readonly trade_due: boolean
}

/** Reads a cover for its run. */
export async function viewCover(reader: Reader, id: CoverId): Promise<OpenView | AtRest | undefined> {
  const [row] = await reader<
    AskRow & { status: CoverStatus; dealt: boolean; paused: string | null; connection: ConnectionName }
  >(sql`
    select c.status, ${deskOf(sql`c`)} as connection, ${pauseOf(deskOf(sql`c`))} as paused, ${askColumns(sql`c`)},
      exists (select from dealt_covers d where d.cover_id = c.id and d.confirmed) as dealt
    from covers c where c.id = ${id}`)
  if (!row) return undefined
  const { status, due, ask_at: lookAt, ask_note: note } = row
  if (!isDriven(coverFlow, status)) return { at_rest: true, status, says: 'Our own position is closed.' }
  if (row.dealt) {
    const says = 'Books what operators have dealt for it.'
    return { at_rest: false, status, trade_due: true, step_due: true, look_at: null, says }
  }
  if (!isTraded(row.connection)) {
    const says = `Nobody trades at the connection ${row.connection}: operators deal, and record it by admin covers settle.`
    return { at_rest: false, status, trade_due: false, step_due: false, look_at: null, says }
  }
  if (row.paused !== null) {
    const says = sayPause(row.connection, row.paused)
    return { at_rest: false, status, trade_due: false, step_due: false, look_at: null, says }
  }
  const said = note && lookAt ? ` The rates desk ${note}. It is asked again by ${minuteOf(lookAt)}.` : ''
  const says = `Closes our own position at the rates desk.${said}`
  return { at_rest: false, status, trade_due: due, step_due: due, look_at: lookAt, says }
}

import { type AskRow, askColumns } from '../../db/processes/asking.ts'
import { type TurnRow, WAITS_FOR_TURN, turnColumns } from '../../db/processes/turns.ts'
import type { InboundMailId } from '../../domain/ids.ts'
import type { InboundMailStatus } from '../../domain/inbound-mails/flow.ts'
import { type AtRest, type Standing, sayState } from '../../domain/process.ts'
import { type Reader, sql } from '../../db/postgres/sql.ts'

type Row = AskRow & TurnRow & { readonly status: InboundMailStatus; readonly tries: number }

type ReceivedView = Standing<'received'> & {
  /** True if another file of the organization comes first. */
  readonly waits_for_turn: boolean
  /** True if the mail is read now; false if the next try comes later. */
  readonly try_due: boolean
}

export async function viewInboundMail(reader: Reader, id: InboundMailId): Promise<ReceivedView | AtRest | undefined> {
  const [row] = await reader<Row>(sql`
    select m.status, m.tries, ${askColumns(sql`m`)}, ${turnColumns('bills', sql`m`)}
    from inbound_mails m where m.id = ${id}`)
  if (!row) return undefined
  const { status, tries, due, ask_at: askAt, turn_backstop: backstop } = row
  if (status !== 'received') return { at_rest: true, status, says: sayState('mail', status) }
  const waits_for_turn = due && row.waits_for_turn
  const try_due = due && !waits_for_turn
  const reads = `Reads the mail${tries === 0 ? '' : `, after try ${tries}`}.`
  const times = { step_due: try_due, look_at: waits_for_turn ? backstop : askAt }
  return { at_rest: false, status, waits_for_turn, try_due, ...times, says: waits_for_turn ? WAITS_FOR_TURN : reads }
}

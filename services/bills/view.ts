import { type AskRow, askColumns } from '../../db/processes/asking.ts'
import type { BillStatus } from '../../domain/bills/flow.ts'
import type { BillId } from '../../domain/ids.ts'
import { type AtRest, type Standing, sayState } from '../../domain/process.ts'
import { type Reader, sql } from '../../db/postgres/sql.ts'
import { type TurnRow, WAITS_FOR_TURN, turnColumns } from '../../db/processes/turns.ts'

type Row = AskRow &
  TurnRow & {
    readonly status: BillStatus
    readonly tries: number
    readonly unreadable: boolean
    readonly is_read: boolean
    readonly asks_model: boolean
  }

type ExtractingView = Standing<'extracting'> & {
  /** True if the file cannot be read, or its tries are used up. */
  readonly unreadable: boolean
  /** True if the file was read, and the findings are not merged yet. */
  readonly is_read: boolean
  /** True if a language model is asked for missing fields before the merge. */
  readonly asks_model: boolean
  /** True if another file of the organization comes first. */
  readonly waits_for_turn: boolean
  /** True if the file is read, or the model asked, now; false if the next try comes later. */
  readonly try_due: boolean
}

export async function viewBill(reader: Reader, id: BillId): Promise<ExtractingView | AtRest | undefined> {
  const [row] = await reader<Row>(sql`
    select b.status, b.tries, b.unreadable is not null as unreadable, f.id is not null as is_read,
      coalesce(f.asks_model, false) as asks_model, ${askColumns(sql`b`)},
      ${turnColumns('bills', sql`b`)}
    from bills b left join bill_findings f on f.bill_id = b.id where b.id = ${id}`)
  if (!row) return undefined
  const { status, unreadable, is_read, asks_model, due } = row
  if (status !== 'extracting') return { at_rest: true, status, says: sayState('bill', status) }
  const takesLong = !unreadable && (!is_read || asks_model)
  const waits_for_turn = takesLong && due && row.waits_for_turn
  const facts = { unreadable, is_read, asks_model, waits_for_turn, try_due: due && !waits_for_turn }
  const times = { step_due: !takesLong || facts.try_due, look_at: waits_for_turn ? row.turn_backstop : row.ask_at }
  return { at_rest: false, status, ...facts, ...times, says: waits_for_turn ? WAITS_FOR_TURN : saysOf(row) }
}

function saysOf({ unreadable, is_read: isRead, asks_model: asksModel, tries }: Row): string {
  if (unreadable) return 'Gives its file up.'
  if (isRead) return asksModel ? 'Asks the language model for what is missing.' : 'Merges what was read of its file.'
  return `Reads the file${tries === 0 ? '' : `, after try ${tries}`}.`
}

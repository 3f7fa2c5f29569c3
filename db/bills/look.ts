/** What the process of a bill finds in its row. */
import { type AskRow, askColumns, askedState } from '../asking.ts'
import { type BillStatus, billFlow } from '../../domain/flows/bill.ts'
import { type Found, type ProcessRef, sayState } from '../../domain/process.ts'
import { type Tx, sql } from '../sql.ts'
import { inTurn } from '../turns.ts'

type Row = AskRow & { readonly status: BillStatus; readonly tries: number }

/** Whether the file is read, and when it is tried again. */
export async function findBillState(tx: Tx, { id }: ProcessRef): Promise<Found<BillStatus> | undefined> {
  const [row] = await tx<Row[]>`
    select b.status, b.tries, ${askColumns(sql`b`)} from bills b where b.id = ${id}`
  if (!row) return undefined
  const found = { ...askedState(billFlow, row), says: saysOf(row), waits_for: 'Read the file again' }
  return inTurn(tx, { flow: billFlow, queue: 'bills', id }, found)
}

const saysOf = ({ status, tries }: Row): string =>
  status === 'extracting' ? `Reads the file${tries === 0 ? '' : `, after try ${tries}`}.` : sayState('bill', status)

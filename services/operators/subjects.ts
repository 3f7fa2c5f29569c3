/** Subjects of processes for operators: what each is about, and whom it waits for. */
import { first, sql } from '../../db/postgres/sql.ts'

export type ProcessSubject = {
  readonly organization: string | null
  readonly payee: string | null
  readonly amount: string | null
  readonly currency: string | null
  /** State in the words of the partner, or why the last step came to nothing. */
  readonly reason: string | null
  /** Connection to the partner that has it. */
  readonly connection: string | null
  readonly partner_reference: string | null
  /** Summary of the approval that it waits for. */
  readonly request: string | null
  readonly expires_at: string | null
  /** Names of the people who can approve it. */
  readonly approvers: readonly string[] | null
}

/** Reads what an open process is about; undefined if it is not open. */
export const readSubject = (id: string): Promise<ProcessSubject | undefined> =>
  first(sql<ProcessSubject[]>`select * from operator_process(${id})`)

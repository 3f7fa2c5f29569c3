/** Sign-ins of operators in browsers: a mark of each, which can be taken back before its time. */
import { createHmac } from 'node:crypto'
import { config } from '../../platform/config.ts'
import { newToken } from '../../platform/encryption.ts'
import { first, sql } from '../../db/postgres/sql.ts'

export const OPERATOR_HOURS = 8

/** Hashes a mark with the operators' token: none is good after a change of the token. */
const hashOf = (mark: string): Buffer =>
  createHmac('sha256', config.operatorToken ?? '')
    .update(mark)
    .digest()

/** Begins a sign-in and answers its mark; forgets those that are over. */
export async function beginOperatorSignIn(address: string): Promise<string> {
  const mark = newToken()
  await sql`delete from operator_sign_ins where expires_at < statement_timestamp()`
  await sql`
    insert into operator_sign_ins (mark_hash, ip_address, expires_at)
    values (${hashOf(mark)}, ${address}, statement_timestamp() + make_interval(hours => ${OPERATOR_HOURS}))`
  return mark
}

export async function isOperatorMark(mark: string): Promise<boolean> {
  const found = await first(sql<{ found: true }[]>`
    select true as found from operator_sign_ins
    where mark_hash = ${hashOf(mark)} and expires_at > statement_timestamp()`)
  return found !== undefined
}

export async function endOperatorSignIn(mark: string): Promise<void> {
  await sql`delete from operator_sign_ins where mark_hash = ${hashOf(mark)}`
}

/** Ends the sign-ins of all operators; answers how many. */
export async function endOperatorSignIns(): Promise<number> {
  return (await sql`delete from operator_sign_ins`).count
}

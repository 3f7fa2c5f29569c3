/** Proof of an operator by a code of their authenticator app. */
import { refuse } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Transaction } from '../../db/postgres/sql.ts'
import { consumeCode, isCounting } from './authenticators.ts'

export type Operator = { readonly email: string; readonly code: string }

/** Finds the operator with this address, and takes the code. Refuses `not_found` and `code_invalid`. */
export async function proveOperator(tx: Transaction, { email, code }: Operator): Promise<UserId> {
  const [person] = await tx<{ id: UserId }[]>`select id from people where email = ${email.trim().toLowerCase()}`
  if (!person) refuse('not_found', { operator: email })
  if (!(await isCounting(tx, person.id)) || !(await consumeCode(tx, person.id, code))) refuse('code_invalid')
  return person.id
}

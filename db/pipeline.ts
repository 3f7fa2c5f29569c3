/** Pipelining: several statements of one transaction in one round trip. */
import type postgres from 'postgres'

type Statement = postgres.PendingQuery<any> // of any rows
type Answers<Statements> = {
  readonly [Name in keyof Statements]: Statements[Name] extends PromiseLike<infer Rows> ? Rows : never
}

/**
 * Sends the statements at once and answers their rows by name. Postgres runs them in the order of their names, since a
 * transaction is one connection; so one that locks may stand before one that reads what it locked. Throws the failure
 * of the first that failed. For the paths that the bench names; elsewhere one `await` follows another.
 */
export async function pipeline<Statements extends Readonly<Record<string, Statement>>>(
  statements: Statements,
): Promise<Answers<Statements>> {
  const sent = Object.entries(statements).map(async ([name, statement]) => [name, await statement.execute()] as const)
  const settled = await Promise.allSettled(sent)
  const answers = settled.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
  return Object.fromEntries(answers) as unknown as Answers<Statements> // one answer for each name
}

/** Pipelining: several statements of one transaction in one round trip. */
import type postgres from 'postgres'

type Statement = postgres.PendingQuery<any> // of any rows
type Answers<Statements> = {
  readonly [Name in keyof Statements]: Statements[Name] extends PromiseLike<infer Rows> ? Rows : never
}

/**
 * Sends the statements at once and returns their rows by name. Postgres runs them in the order of their names, so a
 * lock may precede the read of what it locks. Throws the first failure. Only for the paths that the bench names.
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

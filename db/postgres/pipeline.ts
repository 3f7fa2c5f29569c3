/** Pipelining: several statements of one transaction in one round trip. */
import postgres from 'postgres'

type Statement = postgres.PendingQuery<any> // of any rows
type Answers<Statements> = {
  readonly [Name in keyof Statements]: NonNullable<Statements[Name]> extends PromiseLike<infer Rows> ? Rows : never
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

/**
 * Awaits parts of a transaction that were begun in this order. Each sends its first statement at once (`.execute()`), so
 * that locks are taken in this order too. Throws the first failure; of statements that Postgres skipped after another
 * failed, that other one.
 */
export async function inOrder<const Parts extends readonly Promise<unknown>[]>(
  parts: Parts,
): Promise<{ -readonly [Index in keyof Parts]: Awaited<Parts[Index]> }> {
  const settled = await Promise.allSettled(parts)
  const failures = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  if (failures.length > 0) throw failures.find((one) => !isSkipped(one)) ?? failures[0]
  // all are fulfilled
  return settled.map((one) => (one as PromiseFulfilledResult<unknown>).value) as never
}

/** Tells if Postgres skipped a statement because an earlier one of its transaction failed. */
const isSkipped = (error: unknown): boolean => error instanceof postgres.PostgresError && error.code === '25P02'

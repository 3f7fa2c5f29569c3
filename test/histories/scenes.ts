/** Scenes of recorded histories that reach beyond the API. */

/** Paths whose scene writes rows of ours or calls our functions, and what it does there. */
export const BY_HAND: Readonly<Record<string, string>> = {
  'payment-batch-expired': 'ends the time of the approval',
  'payment-step-failed': 'takes the destination away from a payment, and gives it back',
  'payment-failed-for-its-payee': 'lets the bank be asked in the instant of the approval',
  'deposit-return-refused': 'ends the time in which the sender is named',
  'deposit-called-about-meanwhile': 'writes a callback that came between the answer of the partner and the booking',
  'delivery-put-off-until-too-late': 'writes a mail with the deadline of a code for a phone',
}

/** Steps that only such paths call, and why no request leads a scene there. */
export const BY_HAND_ALONE: Readonly<Record<string, string>> = {
  takeInCalls: 'a callback between the answer of the partner and the booking cannot be timed from outside',
  dropLateMessage: 'codes with a deadline go by the messenger, whose stand-in puts nothing off',
}

/** Tells if a statement changes rows of these tables. */
const isOurs = (tables: ReadonlySet<string>, statement: string): boolean =>
  [...statement.matchAll(/\b(?:insert\s+into|update|delete\s+from)\s+(\w+)/g)].some(([, table]) =>
    tables.has(table ?? ''),
  )

/** Throws if a scene that is not listed has changed a row of these tables by itself. */
export function requireListed(name: string, statements: readonly string[], tables: ReadonlySet<string>): void {
  const found = statements.find((statement) => isOurs(tables, statement))
  if (found && !(name in BY_HAND)) throw new Error(`${name} is not in BY_HAND, and has done: ${found}`)
}

/** Fees of quotes, in the language of the viewer. */
import type { Words } from '../words/en.ts'

/** Names a fee; one that a table of fees names otherwise keeps its name. */
export const feeOf = (name: string, { pay }: Words): string =>
  (pay.fees as Readonly<Record<string, string>>)[name] ?? name

/** docs/refusals.md: the refusals of every operation, from its declaration. */
import { refusalsOf } from '../../api/openapi/refusals.ts'
import type { Route } from '../../api/http/route.ts'
import { REFUSALS } from '../../domain/errors.ts'

const HEAD = `# Refusals

\`npm run docs:states\` writes this page from the declarations of the operations; \`npm test\` fails if it is not up to
date. Each type has one status. Every operation may also answer 429 \`rate_limited\`, 500 \`internal_error\` and
503 \`service_unavailable\`, and one under \`/api/v1\` 400 \`unknown_parameter\`.

| operation | refuses with |
|---|---|`

const EVERYWHERE: ReadonlySet<string> = new Set(['rate_limited', 'service_unavailable', 'unknown_parameter'])

/** Writes the page of these operations. */
export const refusalsPage = (routes: readonly Route[]): string => `${[HEAD, ...routes.map(row)].join('\n')}\n`

function row(route: Route): string {
  const types = [...refusalsOf(route)].filter((type) => !EVERYWHERE.has(type))
  const byStatus = types.toSorted((one, other) => REFUSALS[one][0] - REFUSALS[other][0])
  const refusals = byStatus.map((type) => `${REFUSALS[type][0]}\u00a0\`${type}\``).join(', ')
  return `| \`${route.operationId}\` | ${refusals} |`
}

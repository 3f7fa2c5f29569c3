/** Logs: shows the latest requests to the API, finds one by its id, or follows them. */
import type { LoggedRequest } from 'business-finance-client'
import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { EXIT } from '../failures.ts'
import type { Act } from '../run.ts'
import { formatValue } from '../table.ts'

type Options = {
  readonly request?: string
  readonly errors?: boolean
  readonly follow?: boolean
}

const [LATEST, PAGE] = [20, 100]
const LOOK_MS = 2000
/** Time in which a request may still appear before one that was shown: processes write theirs once a second. */
const LATE_MS = 15_000

export function addLogs(program: Command, act: Act): void {
  program
    .command('logs')
    .description('show the latest requests to the API of the organization, oldest first')
    .option('--request <id>', 'find the request of an error by its request_id')
    .option('--errors', 'only requests that were refused or failed')
    .option('--follow', 'go on with new requests until interrupted')
    .action(act(showLogs))
}

async function showLogs(context: Context, { request, errors = false, follow = false }: Options): Promise<number> {
  const { client, output } = context
  const organization_id = context.organization()
  if (request !== undefined) {
    const found = await client.getRequest({ organization_id, request_id: request })
    output.answer(context.latestJson(), found)
    return EXIT.done
  }
  const filters = { organization_id, ...(errors && { status_class: 'errors' as const }) }
  const { data } = await client.listRequests({ ...filters, limit: LATEST })
  for (const one of data.toReversed()) show(context, one)
  if (follow) await followRequests(context, filters, data)
  return EXIT.done
}

type Filters = { readonly organization_id: string; readonly status_class?: 'errors' }

async function followRequests(context: Context, filters: Filters, shown: readonly LoggedRequest[]): Promise<void> {
  const { io } = context
  let seen = new Set(shown.map(({ id }) => id))
  // before the first request, the clock of this machine says since when
  let latest = Date.parse(shown[0]?.received_at ?? new Date().toISOString())
  while (!io.signal.aborted) {
    await io.pause(LOOK_MS)
    const recent = await readSince(context, filters, new Date(latest - LATE_MS).toISOString())
    for (const one of recent.toReversed()) if (!seen.has(one.id)) show(context, one)
    latest = Math.max(latest, ...recent.map(({ received_at: at }) => Date.parse(at)))
    seen = new Set(recent.map(({ id }) => id))
  }
}

/** Reads all requests since an instant, newest first. */
async function readSince({ client }: Context, filters: Filters, from: string): Promise<LoggedRequest[]> {
  const found: LoggedRequest[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await client.listRequests({ ...filters, from, limit: PAGE, ...(cursor && { cursor }) })
    found.push(...page.data)
    cursor = page.next_cursor
  }
  return found
}

function show({ output }: Context, one: LoggedRequest): void {
  output.line(output.isForPeople ? describeRequest(one) : JSON.stringify(one))
}

const describeRequest = (one: LoggedRequest): string =>
  [
    one.received_at,
    String(one.status),
    `${one.milliseconds} ms`,
    one.operation,
    one.error_type ?? '',
    one.credential_name ?? one.credential_kind,
    one.request_id,
  ]
    .filter((text) => text !== '')
    .map(formatValue)
    .join('  ')

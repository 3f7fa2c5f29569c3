/** Connections as this process hears them, for its heartbeat: the last answer of each, and since when it is silent. */
import { ApplicationFailure } from '@temporalio/common'
import { config } from '../platform/config.ts'
import type { ConnectionName } from '../domain/partner.ts'
import type { Heard } from '../services/connections/answers.ts'

const NAMES: ReadonlySet<string> = new Set(config.connections.map(({ name }) => name))
const heard = new Map<ConnectionName, Heard>()
const changed = new Set<ConnectionName>()

/** Notes the end of a call: its partner has answered clearly, also with a refusal, or has not. */
export async function hear<Answer>(connection: ConnectionName, call: Promise<Answer>): Promise<Answer> {
  try {
    const answer = await call
    note(connection, true)
    return answer
  } catch (error) {
    note(connection, !(error instanceof ApplicationFailure && error.type === 'PartnerUnclear'))
    throw error
  }
}

function note(connection: ConnectionName, isClear: boolean): void {
  if (!NAMES.has(connection)) return
  const now = Date.now()
  const before = heard.get(connection)
  heard.set(
    connection,
    isClear
      ? { connection, answeredAt: now, silentSince: null }
      : { connection, answeredAt: before?.answeredAt ?? null, silentSince: before?.silentSince ?? now },
  )
  changed.add(connection)
}

/** Takes what was heard since the last time. */
export function takeHeard(): Heard[] {
  const taken = [...changed].flatMap((connection) => heard.get(connection) ?? [])
  changed.clear()
  return taken
}

/** What must be true of every event that the service has written while tests ran. */
import postgres from 'postgres'
import * as v from 'valibot'
import { canonicalJson } from '../../domain/canonical.ts'
import type { EventType } from '../../domain/event-type.ts'
import { CATALOGUE } from '../../domain/registries/event-types.ts'

/** Somebody outside begins these; nothing that is logged caused them. */
const BEGINS = new Set([
  'accounting_connection.connected',
  'accounting_mappings.changed',
  'adjustment.proposed',
  'api_key.created',
  'approval_policy.changed',
  'bill.created',
  'billing_contact.created',
  'deposit.credited',
  'deposit.held',
  'export.requested',
  'invitation.created',
  'invoice.created',
  'payment.created',
  'payment_batch.created',
  'payment_contact.created',
  'payment_destination.created',
  'payment_destination.deleted', // of a contact that has had it from its beginning
  'payment_destination.made_default',
  'payment_destination.updated',
  'receiving_account.requested',
  'subscription.created',
  'swap.executed',
  'transaction.annotated',
  'webhook_endpoint.created',
])
/** People and operators begin what happens to these. */
const BEGUN = new Set(['organizations', 'members'])
/** Of rows that tests have put there without their first event. */
const STAGED = new Set(['payment_batch.submitted', 'receiving_account.opened'])

type Logged = Pick<EventType, 'type' | 'stream' | 'kind'> & {
  readonly payload: unknown
  readonly cause: string
  readonly caused: boolean
  readonly xact: string
}

const types = new Map(CATALOGUE.map((one) => [one.type, one]))

/**
 * What is wrong with the events that the service has written since a transaction, and the latest transaction that wrote
 * one. Events that tests write have a cause without a kind, or one of the kind `test`.
 */
export async function faultsInLog(url: string, since: string): Promise<{ faults: string[]; until: string }> {
  const owner = postgres(url, { max: 1, onnotice: () => {} })
  try {
    const events = await owner<Logged[]>`
      select type, stream, kind, cause, payload::jsonb as payload, causation_id is not null as caused, xact::text as xact
      from events where xact > ${since}::xid8 and cause like '%:%' and cause not like 'test:%'
      order by events.xact`
    return { faults: [...new Set(events.flatMap(faultsOf))], until: events.at(-1)?.xact ?? since }
  } finally {
    await owner.end()
  }
}

/** The change of a contact begins with the approval that it waits for. */
const isChange = ({ type, cause }: Pick<Logged, 'type' | 'cause'>): boolean =>
  type === 'approval.requested' && cause.startsWith('change:')

function faultsOf({ type, stream, kind, cause, payload, caused }: Logged): string[] {
  const known = types.get(type)
  if (!known) return [`${type} is not in the catalogue`]
  const { success, output } = v.safeParse(known.payload, payload)
  const isWhole = success && canonicalJson(output) === canonicalJson(payload)
  const mayBegin = BEGINS.has(type) || BEGUN.has(stream) || STAGED.has(type) || isChange({ type, cause })
  return [
    ...(isWhole ? [] : [`${type} has a payload that is not of its schema: ${canonicalJson(payload)}`]),
    ...(stream === known.stream && kind === known.kind ? [] : [`${type} is ${kind} in ${stream}`]),
    ...(caused || mayBegin ? [] : [`${type} does not say what caused it`]),
  ]
}

/** Invariants of all events that the service wrote while tests ran. */
import postgres from 'postgres'
import * as v from 'valibot'
import { canonicalJson } from '../../domain/canonical.ts'
import type { EventType } from '../../domain/event-type.ts'
import { CATALOGUE } from '../../domain/registries/event-types.ts'

/** Events without a logged cause: the outside world begins them. */
const BEGINS = new Set([
  'accounting_connection.connected',
  'accounting_mappings.changed',
  'accounts_chart.changed',
  'dimensions.changed',
  'adjustment.proposed',
  'api_key.created',
  'approval_policy.changed',
  'scim_group.created',
  'scim_group.updated',
  'scim_token.created',
  'scim_user.protected',
  'scim_user.provisioned',
  'substitution.created',
  'bill.created',
  'bill_mailbox.created',
  'identity_provider.connected',
  'inbound_mail.received',
  'billing_contact.created',
  'credit_note.created',
  'delegate.expiring',
  'deposit.credited',
  'deposit.held',
  'export.requested',
  'invitation.created',
  'invoice.created',
  'onboarding.begun',
  'payment.created',
  'payment_batch.created',
  'payment_contact.created',
  'payment_destination.created',
  'payment_destination.confirmed_by_callback',
  'payment_destination.deleted', // of a contact that has had it from the beginning
  'payment_destination.made_default',
  'payment_destination.updated',
  'receiving_account.requested',
  'subscription.created',
  'swap.executed',
  'transaction.annotated',
  'transaction.file_attached',
  'webhook_endpoint.created',
])
/** Subjects whose events people and operators begin. */
const BEGUN = new Set(['organizations', 'members'])
/** Events of rows that tests insert without their first event. */
const STAGED = new Set([
  'payment_batch.row_added',
  'payment_batch.row_changed',
  'payment_batch.row_deleted',
  'payment_batch.submitted',
  'receiving_account.opened',
])

type Logged = Pick<EventType, 'type' | 'stream' | 'kind'> & {
  readonly payload: unknown
  readonly cause: string
  readonly caused: boolean
  readonly xact: string
}

const types = new Map(CATALOGUE.map((one) => [one.type, one]))

/**
 * Checks the service's events since a transaction; returns the faults and the latest transaction with an event. Events
 * of tests have a cause without a kind, or of the kind `test`.
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

/** Recognizes the change of a contact, which begins with its approval. */
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

/**
 * Events in the form of OCSF 1.3: account change (3001) for members, entity management (3004) for all else. A SIEM knows
 * an event by `metadata.uid`, the same at every try.
 */
import type { LoggedEvent } from '../event.ts'

/**
 * Prefix of the address of a stream by HTTPS, as it is stored: workers of a release that knows no streams cannot post to
 * it, and leave its events to those that do.
 */
export const OCSF_SCHEME = 'ocsf+'
export const OCSF_VERSION = '1.3.0'
const PRODUCT = 'business-finance-service'
const IDENTITY_CATEGORY = 3
const [ACCOUNT_CHANGE, ENTITY_MANAGEMENT] = [3001, 3004] as const
const [INFORMATIONAL, SUCCESS, OTHER] = [1, 1, 99] as const

/** Activities of entity management, by the past tense of an event. */
const ENTITY_ACTIVITIES: Readonly<Record<string, number>> = {
  created: 1,
  requested: 1,
  opened: 1,
  received: 1,
  begun: 1,
  updated: 3,
  changed: 3,
  settings_changed: 3,
  rotated: 3,
  secret_rotated: 3,
  deleted: 4,
  revoked: 4,
  archived: 4,
  enabled: 8,
  disabled: 9,
  paused: 12,
  resumed: 13,
}

/** Activities of account change, by the past tense of an event about a member. */
const ACCOUNT_ACTIVITIES: Readonly<Record<string, number>> = { joined: 1, removed: 6, left: 6 }

const ACTIVITY_NAMES: Readonly<Record<number, string>> = {
  1: 'Create',
  3: 'Update',
  4: 'Delete',
  6: 'Delete',
  8: 'Enable',
  9: 'Disable',
  12: 'Suspend',
  13: 'Resume',
}

/** Writes an event as an object of OCSF. */
export function toOcsf(event: LoggedEvent) {
  const [noun = '', verb = ''] = event.event_type.split('.')
  const isAccount = event.stream === 'members'
  const class_uid = isAccount ? ACCOUNT_CHANGE : ENTITY_MANAGEMENT
  const activity_id = (isAccount ? ACCOUNT_ACTIVITIES : ENTITY_ACTIVITIES)[verb] ?? OTHER
  return {
    activity_id,
    activity_name: ACTIVITY_NAMES[activity_id] ?? verb,
    category_uid: IDENTITY_CATEGORY,
    category_name: 'Identity & Access Management',
    class_uid,
    class_name: isAccount ? 'Account Change' : 'Entity Management',
    type_uid: class_uid * 100 + activity_id,
    severity_id: INFORMATIONAL,
    severity: 'Informational',
    status_id: SUCCESS,
    status: 'Success',
    time: Date.parse(event.occurred_at),
    message: event.event_type,
    actor: actorOf(event),
    ...(isAccount
      ? { user: { uid: event.subject_id, type_id: 1, org: { uid: event.organization_id } } }
      : { entity: { uid: event.subject_id, type: noun } }),
    metadata: {
      version: OCSF_VERSION,
      uid: event.id,
      product: { name: PRODUCT, vendor_name: PRODUCT },
      log_name: event.stream,
      event_code: event.event_type,
      tenant_uid: event.organization_id,
      original_time: event.occurred_at,
      ...(event.correlation_id !== null && { correlation_uid: event.correlation_id }),
      ...(event.seq !== null && { sequence: event.seq }),
    },
    unmapped: { payload: event.payload, cause: event.cause, provider: event.provider, hash: event.hash },
  }
}

/** Names who acted: a person, with the program that acted for them, or the service and its partners. */
function actorOf({ actor_user_id: user, actor_kind: kind, provider }: LoggedEvent) {
  const app_name = provider ?? (user === null ? PRODUCT : undefined)
  return {
    ...(user !== null && { user: { uid: user, type_id: kind === 'admin' ? 2 : 1 } }),
    ...(app_name !== undefined && { app_name }),
  }
}

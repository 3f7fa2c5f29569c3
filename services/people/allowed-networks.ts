/** Networks from which credentials of an organization are taken. */
import type { Origin, Person } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import { isWithin } from '../../domain/networks.ts'
import type { AllowList, CredentialKind } from '../../domain/organizations/allow-list.ts'
import { now } from '../../platform/clock.ts'
import { sql } from '../../db/postgres/sql.ts'
import { recordSecurityEvent } from './security-log.ts'

type Owner = Pick<Person, 'userId'> & Partial<Pick<Person, 'sessionId' | 'deviceId' | 'delegate'>>

/** Use of a credential; `person` is whose it is, null for a program of the organization. */
type Use = {
  readonly organizationId: OrganizationId
  readonly origin: Origin
  readonly person: Owner | null
}

/** Refuses `ip_not_allowed`, with the address, where the list is for this kind and lacks it. */
export async function requireAllowedNetwork(
  kind: CredentialKind,
  list: AllowList | null | undefined,
  use: Use,
): Promise<void> {
  if (isAllowedNetwork(kind, list, use.origin.address)) return
  if (use.person) await noteRefusal(kind, use, use.person)
  refuse('ip_not_allowed', { address: use.origin.address })
}

export const isAllowedNetwork = (kind: CredentialKind, list: AllowList | null | undefined, address: string): boolean =>
  !list?.applies_to.includes(kind) || isWithin(address, list.cidrs)

const NOTED_AGAIN_MS = 60 * 60 * 1000
const NOTED_MAX = 1000 // one more costs a row
/** Refusals that this process has noted, by person, organization and address: a program that repeats fills no log. */
const noted = new Map<string, number>()

/** Logs for the person a use of their credential from elsewhere, once an hour. */
async function noteRefusal(kind: CredentialKind, { organizationId, origin }: Use, person: Owner): Promise<void> {
  const key = [person.userId, person.delegate?.id, organizationId, origin.address].join(' ')
  const at = now().getTime()
  if (Math.abs(at - (noted.get(key) ?? -Infinity)) < NOTED_AGAIN_MS) return
  noted.delete(key)
  const oldest = noted.keys().next()
  if (noted.size >= NOTED_MAX && !oldest.done) noted.delete(oldest.value)
  noted.set(key, at)
  const { userId, sessionId = null, deviceId = null, delegate } = person
  const details = { organization: organizationId, credential: kind, ...(delegate && { delegate: delegate.id }) }
  await recordSecurityEvent(sql, { type: 'address.refused', userId, sessionId, deviceId, origin, details })
}

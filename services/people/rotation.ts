/** Rotation of the secrets of delegates: another one, and a later end, while the former works on. */
import type { Origin, Person } from '../../domain/people/actor.ts'
import {
  DELEGATE_SECRET_PREFIX,
  type DelegateRotation,
  type DelegateWithSecret,
  PREVIOUS_DELEGATE_SECRET_HOURS,
} from '../../domain/people/delegate.ts'
import { refuse } from '../../domain/errors.ts'
import type { DelegateId, OrganizationId } from '../../domain/ids.ts'
import type { AllowList } from '../../domain/organizations/allow-list.ts'
import { quoteInMail } from '../../domain/text.ts'
import { newToken, tokenHash } from '../../platform/encryption.ts'
import { notify } from '../messages/account-notices.ts'
import { type Fragment, first, speakFor, sql } from '../../db/postgres/sql.ts'
import { useStepUp } from '../step-up-use.ts'
import { requireAllowedNetwork } from './allowed-networks.ts'
import { columns } from './delegates.ts'
import { lockPerson } from './people.ts'
import { type Command, by, recordSecurityEvent } from './security-log.ts'

type Rotatable = {
  readonly name: string
  readonly organization: string
  readonly organization_id: OrganizationId
}

type RotatableRow = Rotatable & { readonly is_of_client: boolean; readonly allow_list: AllowList | null }

/** Reads what a person confirms. Refuses `not_found`, and `invalid_state` for a delegate that a client renews itself. */
export async function describeForRotation(person: Person, origin: Origin, id: DelegateId): Promise<Rotatable> {
  const found = await first(sql<RotatableRow[]>`${selectRotatable(person, id)}`)
  return requireRotatable(found, { person, origin })
}

const selectRotatable = ({ userId, company }: Person, id: DelegateId): Fragment => sql`
  select d.name, d.organization_id, o.name as organization, is_delegate_of_client(d.id) as is_of_client, m.allow_list
  from delegates_of(${userId}) d join organizations_of(${userId}) o on o.id = d.organization_id
    join lateral locate('organization', d.organization_id, ${userId}) m on true
  where d.id = ${id} and d.ended_at is null and d.expires_at > business_now()
    and (${company ?? null}::uuid is null or d.organization_id = ${company ?? null})`

async function requireRotatable(
  found: RotatableRow | undefined,
  use: { readonly person: Person; readonly origin: Origin },
): Promise<Rotatable> {
  if (!found) refuse('not_found')
  await requireAllowedNetwork('sessions', found.allow_list, { organizationId: found.organization_id, ...use })
  if (found.is_of_client)
    refuse('invalid_state', { current: 'connected', allowed: [], reason: 'renewed_by_its_client' })
  return found
}

type Rotation = Command<{
  readonly stepUpId: string | null
  readonly params: { readonly delegate_id: DelegateId }
  readonly body: DelegateRotation
}>

/**
 * Gives a delegate another secret, and a later end if asked for. The former secret works until the new one is used, for
 * a day at most; one before it ends at once. Sessions go on.
 */
export async function rotateDelegate(command: Rotation): Promise<DelegateWithSecret> {
  const { tx: plain, person, stepUpId, params, body, origin } = command
  const id = params.delegate_id
  await lockPerson(plain, person.userId)
  const { organization, organization_id: organizationId } = await requireRotatable(
    await first(plain<RotatableRow[]>`${selectRotatable(person, id)}`),
    { person, origin },
  )
  await useStepUp(plain, person, stepUpId)
  const tx = await speakFor(plain, { organizationId, actor: person, correlationId: null })
  const secret = DELEGATE_SECRET_PREFIX + newToken()
  const days = body.expires_in_days
  const end =
    days === undefined
      ? sql``
      : sql`, expires_at = business_now() + make_interval(days => ${days}),
      extended_at = business_now(), warned_days = null`
  const [made] = await tx<Omit<DelegateWithSecret, 'secret'>[]>`
    update delegates set secret_hash = ${tokenHash(secret)}, previous_secret_hash = secret_hash,
      previous_secret_expires_at = business_now() + make_interval(hours => ${PREVIOUS_DELEGATE_SECRET_HOURS}),
      rotated_at = business_now() ${end}
    where id = ${id} and ended_at is null and expires_at > business_now() returning ${columns()}`
  if (!made) refuse('not_found')
  const details = { delegate: id, name: made.name, expires_at: made.expires_at }
  await recordSecurityEvent(tx, { type: 'delegate.rotated', ...by(person, origin), details })
  await notify(tx, person.userId, {
    subject: 'A delegate of yours has another secret',
    body: `${quoteInMail(made.name)} has another secret in the organization ${quoteInMail(organization)}. The former one works until the new one is used, for 24 hours at most.`,
  })
  return { ...made, secret }
}

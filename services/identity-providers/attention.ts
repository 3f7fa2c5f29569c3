/** Attention for an identity provider at which nobody can sign in. */
import { FAILURES_UNTIL_RAISED, type ProviderFailure, REMEDIES } from '../../domain/identity-providers/failures.ts'
import { minuteOf } from '../../domain/instants.ts'
import { quoteName, uuid } from '../../domain/text.ts'
import { type Kind, itemAction, itemSubject } from '../attention-kind.ts'
import { sql } from '../../db/postgres/sql.ts'

const Subject = itemSubject('identity_provider', { identity_provider_id: uuid })
const Action = itemAction('failing_identity_provider', { identity_provider_id: uuid })

type Facts = {
  readonly issuer: string
  readonly failures: number
  readonly failure: ProviderFailure
  readonly failed_at: string
}

const FOR_OWNER = { severity: 'blocking', actionable_by_viewer: true } as const

/** Raised by sign-ins that the provider fails. One that goes well ends it, or another secret. */
export const failingIdentityProvider: Kind<Facts, typeof Action, typeof Subject> = {
  kind: 'failing_identity_provider',
  audience: 'organization',
  action: Action,
  subjects: [Subject],
  items: (reader, viewer) => sql`
    select i.id as obligation_id, i.failing_since as raised_at, null::timestamptz as due_at,
      i.issuer, i.failures, i.failure, i.failed_at
    from identity_providers i
    where i.organization_id = ${reader.organizationId} and ${viewer.role === 'owner'}
      and i.failures >= ${FAILURES_UNTIL_RAISED}`,
  raisedAt: (reader, id, viewer) => sql`
    (select max(e.occurred_at) from events e
      where e.subject_id = ${id} and e.organization_id = ${reader.organizationId} and e.type = 'identity_provider.failed'
        and ${viewer.role === 'owner'})`,
  standing: () => FOR_OWNER,
  describe: (reader, { id, facts: { issuer, failures, failure, failed_at: at } }) => ({
    title: 'Nobody can sign in at the identity provider',
    summary: `${failures} sign-ins at ${quoteName(new URL(issuer).host)} have failed, the last one at ${minuteOf(at)}. ${REMEDIES[failure]}`,
    ...FOR_OWNER,
    href: `/organizations/${reader.organizationId}/identity-provider`,
    action: { kind: 'failing_identity_provider', identity_provider_id: id },
    subject: { type: 'identity_provider', identity_provider_id: id },
  }),
}

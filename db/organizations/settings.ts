/** What an owner decides for everybody in an organization. */
import { randomUUID } from 'node:crypto'
import { record } from '../events.ts'
import { refuse } from '../model/errors.ts'
import type { OrganizationSettings, OrganizationSettingsChanges } from '../model/organizations/organization.ts'
import { type Reader, type Tx, first, sql } from '../sql.ts'

/** The settings of the organization. */
export async function findSettings(reader: Reader): Promise<OrganizationSettings> {
  const settings = await first(
    reader<OrganizationSettings>(sql`
      select requires_authenticator from organizations where id = ${reader.organizationId}`),
  )
  return settings ?? refuse('not_found')
}

/** Changes what is given and answers all of it; the event is written only if something is another than before. */
export async function changeSettings(tx: Tx, changes: OrganizationSettingsChanges): Promise<OrganizationSettings> {
  const [before] = await tx<OrganizationSettings[]>`
    select requires_authenticator from organizations where id = ${tx.organizationId} for no key update`
  if (!before) refuse('not_found')
  const { requires_authenticator = before.requires_authenticator } = changes
  if (requires_authenticator === before.requires_authenticator) return before
  await tx`update organizations set requires_authenticator = ${requires_authenticator} where id = ${tx.organizationId}`
  await record(tx, {
    stream: 'organizations',
    subjectId: tx.organizationId,
    type: 'organization.settings_changed',
    cause: `change:${randomUUID()}`, // each change is its own: the same setting may come and go
    payload: { requires_authenticator },
  })
  return { requires_authenticator }
}

/** Secrets that a member has made and may know: reported when the member may not make such any more. */
import type { ScimTokenId, UserId } from '../../domain/ids.ts'
import type { Standing } from '../../domain/permissions.ts'
import { scimTokenEvents } from '../../domain/scim/events.ts'
import { quoteInMail } from '../../domain/text.ts'
import type { Tx } from '../../db/postgres/sql.ts'
import { newCause, record } from '../events.ts'
import { mailOwners } from '../messages/account-notices.ts'
import { reportKeysOf } from './api-keys.ts'

type MakerChange = { readonly userId: UserId; readonly before: Standing; readonly after: Standing | null }

/** Reports the API keys and the SCIM tokens of a member who may not make such any more. They work on. */
export async function reportMadeBy(tx: Tx, change: MakerChange): Promise<void> {
  await reportKeysOf(tx, change)
  const { userId, before, after } = change
  if (before.role !== 'owner' || after?.role === 'owner') return
  const tokens = await tx<{ id: ScimTokenId; name: string }[]>`
    select id, name from scim_tokens
    where organization_id = ${tx.organizationId} and created_by = ${userId} and revoked_at is null order by id`
  if (tokens.length === 0) return
  const payload = { created_by: userId, left: after === null }
  for (const { id } of tokens)
    await record(tx, scimTokenEvents.maker_reduced, { subjectId: id, cause: newCause(), payload })
  const names = tokens.map(({ name }) => quoteInMail(name)).join(', ')
  await mailOwners(tx, 'SCIM tokens were made by a person who is no owner any more', (organization) => [
    `In ${quoteInMail(organization)}: ${names}. They work on, and manage members. The person may know their secrets: make others, and revoke these.`,
  ])
}

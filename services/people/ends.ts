/** Warnings before delegates end: seven days and one day before, by event and mail. */
import type { DelegateId, OrganizationId, UserId } from '../../domain/ids.ts'
import { minuteOf } from '../../domain/instants.ts'
import { delegateEvents } from '../../domain/people/events.ts'
import { quoteInMail } from '../../domain/text.ts'
import { record } from '../events.ts'
import { notify } from '../messages/account-notices.ts'
import { asSystem, sql } from '../../db/postgres/sql.ts'

const BATCH = 100

type Ending = { readonly id: DelegateId; readonly organization_id: OrganizationId }

/** Sends the warnings that are due; answers their number. Each is sent once, however many workers do this at once. */
export async function warnOfEnds(batch = BATCH): Promise<number> {
  let warned = 0
  for (let after: DelegateId | null = null; ;) {
    const due: Ending[] = await sql<Ending[]>`select id, organization_id from delegates_to_warn_of(${after}, ${batch})`
    for (const one of due) warned += (await warnOf(one)) ? 1 : 0
    after = due.at(-1)?.id ?? null
    if (due.length < batch) return warned
  }
}

type DueDelegate = {
  readonly user_id: UserId
  readonly name: string
  readonly expires_at: string
  readonly warned_days: number
}

/** Sends the warning of one delegate; false if it was sent before, or is not due any more. */
function warnOf({ id, organization_id: organizationId }: Ending): Promise<boolean> {
  return asSystem(organizationId, async (tx) => {
    const [delegate] = await tx<DueDelegate[]>`
      update delegates d set warned_days = delegate_warning_days(d)
      where d.id = ${id} and delegate_warning_days(d) < coalesce(d.warned_days, 100)
      returning d.user_id, d.name, d.expires_at, d.warned_days`
    if (!delegate) return false
    const { user_id: userId, name, expires_at: until, warned_days: days } = delegate
    const payload = { user_id: userId, expires_at: until, days }
    await record(tx, delegateEvents.expiring, { subjectId: id, cause: `expires:${until}:${days}`, payload })
    const [organization] = await tx<{ name: string }[]>`select name from organizations where id = ${organizationId}`
    await notify(tx, userId, {
      subject: 'A delegate of yours ends soon',
      body: `${quoteInMail(name)} acts for you in the organization ${quoteInMail(organization?.name ?? '')} until ${minuteOf(until)}. Then it is refused. Give it another secret and a later end before, or connect it again.`,
    })
    return true
  })
}

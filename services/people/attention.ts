/** Attention for a delegate of the viewer that ends soon. */
import { minuteOf } from '../../domain/instants.ts'
import { DELEGATE_WARNING_DAYS } from '../../domain/people/delegate.ts'
import { quoteName, uuid } from '../../domain/text.ts'
import { FOR_VIEWER, type Kind, itemAction, itemSubject } from '../attention-kind.ts'
import { type Fragment, sql } from '../../db/postgres/sql.ts'

const Action = itemAction('delegate_expiring', { delegate_id: uuid })
const Subject = itemSubject('delegate', { delegate_id: uuid })

type Facts = { readonly name: string; readonly until: string }

/** Selects when the end of a delegate `d` is near: its last day, if it was for a week or less. */
const startOfWarning = (d: Fragment): Fragment => sql`
  ${d}.expires_at - make_interval(days => case
    when ${d}.expires_at > coalesce(${d}.extended_at, ${d}.inserted_at) + make_interval(days => ${DELEGATE_WARNING_DAYS})
    then ${DELEGATE_WARNING_DAYS} else 1 end)`

/** Raised seven days before the end, until it is later or the delegate has ended. */
export const delegateExpiring: Kind<Facts, typeof Action, typeof Subject> = {
  kind: 'delegate_expiring',
  audience: 'viewer',
  action: Action,
  subjects: [Subject],
  items: (reader, { userId }) => sql`
    select d.id as obligation_id,
      ${startOfWarning(sql`d`)} as raised_at,
      d.expires_at as due_at, d.name, d.expires_at as until
    from delegates d
    where d.organization_id = ${reader.organizationId} and d.user_id = ${userId} and delegate_warning_days(d) is not null`,
  raisedAt: (reader, id, { userId }) => sql`
    (select ${startOfWarning(sql`d`)} from delegates d
      where d.id = ${id} and d.organization_id = ${reader.organizationId} and d.user_id = ${userId}
        and ${startOfWarning(sql`d`)} <= business_now())`,
  standing: () => FOR_VIEWER,
  describe: (_reader, { id, facts }) => ({
    title: 'A delegate ends soon',
    summary: `${quoteName(facts.name)} acts for you until ${minuteOf(facts.until)}. Give it another secret and a later end before, or connect it again.`,
    ...FOR_VIEWER,
    href: '/settings/security',
    action: { kind: 'delegate_expiring', delegate_id: id },
    subject: { type: 'delegate', delegate_id: id },
  }),
}

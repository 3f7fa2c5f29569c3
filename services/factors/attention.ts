/** Attention: the organization requires an authenticator, and the viewer has none. */
import { uuid } from '../../domain/text.ts'
import { FOR_VIEWER, type Kind, itemAction, itemSubject } from '../attention-kind.ts'
import { type Fragment, sql } from '../../db/postgres/sql.ts'

const Action = itemAction('set_up_totp')
const Subject = itemSubject('person', { user_id: uuid })

/** Selects the time since which the viewer, as a member `m`, has to have an authenticator. */
const authenticatorDueSince = (m: Fragment): Fragment => sql`
  greatest(${m}.joined_at, (select max(e.occurred_at) from events e
    where e.subject_id = ${m}.organization_id and e.organization_id = ${m}.organization_id
      and e.type = 'organization.settings_changed' and e.payload::jsonb -> 'requires_authenticator' = 'true'))`

/** One item if the organization requires an authenticator and the viewer has none; its id is the viewer's. */
export const setUpTotp: Kind<unknown, typeof Action, typeof Subject> = {
  kind: 'set_up_totp',
  audience: 'viewer',
  action: Action,
  subjects: [Subject],
  items: (reader, { userId }) => sql`
    select m.user_id as obligation_id, ${authenticatorDueSince(sql`m`)} as raised_at, null::timestamptz as due_at
    from members m
    join organizations o on o.id = m.organization_id
    where m.organization_id = ${reader.organizationId} and m.user_id = ${userId} and o.requires_authenticator
      and not exists (select from authenticators a where a.user_id = m.user_id)`,
  raisedAt: (reader, id, { userId }) => sql`
    (select ${authenticatorDueSince(sql`m`)} from members m
      where m.organization_id = ${reader.organizationId} and m.user_id = ${userId} and m.user_id = ${id})`,
  standing: () => FOR_VIEWER,
  describe: (_reader, { id }) => ({
    title: 'Set up an authenticator app',
    summary: 'This organization requires one of everybody. Until you have it, you can confirm nothing.',
    ...FOR_VIEWER,
    href: '/settings/security',
    action: { kind: 'set_up_totp' },
    subject: { type: 'person', user_id: id },
  }),
}

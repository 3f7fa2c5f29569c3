/** Attention: by default a person may approve their own request, and by now another one could do it. */
import { OrganizationSubject } from '../../domain/attention/attention.ts'
import { DEFAULT_RULES } from '../../domain/approvals/policy.ts'
import { type Kind, type ViewerSeverity, itemAction } from '../attention-kind.ts'
import { type Fragment, type Reader, sql } from '../../db/postgres/sql.ts'

const Action = itemAction('set_approval_policy')

const SEVERITY: ViewerSeverity = { severity: 'info', actionable_by_viewer: true }

/** Roles that approve where no policy says otherwise. */
const ROLES = [...new Set(DEFAULT_RULES.flatMap(({ steps }) => steps.flatMap(({ roles }) => roles)))]

/** Selects when the second person who may approve by default joined; null without one. */
const secondJoined = ({ organizationId }: Reader): Fragment => sql`(
  select m.joined_at from members m where m.organization_id = ${organizationId} and m.role = any (${ROLES})
  order by m.joined_at, m.user_id offset 1 limit 1)`

/** One item for owners, until they set any policy: to set the default rules keeps them. Its id is the organization's. */
export const setApprovalPolicy: Kind<unknown, typeof Action, typeof OrganizationSubject> = {
  kind: 'set_approval_policy',
  audience: 'viewer',
  action: Action,
  subjects: [OrganizationSubject],
  items: (reader, { role }) => sql`
    select o.id as obligation_id, second.joined as raised_at, null::timestamptz as due_at
    from organizations o cross join lateral (select ${secondJoined(reader)} as joined) second
    where o.id = ${reader.organizationId} and ${role === 'owner'} and second.joined is not null
      and not exists (select from approval_policies p where p.organization_id = o.id)`,
  raisedAt: (reader, id) => sql`(select ${secondJoined(reader)} where ${id}::uuid = ${reader.organizationId}::uuid)`,
  standing: () => SEVERITY,
  describe: (reader) => ({
    title: 'Let a second person approve',
    summary:
      'Each owner and admin may still approve what they asked for themselves. Now that there are several of you, a ' +
      'policy can ask for another person.',
    ...SEVERITY,
    href: `/organizations/${reader.organizationId}/approval-policy`,
    action: { kind: 'set_approval_policy' },
    subject: { type: 'organization', organization_id: reader.organizationId },
  }),
}

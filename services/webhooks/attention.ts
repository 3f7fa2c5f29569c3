/** Attention for a webhook endpoint that fails, or was disabled for that. */
import { can } from '../../domain/permissions.ts'
import { uuid } from '../../domain/text.ts'
import { FAILURES_UNTIL_CAUTIOUS } from '../../domain/webhooks/delivery.ts'
import { type Kind, actionFor, itemAction, itemSubject } from '../attention-kind.ts'
import { sql } from '../../db/postgres/sql.ts'

const Subject = itemSubject('webhook_endpoint', { webhook_endpoint_id: uuid })
const Action = itemAction('failing_webhook', { webhook_endpoint_id: uuid })

type Facts = { readonly url: string; readonly is_disabled: boolean; readonly is_stream: boolean }

const standing = actionFor('organization.update')

/** Raised by failed deliveries, until one succeeds or a person changes the endpoint. */
export const failingWebhook: Kind<Facts, typeof Action, typeof Subject> = {
  kind: 'failing_webhook',
  audience: 'organization',
  action: Action,
  subjects: [Subject],
  items: (reader, viewer) => sql`
    select e.id as obligation_id, coalesce(e.failing_since, e.updated_at) as raised_at, null::timestamptz as due_at,
      e.url, e.status = 'disabled' as is_disabled, e.kind <> 'webhook' as is_stream
    from webhook_endpoints e
    where e.organization_id = ${reader.organizationId} and ${can(viewer, 'organization.update')}
      and (e.kind = 'webhook' or ${viewer.role === 'owner'})
      and (e.status = 'active' and e.failures >= ${FAILURES_UNTIL_CAUTIOUS}
        or e.status = 'disabled' and e.disabled_reason in ('gone', 'failures'))`,
  raisedAt: (reader, id, viewer) => sql`
    (select max(e.occurred_at) from events e
      where e.subject_id = ${id} and e.organization_id = ${reader.organizationId}
        and e.type in ('webhook_endpoint.failed', 'webhook_endpoint.disabled')
        and ${can(viewer, 'organization.update')})`,
  standing,
  describe: (reader, { id, facts }, viewer) => {
    const host = new URL(facts.url).host
    const receiver = facts.is_stream ? 'log stream to' : 'webhook endpoint at'
    return {
      title: facts.is_disabled ? 'Events are not delivered any more' : 'Events cannot be delivered',
      summary: facts.is_disabled
        ? `The ${receiver} ${host} was disabled because it took nothing. Enable it when it does: nothing is lost.`
        : `The ${receiver} ${host} takes nothing at the moment. Deliveries are tried again.`,
      ...standing(viewer),
      href: `/organizations/${reader.organizationId}/${facts.is_stream ? 'log-streams' : 'webhook-endpoints'}/${id}`,
      action: { kind: 'failing_webhook', webhook_endpoint_id: id },
      subject: { type: 'webhook_endpoint', webhook_endpoint_id: id },
    }
  },
}

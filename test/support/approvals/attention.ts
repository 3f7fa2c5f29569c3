/** Pending approvals under any policy, and the calls of attention. */
import { randomUUID } from 'node:crypto'
import { requestApproval } from '../../../services/approvals/requests.ts'
import type { Actor } from '../../../domain/people/actor.ts'
import type { Policy } from '../../../domain/approvals/requirements.ts'
import type { ApprovalId, OrganizationId, UserId } from '../../../domain/ids.ts'
import type { Role } from '../../../domain/permissions.ts'
import { type Tx, inOrganization } from '../../../db/postgres/sql.ts'
import { type TestPerson, api } from '../api.ts'
import { owner } from '../database.ts'

export type TestStep = { required?: number; roles?: Role[]; people?: TestPerson[] }
type Asked = { steps: TestStep[]; selfApproval?: boolean; hours?: number }

/** A policy of these steps; the requester may approve by default. */
const policyOf = ({ steps, selfApproval = true, hours = 720 }: Asked): Policy => ({
  steps: steps.map(({ required = 1, roles = [], people = [] }) => ({
    required,
    roles,
    user_ids: people.map(({ userId }) => userId as UserId), // of a row that was written
  })),
  self_approval: selfApproval,
  expires_after_hours: hours,
})

export const within = <Result>(organizationId: string, by: TestPerson, work: (tx: Tx) => Promise<Result>) =>
  inOrganization({ kind: 'user', ...by, deviceId: '' } as unknown as Actor, organizationId as OrganizationId, work)

/** Requests an approval under a policy and returns its id; negative hours make it expired. */
export async function ask(organizationId: string, by: TestPerson, asked: Asked): Promise<ApprovalId> {
  const id = randomUUID() as ApprovalId // of the row that is written next
  const contact = randomUUID()
  await owner`insert into payment_contacts (id, organization_id, name, type, created_by)
    values (${contact}, ${organizationId}, 'Waiting', 'business', ${by.userId})`
  await within(organizationId, by, (tx) =>
    requestApproval(tx, {
      id,
      target_type: 'payment_contact',
      target_id: contact,
      requester_id: by.userId as UserId, // of a row that was written
      policy: policyOf(asked),
      subject: { target_id: contact },
      content: { kind: 'new_payee', name: `Test ${id}`, account: null, others: 0 },
      cause: `test:${id}`,
    }),
  )
  return id
}

export const attentionPath = (organizationId: string) => `/organizations/${organizationId}/attention`
export const attention = ({ token }: TestPerson, organizationId: string, query = '') =>
  api('GET', `${attentionPath(organizationId)}${query}`, { token })
export const summary = async (by: TestPerson, organizationId: string) =>
  (await attention(by, organizationId, '/summary')).body
export const item = (by: TestPerson, organizationId: string, id: string) => attention(by, organizationId, `/${id}`)

/** The ids of all items in the list, page by page. */
export async function pagedIds(by: TestPerson, organizationId: string, query = '', limit = 100): Promise<string[]> {
  const ids: string[] = []
  for (let cursor = ''; ;) {
    const { body } = await attention(by, organizationId, `?limit=${limit}${query}${cursor}`)
    ids.push(...body.data.map(({ id }: { id: string }) => id))
    if (!body.has_more) return ids
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`
  }
}

/** Contacts whose changes await an admin, and decisions about them. */
import { type TestPerson, fund, organization, person, withStepUp } from '../api.ts'
import { joined, setRules } from '../approvals/approvals.ts'
import { contactWith, seen } from './destinations.ts'

/** An active contact by service ID, of an organization whose contacts then await an admin. */
export async function scene(more: readonly object[] = []) {
  const payee = await organization(await person(), 'Payee')
  const at = await contactWith([{ type: 'svc_id', svc_id: payee.svcId }, ...more])
  const [admin] = await joined(at.payer.id, 'admin', 1)
  const [member] = await joined(at.payer.id, 'member', 1)
  const steps = [{ required: 1, roles: ['admin'] }]
  await setRules(at.payer.id, at.boss, [{ action_type: 'payment_contact', steps, expires_after_hours: 48 }])
  await fund(at.payer.id, '100.00')
  return { ...at, payee, admin: admin!, member: member! }
}

export const approvalOf = async (by: TestPerson, contact: string) => {
  const { organization_id: organizationId, approval_request_id: id } = await seen(by, contact)
  return `/organizations/${organizationId}/approvals/${id}`
}

export const decide = async (by: TestPerson, contact: string, verb: 'approve' | 'reject' | 'cancel') =>
  withStepUp('POST', `${await approvalOf(by, contact)}/${verb}`, { token: by.token, body: {} })

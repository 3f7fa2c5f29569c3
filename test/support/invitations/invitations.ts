/** Calls about invitations, and organizations that invite. */
import type { Payload } from '@temporalio/common'
import { expect } from 'vitest'
import { decode } from '../../../temporal/codec.ts'
import type { Invitation } from '../../../domain/invitations/invitation.ts'
import { client } from '../../../temporal/client.ts'
import { type Answer, type TestPerson, api, organization, person } from '../api.ts'
import { setRules } from '../approvals/approvals.ts'
import { owner } from '../database.ts'
import { advance, mailsTo } from '../identity/identity.ts'
import { eventually } from '../runs/runs.ts'

export const path = (organizationId: string, more = '') => `/organizations/${organizationId}/invitations${more}`

export const invite = (by: TestPerson, organizationId: string, rows: readonly unknown[], key?: string) =>
  api('POST', path(organizationId, '/bulk'), { token: by.token, body: { invitations: rows }, ...(key && { key }) })
export const list = (by: TestPerson, organizationId: string, query = '') =>
  api('GET', path(organizationId, query), { token: by.token })
export const read = (by: TestPerson, organizationId: string, id: string) =>
  api('GET', path(organizationId, `/${id}`), { token: by.token })
export const resend = (by: TestPerson, organizationId: string, id: string) =>
  api('POST', path(organizationId, `/${id}/resend`), { token: by.token })
export const remove = (by: TestPerson, organizationId: string, id: string) =>
  api('DELETE', path(organizationId, `/${id}`), { token: by.token })
export const accept = (by: { token: string }, token: string) =>
  api('POST', '/invitations/accept', { token: by.token, body: { token } })
export const decline = (by: TestPerson, token: string) =>
  api('POST', '/invitations/decline', { token: by.token, body: { token } })

export const tokensTo = async (email: string): Promise<string[]> =>
  (await mailsTo(email)).flatMap(({ token }) => (token === null ? [] : [token]))

export type Invited = { boss: TestPerson; id: string; guest: TestPerson; invitation: Invitation; token: string }

/** An organization that has invited a person with an account. */
export async function invited(role = 'member'): Promise<Invited> {
  const [boss, guest] = await Promise.all([person({ name: 'Boss' }), person({ name: 'Guest' })])
  const { id } = await organization(boss, 'Inviting')
  const made = await invite(boss, id, [{ email: guest.email, role }])
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const [token = ''] = await tokensTo(guest.email)
  return { boss, id, guest, invitation: made.body[0], token }
}

/** Sets that invitations wait for this many owners or admins, for two days. */
export const asksForApproval = (boss: TestPerson, organizationId: string, required = 1): Promise<void> =>
  setRules(organizationId, boss, [
    {
      action_type: 'organization_invitation',
      steps: [{ required, roles: ['owner', 'admin'] }],
      expires_after_hours: 48,
    },
  ])

/** Moves the clock; sessions stay valid. */
export async function pass(seconds: number): Promise<void> {
  await advance(seconds)
  await owner`update sessions set last_used_at = business_now(), signed_in_at = business_now()`
}
export const DAY_SECONDS = 24 * 3600

export const told = ({ status, body }: Answer) => [status, body.error?.type ?? 'done']

export const statusOf = async (id: string) =>
  (await owner<{ status: string }[]>`select status from invitations where id = ${id}`)[0]?.status

export const eventsOf = async (id: string) =>
  (await owner<{ type: string }[]>`select type from events where subject_id = ${id} order by occurred_at, id`).map(
    ({ type }) => type,
  )

export const runOf = (id: string) => client.workflow.getHandle(`invitation-${id}`)
export const runState = async (id: string) => (await runOf(id).describe()).status.name

export const detailsOf = async (id: string) =>
  (await runOf(id).query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails

/** Terminates the run as an operator may, once it waits. */
export async function terminateRun(id: string): Promise<void> {
  await eventually(() => detailsOf(id)).toMatch(/^Waits/)
  await runOf(id).terminate('ended by an operator')
}

/** Everything that Temporal stores of the run, decrypted, as one text. */
export async function decodedHistory(id: string): Promise<string> {
  const texts: string[] = []
  const opened = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return void texts.push(String(value))
    const { data, metadata } = value as Payload
    if (!(data instanceof Uint8Array) || !metadata) return Object.values(value).forEach(opened)
    texts.push(Buffer.from(decode({ data, metadata }).data ?? []).toString())
  }
  opened(await runOf(id).fetchHistory())
  return texts.join('\n')
}

/** Links of mails to pages. */
import type { ApprovalId, OrganizationId } from '../domain/ids.ts'
import type { Action } from '../domain/messages/mail.ts'
import type { MailedPage } from '../domain/sign-in/mailed-link.ts'
import { config } from './config.ts'

/** Links a token to its page, behind the `#`, which no server logs. */
export const linkToken = (page: MailedPage, token: string, label: string): Action => ({
  label,
  url: `${config.appUrl}/${page}#token=${encodeURIComponent(token)}`,
})

/** Links to the page of an approval; of a web app of its own only the list of what waits is known. */
export const linkApproval = (id: ApprovalId, label: string): Action => ({
  label,
  url: config.appUrl === config.publicUrl ? `${config.publicUrl}/approve/${id}` : `${config.appUrl}/approvals`,
})

/** Links to the list of what waits for the reader. */
export const linkInbox = (label: string): Action => ({
  label,
  url: config.appUrl === config.publicUrl ? `${config.publicUrl}/approve` : `${config.appUrl}/approvals`,
})

/** Links to the devices, sessions and passkeys of the reader. */
export const linkDevices = (): Action => ({
  label: 'See your sessions and devices',
  url: `${config.publicUrl}/approve/devices`,
})

/** Links to the page on which an organization says who it is. */
export const linkOnboarding = (id: OrganizationId): Action => ({
  label: 'See what is needed',
  url: `${config.publicUrl}/o/${id}/company/onboarding`,
})

/** Links of mails with a token behind their `#`: the page of each, and what it says of one before it acts. */
import * as v from 'valibot'
import { model, nullableText, describe } from '../text.ts'
import { token } from './sign-in.ts'

/** Pages that a mail links to with a token. Each names the address and asks before it acts. */
export const MAILED_PAGES = ['confirm-email', 'reset-password', 'keep-factors', 'invitation'] as const
export type MailedPage = (typeof MAILED_PAGES)[number]

export const AskedLink = model('AskedMailedLink', {
  page: v.picklist(MAILED_PAGES),
  token,
})
export type AskedLink = v.InferOutput<typeof AskedLink>

export const MailedLink = model('MailedLink', {
  email: describe(v.string(), 'Address of the account, or of the one that is to be.'),
  organization_name: describe(nullableText, 'Organization that the invitation is to; null for the other links.'),
})
export type MailedLink = v.InferOutput<typeof MailedLink>

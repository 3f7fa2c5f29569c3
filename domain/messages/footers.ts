/** Footers of our mails: why a mail came, and what to do if it is unexpected. */
import { quoteInMail } from '../text.ts'

type Footer = readonly [why: string, unexpected: string]

/** Writes the footer of a mail about the reader's account, or about it in an organization. */
export const aboutAccount = (organization?: string): Footer => [
  `You receive this mail because it is about your account${organization ? ` in ${quoteInMail(organization)}` : ''}.`,
  'If this was not you, change your password and end your other sessions.',
]

/** Writes the footer of a mail to a member of an organization. */
export const aboutOrganization = (organization: string): Footer => [
  `You receive this mail as a member of ${quoteInMail(organization)}.`,
  'If you did not expect it, do not answer it: ask another member of the organization.',
]

/** Writes the footer of a mail to an address that another person may have entered. */
export const becauseEntered = (why: string): Footer => [why, 'If you did not expect it, ignore it: nothing happens.']

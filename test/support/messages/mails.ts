import type { MailContent } from '../../../domain/messages/mail.ts'

/** Makes a mail of one paragraph. */
export const mailOf = (subject: string, paragraph: string, more: Partial<MailContent> = {}): MailContent => ({
  subject,
  paragraphs: [paragraph],
  footer: ['You receive this mail because of a test.'],
  ...more,
})

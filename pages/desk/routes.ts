/** Addresses of the desk. */
import type { Routes } from '../frame/routes.ts'
import { showDesk } from './desk.ts'
import { acceptMail, forgetSender, refuseMail, showMail } from './mail.ts'
import { endMailbox, openMailbox, showMails } from './mails.ts'

export const DESK: Routes = {
  shown: { '/desk': showDesk, '/o/:company/mails': showMails, '/o/:company/mails/:id': showMail },
  sent: {
    '/o/:company/mailboxes': openMailbox,
    '/o/:company/mailboxes/:id/end': endMailbox,
    '/o/:company/mails/:id/accept': acceptMail,
    '/o/:company/mails/:id/forget': forgetSender,
    '/o/:company/mails/:id/refuse': refuseMail,
  },
}

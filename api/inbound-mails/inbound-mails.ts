/** Bills by mail: the addresses of an organization, and the mails that came to them. */
import * as v from 'valibot'
import {
  BillMailbox,
  BillMailboxChange,
  BillMailboxFilters,
  NewBillMailbox,
} from '../../domain/inbound-mails/mailbox.ts'
import { InboundMail, InboundMailFilters, MailAcceptance } from '../../domain/inbound-mails/inbound-mail.ts'
import { pageOf } from '../../domain/pagination.ts'
import { acceptMail, forgetSender, refuseMail } from '../../services/inbound-mails/decisions.ts'
import {
  endMailbox,
  findMailbox,
  listMailboxes,
  openMailbox,
  renameMailbox,
} from '../../services/inbound-mails/mailboxes.ts'
import { findMail, listMails } from '../../services/inbound-mails/mails.ts'
import { operations } from '../http/operation.ts'

const { command, query } = operations('Bills by mail')

const MAILBOXES = '/organizations/{organization_id}/bill-mailboxes'
const MAILBOX = `${MAILBOXES}/{bill_mailbox_id}` as const
const MAILS = '/organizations/{organization_id}/inbound-mails'
const MAIL = `${MAILS}/{inbound_mail_id}` as const

export const inboundMails = [
  command('post', MAILBOXES, 'createBillMailbox')
    .says('Open an address that takes bills by mail', 'Files of mails to it become bills, as if they were uploaded.')
    .of('organization')
    .can('bills.create')
    .takes(NewBillMailbox)
    .refuses('unprocessable_entity')
    .creates(BillMailbox, ({ read, claim }) => findMailbox(read, claim.id))
    .does(({ tx, person, claim, body }) => openMailbox(tx, person, { id: claim.id, name: body.name })),
  query(MAILBOXES, 'listBillMailboxes')
    .says('List addresses that take bills, newest first', 'Also those that have ended.')
    .of('organization')
    .delegates('read')
    .can('bills.list')
    .filters(BillMailboxFilters)
    .refuses('unprocessable_entity')
    .answers(pageOf(BillMailbox))
    .does(({ read, query }) => listMailboxes(read, query)),
  command('patch', MAILBOX, 'renameBillMailbox')
    .says('Rename an address that takes bills')
    .of('organization')
    .can('bills.create')
    .takes(BillMailboxChange)
    .refuses('unprocessable_entity')
    .answers(BillMailbox)
    .does(async ({ tx, read, params, body }) => {
      await renameMailbox(tx, params.bill_mailbox_id, body.name)
      return findMailbox(read, params.bill_mailbox_id)
    }),
  command('delete', MAILBOX, 'endBillMailbox')
    .says('End an address that takes bills', 'Mails to it are refused from now on; those that came stay.')
    .of('organization')
    .stops()
    .can('bills.create')
    .deletes()
    .does(({ tx, params }) => endMailbox(tx, params.bill_mailbox_id)),
  query(MAILS, 'listInboundMails')
    .says('List mails that came to addresses for bills, newest first')
    .of('organization')
    .delegates('read')
    .can('bills.list')
    .filters(InboundMailFilters)
    .answers(pageOf(InboundMail))
    .does(({ read, query }) => listMails(read, query)),
  query(MAIL, 'getInboundMail')
    .says('Read a mail', 'Who sent it, what the gateway found about the sender, and what each file led to.')
    .of('organization')
    .delegates('read')
    .can('bills.read')
    .answers(InboundMail)
    .does(({ read, params }) => findMail(read, params.inbound_mail_id)),
  command('post', `${MAIL}/accept`, 'acceptInboundMail')
    .says('Accept the sender of a mail', 'Until then its bills are read, and none is paid.')
    .of('organization')
    .can('bills.create', 'decides')
    .takes(MailAcceptance)
    .refuses('invalid_state', 'unprocessable_entity')
    .answers(InboundMail)
    .does(async ({ tx, person, read, params, body }) => {
      await acceptMail(tx, person, params.inbound_mail_id, body.remember)
      return findMail(read, params.inbound_mail_id)
    }),
  command('post', `${MAIL}/forget-sender`, 'forgetInboundMailSender')
    .says('Forget the sender of a mail', 'Later mails of this sender wait again. What was accepted stays.')
    .of('organization')
    .stops()
    .can('bills.create')
    .takes(v.object({}))
    .answers(InboundMail)
    .does(async ({ tx, read, params }) => {
      await forgetSender(tx, params.inbound_mail_id)
      return findMail(read, params.inbound_mail_id)
    }),
  command('post', `${MAIL}/refuse`, 'refuseInboundMail')
    .says('Refuse a mail', 'Bills that came by it alone are put away. Its sender hears nothing.')
    .of('organization')
    .can('bills.create', 'decides')
    .takes(v.object({}))
    .refuses('invalid_state')
    .answers(InboundMail)
    .does(async ({ tx, person, read, params }) => {
      await refuseMail(tx, person, params.inbound_mail_id)
      return findMail(read, params.inbound_mail_id)
    }),
]

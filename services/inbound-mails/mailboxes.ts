/** Addresses that take bills by mail. */
import { randomBytes } from 'node:crypto'
import { refuse } from '../../domain/errors.ts'
import type { BillMailboxId, OrganizationId } from '../../domain/ids.ts'
import { mailboxEvents } from '../../domain/inbound-mails/events.ts'
import {
  type BillMailbox,
  MAILBOXES_MAX,
  TOKEN_LENGTH,
  addressOfMailbox,
  tokenInAddress,
  tokenOfMailbox,
} from '../../domain/inbound-mails/mailbox.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import type { Person } from '../../domain/people/actor.ts'
import { config } from '../../platform/config.ts'
import { newCause, record } from '../events.ts'
import { pageOf } from '../../db/postgres/pagination.ts'
import { type Fragment, type Reader, type Tx, first, sql } from '../../db/postgres/sql.ts'

type Row = Omit<BillMailbox, 'address'> & { readonly token: string }

const selectMailboxes = (): Fragment => sql`
  select bill_mailboxes.id, bill_mailboxes.organization_id, bill_mailboxes.name, bill_mailboxes.token,
    bill_mailboxes.created_by as created_by_id, bill_mailboxes.ended_at,
    bill_mailboxes.inserted_at, bill_mailboxes.updated_at
  from bill_mailboxes`

const toMailbox = ({ token, ...row }: Row): BillMailbox => ({ ...row, address: addressOfMailbox(token, domain()) })

/** Returns the domain of these addresses. Refuses `unprocessable_entity` where no mail is taken. */
const domain = (): string => config.billsMailDomain ?? refuse('unprocessable_entity', { reason: 'no_bill_mail' })

/** Lists addresses, newest first, also those that have ended. */
export async function listMailboxes(reader: Reader, page: PageRequest): Promise<Page<BillMailbox>> {
  domain()
  const { data, ...rest } = await pageOf<Row>(reader, 'bill_mailboxes', page, sql`${selectMailboxes()} where true`)
  return { ...rest, data: data.map(toMailbox) }
}

/** Finds an address. Refuses `not_found`. */
export async function findMailbox(reader: Reader, id: BillMailboxId): Promise<BillMailbox> {
  const row = await first(
    reader<Row>(sql`
      ${selectMailboxes()} where bill_mailboxes.id = ${id} and bill_mailboxes.organization_id = ${reader.organizationId}`),
  )
  return row ? toMailbox(row) : refuse('not_found')
}

type NewMailboxRow = { readonly id: BillMailboxId; readonly name: string }

/** Opens an address. Refuses `unprocessable_entity` where no mail is taken, and for one too many. */
export async function openMailbox(tx: Tx, person: Person, { id, name }: NewMailboxRow): Promise<void> {
  domain()
  await tx`select from organizations where id = ${tx.organizationId} for no key update`
  const open = await tx`select from bill_mailboxes where organization_id = ${tx.organizationId} and ended_at is null`
  if (open.length >= MAILBOXES_MAX) refuse('unprocessable_entity', { reason: 'too_many', most: MAILBOXES_MAX })
  const token = tokenOfMailbox(randomBytes(TOKEN_LENGTH))
  await tx`
    insert into bill_mailboxes (id, organization_id, token, name, created_by)
    values (${id}, ${tx.organizationId}, ${token}, ${name}, ${person.userId})`
  await record(tx, mailboxEvents.created, { subjectId: id, cause: `mailbox:${id}` })
}

/** Renames an address. Refuses `not_found`, also for one that has ended. */
export async function renameMailbox(tx: Tx, id: BillMailboxId, name: string): Promise<void> {
  const [before] = await tx<{ name: string }[]>`
    select name from bill_mailboxes where id = ${id} and organization_id = ${tx.organizationId} and ended_at is null
    for no key update`
  if (!before) refuse('not_found')
  if (before.name === name) return
  await tx`update bill_mailboxes set name = ${name}, updated_at = business_now() where id = ${id}`
  await record(tx, mailboxEvents.renamed, { subjectId: id, cause: newCause() })
}

/** Ends an address: mails to it are refused from now on, those that have come stay. Refuses `not_found`. */
export async function endMailbox(tx: Tx, id: BillMailboxId): Promise<void> {
  const ended = await tx`
    update bill_mailboxes set ended_at = business_now(), updated_at = business_now()
    where id = ${id} and organization_id = ${tx.organizationId} and ended_at is null returning id`
  if (ended.length === 0) refuse('not_found')
  await record(tx, mailboxEvents.closed, { subjectId: id, cause: newCause() })
}

export type FoundMailbox = { readonly id: BillMailboxId; readonly organizationId: OrganizationId }

/** Finds the mailbox of an address that takes mail; undefined for any other address. */
export async function findMailboxAt(address: string): Promise<FoundMailbox | undefined> {
  const token = config.billsMailDomain === undefined ? null : tokenInAddress(address, config.billsMailDomain)
  if (token === null) return undefined
  const row = await first(
    sql<{ id: BillMailboxId; organization_id: OrganizationId }[]>`select * from find_bill_mailbox(${token})`,
  )
  return row && { id: row.id, organizationId: row.organization_id }
}

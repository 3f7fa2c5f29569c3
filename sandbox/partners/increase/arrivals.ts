/** Endpoints of transfers that arrive: shown, listed, declined and sent back. */
import * as v from 'valibot'
import { returnDeposit } from '../../db/deposits.ts'
import { type InboundKind, type InboundRow, findInbound, listInbound } from '../../db/increase/transfers.ts'
import { declineInbound } from '../../db/increase/inbound.ts'
import {
  type Answer,
  type Desk,
  type Question,
  invalidOperation,
  notFound,
  ok,
  pageOf,
  parse,
  valuesOf,
} from './answers.ts'
import { readId } from './ids.ts'
import { ACH_RETURNS, WIRE_RETURNS, showInbound, waits } from './views/inbound.ts'

async function requireInbound(kind: InboundKind, desk: Desk, id: string): Promise<InboundRow> {
  const read = readId(kind, id)
  const row = read && read.mark === '' ? await findInbound(desk.partner, read.uuid) : undefined
  if (row?.kind !== kind) throw notFound(id)
  return row
}

export const getInbound = async (kind: InboundKind, { desk, id }: Pick<Question, 'desk' | 'id'>): Promise<Answer> =>
  ok(showInbound(await requireInbound(kind, desk, id), desk))

/** Lists transfers of a kind that arrived, newest first. */
export async function listInboundOf(kind: InboundKind, { desk, query }: Question): Promise<Answer> {
  const [account, number] = [query.get('account_id'), query.get('account_number_id')]
  const statuses = valuesOf(query, 'status.in')
  return ok(
    await pageOf(query, (listing) => listInbound(desk.partner, kind, listing), {
      show: (row) => showInbound(row, desk),
      leaves: (transfer) =>
        (account === null || transfer.account_id === account) &&
        (number === null || transfer.account_number_id === number) &&
        (statuses === undefined || statuses.includes(transfer.status)),
    }),
  )
}

const AchReturnReason = v.strictObject({ reason: v.picklist(ACH_RETURNS) })
const AchDeclineReason = v.strictObject({ reason: v.exactOptional(v.picklist(ACH_RETURNS)) })
const WireReturnReason = v.strictObject({ reason: v.picklist(WIRE_RETURNS) })

export const returnAch = (question: Question): Promise<Answer> =>
  sendBack('inbound_ach_transfer', question, parse(AchReturnReason, question.body).reason)

export const reverseWire = (question: Question): Promise<Answer> =>
  sendBack('inbound_wire_transfer', question, parse(WireReturnReason, question.body).reason)

/** Sends a transfer back that was accepted, once. */
async function sendBack(kind: InboundKind, { desk, id }: Question, reason: string): Promise<Answer> {
  const row = await requireInbound(kind, desk, id)
  if (row.status !== 'received' || waits(row)) throw invalidOperation('The transfer has not been accepted.')
  await returnDeposit(desk.partner, row.id, reason)
  desk.changed()
  return getInbound(kind, { desk, id })
}

export async function declineAch({ desk, id, body }: Question): Promise<Answer> {
  const { reason = 'credit_entry_refused_by_receiver' } = parse(AchDeclineReason, body)
  const row = await requireInbound('inbound_ach_transfer', desk, id)
  if (!waits(row) || !(await declineInbound(desk.partner, row.id, reason))) {
    throw invalidOperation('The transfer is not pending.')
  }
  desk.changed()
  return getInbound('inbound_ach_transfer', { desk, id })
}

/** Texts for operators: their work lists, and their lookups. */
import { type Adjustment, listProposed } from '../adjustments/adjustments.ts'
import { listOpenCovers } from '../covers/lists.ts'
import { type Dealing, listDealings } from '../dealings/dealings.ts'
import { openFindings } from '../audit/findings.ts'
import { listConnections } from '../audit/connections.ts'
import { partnersHealth } from '../audit/partners.ts'
import { lastComparisons } from '../funds/comparison.ts'
import { listUnmatched } from '../deposits/unmatched.ts'
import { listFailed } from '../messages/messages.ts'
import { CONNECTION_VERDICTS, judgeConnection } from '../../domain/audit/connection.ts'
import { refuse } from '../../domain/errors.ts'
import type { PaymentId } from '../../domain/ids.ts'
import { minuteOf } from '../../domain/instants.ts'
import { isZero } from '../../domain/money/money.ts'
import { compareDecimals } from '../../domain/money/decimal.ts'
import { formatAmount } from '../../domain/money/money.ts'
import { sql } from '../../db/postgres/sql.ts'
import { listCharges, sumCharges } from '../payouts/charges.ts'
import { listAllOffers } from '../subscriptions/offers.ts'
import { listFailingWebhooks } from '../webhooks/failing.ts'

const LISTED_MAX = 1000
const FOUND_MAX = 20

/** Joins the lines that contain the filter, under their number; `none` if there are none at all. */
export function joinLines(lines: readonly string[], none: string, filter: string): string {
  if (lines.length === 0) return none
  const kept = lines.filter((line) => line.toLowerCase().includes(filter.toLowerCase()))
  const most = lines.length >= LISTED_MAX ? ', and maybe more' : ''
  return [filter ? `${kept.length} of ${lines.length}${most}` : `${lines.length}${most}`, ...kept].join('\n')
}

/** Lists the offers, cheapest first. */
export async function offers(filter = ''): Promise<string> {
  const lines = (await listAllOffers()).map(
    ({ id: offerId, name, amount, currency: of, active, subscribers }) =>
      `${offerId} ${name}: ${amount} ${of} a month, ${active ? 'is offered' : 'is not offered'}, ${subscribers} subscribed`,
  )
  return joinLines(lines, 'nothing is offered', filter)
}

export async function findings(filter = ''): Promise<string> {
  const lines = (await openFindings(LISTED_MAX)).map(
    ({ found_at, organization_id, kind, check, subject }) =>
      `${minuteOf(found_at)} ${organization_id ? `organization ${organization_id}` : 'all organizations'}: ${kind} ${check} ${subject}`,
  )
  return joinLines(lines, 'nothing is open', filter)
}

/** Lists the last comparison of each balance with our books, and what explains a difference. */
export async function describeFunds(): Promise<string> {
  const lines = (await lastComparisons()).map((one) => {
    const items = one.items.length === 0 ? '' : `, ${one.items.length} items in flight: ${one.in_flight}`
    const near = one.nearest?.items.map(({ kind, name, amount }) => `${kind} ${name} ${amount}`) ?? []
    const why = near.length > 0 ? `, ${one.nearest?.explains ? 'explained by' : 'nearest'} ${near.join(' and ')}` : ''
    const [books, balance] = [one.clearing, one.balance ?? 'not known']
    return (
      `${minuteOf(one.compared_at)} ${one.connection} ${one.currency}: ${one.outcome}, books ${books}, ` +
      `balance ${balance}${items}${one.outcome === 'differs' ? `, difference ${one.difference}${why}` : ''}`
    )
  })
  return joinLines(lines, 'nothing was compared yet', '')
}

/** Lists what connections have taken: sums by currency, then the latest charges. */
export async function charges(filter = ''): Promise<string> {
  const sums = (await sumCharges()).map(
    ({ connection, currency: of, borne, kept }) =>
      `${connection}: ${formatAmount(borne, of)} ${of} borne by us, ${formatAmount(kept, of)} ${of} kept from returns`,
  )
  const lines = (await listCharges(LISTED_MAX)).map(
    ({ posted_at: at, payment_id: payment, reference, amount, currency: of, ...one }) =>
      `${minuteOf(at)} ${one.connection}: ${formatAmount(amount, of)} ${of}, ` +
      `${one.name === 'kept' ? 'kept from the return' : one.name} of payment ${payment ?? '?'}, reference ${reference ?? '?'}`,
  )
  return joinLines([...sums, ...lines], 'nothing was taken', filter)
}

/** Lists the unmatched deposits, oldest first. */
export async function describeUnmatched(filter = ''): Promise<string> {
  const lines = (await listUnmatched(LISTED_MAX)).map(
    ({ id: depositId, partner, amount, account, source, status, since }) =>
      `${minuteOf(since)} ${depositId}: ${amount.amount} ${amount.currency} at the ${partner} for account ${account ?? '?'}, from ` +
      `${source.name ?? '?'}, reference ${source.reference ?? '?'}${status === 'returning' ? ', is being returned' : ''}`,
  )
  return joinLines(lines, 'nothing is unmatched', filter)
}

export async function describeProposed(filter = ''): Promise<string> {
  const lines = (await listProposed(LISTED_MAX)).map((one) => describeAdjustment('is proposed', one))
  return joinLines(lines, 'nothing is proposed', filter)
}

/** Describes an adjustment for its second operator. */
export function describeAdjustment(became: string, one: Adjustment): string {
  const back = one.partner_returned_amount === null ? '' : `, of which ${one.partner_returned_amount} came back`
  const listed = one.partner_status
    ? `, listed by ${one.connection} as ${one.partner_status} with ${one.partner_amount} ${one.partner_currency}${back}: ${one.own_status} here`
    : one.reference
      ? `, paid as ${one.reference}`
      : ''
  const accounts = [
    ['partner', one.clearing],
    ['receivable', one.receivable],
    ['available', one.available],
    ['payable', one.payable],
  ] as const
  const credits = accounts
    .filter(([, amount]) => compareDecimals(amount, '0') !== 0)
    .map(([account, amount]) => `${account} ${amount}`)
  const isFree = compareDecimals(one.refunded_fee, '0') === 0
  const fee = isFree ? '' : `, and refunds its fee of ${one.refunded_fee} in the currency that was deducted`
  return (
    `${minuteOf(one.inserted_at)} adjustment ${one.id} ${became}: ${one.kind} ${one.payment_id ?? one.deposit_id ?? ''} of ` +
    `organization ${one.organization_id}${listed}; credits ${credits.join(', ') || 'nothing'} ${one.currency}${fee}; ` +
    `proposed by ${one.proposer}: ${one.reason}`
  )
}

/** Lists open covers, and dealings that wait for a second operator or for their day. */
export async function describeCovers(filter = ''): Promise<string> {
  const covers = (await listOpenCovers(LISTED_MAX)).map(
    ({ since, id, connection, sell, buy, note, dealingId }) =>
      `${minuteOf(since)} ${id} at ${connection}: sell ${sell.amount} ${sell.currency}, buy ${buy.amount} ${buy.currency}` +
      (dealingId ? `, in dealing ${dealingId}` : note ? `, the desk ${note}` : ''),
  )
  const dealings = (await listDealings(LISTED_MAX)).map((one) =>
    describeDealing(one.status === 'proposed' ? 'is proposed' : 'is not settled', one),
  )
  return joinLines([...covers, ...dealings], 'nothing is open', filter)
}

/** Describes a dealing for its second operator. */
export function describeDealing(became: string, one: Dealing): string {
  const { since, id, covers, sold, bought, settlesOn, proposer, reason } = one
  return (
    `${minuteOf(since)} dealing ${id} ${became}: sold ${sold.amount} ${sold.currency}, bought ${bought.amount} ` +
    `${bought.currency} for ${covers} covers${settlesOn ? `, settles on ${settlesOn}` : ''}; ${describeResult(one)}; ` +
    `proposed by ${proposer}: ${reason}`
  )
}

/** Describes what a dealing came to beside what was quoted, in each currency. */
function describeResult({ results }: Dealing): string {
  const found = results.filter((money) => !isZero(money))
  return `result ${found.map(({ amount, currency }) => `${amount} ${currency}`).join(' and ') || 'nothing'}`
}

/** Lists failed mails and messages to phones, newest first. */
export async function describeFailedMessages(filter = ''): Promise<string> {
  const lines = (await listFailed(LISTED_MAX)).map(
    ({ failed_at, id: messageId, channel, recipient, attempts, ask_note }) =>
      `${minuteOf(failed_at)} ${messageId}: ${channel} to ${recipient}, ${attempts} tries, ${ask_note ?? 'no answer'}`,
  )
  return joinLines(lines, 'nothing has failed', filter)
}

/** Lists webhook endpoints that take nothing, oldest failure first. */
export async function describeFailingWebhooks(filter = ''): Promise<string> {
  const lines = (await listFailingWebhooks(LISTED_MAX)).map(
    ({ since, id: endpointId, organization_id, host, status, failures }) =>
      `${minuteOf(since)} ${endpointId} of organization ${organization_id}: ${host}, ` +
      (status === 'disabled' ? 'disabled' : `${failures} tries in vain`),
  )
  return joinLines(lines, 'nothing fails', filter)
}

/** Lists partners: when they were last heard, and what waits. */
export async function describePartners(filter = ''): Promise<string> {
  const lines = (await partnersHealth()).map(
    ({ partner, read_at, called_at, unhandled_callbacks: unhandled }) =>
      `${partner}: ${read_at ? `lists read at ${minuteOf(read_at)}` : 'lists were never read'}, ` +
      `${called_at ? `called last at ${minuteOf(called_at)}` : 'has not called'}, ${unhandled} callbacks not handled`,
  )
  return joinLines(lines, 'no partner was heard yet', filter)
}

/** Lists the connections, each with what it has and what has to be done. */
export async function describeConnections(filter = ''): Promise<string> {
  const lines = (await listConnections()).map((one) => {
    const { name, kind, driver, closed, pause, orders, oldest_at: oldest } = one
    const state = pause
      ? `paused since ${minuteOf(pause.since)} by ${pause.by}: ${pause.reason}`
      : closed
        ? 'closed'
        : 'open'
    return `${name} (${kind}, ${driver}): ${state}; ${orders === 1 ? '1 order' : `${orders} orders`}${oldest ? `, the oldest since ${minuteOf(oldest)}` : ''}; ${CONNECTION_VERDICTS[judgeConnection(one)]}`
  })
  return joinLines(lines, 'no connection is configured', filter)
}

type FoundOrganization = {
  readonly id: string
  readonly name: string
  readonly svc_id: string | null
  readonly status: string
  readonly inserted_at: string
  readonly members: number
  readonly books_stopped_at: string | null
}

/** Finds organizations by id, service ID or a part of the name, newest first. */
export async function findOrganizations(words: string): Promise<string> {
  const rows = await sql<FoundOrganization[]>`select * from operator_organizations(${words}, ${FOUND_MAX})`
  const lines = rows.map(
    (one) =>
      `${minuteOf(one.inserted_at)} ${one.id} ${one.name}: ${one.status}, service ID ${one.svc_id ?? 'none'}, ` +
      `${one.members} members${one.books_stopped_at ? `, books stopped since ${minuteOf(one.books_stopped_at)}` : ''}`,
  )
  return lines.length === 0 ? 'no organization has that id, service ID or name' : lines.join('\n')
}

/** Describes the person with an address, and their memberships. Refuses `not_found`. */
export async function describePerson(email: string): Promise<string> {
  const [person] = await sql<{ id: string; inserted_at: string }[]>`
    select id, inserted_at from people where email = ${email.toLowerCase()}`
  if (!person) refuse('not_found')
  const rows = await sql<{ organization_id: string; name: string; role: string }[]>`
    select * from operator_memberships(${person.id})`
  const memberships = rows.map((one) => `${one.role} of organization ${one.organization_id} ${one.name}`)
  return [`person ${person.id} since ${minuteOf(person.inserted_at)}`, ...memberships].join('\n')
}

type FoundPayment = {
  readonly organization_id: string
  readonly rail: string
  readonly connection: string | null
  readonly status: string
  readonly status_detail: string
  readonly deducting_amount: string
  readonly deducting_currency: string
  readonly approval_request_id: string | null
  readonly payment_batch_id: string | null
  readonly inserted_at: string
  readonly updated_at: string
}

/** Describes the state of a payment, without its payee. Refuses `not_found`. */
export async function describePayment(id: PaymentId): Promise<string> {
  const [one] = await sql<FoundPayment[]>`select * from operator_payment(${id})`
  if (!one) refuse('not_found')
  const cause = one.payment_batch_id ? `batch ${one.payment_batch_id}` : `approval ${one.approval_request_id ?? 'none'}`
  return (
    `payment ${id} of organization ${one.organization_id}: ${one.status} (${one.status_detail}) by ${one.rail}` +
    `${one.connection ? ` at ${one.connection}` : ''}, ` +
    `${one.deducting_amount} ${one.deducting_currency}, ${cause}, made ${minuteOf(one.inserted_at)}, ` +
    `changed ${minuteOf(one.updated_at)}`
  )
}

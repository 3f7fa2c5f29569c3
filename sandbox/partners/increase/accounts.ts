/** The account of the money of all, its numbers, and banks by their routing numbers. */
import { createHash } from 'node:crypto'
import type Increase from 'increase'
import * as v from 'valibot'
import { type RowOf, amendOpened } from '../../db/increase/accounts.ts'
import { balanceAt } from '../../db/increase/entries.ts'
import {
  type Answer,
  type Desk,
  type Question,
  invalidParameters,
  notFound,
  ok,
  parse,
  timeOf,
  valuesOf,
} from './answers.ts'
import { idOf } from './ids.ts'
import { listKept, openOnce, requireOpened } from './opened.ts'
import { bankOf } from './orders.ts'

/** Routing number of all account numbers. */
export const ROUTING_NUMBER = '101050001'
const OPENED_AT = '2020-01-31T23:59:59.000Z'

/** Requires the one account. Throws `object_not_found_error`. */
export function requireAccount({ account }: Desk, id: string): void {
  if (id !== account) throw notFound(id)
}

export function getAccount({ desk, id }: Question): Promise<Answer> {
  requireAccount(desk, id)
  const account = {
    id,
    account_revenue_rate: null,
    bank: 'first_internet_bank',
    closed_at: null,
    created_at: OPENED_AT,
    currency: 'USD',
    entity_id: idOf('entity', OWNER),
    funding: 'deposits',
    idempotency_key: null,
    informational_entity_id: null,
    interest_rate: '0.00',
    loan: null,
    name: 'Business Finance Service',
    program_id: idOf('program', OWNER),
    status: 'open',
    type: 'account',
  } satisfies Increase.Account
  return Promise.resolve(ok(account))
}
const OWNER = '0a3f7c1e-5d0b-4a53-9e57-4c5b0e6f2d12'

export async function getBalance({ desk, id, query }: Question): Promise<Answer> {
  requireAccount(desk, id)
  const at = query.get('at_time')
  if (at !== null && Number.isNaN(Date.parse(at))) throw invalidParameters('must be a time of ISO 8601', 'at_time')
  const { current, available } = await balanceAt(desk.partner, at)
  return ok({
    account_id: id,
    available_balance: available,
    current_balance: current,
    loan: null,
    type: 'balance_lookup',
  } satisfies Increase.BalanceLookup)
}

const Debits = v.picklist(['allowed', 'blocked'])
const Checks = v.strictObject({ status: v.picklist(['allowed', 'check_transfers_only']) })
const NewNumber = v.strictObject({
  account_id: v.string(),
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  inbound_ach: v.exactOptional(v.strictObject({ debit_status: Debits })),
  inbound_checks: v.exactOptional(Checks),
}) satisfies v.GenericSchema<unknown, Increase.AccountNumberCreateParams>
const ChangedNumber = v.strictObject({
  name: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(200))),
  status: v.exactOptional(v.picklist(['active', 'disabled', 'canceled'])),
  inbound_ach: v.exactOptional(v.strictObject({ debit_status: v.exactOptional(Debits) })),
  inbound_checks: v.exactOptional(Checks),
}) satisfies v.GenericSchema<unknown, Increase.AccountNumberUpdateParams>

/** Opens an account number, once for each key. */
export async function createNumber({ desk, body, key }: Question): Promise<Answer> {
  const { account_id: accountId, name, inbound_ach: ach, inbound_checks: checks } = parse(NewNumber, body)
  requireAccount(desk, accountId)
  const document = {
    kind: 'account_number',
    key,
    name,
    status: 'active',
    debits: ach?.debit_status ?? 'blocked',
    checks: checks?.status ?? 'check_transfers_only',
  } as const
  const details = (uuid: string) => ({ account_number: digitsOf(uuid), routing_number: ROUTING_NUMBER })
  return openOnce(desk, { document, content: { body }, details, show: (row) => showNumber(row, desk) })
}

export const getNumber = async ({ desk, id }: Question): Promise<Answer> =>
  ok(showNumber(await requireOpened(desk, 'account_number', id), desk))

/** Changes an account number; a repeat changes nothing. */
export async function patchNumber({ desk, id, body }: Question): Promise<Answer> {
  const { name, status, inbound_ach: ach, inbound_checks: checks } = parse(ChangedNumber, body)
  const row = await requireOpened(desk, 'account_number', id)
  await amendOpened(desk.partner, row, {
    ...(name !== undefined && { name }),
    ...(status !== undefined && { status }),
    ...(ach?.debit_status !== undefined && { debits: ach.debit_status }),
    ...(checks && { checks: checks.status }),
  })
  return getNumber({ desk, id, body, query: new URLSearchParams(), key: null })
}

/** Lists account numbers, newest first. */
export async function listAccountNumbers({ desk, query }: Question): Promise<Answer> {
  const account = query.get('account_id')
  const [statuses, debits] = [valuesOf(query, 'status.in'), valuesOf(query, 'ach_debit_status.in')]
  return listKept(
    'account_number',
    { desk, query },
    {
      show: (row) => showNumber(row, desk),
      leaves: (number) =>
        (account === null || number.account_id === account) &&
        (statuses === undefined || statuses.includes(number.status)) &&
        (debits === undefined || debits.includes(number.inbound_ach.debit_status)),
    },
  )
}

function showNumber(
  { account, details, document, made_at: madeAt }: RowOf<'account_number'>,
  desk: Desk,
): Increase.AccountNumber {
  return {
    id: account,
    account_id: desk.account,
    account_number: details['account_number'] ?? '',
    created_at: timeOf(madeAt),
    idempotency_key: document.key,
    inbound_ach: { debit_status: document.debits },
    inbound_checks: { status: document.checks },
    name: document.name,
    routing_number: ROUTING_NUMBER,
    status: document.status,
    type: 'account_number',
  } satisfies Increase.AccountNumber
}

/** Makes the ten digits of an account number. */
function digitsOf(uuid: string): string {
  const hash = createHash('sha256').update(`account number:${uuid}`).digest('hex')
  return (BigInt(`0x${hash}`) % 10_000_000_000n).toString().padStart(10, '0')
}

/** Lists the bank of a routing number. */
export function listBanks({ query }: Question): Promise<Answer> {
  const number = query.get('routing_number')
  if (number === null) throw invalidParameters('is required', 'routing_number')
  const bank = bankOf(number)
  return Promise.resolve(ok({ data: bank ? [bank] : [], next_cursor: null }))
}

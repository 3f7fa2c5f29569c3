import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import * as v from 'valibot'
import { hashOf } from '../../services/idempotency.ts'
import { Money } from '../../domain/money/money.ts'
import { SPEEDS } from '../../domain/payments/speed.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { railOf } from '../../services/connections/connections.ts'
import { openAccount } from '../db/accounts.ts'
import { listBalances } from '../db/balances.ts'
import { findDepositAt, listDepositsAt, returnDeposit } from '../db/deposits.ts'
import { cancelPayout, findPayout, listPayouts, makePayout } from '../db/payouts.ts'
import { bankAccount, cryptoAccount } from './accounts.ts'
import {
  type Ask,
  type Endpoint,
  type Reply,
  isRefused,
  ok,
  otherBody,
  page,
  parse,
  refuseWith,
  unknownId,
} from './http.ts'
import { payeeChecks } from './payee-checks.ts'

/** References that are refused at once, like a payee on a sanctions list. */
const REFUSED_REFERENCE = /refused at the door/i
/** Town that no bank knows. */
const REFUSED_TOWN = /^nowhere$/i

const Payer = v.strictObject({
  name: v.string(),
  address: v.strictObject({
    line1: v.string(),
    line2: v.optional(v.string()),
    postal_code: v.string(),
    town: v.string(),
    country_code: v.string(),
  }),
  account: v.optional(v.string()),
})
const NewPayout = v.object({
  amount: Money,
  speed: v.optional(v.picklist(SPEEDS), 'standard'),
  reference: v.pipe(v.string(), v.maxLength(255)),
  beneficiary: v.looseObject({ network: v.optional(v.string()) }),
  payee_address: v.optional(v.looseObject({ town: v.string(), country_code: v.string() })),
  payer: v.optional(Payer),
  payee: v.optional(v.looseObject({ name: v.string() })),
})
const Return = v.object({ reason: v.pipe(v.string(), v.minLength(1), v.maxLength(255)) })
const NewBankAccount = v.object({ currency: v.string(), holder: v.pipe(v.string(), v.minLength(1)) })
const NewAddress = v.object({ network: v.string(), coin: v.string() })

/** Lists the partner's endpoints; they call `changed` when something may be due sooner. */
export const moneyEndpoints = (partner: ConnectionName, changed: () => void): readonly Endpoint[] => [
  { method: 'PUT', path: '/v1/payouts/{id}', answer: (ask) => putPayout(partner, ask, changed) },
  {
    method: 'GET',
    path: '/v1/payouts/{id}',
    answer: async ({ id }) => {
      const payout = await findPayout(partner, id)
      return payout ? ok(payout) : unknownId
    },
  },
  {
    method: 'GET',
    path: '/v1/payouts',
    answer: ({ query }) => page(query, (after, limit) => listPayouts(partner, after, limit)),
  },
  ...(railOf(partner) === 'crypto' ? [cancellation(partner, changed)] : [payeeChecks]),
  {
    method: 'GET',
    path: '/v1/deposits/{id}',
    answer: async ({ id }) => {
      const deposit = await findDepositAt(partner, id)
      return deposit ? ok(deposit) : unknownId
    },
  },
  {
    method: 'GET',
    path: '/v1/deposits',
    answer: ({ query }) => page(query, (after, limit) => listDepositsAt(partner, after, limit)),
  },
  { method: 'GET', path: '/v1/balances', answer: async () => ok({ data: await listBalances(partner) }) },
  { method: 'PUT', path: '/v1/deposits/{id}/return', answer: (ask) => putReturn(partner, ask, changed) },
  {
    method: 'PUT',
    path: '/v1/accounts/{id}',
    answer: (ask) => (railOf(partner) === 'fiat' ? putBankAccount(partner, ask) : putAddress(partner, ask)),
  },
]

async function putPayout(partner: ConnectionName, { id, body }: Ask, changed: () => void): Promise<Reply> {
  const payout = parse(NewPayout, body)
  if (isRefused(payout)) return payout.refused
  if (REFUSED_REFERENCE.test(payout.reference)) return refuseWith('beneficiary_refused', 'this payee is not paid')
  const { payee_address: address = null, payer = null, payee = null } = payout
  if (REFUSED_TOWN.test(address?.town ?? '')) return refuseWith('address_invalid', 'the address of the payee is wrong')
  const ownReference = railOf(partner) === 'fiat' ? bankReference(id) : transactionHash(id, payout.beneficiary.network)
  const made = await makePayout({
    id,
    partner,
    speed: payout.speed,
    bodyHash: hashOf(body),
    amount: payout.amount,
    ownReference,
    address,
    payer,
    payee,
  })
  if (!made) return otherBody
  changed()
  if (payout.speed === 'instant' && made.status === 'pending') return NO_ANSWER
  return ok(made)
}

/** Answer about an instant payout of which the bank has not heard in time. */
const NO_ANSWER: Reply = { status: 504, body: { code: 'no_answer', message: 'the outcome is not known yet' } }

const cancellation = (partner: ConnectionName, changed: () => void): Endpoint => ({
  method: 'PUT',
  path: '/v1/payouts/{id}/cancellation',
  answer: async ({ id }) => {
    const payout = await cancelPayout(partner, id)
    changed()
    return payout ? ok(payout) : unknownId
  },
})

async function putReturn(partner: ConnectionName, { id, body }: Ask, changed: () => void): Promise<Reply> {
  const wanted = parse(Return, body)
  if (isRefused(wanted)) return wanted.refused
  const deposit = await returnDeposit(partner, id, wanted.reason)
  if (deposit === undefined) return unknownId
  changed()
  return deposit === 'other' ? otherBody : ok(deposit)
}

async function putBankAccount(partner: ConnectionName, { id, body }: Ask): Promise<Reply> {
  const wanted = parse(NewBankAccount, body)
  if (isRefused(wanted)) return wanted.refused
  const made = bankAccount(id, wanted)
  if (!made) return refuseWith('unsupported_currency', 'no accounts in this currency')
  const opened = await openAccount(partner, hashOf(body), { id, ...made })
  return opened ? ok(opened) : otherBody
}

async function putAddress(partner: ConnectionName, { id, body }: Ask): Promise<Reply> {
  const wanted = parse(NewAddress, body)
  if (isRefused(wanted)) return wanted.refused
  const made = cryptoAccount(id, wanted)
  if (!made) return refuseWith('unsupported_coin', 'this coin is not on this network')
  const opened = await openAccount(partner, hashOf(body), { id, ...made })
  return opened ? ok(opened) : otherBody
}

const digest = (text: string) => createHash('sha256').update(text).digest()
const bankReference = (id: string): string => `SB${digest(id).toString('hex').slice(0, 14).toUpperCase()}`

export function transactionHash(id: string, network: string | undefined): string {
  const bytes = digest(`transaction:${id}`)
  if (network === 'ethereum') return `0x${bytes.toString('hex')}`
  if (network === 'solana') return base58.encode(Buffer.concat([bytes, digest(`signature:${id}`)]))
  return bytes.toString('hex')
}

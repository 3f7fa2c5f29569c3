/** Service under the conformance kit: our own code in this process, at a real Postgres, with its business clock moved. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createApp } from '../../api/app.ts'
import { serverOf } from '../../api/listener.ts'
import { insertOwned, owner } from '../../bench/owner.ts'
import { advanceClock, followClock } from '../../db/postgres/clock.ts'
import { endPools } from '../../db/postgres/sql.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import type { Speed } from '../../domain/payments/speed.ts'
import { encrypt, newToken, tokenHash } from '../../platform/encryption.ts'
import { allRoutes } from '../../sandbox/routes.ts'
import { type Call, callProved } from '../rehearse/load.ts'
import { askAt } from '../rehearse/town.ts'
import type { Amount, CallbackMessage, Capabilities, Rail } from './provider.ts'

export { owner }

/** Accounts of the payee by currency, as its country names them. */
const BANKS: Readonly<Record<string, object>> = {
  EUR: { country_code: 'DE', iban: 'DE02120300000000202051' },
  USD: { country_code: 'US', account_number: '000123456789', aba_code: '021000021' },
}
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'

/** Payment of the kit, approved: its money is held, and no partner was asked. */
export type KitPayment = {
  readonly id: string
  readonly organizationId: OrganizationId
  readonly rail: Rail
  /** Words for the payee, of this payment alone. */
  readonly reference: string
  readonly amount: Amount
}

export type Payer = { readonly organizationId: OrganizationId; readonly accounts: Readonly<Record<Rail, string>> }

export type Service = {
  readonly payer: Payer
  /** Money of each rail. */
  readonly currencies: Capabilities['currencies']
  readonly pay: (rail: Rail, amount?: string, speed?: Speed) => Promise<KitPayment>
  /** Requests a payment; `approve` approves it, as a person would. */
  readonly request: (
    rail: Rail,
    amount?: string,
    speed?: Speed,
  ) => Promise<{ payment: KitPayment; approve: () => Promise<void> }>
  /** Cancels a payment, as a person would; answers the status. */
  readonly cancel: (payment: KitPayment) => Promise<number>
  /** Posts a callback; answers the status. */
  readonly callBack: (message: CallbackMessage) => Promise<number>
  readonly close: () => Promise<void>
}

/** Moves our clock; runs and sessions see the time of business. */
export const later = async (seconds: number): Promise<void> => void (await advanceClock(seconds))

/** Opens the service for a provider with a payer whose money `fund` brings. */
export async function openService(
  { rails, currencies }: Pick<Capabilities, 'rails' | 'currencies'>,
  fund: (rail: Rail, account: string) => Promise<void>,
): Promise<Service> {
  await followClock()
  const server = serverOf(createApp(allRoutes).fetch)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ask = askAt(() => url)
  const call: Call = async (wanted, ...args) => {
    const answer = await ask(...args)
    if (wanted.includes(answer.status)) return answer
    throw new Error(`${args[0]} ${args[1]} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  }
  const person = await insertOwned('Conformance')
  const { organizationId, userId, deviceId } = person
  await owner`insert into authenticators (user_id, secret) values (${userId}, ${encrypt(Buffer.from(randomUUID()))})`
  const session = async (): Promise<string> => {
    const token = `ses_${newToken()}` // a new one for each call: the clock moves by days
    await owner`
      insert into sessions (id, token_hash, user_id, device_id)
      values (${randomUUID()}, ${tokenHash(token)}, ${userId}, ${deviceId})`
    return token
  }
  const accounts = await openAccounts(organizationId, currencies)
  for (const rail of rails) await fund(rail, accounts[rail])
  const contacts = await addContacts(call, { organizationId, currencies, token: await session() })
  const request: Service['request'] = async (rail, amount = '100.00', speed = 'standard') => {
    const [token, reference] = [await session(), `Conform ${randomUUID().slice(0, 18)}`]
    const money = { amount, currency: currencies[rail] }
    const order = { payment_contact_id: contacts[rail], amount: money, side: 'landing', speed }
    const { body: quote } = await call([200], 'POST', '/payments/preflight', order, token)
    const terms = { payout_reason: 'services', statement_description: reference, quote_id: quote.quote_id }
    const { body: payment } = await call([201], 'POST', '/payments/execute', terms, token)
    const approval = `/organizations/${organizationId}/approvals/${payment.approval_request_id}/approve`
    return {
      payment: { id: payment.id, organizationId, rail, reference, amount: quote.landing },
      approve: async () => void (await callProved(call, 'POST', approval, {}, await session())),
    }
  }
  return {
    payer: { organizationId, accounts },
    currencies,
    request,
    pay: async (rail, amount, speed) => {
      const { payment, approve } = await request(rail, amount, speed)
      await approve()
      return payment
    },
    cancel: async ({ id }) => (await ask('POST', `/payments/${id}/cancel`, {}, await session())).status,
    callBack: async ({ path, headers, body }) =>
      (await fetch(`${url}${path}`, { method: 'POST', headers, body })).status,
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
      await Promise.all([endPools(), owner.end({ timeout: 1 })])
    },
  }
}

/** Opens an account of the payer by row: the situations about accounts open theirs at the provider. */
async function openAccounts(
  organizationId: OrganizationId,
  currencies: Capabilities['currencies'],
): Promise<Record<Rail, string>> {
  const accounts = { fiat: `DE${organizationId.slice(0, 18)}`, crypto: `0x${randomUUID()}` }
  for (const rail of ['fiat', 'crypto'] as const)
    await owner`
      insert into receiving_accounts (id, organization_id, rail, currency, network, status, account, details)
      values (${randomUUID()}, ${organizationId}, ${rail}, ${currencies[rail]},
        ${rail === 'crypto' ? 'ethereum' : null}, 'active', ${accounts[rail]}, '{}')`
  return accounts
}

async function addContacts(
  call: Call,
  {
    organizationId,
    currencies,
    token,
  }: { organizationId: OrganizationId; token: string } & Pick<Service, 'currencies'>,
): Promise<Record<Rail, string>> {
  const bank = { type: 'bank', currency: currencies.fiat, account_holder_name: 'Payee', ...BANKS[currencies.fiat] }
  const wallet = { type: 'crypto', network: 'ethereum', coin: currencies.crypto, address: WALLET }
  const add = async (rail: Rail): Promise<string> => {
    const body = { name: `Payee by ${rail}`, type: 'business', destinations: [rail === 'fiat' ? bank : wallet] }
    const path = `/organizations/${organizationId}/payment-contacts`
    return (await call([201], 'POST', path, body, token)).body.id
  }
  return { fiat: await add('fiat'), crypto: await add('crypto') }
}

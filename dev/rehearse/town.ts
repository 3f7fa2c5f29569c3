/** Organizations of a rehearsal, with money and contacts, and the calls of their owners. */
import { randomUUID } from 'node:crypto'

import type { OwnerAccount } from '../../bench/owner.ts'
import type { Stage } from './stage.ts'

export type Answer = { readonly status: number; readonly body: any }
export type Ask = (method: string, path: string, body?: object, token?: string) => Promise<Answer>

export type Payer = OwnerAccount & {
  readonly contacts: { readonly svc_id: string; readonly bank: string }
}

/** Makes calls of an API, by the address that is current then. An answer that never comes has the status 0. */
export const askAt =
  (url: () => string): Ask =>
  async (method, path, body, token) => {
    const key = method === 'POST' && { 'idempotency-key': randomUUID() }
    try {
      const response = await fetch(`${url()}/api/v1${path}`, {
        method,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body && { 'content-type': 'application/json' }),
          ...key,
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: response.status, body: await response.json() }
    } catch (error) {
      return { status: 0, body: String(error) }
    }
  }

/** Makes a call that must succeed. */
export async function insistOn(ask: Ask, ...call: Parameters<Ask>): Promise<any> {
  const { status, body } = await ask(...call)
  if (status >= 200 && status < 300) return body
  throw new Error(`${call[0]} ${call[1]} answered ${status}: ${JSON.stringify(body)}`)
}

const IBAN = 'DE02120300000000202051'

/** Makes payers in a ring: each pays the next by service ID, and a supplier by bank. */
export async function settle(stage: Stage, ask: Ask, count: number): Promise<Payer[]> {
  const { insertOwned, owner } = await openOwner(stage)
  const { encrypt } = await import('../../platform/encryption.ts')
  const svcIds = Array.from({ length: count }, () => `r-${randomUUID().slice(0, 13)}`)
  const owned: OwnerAccount[] = []
  for (const svcId of svcIds) {
    const made = await insertOwned('Rehearsal', svcId)
    await owner`insert into authenticators (user_id, secret) values (${made.userId}, ${encrypt(randomUUID())})`
    owned.push(made)
  }
  const payers: Payer[] = []
  for (const [index, one] of owned.entries()) {
    for (const currency of ['USD', 'EUR']) {
      const amount = { amount: '1000000.00', currency }
      await insistOn(ask, 'POST', '/sandbox/deposits', { organization_id: one.organizationId, rail: 'fiat', amount })
    }
    const add = async (destination: { readonly type: string; readonly [member: string]: string }): Promise<string> => {
      const body = { name: `Payee by ${destination.type}`, type: 'business', destinations: [destination] }
      const path = `/organizations/${one.organizationId}/payment-contacts`
      return (await insistOn(ask, 'POST', path, body, one.token)).id
    }
    const bank = { type: 'bank', country_code: 'DE', currency: 'EUR', account_holder_name: 'Payee', iban: IBAN }
    const svcId = await add({ type: 'svc_id', svc_id: svcIds[(index + 1) % count] ?? '' })
    payers.push({ ...one, contacts: { svc_id: svcId, bank: await add(bank) } })
  }
  return payers
}

/** Opens the owner's view of the stage's database. Imported late: it reads the environment. */
export async function openOwner(stage: Stage): Promise<typeof import('../../bench/owner.ts')> {
  for (const [name, value] of Object.entries(stage.env)) if (value !== undefined) process.env[name] = value
  return import('../../bench/owner.ts')
}

/** Deposits: arrivals, answers about them, and their books. */
import { randomUUID } from 'node:crypto'
import { MockActivityEnvironment } from '@temporalio/testing'
import { askAboutDeposit, sendDepositBack } from '../../../activities/deposits.ts'
import { recordReturn } from '../../../services/deposits/steps.ts'
import type { DepositId, OrganizationId } from '../../../domain/ids.ts'
import type { ConnectionName } from '../../../domain/partner.ts'
import { recordCallback } from '../../../services/callbacks/callbacks.ts'
import { asSystem } from '../../../db/postgres/sql.ts'
import { administer } from '../../../admin.ts'
import { type TestPerson, api, organization, person } from '../api.ts'
import { owner } from '../database.ts'
import { until } from '../until.ts'

/** The answer for coins from the organization's own wallet. */
export const OWN = { own_account: true, attestation: true, relationship: 'self' }
/** The answer for coins from another person. */
export const OTHER = {
  own_account: false,
  attestation: true,
  relationship: 'vendor',
  account_reference: 'wallet 7',
  person_type: 'legal',
  name: 'Sender AG',
  address: '1 Side Street, Basel',
  country: 'CH',
}

/** An organization for money to arrive at, and its owner. */
export async function depositor() {
  const boss = await person()
  const { id } = await organization(boss)
  return { boss, id }
}

/** A command of an operator about deposits. */
export const operator = (...words: string[]) => administer(['deposits', ...words])

/** Gives such a command, and tells the refusal, or that it is done. */
export const refusal = (...words: string[]) =>
  operator(...words).then(
    () => 'done',
    (error: { type?: string; message?: string }) => error.type ?? error.message,
  )

export async function arriveCrypto(organizationId: string, amount: string, currency = 'USDC') {
  const { status, body } = await api('POST', '/sandbox/deposits', {
    body: { organization_id: organizationId, rail: 'crypto', amount: { amount, currency } },
  })
  if (status !== 201) throw new Error(`deposit: ${JSON.stringify(body)}`)
  return body
}

export async function arriveAt(account: string, amount: string, currency = 'EUR') {
  const rail = ['USDC', 'USDT', 'BTC', 'ETH'].includes(currency) ? 'crypto' : 'fiat'
  const { status, body } = await api('POST', '/sandbox/unmatched-deposits', {
    body: { rail, account, amount: { amount, currency } },
  })
  if (status !== 201) throw new Error(`arrival: ${JSON.stringify(body)}`)
  return body
}

export const deposit = async ({ token }: TestPerson, id: string) =>
  (await api('GET', `/deposits/${id}`, { token })).body

export const answer = ({ token }: TestPerson, id: string, body: unknown) =>
  api('POST', `/deposits/${id}/sender-travel-rule`, { token, body })

/** An organization's balance of a coin, the state of its books, and the whole suspense. */
export async function booksOf({ token }: TestPerson, organizationId: string, currency = 'USDC') {
  const path = `/organizations/${organizationId}`
  const [balances, integrity] = await Promise.all([
    api('GET', `${path}/balances`, { token }),
    api('GET', `${path}/ledger/integrity`, { token }),
  ])
  const held = balances.body.data.find((one: { currency: string }) => one.currency === currency)
  return { balance: held?.total.amount ?? '0', ok: integrity.body.ok, suspense: await suspense(currency) }
}

export async function suspense(currency: string): Promise<string> {
  const [row] = await owner<{ amount: string }[]>`
    select coalesce(sum(e.amount), 0)::text as amount from ledger_entries e
    join ledger_accounts a on a.id = e.account_id where a.kind = 'suspense' and a.currency = ${currency}`
  return Number(row?.amount).toString()
}

/** Adds money at a partner without a callback or a booking here; returns the partner's id. */
export async function arriveSilently(partner: ConnectionName, account: string, amount: string, currency: string) {
  const id = randomUUID()
  await owner`
    insert into sandbox_deposits (partner, id, account, amount, currency, sender, reference)
    values (${partner}, ${id}, ${account}, ${amount}, ${currency},
      ${owner.json({ name: 'Sender', account_reference: null, country: null, reference: null })}, ${`REF${id}`})`
  return id
}

export const calledAbout = (partner: ConnectionName, partnerDepositId: string): Promise<unknown> =>
  recordCallback({ partner, id: `msg_${randomUUID()}`, subject: 'deposit', subjectId: partnerDepositId })

/** The input of a deposit's run. */
export type DepositRef = { readonly organizationId: OrganizationId; readonly id: DepositId }

/** Takes a deposit's due step at its partner, as the last of the immediate tries. */
export async function pursue(ref: DepositRef): Promise<void> {
  for (const step of [askAboutDeposit, sendDepositBack]) {
    await new MockActivityEnvironment({ attempt: 3 }).run(step, ref)
  }
}

/** Books that the partner sent a deposit back; returns the resulting state. */
export const noteReturned = ({ organizationId, id }: DepositRef) =>
  asSystem(organizationId, (tx) => recordReturn(tx, id))

/** The stand-in's entry; undefined without one. */
export async function depositAt(partner: ConnectionName, id: string) {
  const [row] = await owner<{ status: string; version: number }[]>`
    select status, version from sandbox_deposits where partner = ${partner} and id = ${id}`
  return row
}

/** The opened receiving account of an organization in a currency; of a coin, on any network or on this one. */
export async function openAccount({ token }: TestPerson, organizationId: string, currency: string, network?: string) {
  const kind = ['USDC', 'USDT', 'BTC', 'ETH'].includes(currency) ? 'deposit-addresses' : 'bank-accounts'
  return until(`an account in ${currency}`, async () => {
    const { body } = await api('GET', `/organizations/${organizationId}/${kind}`, { token })
    const found = body.data.find(
      (one: { currency: string; network?: string }) =>
        one.currency === currency && (network === undefined || one.network === network),
    )
    return found?.status === 'active' ? found : undefined
  })
}

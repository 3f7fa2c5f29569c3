/** The stand-in of Fireblocks: every answer is as the published document says. */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { owner } from '../../support/database.ts'
import { until } from '../../support/until.ts'

vi.hoisted(() => {
  process.env['SANDBOX_PARTNERS'] = 'fireblocks'
})
const { ask, readWebhook, useFireblocks } = await import('../../support/partners/fireblocks/client.ts')
const { movePayout } = await import('../../../sandbox/db/payouts.ts')
const { arrive } = await import('../../../sandbox/db/deposits.ts')
const { sql, transaction } = await import('../../../db/postgres/sql.ts')

const webhooks: { text: string; headers: Record<string, unknown> }[] = []
const receiver = createServer((request, response) => {
  void text(request).then((body) => {
    webhooks.push({ text: body, headers: request.headers })
    response.writeHead(200).end()
  })
})
beforeAll(() => new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve)))
afterAll(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await sql.end({ timeout: 1 })
})
useFireblocks(() => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`)

const setFault = (fault: string, times = 1) => owner`
  insert into sandbox_faults (partner, fault, times) values ('custodian', ${fault}, ${times})
  on conflict (partner, fault) do update set times = ${times}`

const ADDRESS = '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984'
const order = (externalTxId: string, more: object = {}) => ({
  externalTxId,
  assetId: 'USDC',
  amount: '10.50',
  source: { type: 'VAULT_ACCOUNT', id: '0' },
  destination: { type: 'ONE_TIME_ADDRESS', oneTimeAddress: { address: ADDRESS } },
  note: 'Invoice 1',
  ...more,
})
const create = (externalTxId: string = randomUUID(), more: object = {}) =>
  ask('POST', '/transactions', { body: order(externalTxId, more) })
const byExternalId = async (id: string) => (await ask('GET', `/transactions/external_tx_id/${id}`)).body
const completed = (id: string) =>
  until('a completed transaction', async () => {
    const found = await byExternalId(id)
    return found.status === 'COMPLETED' && found
  })
const told = (id: string) => webhooks.map(readWebhook).filter((data) => data.id === id)

describe('a transaction', () => {
  test('is created, found by both ids, walks to COMPLETED, and each change is told under their signature', async () => {
    const externalTxId = randomUUID()
    const created = await create(externalTxId)
    expect(created).toMatchObject({ status: 200, body: { id: expect.any(String), status: 'SUBMITTED' } })
    const { id } = created.body
    expect(id).not.toBe(externalTxId)
    const done = await completed(externalTxId)
    expect(done).toEqual((await ask('GET', `/transactions/${id}`)).body)
    expect(done).toMatchObject({
      id,
      externalTxId,
      subStatus: 'CONFIRMED',
      assetId: 'USDC',
      amountInfo: { amount: '10.50', requestedAmount: '10.50', netAmount: '10.50' },
      feeInfo: { networkFee: '0.001365' },
      feeCurrency: 'ETH',
      txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      numOfConfirmations: 3,
      source: { type: 'VAULT_ACCOUNT', id: '0' },
      destination: { type: 'ONE_TIME_ADDRESS', id: null },
      destinationAddress: ADDRESS,
      note: 'Invoice 1',
    })
    const both = await until('both webhooks', async () => {
      const all = told(id)
      return all.length === 2 && all
    })
    expect(both.map(({ externalTxId: own }) => own)).toEqual([externalTxId, externalTxId])
    expect(both.at(-1)).toMatchObject({ status: 'COMPLETED' })
  })

  test('a second one with the same external id is 400 with code 1438, whatever its body', async () => {
    const id = randomUUID()
    const all = await Promise.all(Array.from({ length: 4 }, () => create(id)))
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400])
    expect(all.find(({ status }) => status === 400)?.body).toMatchObject({ code: 1438 })
    expect((await create(id, { amount: '11' })).body).toMatchObject({ code: 1438 })
    const [row] = await owner<{ amount: string }[]>`select amount from sandbox_payouts where id = ${id}`
    expect(row?.amount).toBe('10.50')
  })

  test('a manual one waits for its signers, and goes where it is moved', async () => {
    const id = randomUUID()
    await setFault('manual')
    await create(id)
    expect(await byExternalId(id)).toMatchObject({ status: 'PENDING_AUTHORIZATION', txHash: '', feeInfo: {} })
    await movePayout('custodian', id, { from: ['pending'], to: 'processing' })
    expect(await byExternalId(id)).toMatchObject({ status: 'CONFIRMING', numOfConfirmations: 1 })
    await movePayout('custodian', id, { from: ['processing'], to: 'rejected', detail: 'execution reverted' })
    expect(await byExternalId(id)).toMatchObject({
      status: 'FAILED',
      subStatus: 'SMART_CONTRACT_EXECUTION_FAILED',
      errorDescription: 'execution reverted',
      feeInfo: { networkFee: '0.001365' },
    })
  })
})

describe('a deposit', () => {
  test('arrives at the address of a vault account as an incoming transaction', async () => {
    const { body: vault } = await ask('POST', '/vault/accounts', { body: { name: 'Company', customerRefId: 'ref' } })
    const opened = await ask('POST', `/vault/accounts/${vault.id}/USDC`, { body: {} })
    expect(opened.status).toBe(200)
    const { address } = opened.body
    const id = randomUUID()
    const sender = { name: null, account_reference: ADDRESS, country: null, reference: null }
    const amount = { amount: '25.00', currency: 'USDC' }
    await transaction((tx) => arrive(tx, { id, partner: 'custodian', account: address, amount, sender }))
    expect((await ask('GET', `/transactions/${id}`)).body).toMatchObject({
      id,
      status: 'COMPLETED',
      assetId: 'USDC',
      source: { type: 'UNKNOWN' },
      sourceAddress: ADDRESS,
      destination: { type: 'VAULT_ACCOUNT', id: vault.id },
      destinationAddress: address,
      amountInfo: { amount: '25.00' },
    })
    await until('its webhook', async () => told(id).length === 1)
    const wallet = await ask('GET', `/vault/accounts/${vault.id}/USDC`)
    expect(wallet.body).toMatchObject({ id: 'USDC', total: '25', available: '25' })
  })
})

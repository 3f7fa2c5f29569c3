/** The stand-in of Fireblocks: transactions, deposits and vault accounts; all is as the published document says. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { movePayout } from '../../../sandbox/db/payouts.ts'
import { owner } from '../../support/database.ts'
import {
  ADDRESS,
  ask,
  byExternalId,
  completed,
  create,
  letArrive,
  setFault,
  useFireblocks,
} from '../../support/partners/fireblocks/client.ts'
import { until } from '../../support/until.ts'

vi.hoisted(() => {
  process.env['SANDBOX_PARTNERS'] = 'fireblocks'
})
const { answer, told } = useFireblocks()

const LADDER = ['SUBMITTED', 'QUEUED', 'PENDING_SIGNATURE', 'BROADCASTING', 'CONFIRMING', 'COMPLETED']
const move = (id: string, from: 'pending' | 'processing', to: 'processing' | 'on_hold' | 'settled' | 'rejected') =>
  movePayout('custodian', id, { from: [from], to })
const openVault = async (name: string, asset = 'USDC') => {
  const { body: vault } = await ask('POST', '/vault/accounts', { body: { name, customerRefId: `ref of ${name}` } })
  const { body } = await ask('POST', `/vault/accounts/${vault.id}/${asset}`, { body: {} })
  return { vault: String(vault.id), address: String(body.address) }
}

describe('a transaction', () => {
  test('is created, found by both ids, walks to COMPLETED, and each change is told under their signature', async () => {
    const externalTxId = randomUUID()
    const created = await create(externalTxId)
    expect(created).toMatchObject({ status: 200, body: { id: expect.any(String), status: 'SUBMITTED' } })
    const { id } = created.body
    expect(id).not.toBe(externalTxId)
    const seen = [LADDER.indexOf((await byExternalId(externalTxId)).status)]
    const done = await until('a completed transaction', async () => {
      const found = await byExternalId(externalTxId)
      seen.push(LADDER.indexOf(found.status))
      expect(found.txHash === '').toBe(LADDER.indexOf(found.status) < LADDER.indexOf('CONFIRMING'))
      return found.status === 'COMPLETED' && found
    })
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(seen).not.toContain(-1)
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
    expect(both.map(({ data }) => data.externalTxId)).toEqual([externalTxId, externalTxId])
    expect(both.map(({ data }) => data.status)).toContain('COMPLETED')
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

  test('an external id may be any text', async () => {
    const id = `invoice ${randomUUID()} / 7`
    expect((await create(id)).status).toBe(200)
    expect(await byExternalId(encodeURIComponent(id))).toMatchObject({ externalTxId: id })
    expect((await create(id)).body.code).toBe(1438)
  })

  test('a manual one waits for its signers, and goes where it is moved', async () => {
    const [failed, held, refused] = [randomUUID(), randomUUID(), randomUUID()]
    await setFault('manual', 3)
    for (const id of [failed, held, refused]) await create(id)
    expect(await byExternalId(failed)).toMatchObject({ status: 'PENDING_AUTHORIZATION', txHash: '', feeInfo: {} })
    await move(failed, 'pending', 'processing')
    expect(await byExternalId(failed)).toMatchObject({ status: 'CONFIRMING', numOfConfirmations: 1 })
    await move(failed, 'processing', 'rejected')
    const subStatus = 'SMART_CONTRACT_EXECUTION_FAILED'
    const feeInfo = { networkFee: '0.001365' }
    expect(await byExternalId(failed)).toMatchObject({ status: 'FAILED', subStatus, feeInfo })
    await move(held, 'pending', 'on_hold')
    expect((await byExternalId(held)).status).toBe('PENDING_3RD_PARTY_MANUAL_APPROVAL')
    await move(refused, 'pending', 'rejected')
    expect(await byExternalId(refused)).toMatchObject({ status: 'REJECTED', txHash: '', feeInfo: {} })
  })

  test('the policy blocks one whose note says so', async () => {
    const id = randomUUID()
    expect((await create(id, { note: 'refused at the door' })).body.status).toBe('SUBMITTED')
    expect(await byExternalId(id)).toMatchObject({ status: 'BLOCKED', subStatus: 'BLOCKED_BY_POLICY' })
  })

  test('is cancelled until it is broadcast', async () => {
    await setFault('manual', 2)
    const [id, late] = [randomUUID(), randomUUID()]
    const { body } = await create(id)
    expect((await ask('POST', `/transactions/${body.id}/cancel`)).body).toEqual({ success: true })
    expect((await byExternalId(id)).status).toBe('CANCELLING')
    await until('its cancellation', async () => (await byExternalId(id)).status === 'CANCELLED')
    expect((await byExternalId(id)).subStatus).toBe('CANCELLED_BY_USER_REQUEST')
    const { body: other } = await create(late)
    await move(late, 'pending', 'processing')
    expect((await ask('POST', `/transactions/${other.id}/cancel`)).status).toBe(400)
    expect((await byExternalId(late)).status).toBe('CONFIRMING')
    expect((await ask('POST', `/transactions/${randomUUID()}/cancel`)).status).toBe(404)
  })
})

describe('a deposit', () => {
  test('arrives at an address of a vault account, and is told when it comes and when it is confirmed', async () => {
    const { vault, address } = await openVault('Company')
    const id = await letArrive(address, '25.00')
    expect((await ask('GET', `/transactions/${id}`)).body).toMatchObject({
      id,
      assetId: 'USDC',
      source: { type: 'UNKNOWN' },
      sourceAddress: ADDRESS,
      destination: { type: 'VAULT_ACCOUNT', id: vault },
      destinationAddress: address,
      amountInfo: { amount: '25.00' },
    })
    await until('its last webhook', async () => told(id).some(({ data }) => data.status === 'COMPLETED'))
    expect((await ask('GET', `/transactions/${id}`)).body).toMatchObject({ status: 'COMPLETED', numOfConfirmations: 3 })
    const wallet = await ask('GET', `/vault/accounts/${vault}/USDC`)
    expect(wallet.body).toMatchObject({ id: 'USDC', total: '25', available: '25', pending: '0' })
  })

  test('is CONFIRMING while it has too few confirmations: on chain, and not available', async () => {
    const { vault, address } = await openVault('Slow')
    const id = await letArrive(address, '7')
    await until('its last webhook', async () => told(id).some(({ data }) => data.status === 'COMPLETED'))
    await owner`update sandbox_deposits set received_at = clock_timestamp() + interval '1 hour' where id = ${id}`
    const found = await ask('GET', `/transactions/${id}`)
    expect(found.body).toMatchObject({ status: 'CONFIRMING', numOfConfirmations: 0 })
    const wallet = await ask('GET', `/vault/accounts/${vault}/USDC`)
    expect(wallet.body).toMatchObject({ total: '7', available: '0', pending: '7' })
  })
})

describe('vault accounts', () => {
  test('the wallet of a token has the address of its network; only Bitcoin has several', async () => {
    const { vault, address } = await openVault('Shares an address')
    const ether = await ask('POST', `/vault/accounts/${vault}/ETH`, { body: {} })
    expect(ether.body.address).toBe(address)
    expect((await ask('POST', `/vault/accounts/${vault}/ETH`, { body: {} })).status).toBe(400)
    expect((await ask('POST', `/vault/accounts/${vault}/USDC/addresses`, { body: {} })).status).toBe(400)
    await ask('POST', `/vault/accounts/${vault}/BTC`, { body: {} })
    const bitcoin = await Promise.all(
      [1, 2, 3].map((at) =>
        ask('POST', `/vault/accounts/${vault}/BTC/addresses`, { body: { description: `customer ${at}` } }),
      ),
    )
    expect(new Set(bitcoin.map(({ body }) => body.address)).size).toBe(3)
    const listed = await ask('GET', `/vault/accounts/${vault}/BTC/addresses`)
    expect(listed.body).toHaveLength(4)
    const paged = []
    for (let after = ''; ;) {
      const { body } = await ask(
        'GET',
        `/vault/accounts/${vault}/BTC/addresses_paginated?limit=3${after && `&after=${after}`}`,
      )
      paged.push(...body.addresses)
      if (!body.paging.after) break
      after = body.paging.after
    }
    expect(paged).toEqual(listed.body)
  })

  test('hold deposits, less what left them and the fees of it', async () => {
    const { vault, address } = await openVault('Sends', 'ETH')
    const coins = await ask('POST', `/vault/accounts/${vault}/USDC`, { body: {} })
    await letArrive(address, '2', 'ETH')
    await letArrive(coins.body.address, '100')
    const source = { type: 'VAULT_ACCOUNT', id: vault }
    const [paid, swept, waits, leaves] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
    await create(paid, { source })
    await create(swept, { source, amount: '30', destination: { type: 'VAULT_ACCOUNT', id: '0' } })
    await completed(paid)
    await completed(swept)
    await setFault('manual', 2)
    await create(waits, { source, amount: '5' })
    await create(leaves, { source, amount: '2' })
    await move(leaves, 'pending', 'processing')
    const { body } = await ask('GET', `/vault/accounts/${vault}`)
    const wallet = (id: string) => body.assets.find((one: { id: string }) => one.id === id)
    expect(wallet('USDC')).toMatchObject({ total: '57.5', lockedAmount: '5', available: '52.5' })
    expect(wallet('ETH')).toMatchObject({ total: '1.995905', available: '1.995905' }) // three transfers at 0.001365
    const all = await ask('GET', '/vault/assets?accountNamePrefix=Sends')
    expect(all.body).toEqual(body.assets)
    expect(await byExternalId(swept)).toMatchObject({ destination: { type: 'VAULT_ACCOUNT', id: '0' } })
  })

  test('are listed in pages, and found by name and asset', async () => {
    for (const at of [1, 2, 3]) await openVault(`Paged ${at}`)
    const pages = []
    for (let after = ''; ;) {
      const query = `namePrefix=Paged&orderBy=ASC&limit=2${after && `&after=${after}`}`
      const { body } = await ask('GET', `/vault/accounts_paged?${query}`)
      pages.push(body.accounts.map(({ name }: { name: string }) => name))
      if (!body.paging.after) break
      after = body.paging.after
    }
    expect(pages).toEqual([['Paged 1', 'Paged 2'], ['Paged 3']])
    const withBitcoin = await ask('GET', '/vault/accounts_paged?namePrefix=Paged&assetId=BTC')
    expect(withBitcoin.body.accounts).toEqual([])
    expect((await ask('GET', '/vault/accounts/999999')).body).toMatchObject({ code: 1004 })
    expect((await ask('GET', '/vault/accounts/0/XYZ')).body).toMatchObject({ code: 1006 })
    const assets = await ask('GET', '/supported_assets')
    expect(assets.body).toContainEqual(expect.objectContaining({ id: 'USDC', nativeAsset: 'ETH', decimals: 6 }))
  })
})

test('transactions are listed in pages by next-page, and by filters', async () => {
  const started = Date.now() - 1
  const { vault, address } = await openVault('Listed')
  const deposit = await letArrive(address, '1')
  const source = { type: 'VAULT_ACCOUNT', id: vault }
  const ids = Array.from({ length: 5 }, () => randomUUID())
  await Promise.all(ids.map((id) => create(id, { source }))) // some of one millisecond
  for (const sort of ['ASC', 'DESC']) {
    const found: string[] = []
    for (let path: string | null = `/transactions?after=${started}&sort=${sort}&limit=2&sourceId=${vault}`; path;) {
      const { body, headers } = await ask('GET', path)
      found.push(...body.map(({ externalTxId }: { externalTxId: string }) => externalTxId))
      const next: string | null = headers.get('next-page')
      path = next && next.slice(next.indexOf('/v1') + 3)
    }
    expect(found.toSorted(), sort).toEqual(ids.toSorted())
  }
  const incoming = await ask('GET', `/transactions?destId=${vault}&destType=VAULT_ACCOUNT&assets=USDC,ETH`)
  expect(incoming.body).toMatchObject([{ id: deposit }])
  expect((await ask('GET', `/transactions?before=${started}&sourceId=${vault}`)).body).toEqual([])
  const { txHash } = await completed(ids[0] ?? '')
  const byHash = await ask('GET', `/transactions?txHash=${txHash}&status=COMPLETED`)
  expect(byHash.body).toMatchObject([{ externalTxId: ids[0] }])
  expect((await ask('GET', '/transactions?limit=501')).status).toBe(400)
})

test('webhooks that failed are sent again, all or those of one transaction', async () => {
  answer.status = 500
  const id = randomUUID()
  const { body } = await create(id)
  await until('the first attempts', async () => told(body.id).length > 0)
  answer.status = 200
  expect((await ask('POST', '/webhooks/resend')).body.messagesCount).toBeGreaterThan(0)
  await completed(id)
  await until('its webhook', async () => told(body.id).some(({ data }) => data.status === 'COMPLETED'))
  const before = told(body.id).length
  const again = await ask('POST', `/webhooks/resend/${body.id}`, { body: { resendStatusUpdated: true } })
  expect(again.body).toEqual({ success: true })
  await until('another one', async () => told(body.id).length > before)
})

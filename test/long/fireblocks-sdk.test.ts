/** The official client of Fireblocks works with its stand-in, by another base path alone. */
import { execFile } from 'node:child_process'
import { verify } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { config } from '../../platform/config.ts'
import { SANDBOX_FIREBLOCKS } from '../../platform/drivers/sandbox.ts'
import { letArrive, order, setFault, useFireblocks } from '../support/partners/fireblocks/client.ts'
import { until } from '../support/until.ts'

vi.hoisted(() => {
  process.env['SANDBOX_PARTNERS'] = 'fireblocks'
})
const { webhooks } = useFireblocks()

const SDK = '@fireblocks/ts-sdk@18.0.0'
const INSTALL_MS = 300_000
let folder: string
let sdk: any

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fireblocks-sdk-'))
  await writeFile(join(folder, 'package.json'), '{"private": true}')
  const words = ['install', '--ignore-scripts', '--no-save', '--no-audit', '--no-fund', SDK]
  await promisify(execFile)('npm', words, { cwd: folder })
  const { Fireblocks } = createRequire(join(folder, 'package.json'))('@fireblocks/ts-sdk')
  sdk = new Fireblocks({
    apiKey: SANDBOX_FIREBLOCKS.apiKey,
    secretKey: SANDBOX_FIREBLOCKS.ourKey,
    basePath: `${config.sandboxPartnersUrl}/custodian/v1`,
  })
}, INSTALL_MS)
afterAll(() => rm(folder, { recursive: true, force: true }))

const create = (externalTxId: string, more: object = {}) =>
  sdk.transactions.createTransaction({ transactionRequest: order(externalTxId, more) })
const byExternalId = async (externalTxId: string) =>
  (await sdk.transactions.getTransactionByExternalId({ externalTxId })).data

test('a transfer walks to COMPLETED, and is found by both ids', async () => {
  const externalTxId = 'a transfer by the SDK'
  const created = await create(externalTxId)
  expect(created).toMatchObject({ statusCode: 200, data: { status: 'SUBMITTED' } })
  expect(created.headers['x-request-id']).toEqual(expect.any(String))
  const done = await until('COMPLETED', async () => {
    const found = await byExternalId(externalTxId)
    return found.status === 'COMPLETED' && found
  })
  expect((await sdk.transactions.getTransaction({ txId: created.data.id })).data).toEqual(done)
  expect(done).toMatchObject({ externalTxId, assetId: 'USDC', amountInfo: { amount: '10.50' }, feeCurrency: 'ETH' })
})

test('errors are those of the API: an external id that is used, what is unknown, a key that is not ours', async () => {
  await create('once')
  const used = await create('once').catch((error: unknown) => error)
  expect(used.response).toMatchObject({ statusCode: 400, data: { code: 1438, message: expect.any(String) } })
  const unknown = await byExternalId('never').catch((error: unknown) => error)
  expect(unknown).toMatchObject({ response: { statusCode: 404 } })
  const foreign = await sdk.vaults.getVaultAccount({ vaultAccountId: '9999' }).catch((error: unknown) => error)
  expect(foreign.response).toMatchObject({ statusCode: 404, data: { code: 1004 } })
})

test('a transaction is cancelled before it is broadcast', async () => {
  await setFault('manual')
  const { data } = await create('to be cancelled')
  expect((await sdk.transactions.cancelTransaction({ txId: data.id })).data).toEqual({ success: true })
  await until('CANCELLED', async () => (await byExternalId('to be cancelled')).status === 'CANCELLED')
  const late = await sdk.transactions.cancelTransaction({ txId: data.id }).catch((error: unknown) => error)
  expect(late.response.statusCode).toBe(400)
})

test('a vault account gets addresses, and its balance what arrives there', async () => {
  const made = await sdk.vaults.createVaultAccount({
    createVaultAccountRequest: { name: 'By the SDK', customerRefId: 'reference' },
    idempotencyKey: 'a vault account of the SDK',
  })
  const again = await sdk.vaults.createVaultAccount({
    createVaultAccountRequest: { name: 'By the SDK' },
    idempotencyKey: 'a vault account of the SDK',
  })
  expect(again.data).toEqual(made.data)
  const vaultAccountId = made.data.id
  const wallet = await sdk.vaults.createVaultAccountAsset({ vaultAccountId, assetId: 'USDC' })
  const id = await letArrive(wallet.data.address, '12.34')
  await until(
    'the deposit',
    async () => (await sdk.transactions.getTransaction({ txId: id })).data.status === 'COMPLETED',
  )
  const balance = await sdk.vaults.getVaultAccountAsset({ vaultAccountId, assetId: 'USDC' })
  expect(balance.data).toMatchObject({ id: 'USDC', total: '12.34', available: '12.34' })
  await sdk.vaults.createVaultAccountAsset({ vaultAccountId, assetId: 'BTC' })
  const more = { vaultAccountId, assetId: 'BTC', createAddressRequest: { description: 'second' } }
  const second = await sdk.vaults.createVaultAccountAssetAddress(more)
  const listed = await sdk.vaults.getVaultAccountAssetAddressesPaginated({ vaultAccountId, assetId: 'BTC' })
  expect(listed.data.addresses.at(-1)).toMatchObject({ address: second.data.address, description: 'second' })
  const paged = await sdk.vaults.getPagedVaultAccounts({ namePrefix: 'By the SDK', limit: 1 })
  expect(paged.data.accounts).toMatchObject([{ id: vaultAccountId, customerRefId: 'reference' }])
})

test('transactions are listed in pages by their instants', async () => {
  const after = String(Date.now() - 1)
  for (const at of [1, 2, 3]) await create(`listed ${at}`)
  const query = { after, orderBy: 'createdAt', sort: 'ASC', limit: 2, sourceType: 'VAULT_ACCOUNT' }
  const first = await sdk.transactions.getTransactions(query)
  expect(first.data.map((one: any) => one.externalTxId)).toEqual(['listed 1', 'listed 2'])
  expect(first.headers['next-page']).toContain(`${config.sandboxPartnersUrl}/custodian/v1/transactions?`)
  const estimated = await sdk.transactions.estimateTransactionFee({ transactionRequest: order('none') })
  expect(estimated.data.medium.networkFee).toBe('0.001365')
  const assets = await sdk.blockchainsAssets.getSupportedAssets()
  expect(assets.data).toContainEqual(expect.objectContaining({ id: 'USDC', type: 'ERC20' }))
})

test('webhooks carry the signature of Fireblocks, and are sent again on request', async () => {
  const { data } = await create('told by webhook')
  const told = () => webhooks.filter(({ text }) => JSON.parse(text).data.id === data.id)
  await until('both webhooks', async () => told().length > 1)
  for (const { text, headers } of told()) {
    const signature = Buffer.from(String(headers['fireblocks-signature']), 'base64')
    expect(verify('RSA-SHA512', Buffer.from(text), SANDBOX_FIREBLOCKS.theirPublicKey, signature)).toBe(true)
    expect(verify('RSA-SHA512', Buffer.from(`${text} `), SANDBOX_FIREBLOCKS.theirPublicKey, signature)).toBe(false)
  }
  const before = told().length
  const resendTransactionWebhooksRequest = { resendStatusUpdated: true }
  await sdk.webhooks.resendTransactionWebhooks({ txId: data.id, resendTransactionWebhooksRequest })
  await until('another one', async () => told().length > before)
})

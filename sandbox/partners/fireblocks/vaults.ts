/** Vault accounts, their wallets and addresses, at the stand-in of Fireblocks. */
import * as v from 'valibot'
import { addDecimals } from '../../../domain/money/decimal.ts'
import { type Holding, listHoldings } from '../../db/fireblocks/transactions.ts'
import {
  type Vault,
  type VaultAddress,
  addAddress,
  addVault,
  findVault,
  listAddresses,
  listVaults,
} from '../../db/fireblocks/vaults.ts'
import { cryptoAccount } from '../accounts.ts'
import { type Answer, invalid, ok, problem, unknownAsset, unknownVault } from './answers.ts'
import { type Asset, type Workspace, findAsset } from './assets.ts'

const NewVault = v.looseObject({
  name: v.optional(v.string()),
  hiddenOnUI: v.optional(v.boolean(), false),
  autoFuel: v.optional(v.boolean(), false),
  customerRefId: v.optional(v.string()),
})
const NewAddress = v.looseObject({ description: v.optional(v.string()), customerRefId: v.optional(v.string()) })

export async function createVault(workspace: Workspace, body: unknown): Promise<Answer> {
  const read = v.safeParse(NewVault, body)
  if (!read.success) return invalid(`${v.getDotPath(read.issues[0]) ?? 'body'}: ${read.issues[0].message}`)
  const { name = '', hiddenOnUI, autoFuel, customerRefId = null } = read.output
  const { partner, main } = workspace
  const vault = { name, hidden: hiddenOnUI, auto_fuel: autoFuel, customer_ref_id: customerRefId }
  return ok(toVault(await addVault(partner, main, vault), []))
}

const toVault = ({ id, name, hidden, auto_fuel: autoFuel, customer_ref_id: ref }: Vault, assets: object[]): object => ({
  id: String(id),
  name,
  hiddenOnUI: hidden,
  autoFuel,
  ...(ref !== null && { customerRefId: ref }),
  assets,
})

const NONE = { total: '0', locked: '0', pending: '0' }

function toBalance(asset: string, { total, locked, pending }: Omit<Holding, 'vault' | 'asset'> = NONE): object {
  const available = addDecimals([total, `-${locked}`, `-${pending}`])
  return { id: asset, total, balance: total, available, pending, frozen: '0', lockedAmount: locked }
}

/** Lists the wallets of a vault account with their balances: of assets that have an address, or moved. */
function walletsOf(vault: number, addresses: readonly VaultAddress[], holdings: readonly Holding[]): object[] {
  const mine = holdings.filter((one) => one.vault === vault)
  const opened = addresses.filter((one) => one.vault === vault)
  const assets = new Set([...opened, ...mine].map(({ asset }) => asset))
  return [...assets].map((asset) =>
    toBalance(
      asset,
      mine.find((one) => one.asset === asset),
    ),
  )
}

const numberOf = (id: string): number | undefined => (/^\d{1,9}$/.test(id) ? Number(id) : undefined)

async function find({ partner, main }: Workspace, vaultId: string): Promise<Vault | undefined> {
  const id = numberOf(vaultId)
  return id === undefined ? undefined : findVault(partner, main, id)
}

export async function getVault(workspace: Workspace, vaultId: string): Promise<Answer> {
  const vault = await find(workspace, vaultId)
  if (!vault) return unknownVault
  const { partner, main, assetsOf } = workspace
  const addresses = await listAddresses(partner, vault.id)
  return ok(toVault(vault, walletsOf(vault.id, addresses, await listHoldings(partner, main, assetsOf))))
}

export async function getWallet(workspace: Workspace, vaultId: string, assetId: string): Promise<Answer> {
  const vault = await find(workspace, vaultId)
  if (!vault) return unknownVault
  if (!findAsset(workspace, assetId)) return unknownAsset
  const { partner, main, assetsOf } = workspace
  const holdings = await listHoldings(partner, main, assetsOf)
  const held = holdings.find((one) => one.vault === vault.id && one.asset === assetId)
  const addresses = held ? [] : await listAddresses(partner, vault.id)
  if (!held && addresses.every(({ asset }) => asset !== assetId)) return unknownWallet
  return ok(toBalance(assetId, held))
}

const unknownWallet = problem(404, 1006, 'The asset is not in the vault account')

/** Opens the wallet of an asset, with its first address. */
export async function createWallet(workspace: Workspace, vaultId: string, assetId: string): Promise<Answer> {
  const [vault, asset] = [await find(workspace, vaultId), findAsset(workspace, assetId)]
  if (!vault) return unknownVault
  if (!asset) return unknownAsset
  const unnamed = { description: null, customer_ref_id: null }
  const made = await addAddress(workspace.partner, addressIn(workspace, vault.id, asset, { ...unnamed, once: true }))
  return made ? ok({ id: asset.id, address: made.address }) : invalid('The asset wallet already exists')
}

/** Adds an address to a wallet: coins without accounts alone can have several. */
export async function createAddress(
  workspace: Workspace,
  vaultId: string,
  assetId: string,
  body: unknown,
): Promise<Answer> {
  const [vault, asset] = [await find(workspace, vaultId), findAsset(workspace, assetId)]
  if (!vault) return unknownVault
  if (!asset) return unknownAsset
  if (asset.network !== 'bitcoin') return invalid('The asset does not support more than one address')
  const read = v.safeParse(NewAddress, body)
  if (!read.success) return invalid('body: invalid value')
  const { description = null, customerRefId: ref = null } = read.output
  const wanted = addressIn(workspace, vault.id, asset, { description, customer_ref_id: ref, once: false })
  const made = await addAddress(workspace.partner, wanted)
  return ok({ address: made?.address, legacyAddress: '', tag: '', bip44AddressIndex: made?.index })
}

/** Makes the addresses of a wallet; tokens have that of their network's coin. */
function addressIn(
  { partner }: Workspace,
  vault: number,
  asset: Asset,
  given: { readonly description: string | null; readonly customer_ref_id: string | null; readonly once: boolean },
): Parameters<typeof addAddress>[1] {
  const at = (index: number): string => {
    const made = cryptoAccount(`${partner}:${vault}:${asset.network}:${index}`, {
      network: asset.network,
      coin: asset.coin,
    })
    if (!made) throw new Error(`no address on ${asset.network}`)
    return made.account
  }
  return { vault, asset: asset.id, at, ...given }
}

const toAddress = ({ asset, address, description, customer_ref_id: ref, index }: VaultAddress): object => ({
  assetId: asset,
  address,
  description: description ?? '',
  tag: '',
  type: index === 0 ? 'Permanent' : 'Deposit',
  ...(ref !== null && { customerRefId: ref }),
  addressFormat: 'BASE',
  legacyAddress: '',
  enterpriseAddress: '',
  bip44AddressIndex: index,
  userDefined: index > 0,
})

/** Lists the addresses of a wallet. */
export async function getAddresses(workspace: Workspace, vaultId: string, assetId: string): Promise<Answer> {
  const vault = await find(workspace, vaultId)
  if (!vault) return unknownVault
  return ok((await addressesOf(workspace, vault.id, assetId)).map(toAddress))
}

const addressesOf = async ({ partner }: Workspace, vault: number, assetId: string): Promise<readonly VaultAddress[]> =>
  (await listAddresses(partner, vault)).filter(({ asset }) => asset === assetId)

export async function getAddressesPaginated(
  workspace: Workspace,
  vaultId: string,
  assetId: string,
  query: URLSearchParams,
): Promise<Answer> {
  const vault = await find(workspace, vaultId)
  if (!vault) return unknownVault
  const { data, paging } = cut(await addressesOf(workspace, vault.id, assetId), query)
  return ok({ addresses: data.map(toAddress), paging })
}

export async function getVaultsPaged(workspace: Workspace, query: URLSearchParams): Promise<Answer> {
  const { partner, main, assetsOf } = workspace
  const asset = query.get('assetId')
  const least = Number(query.get('minAmountThreshold') ?? 0)
  const [prefix, suffix] = [query.get('namePrefix') ?? '', query.get('nameSuffix') ?? '']
  const [vaults, addresses] = [await listVaults(partner, main), await listAddresses(partner)]
  const holdings = await listHoldings(partner, main, assetsOf)
  const wanted = vaults.filter(({ id, name }) => {
    if (!name.startsWith(prefix) || !name.endsWith(suffix)) return false
    if (asset === null) return true
    const held = holdings.find((one) => one.vault === id && one.asset === asset)
    return least > 0
      ? Number(held?.total ?? 0) > least
      : held !== undefined || addresses.some((one) => one.vault === id && one.asset === asset)
  })
  const ordered = query.get('orderBy') === 'ASC' ? wanted : wanted.toReversed()
  const { data, paging } = cut(ordered, query)
  return ok({ accounts: data.map((one) => toVault(one, walletsOf(one.id, addresses, holdings))), paging })
}

/** Sums the balances of all vault accounts whose names fit, by asset. */
export async function getVaultAssets(workspace: Workspace, query: URLSearchParams): Promise<Answer> {
  const { partner, main, assetsOf } = workspace
  const [prefix, suffix] = [query.get('accountNamePrefix') ?? '', query.get('accountNameSuffix') ?? '']
  const vaults = (await listVaults(partner, main)).filter(
    ({ name }) => name.startsWith(prefix) && name.endsWith(suffix),
  )
  const ids = new Set(vaults.map(({ id }) => id))
  const holdings = (await listHoldings(partner, main, assetsOf)).filter(({ vault }) => ids.has(vault))
  const assets = [...new Set(holdings.map(({ asset }) => asset))]
  return ok(
    assets.map((asset) => {
      const held = holdings.filter((one) => one.asset === asset)
      const sum = (member: 'total' | 'locked' | 'pending') => addDecimals(held.map((one) => one[member]))
      return toBalance(asset, { total: sum('total'), locked: sum('locked'), pending: sum('pending') })
    }),
  )
}

const [PAGE, PAGE_MAX] = [200, 500]

/** Cuts a page out of a list; cursors name places in it. */
function cut<Item>(items: readonly Item[], query: URLSearchParams) {
  const limit = Math.min(Math.max(Number(query.get('limit')) || PAGE, 1), PAGE_MAX)
  const [after, before] = [placeIn(query.get('after')), placeIn(query.get('before'))]
  const start = after ?? (before === undefined ? 0 : Math.max(0, before - limit))
  const end = Math.min(start + limit, before ?? items.length, items.length)
  const paging = {
    ...(start > 0 && { before: cursorOf(start) }),
    ...(end < items.length && { after: cursorOf(end) }),
  }
  return { data: items.slice(start, end), paging }
}

const cursorOf = (place: number): string => Buffer.from(`place=${place}`).toString('base64url')
const placeIn = (cursor: string | null): number | undefined => {
  const place = Number(
    Buffer.from(cursor ?? '', 'base64url')
      .toString()
      .split('=')[1],
  )
  return cursor === null || !Number.isInteger(place) ? undefined : place
}

/** Lists the assets of the workspace. */
export const getSupportedAssets = ({ assets }: Workspace): Answer =>
  ok(
    assets.map(({ id, name, type, native, decimals }) => ({
      id,
      name,
      type,
      contractAddress: '',
      nativeAsset: native,
      decimals,
    })),
  )

/**
 * Sweeps: coins that arrived in vault accounts of receiving accounts move to the one that pays. They stay in the workspace:
 * no book of an organization changes, and the balance of the workspace is less by the fee of the network alone.
 *
 * The id of a sweep is made of what is swept: the vault account, the asset, and the last transaction that brought some.
 * Fireblocks keeps it for ever, so that no memory of ours is needed: after a crash, or in a database that was put back, the
 * same sweep has the same id, and a second one under it is refused.
 */
import * as v from 'valibot'
import { v5 } from 'uuid'
import { compareDecimals } from '../../domain/money/decimal.ts'
import type { FireblocksSettings } from '../../platform/drivers/fireblocks.ts'
import { type PartnerEndpoint, partnerRefusal, requestOrNull, requestPartner, unclear } from '../http.ts'
import { nameOf } from './accounts.ts'
import type { Asset } from './assets.ts'
import { isIdTaken } from './requests.ts'
import { Created, Transaction, hasEnded, ofExternalId } from './transactions.ts'

const SWEEPS = 'f2a4d0c8-6a55-4f5e-8f0d-2f6f7c1f9b60'
export const SWEEP = 'sweep-'
const [PAGE, PAGES_MAX] = [200, 500]
const BYTES_MAX = 4 * 1024 * 1024
/** Sweeps of one arrival: one that failed, as without gas, is tried again in the next rounds. */
const TRIES_MAX = 20

const Amount = v.pipe(v.string(), v.regex(/^(0|[1-9]\d{0,30})(\.\d{1,30})?$/))
const Wallet = v.object({ id: v.string(), available: Amount })
const Vault = v.object({ id: v.pipe(v.string(), v.regex(/^\d{1,18}$/)), name: v.string(), assets: v.array(Wallet) })
const Vaults = v.object({ accounts: v.array(Vault), paging: v.nullish(v.object({ after: v.nullish(v.string()) })) })
const Arrivals = v.array(v.pick(Transaction, ['id']))

/** Coins of a vault account that are to move. */
type Hoard = { readonly vault: string; readonly asset: Asset; readonly amount: string }

export class VaultSweeps {
  readonly #at: PartnerEndpoint
  readonly #assets: readonly Asset[]
  readonly #settings: FireblocksSettings

  constructor(endpoint: PartnerEndpoint, assets: readonly Asset[], settings: FireblocksSettings) {
    this.#at = { ...endpoint, answerBytesMax: BYTES_MAX }
    this.#assets = assets
    this.#settings = settings
  }

  /** Moves what is above the floor of its coin; answers how many transfers were ordered. */
  async sweep(): Promise<number> {
    let ordered = 0
    for (const asset of this.#assets) {
      const floor = this.#settings.sweepFloors[`${asset.currency}/${asset.network}`]
      if (floor === undefined) continue
      for (const found of await this.#find(asset, floor)) if (await this.#move(found)) ordered += 1
    }
    return ordered
  }

  /** Lists the vault accounts of receiving accounts that hold more than the floor. */
  async #find(asset: Asset, floor: string): Promise<readonly Hoard[]> {
    const found: Hoard[] = []
    let after: string | undefined
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const asked = { namePrefix: nameOf(''), assetId: asset.assetId, minAmountThreshold: floor, orderBy: 'ASC' }
      const query = new URLSearchParams({ ...asked, limit: String(PAGE), ...(after && { after }) })
      const path = `/v1/vault/accounts_paged?${query.toString()}`
      const { accounts, paging } = await requestPartner(this.#at, { method: 'GET', path, answer: Vaults })
      for (const { id: vault, name, assets } of accounts) {
        const amount = assets.find(({ id }) => id === asset.assetId)?.available ?? '0'
        const isOurs = name.startsWith(nameOf('')) && vault !== this.#settings.vault
        if (isOurs && compareDecimals(amount, floor) > 0) found.push({ vault, asset, amount })
      }
      after = paging?.after ?? undefined
      if (!after) return found
    }
    throw unclear(this.#at, 'its list of vault accounts has no end', false)
  }

  /** Orders a transfer, unless one is on its way; tells whether it did. */
  async #move(found: Hoard): Promise<boolean> {
    const arrival = await this.#lastArrival(found)
    if (!arrival) return false
    const { vault, asset, amount } = found
    for (let count = 1; count <= TRIES_MAX; count += 1) {
      const id = `${SWEEP}${v5(`${vault}:${asset.assetId}:${arrival}:${count}`, SWEEPS)}`
      const known = await this.#findSweep(id)
      if (known && !hasEnded(known)) return false
      if (!known) return this.#order(id, { vault, asset, amount })
    }
    return false
  }

  async #lastArrival({ vault, asset }: Hoard): Promise<string | undefined> {
    const asked = { destType: 'VAULT_ACCOUNT', destId: vault, assets: asset.assetId, status: 'COMPLETED' }
    const query = new URLSearchParams({ ...asked, orderBy: 'createdAt', sort: 'DESC', limit: '1' })
    const path = `/v1/transactions?${query.toString()}`
    const [last] = await requestPartner(this.#at, { method: 'GET', path, answer: Arrivals })
    return last?.id
  }

  #findSweep(id: string): Promise<Transaction | null> {
    const path = `/v1/transactions/external_tx_id/${encodeURIComponent(id)}`
    return requestOrNull(this.#at, { method: 'GET', path, answer: ofExternalId(id) })
  }

  async #order(externalTxId: string, { vault, asset, amount }: Hoard): Promise<boolean> {
    const body = {
      operation: 'TRANSFER',
      assetId: asset.assetId,
      source: { type: 'VAULT_ACCOUNT', id: vault },
      destination: { type: 'VAULT_ACCOUNT', id: this.#settings.vault },
      amount,
      treatAsGrossAmount: true, // the fee of a network's own coin is part of it
      note: 'To the vault account that pays',
      externalTxId,
    }
    try {
      await requestPartner(this.#at, { method: 'POST', path: '/v1/transactions', body, answer: Created })
      return true
    } catch (error) {
      if (isIdTaken(partnerRefusal(error))) return false // another worker was faster
      throw error
    }
  }
}

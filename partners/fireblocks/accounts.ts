/**
 * Addresses, one for each receiving account. An asset of UTXOs has many in one vault account. Any other has one in each:
 * then the receiving account gets a vault account of its own, named after it.
 */
import * as v from 'valibot'
import { Reference } from '../../domain/callbacks/reference.ts'
import type { OpenedAccount } from '../driver.ts'
import { type PartnerEndpoint, requestOrNull, requestPartner, unclear } from '../http.ts'
import { type Asset, canonicalAddress } from './assets.ts'

const [PAGE, PAGES_MAX] = [200, 500]
const BYTES_MAX = 1024 * 1024
/** Networks whose assets have many addresses in one vault account. */
const WITH_MANY_ADDRESSES: ReadonlySet<string> = new Set(['bitcoin'])

const Address = v.object({ address: Reference, description: v.nullish(v.string(), '') })
const Cursor = v.nullish(v.object({ after: v.nullish(v.string()) }))
const Addresses = v.object({ addresses: v.array(Address), paging: Cursor })
const Vault = v.object({ id: v.pipe(v.string(), v.regex(/^\d{1,18}$/)), name: v.string() })
const Vaults = v.object({ accounts: v.array(Vault), paging: Cursor })
const NewAddress = v.object({ address: Reference })

export const nameOf = (key: string): string => `Receiving account ${key}`

export class VaultAddresses {
  readonly #at: PartnerEndpoint
  readonly #vault: string

  constructor(endpoint: PartnerEndpoint, vault: string) {
    this.#at = { ...endpoint, answerBytesMax: BYTES_MAX }
    this.#vault = vault
  }

  /** Opens the address of a receiving account, or finds it: Fireblocks knows keys of requests for a day only. */
  async open(asset: Asset, key: string): Promise<OpenedAccount> {
    const address = await (WITH_MANY_ADDRESSES.has(asset.network)
      ? this.#openShared(asset, key)
      : this.#open(asset, key))
    const { network, currency: coin } = asset
    const written = canonicalAddress(asset, address)
    return { account: written, details: { network, coin, address: written } }
  }

  async #openShared({ assetId }: Asset, key: string): Promise<string> {
    const path = `/v1/vault/accounts/${this.#vault}/${encodeURIComponent(assetId)}`
    const known = await this.#findAddress(path, ({ description }) => description === nameOf(key))
    if (known) return known
    const body = { description: nameOf(key), customerRefId: key }
    return (await this.#post(`${path}/addresses`, body, key, NewAddress)).address
  }

  async #open({ assetId }: Asset, key: string): Promise<string> {
    const vault = (await this.#findVault(key)) ?? (await this.#makeVault(key))
    const path = `/v1/vault/accounts/${vault}/${encodeURIComponent(assetId)}`
    const known = await this.#findAddress(path, () => true)
    return known ?? (await this.#post(path, {}, `${key}-w`, NewAddress)).address
  }

  async #findVault(key: string): Promise<string | null> {
    const query = new URLSearchParams({ namePrefix: nameOf(key), orderBy: 'ASC', limit: '2' })
    const path = `/v1/vault/accounts_paged?${query.toString()}`
    const { accounts } = await requestPartner(this.#at, { method: 'GET', path, answer: Vaults })
    return accounts.find(({ name }) => name === nameOf(key))?.id ?? null
  }

  /** Makes a vault account, which the gas station fills: its coins have to be moved to the vault that pays. */
  async #makeVault(key: string): Promise<string> {
    const body = { name: nameOf(key), customerRefId: key, autoFuel: true }
    const made = await this.#post('/v1/vault/accounts', body, key, Vault)
    if (made.name !== nameOf(key)) throw unclear(this.#at, 'it answers about another vault account', true)
    return made.id
  }

  async #findAddress(path: string, isWanted: (one: v.InferOutput<typeof Address>) => boolean): Promise<string | null> {
    let after: string | undefined
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const query = new URLSearchParams({ limit: String(PAGE), ...(after && { after }) })
      const listed = await requestOrNone(this.#at, `${path}/addresses_paginated?${query.toString()}`)
      const found = listed?.addresses.find(isWanted)
      if (found) return found.address
      after = listed?.paging?.after ?? undefined
      if (!after) return null
    }
    throw unclear(this.#at, 'its list of addresses has no end', false)
  }

  #post<Schema extends v.GenericSchema>(path: string, body: object, key: string, answer: Schema) {
    return requestPartner(this.#at, { method: 'POST', path, body, headers: { 'idempotency-key': key }, answer })
  }
}

/** Reads addresses; null if the vault account has no wallet of the asset. */
const requestOrNone = (at: PartnerEndpoint, path: string) =>
  requestOrNull(at, { method: 'GET', path, answer: Addresses })

/** Vault accounts and addresses of the stand-in of Fireblocks, and answers under keys. */
import type { ConnectionName } from '../../../domain/partner.ts'
import { first, sql } from '../../../db/postgres/sql.ts'

const ANSWER_HOURS = 24

export type Vault = {
  readonly id: number
  readonly name: string
  readonly hidden: boolean
  readonly auto_fuel: boolean
  readonly customer_ref_id: string | null
}

const VAULT = sql`id, name, hidden, auto_fuel, customer_ref_id`

/** Makes the vault account that is there from the beginning. */
const firstVault = (id: number): Vault => ({
  id,
  name: 'Default',
  hidden: false,
  auto_fuel: false,
  customer_ref_id: null,
})

/** Adds a vault account under the next number; `main` is there from the beginning. */
export async function addVault(partner: ConnectionName, main: number, vault: Omit<Vault, 'id'>): Promise<Vault> {
  for (;;) {
    const made = await first(sql<Vault[]>`
      insert into sandbox_vaults (partner, id, name, hidden, auto_fuel, customer_ref_id)
      select ${partner}, 1 + greatest(${main}::integer, max(o.id)), ${vault.name}, ${vault.hidden}::boolean,
        ${vault.auto_fuel}::boolean, ${vault.customer_ref_id}
      from sandbox_vaults o where o.partner = ${partner}
      on conflict do nothing returning ${VAULT}`)
    if (made) return made // else another one has taken the number
  }
}

export async function findVault(partner: ConnectionName, main: number, id: number): Promise<Vault | undefined> {
  if (id === main) return firstVault(main)
  return first(sql<Vault[]>`select ${VAULT} from sandbox_vaults where partner = ${partner} and id = ${id}`)
}

/** Lists vault accounts, oldest first. */
export const listVaults = async (partner: ConnectionName, main: number): Promise<Vault[]> => {
  const others = await sql<Vault[]>`select ${VAULT} from sandbox_vaults where partner = ${partner} order by id`
  return [firstVault(main), ...others.filter(({ id }) => id !== main)]
}

/** Address of a wallet: of one vault account and asset. */
export type VaultAddress = {
  readonly vault: number
  readonly asset: string
  readonly index: number
  readonly address: string
  readonly description: string | null
  readonly customer_ref_id: string | null
}

const ADDRESS = sql`vault_id as vault, asset, index, address, description, customer_ref_id`

/** Lists the addresses of a vault account, or of all, in the order of their making. */
export const listAddresses = async (partner: ConnectionName, vault?: number): Promise<VaultAddress[]> => [
  ...(await sql<VaultAddress[]>`
    select ${ADDRESS} from sandbox_vault_addresses
    where partner = ${partner} and (${vault ?? null}::integer is null or vault_id = ${vault ?? null})
    order by vault_id, asset, index`),
]

type NewAddress = Omit<VaultAddress, 'index' | 'address'> & {
  readonly at: (index: number) => string
  /** Adds the first address alone. */
  readonly once: boolean
}

/** Adds the next address of a wallet; undefined if `once` finds that there is one. */
export async function addAddress(partner: ConnectionName, wanted: NewAddress): Promise<VaultAddress | undefined> {
  const { vault, asset, description, customer_ref_id: ref, at, once } = wanted
  for (let index = 0; ; index += 1) {
    const made = await first(sql<VaultAddress[]>`
      insert into sandbox_vault_addresses (partner, vault_id, asset, index, address, description, customer_ref_id)
      values (${partner}, ${vault}, ${asset}, ${index}, ${at(index)}, ${description}, ${ref})
      on conflict do nothing returning ${ADDRESS}`)
    if (made || once) return made
  }
}

export type StoredAnswer = { readonly status: number; readonly body: unknown }

export const findAnswer = async (partner: ConnectionName, key: string): Promise<StoredAnswer | undefined> =>
  first(sql<StoredAnswer[]>`
    select status, body from sandbox_vault_answers
    where partner = ${partner} and key = ${key} and made_at > clock_timestamp() - make_interval(hours => ${ANSWER_HOURS})`)

/** Keeps the answer of a key; the first one stays. */
export async function keepAnswer(partner: ConnectionName, key: string, { status, body }: StoredAnswer): Promise<void> {
  await sql`
    insert into sandbox_vault_answers (partner, key, status, body)
    values (${partner}, ${key}, ${status}, ${sql.json(body as never)}) on conflict do nothing`
}

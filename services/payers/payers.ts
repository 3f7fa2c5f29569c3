/** Payers of orders to partners: versions that never change, one for each name and address of an organization. */
import { v5 } from 'uuid'
import { canonicalJson } from '../../domain/canonical.ts'
import { type Blocker, refuse } from '../../domain/errors.ts'
import type { OrganizationId, PayerId } from '../../domain/ids.ts'
import {
  type Payer,
  type PayerField,
  type PayingOrganization,
  type SentPayer,
  findMissing,
  toSent,
} from '../../domain/organizations/payer.ts'
import type { Rail } from '../../domain/rails.ts'
import { config } from '../../platform/config.ts'
import { type Fragment, type Reader, type Tx, first, sql } from '../../db/postgres/sql.ts'

/** Selects a PayingOrganization of an organization `o`. */
export const payingOrganization = (o: Fragment): Fragment =>
  sql`json_build_object('name', ${o}.name, 'postal_address', ${o}.postal_address)`

/** Chooses the payer that orders of an organization name now; null while its details are missing. */
export const payerOf = (organization: PayingOrganization): Payer | null =>
  organization.postal_address && findMissing(organization).length === 0
    ? { name: organization.name, address: organization.postal_address }
    : null

/** Tells whether payments by partners are refused without a payer. */
const isPayerRequired = (): boolean => config.live || config.onboarding === 'required'

/** Lists the fields without which an organization cannot pay by partners here. */
export const findIncomplete = (organization: PayingOrganization): readonly PayerField[] =>
  isPayerRequired() ? findMissing(organization) : []

/** A payment and its organization as it is now; null if the order names no payer, as that of former payments. */
type PayerStanding = { readonly rail: Rail; readonly paying: PayingOrganization | null }

/** Lists what blocks payments of an organization by partners: no order could name who pays. */
export function onboardingBlockers({ rail, paying }: PayerStanding): Blocker[] {
  const fields = paying === null || rail === 'svc_id' ? [] : findIncomplete(paying)
  return fields.length > 0 ? [{ type: 'onboarding_incomplete', details: { fields } }] : []
}

/** Reads the fields without which the organization of a reader cannot pay by partners here. */
export async function readIncomplete(reader: Reader): Promise<readonly PayerField[]> {
  if (!isPayerRequired()) return []
  const row = await first(
    reader<{ paying: PayingOrganization }>(sql`
      select ${payingOrganization(sql`o`)} as paying from organizations o where o.id = ${reader.organizationId}`),
  )
  return findIncomplete(row?.paying ?? refuse('not_found'))
}

/** A payer with the id of its version. */
export type PayerVersion = Payer & { readonly id: PayerId; readonly sent: SentPayer }

const PAYERS_NAMESPACE = '5a5f9d0c-6a0f-4f6e-9c0b-0c1f6f1f2f66'

/** Names the version of the payer that orders of an organization name now; null while its details are missing. */
export function versionOf(organizationId: OrganizationId, organization: PayingOrganization): PayerVersion | null {
  const payer = payerOf(organization)
  if (!payer) return null
  const sent = toSent(payer)
  const id = v5(canonicalJson([organizationId, payer, sent]), PAYERS_NAMESPACE) as PayerId // made of all that it holds
  return { ...payer, id, sent }
}

/** Builds the statement that stores a version; one that is stored stays. */
export const insertPayer = (tx: Tx, { id, name, address, sent }: PayerVersion): Fragment => sql`
  insert into payers (id, organization_id, name, address, sent)
  values (${id}, ${tx.organizationId}, ${name}, ${sql.json(address)}, ${sql.json(sent)}) on conflict do nothing`

/** Selects the Payer of an id; null without one. */
export const payerAt = (id: Fragment): Fragment => sql`
  (select json_build_object('name', y.name, 'address', y.address) from payers y where y.id = ${id})`

/** Selects the SentPayer of an id; null without one. */
export const payerToSend = (id: Fragment): Fragment => sql`(select y.sent from payers y where y.id = ${id})`

/** Connection that makes a payment, and its money there; `connection` and `currency` are of the statement. */
type PaidFrom = {
  readonly rail: Rail
  readonly connection: Fragment
  readonly currency: Fragment
  readonly network: string | null
}

/** Selects the account of the payer at its partner from which a payment is made; null before there is one. */
export const payerAccount = (
  { organizationId }: Pick<Tx, 'organizationId'>,
  { rail, connection, currency, network }: PaidFrom,
): Fragment => sql`
  (select r.id from receiving_accounts r where r.organization_id = ${organizationId} and r.rail = ${rail}
    and r.currency = ${currency} and r.network is not distinct from ${network} and r.status = 'active'
    and connection_of(r.rail, r.connection) = connection_of(r.rail, ${connection}))`

/** Selects the name of an account at its partner. */
export const accountNameAt = (id: Fragment): Fragment =>
  sql`(select r.account from receiving_accounts r where r.id = ${id})`

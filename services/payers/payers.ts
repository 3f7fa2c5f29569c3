/** Payers of orders to partners: versions that never change, one for each name and address of an organization. */
import { v5 } from 'uuid'
import { canonicalJson } from '../../domain/canonical.ts'
import { type Blocker, refuse } from '../../domain/errors.ts'
import type { OrganizationId, PayerId } from '../../domain/ids.ts'
import { NOTHING_KNOWN, listRequirements, openFields } from '../../domain/onboarding/requirements.ts'
import { type OnboardingStanding, SERVICE, isSubmitted, isVerifiedAt } from '../../domain/onboarding/review.ts'
import {
  type Payer,
  type PayingOrganization,
  type SentPayer,
  findMissing,
  nameOrganization,
  toSent,
} from '../../domain/organizations/payer.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { type Rail, connectionOf } from '../../domain/rails.ts'
import { config } from '../../platform/config.ts'
import { verifiesOrganizations } from '../../platform/connections.ts'
import { type Fragment, type Reader, type Tx, first, sql } from '../../db/postgres/sql.ts'

/** Tells whether payments are refused of an organization that is not verified. */
export const isOnboardingRequired = (): boolean => config.live || config.onboarding === 'required'

/** Selects a PayingOrganization of an organization `o`. */
export const payingOrganization = (o: Fragment): Fragment =>
  isOnboardingRequired()
    ? sql`json_build_object('name', ${o}.name, 'postal_address', ${o}.postal_address, 'onboarding', ${onboardingOf(o)})`
    : sql`json_build_object('name', ${o}.name, 'postal_address', ${o}.postal_address)`

/** Selects the standing of the onboarding of an organization `o`; null before it is begun. */
const onboardingOf = (o: Fragment): Fragment => sql`
  (select json_build_object('status', b.status, 'in_time', coalesce(b.due_at > business_now(), false),
      'open_fields', b.open_fields, 'verified', case when b.verified_name is not null then
        json_build_object('name', b.verified_name, 'postal_address', b.verified_address) end,
      'reviews', coalesce((select json_object_agg(r.reviewer, json_build_object('status', r.status,
          'was_verified', r.verified_at is not null)) from onboarding_reviews r
        where r.organization_id = b.organization_id), '{}'))
    from onboardings b where b.organization_id = ${o}.id)`

/**
 * Selects the NamedOrganization of an organization `o` that its documents name: the payer of an order where there was
 * one, else what was verified last. Null where nothing was verified, or nothing is asked for.
 */
export const selectVerified = (o: Fragment, payerId: Fragment = sql`null::uuid`): Fragment =>
  isOnboardingRequired()
    ? sql`(select json_build_object('name', coalesce(y.name, b.verified_name),
        'postal_address', coalesce(y.address, b.verified_address))
      from onboardings b left join payers y on y.id = ${payerId}
      where b.organization_id = ${o}.id and b.verified_name is not null)`
    : sql`null::json`

/** Chooses the payer that orders of an organization name now; null while its details are missing. */
export function payerOf(organization: PayingOrganization): Payer | null {
  const named = nameOrganization(organization)
  return named.postal_address && findMissing(named).length === 0
    ? { name: named.name, address: named.postal_address }
    : null
}

/** Connection that is to make a payment; null by service ID, and if none serves its money. */
export type PaymentWay = { readonly rail: Rail; readonly connection: ConnectionName | null }

/** Names the reviewer on whose verdict payments by a connection depend. */
export function reviewerOf(connection: ConnectionName | null): string {
  const found = config.connections.find(({ name }) => name === connection)
  return found && verifiesOrganizations(found) ? found.name : SERVICE
}

/** Fields that are asked for before an organization has said anything. */
const FIRST_FIELDS = openFields(listRequirements(NOTHING_KNOWN, null))

/** Lists the fields for which an organization has no verdict to move money in a way; none where none is asked for. */
export function findUnverified({ onboarding }: PayingOrganization, way: PaymentWay): readonly string[] {
  if (!isOnboardingRequired()) return []
  if (!onboarding) return FIRST_FIELDS
  const isEnough =
    way.rail === 'svc_id'
      ? isSubmitted(onboarding)
      : isVerifiedAt(onboarding, reviewerOf(connectionOf({ rail: way.rail, connection: way.connection })))
  return isEnough ? [] : fieldsOf(onboarding)
}

/** Lists what an organization lacks to pay in a way: fields of its onboarding, or of its name and address. */
export function findIncomplete(organization: PayingOrganization, way: PaymentWay): readonly string[] {
  const unverified = findUnverified(organization, way)
  if (unverified.length > 0 || way.rail === 'svc_id' || !isOnboardingRequired()) return unverified
  return findMissing(nameOrganization(organization))
}

/** Lists the fields that are open; of one that waits for its review, the review itself. */
const fieldsOf = ({ open_fields: open }: OnboardingStanding): readonly string[] => (open.length > 0 ? open : ['review'])

/** A payment and its organization as it is now; null if the order names no payer, as that of former payments. */
type PayerStanding = PaymentWay & { readonly paying: PayingOrganization | null }

/** Lists what blocks payments of an organization: it is not verified, or no order could name who pays. */
export function onboardingBlockers({ paying, ...way }: PayerStanding): Blocker[] {
  const fields = paying === null ? [] : findIncomplete(paying, way)
  return fields.length > 0 ? [{ type: 'onboarding_incomplete', details: { fields } }] : []
}

/** Reads the organization of a reader as it would pay now. */
export async function readPaying(reader: Reader): Promise<PayingOrganization> {
  const row = await first(
    reader<{ paying: PayingOrganization }>(sql`
      select ${payingOrganization(sql`o`)} as paying from organizations o where o.id = ${reader.organizationId}`),
  )
  return row?.paying ?? refuse('not_found')
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

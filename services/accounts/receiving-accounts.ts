/** Receiving accounts: requested once, opened by a partner, listed. */
import { v7 } from 'uuid'
import { askAgain, partnerOfRow } from '../../db/processes/asking.ts'
import { config } from '../../platform/config.ts'
import { recordAll } from '../events.ts'
import { receivingAccountEvents, receivingAccountMoves } from '../../domain/accounts/events.ts'
import { refuse } from '../../domain/errors.ts'
import type { ReceivingAccountId } from '../../domain/ids.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import type { BankAccount, DepositAddress } from '../../domain/accounts/receiving-account.ts'
import { type ReceivingAccountStatus, receivingAccountFlow } from '../../domain/accounts/flow.ts'
import { pageOf } from '../../db/postgres/pagination.ts'
import { type Fragment, type Reader, type Tx, first, sql } from '../../db/postgres/sql.ts'
import { pauseOfRow } from '../connections/pauses.ts'
import { receivedOn } from '../connections/serving.ts'
import { transition } from '../../db/processes/transition.ts'
import { wake } from '../../db/postgres/wakes.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import type { PayingOrganization } from '../../domain/organizations/payer.ts'
import type { AtConnection, PartnerRail } from '../../domain/rails.ts'
import { findUnverified, payingOrganization } from '../payers/payers.ts'

type AccountRequest = {
  readonly currency: string
  readonly network: string | null
  readonly connection: ConnectionName
}

/** Selects the accounts that an organization gets and has not requested yet. */
const missing = (reader: Pick<Reader, 'organizationId'>, rail: PartnerRail): Fragment => sql`
  select w.currency, w.network, w.connection
  from unnest(${receivedOn[rail].map(({ currency }) => currency)}::text[],
    ${receivedOn[rail].map(({ network }) => network)}::text[],
    ${receivedOn[rail].map(({ connection }) => connection)}::text[])
    with ordinality w (currency, network, connection, position)
  where not exists (select from receiving_accounts r
    where r.organization_id = ${reader.organizationId} and r.rail = ${rail} and r.currency = w.currency
      and r.network is not distinct from w.network and connection_of(r.rail, r.connection) = w.connection)
  order by w.position`

export const lacksAccounts = async (reader: Reader, rail: PartnerRail): Promise<boolean> =>
  (await reader(missing(reader, rail))).length > 0

/** Requests the missing accounts, each once, also for concurrent calls. */
export async function requestAccounts(tx: Tx, rail: PartnerRail): Promise<void> {
  // a verification that commits in this moment either sees these accounts, or is seen by their runs
  await tx`select from onboardings where organization_id = ${tx.organizationId} for share`
  const wanted = await tx<AccountRequest[]>`${missing(tx, rail)}`
  const asked = wanted.toReversed().map((want) => ({ ...want, id: v7() })) // lists are newest first
  if (asked.length === 0) return
  const rows = await tx<{ id: ReceivingAccountId }[]>`
    insert into receiving_accounts (id, organization_id, rail, connection, currency, network, status, holder)
    select a.id, ${tx.organizationId}, ${rail}, a.connection, a.currency, a.network, 'requested',
      (select name from organizations where id = ${tx.organizationId})
    from jsonb_to_recordset(${sql.json(asked)}) a (id uuid, currency text, network text, connection text)
    on conflict do nothing
    returning id`
  const requested = rows.map(({ id }) => ({ id, cause: `receiving_account:${id}:request` }))
  await recordAll(tx, receivingAccountEvents.requested, requested)
  wake(tx, receivingAccountFlow, { ids: rows.map(({ id }) => id), why: 'requested', status: 'requested', rail })
}

const selectBankAccount = (): Fragment => sql`
  select ${accountColumns()} from receiving_accounts where receiving_accounts.rail = 'fiat'`

const selectDepositAddress = (): Fragment => sql`
  select ${accountColumns()}, receiving_accounts.network from receiving_accounts where receiving_accounts.rail = 'crypto'`

const accountColumns = (): Fragment => sql`
  receiving_accounts.id, receiving_accounts.organization_id, receiving_accounts.currency,
    ${partnerOfRow(sql`receiving_accounts`)} as connection,
    case receiving_accounts.status when 'requested' then 'provisioning' else receiving_accounts.status end as status,
    receiving_accounts.account, receiving_accounts.details, receiving_accounts.inserted_at`

export const listBankAccounts = (reader: Reader, page: PageRequest): Promise<Page<BankAccount>> =>
  pageOf<BankAccount>(reader, 'receiving_accounts', page, selectBankAccount())

export const listDepositAddresses = (reader: Reader, page: PageRequest): Promise<Page<DepositAddress>> =>
  pageOf<DepositAddress>(reader, 'receiving_accounts', page, selectDepositAddress())

type Opening = AtConnection & {
  readonly status: ReceivingAccountStatus
  readonly currency: string
  readonly network: string | null
  /** The organization's name when the account was asked for: a request that is repeated stays the same. */
  readonly holder: string
  /** Reason of the pause of its connection: nothing is opened there. */
  readonly paused: string | null
  /** False while the organization is not verified for its connection: nothing is opened before. */
  readonly accepted: boolean
}

/** Finds the account that a partner is to open. Refuses `not_found`. */
export async function findOpening(reader: Reader, id: ReceivingAccountId): Promise<Opening> {
  const row = await first(
    reader<Omit<Opening, 'accepted'> & { readonly paying: PayingOrganization }>(sql`
      select r.status, r.rail, r.connection, r.currency, r.network, coalesce(r.holder, o.name) as holder,
        ${pauseOfRow(sql`r`)} as paused, ${payingOrganization(sql`o`)} as paying
      from receiving_accounts r join organizations o on o.id = r.organization_id
      where r.id = ${id} and r.organization_id = ${reader.organizationId}`),
  )
  if (!row) refuse('not_found')
  const { paying, ...opening } = row
  return { ...opening, accepted: findUnverified(paying, opening).length === 0 }
}

/** Wakes the accounts that have waited until their organization is verified. */
export async function wakeRequested(tx: Tx): Promise<void> {
  const rows = await tx<{ id: ReceivingAccountId; rail: PartnerRail }[]>`
    select id, rail from receiving_accounts where organization_id = ${tx.organizationId} and status = 'requested'
    order by id`
  for (const { id, rail } of rows)
    wake(tx, receivingAccountFlow, { ids: [id], why: 'verified', status: 'requested', rail })
}

/** Stores the account that the partner has opened. A repeat changes nothing. */
export async function recordOpened(
  tx: Tx,
  id: ReceivingAccountId,
  { account, details }: { account: string; details: Readonly<Record<string, string>> },
): Promise<void> {
  await transition(tx, receivingAccountMoves, id, {
    events: ['open'],
    cause: `receiving_account:${id}:open`,
    set: sql`account = ${account}, details = ${sql.json(details)}`,
  })
}

/** Records a refused account: it is asked again after a pause. */
export async function noteUnopened(tx: Tx, id: ReceivingAccountId): Promise<void> {
  await tx`${askAgain('receiving_accounts', config.partnerPollSeconds, 'not opened')} where id = ${id} and status = 'requested'`
  wake(tx, receivingAccountFlow, { ids: [id], why: 'asked' })
}

/** Tells if an account is at the connection that serves its money now: who moves to another bank keeps the earlier one. */
const isServed = (r: Fragment): Fragment => sql`
  (${r}.currency || coalesce('/' || ${r}.network, '') || ' ' || connection_of(${r}.rail, ${r}.connection)) = any (${SERVED})`

const SERVED: readonly string[] = [...receivedOn.fiat, ...receivedOn.crypto].map(
  ({ currency, network, connection }) => `${network === null ? currency : `${currency}/${network}`} ${connection}`,
)

/** Selects the one bank account at which an organization is to be paid in a currency; no row without an open one. */
export const selectBankAccountIn = (organization: Fragment, currency: Fragment): Fragment => sql`
  select r.* from receiving_accounts r
  where r.organization_id = ${organization} and r.rail = 'fiat' and r.currency = ${currency} and r.status = 'active'
  order by ${isServed(sql`r`)} desc, r.inserted_at desc, r.id desc limit 1`

/** Selects the open accounts of an organization in a currency, as a column. */
export const accountDetails = (organization: Fragment, currency: Fragment): Fragment => sql`
  coalesce((select jsonb_agg(jsonb_build_object(
      'type', case r.rail when 'fiat' then 'bank_account' else 'deposit_address' end, 'id', r.id, 'network', r.network,
      'account', r.account, 'details', r.details) order by ${isServed(sql`r`)} desc, r.inserted_at desc, r.id desc)
    from receiving_accounts r
    where r.organization_id = ${organization} and r.currency = ${currency} and r.status = 'active'), '[]')`

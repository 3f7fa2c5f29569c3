/** Situations of an account that is opened: unheard, twice, or another than was asked for. */
import { openReceivingAccount } from '../../../activities/receiving-accounts.ts'
import { type ReceivingAccountId, newId } from '../../../domain/ids.ts'
import { insertOwned } from '../../../bench/owner.ts'
import { act } from '../act.ts'
import type { Fault } from '../planned-faults.ts'
import { mainRailOf } from '../provider.ts'
import type { Kit } from '../scene.ts'
import { later, owner } from '../service.ts'
import { OPENS_ACCOUNTS, type Situation, ofKit } from '../situation.ts'
import { type Verdict, verdictOf } from '../verdict.ts'

/** Pause after which absence is sure. */
const PAUSE_SECONDS = 600

async function open(kit: Kit, play: (take: () => Promise<unknown>) => Promise<unknown>): Promise<Verdict> {
  const [id, { organizationId }] = [newId<'receiving_account'>(), await insertOwned('Account')]
  const rail = mainRailOf(kit.provider.can)
  const network = rail === 'crypto' ? 'ethereum' : null
  await owner`
    insert into receiving_accounts (id, organization_id, rail, currency, network, status)
    values (${id}, ${organizationId}, ${rail}, ${kit.service.currencies[rail]}, ${network}, 'requested')`
  const before = kit.provider.accountCount()
  const ref = { id: id as ReceivingAccountId, organizationId }
  await play(() => act(openReceivingAccount, ref))
  kit.provider.clear()
  await later(PAUSE_SECONDS)
  await act(openReceivingAccount, ref)
  const [row] = await owner`select status, account from receiving_accounts where id = ${id}`
  const made = kit.provider.accountCount() - before
  await owner`delete from receiving_accounts where id = ${id}`
  return verdictOf(`${row?.['status']}; ${made} accounts opened`, {
    [`${made} accounts were opened, not one`]: made === 1,
    'it is not ours': row?.['status'] === 'active' && kit.provider.hasAccount(String(row['account'])),
  })
}

const faulty = (name: string, fault: Fault, times = 2): Situation =>
  ofKit(
    name,
    'money for an account that nobody knows',
    (kit) =>
      open(kit, (take) => {
        kit.provider.interfere('account', fault, times)
        return take()
      }),
    OPENS_ACCOUNTS,
  )

export const accounts: readonly Situation[] = [
  faulty('the answer to an opened account is lost', 'answer lost'),
  faulty('half an answer to an opened account', 'half an answer'),
  faulty('an opened account has another id', 'another id'),
  ofKit(
    'three workers open an account at once',
    'money for an account that nobody knows',
    (kit) =>
      open(kit, (take) => {
        kit.provider.interfere('account', 'takes a moment', 3)
        return Promise.all([take(), take(), take()])
      }),
    OPENS_ACCOUNTS,
  ),
]

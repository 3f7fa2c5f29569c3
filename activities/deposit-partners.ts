/** What the workflow of a deposit asks of the partner. A repeat answers as the first time. */
import { log } from '../db/log.ts'
import { bookArrival } from '../db/deposit-bookings.ts'
import { returning } from '../db/deposits.ts'
import { type Booked, railOf, worth } from '../db/model/deposit.ts'
import type { Money } from '../db/model/money.ts'
import type { MoneyPartner } from '../db/model/partner.ts'
import { asSystem } from '../db/sql.ts'
import { beginReturn, recordUnmatchedReturn } from '../db/unmatched-deposits.ts'
import type { ArrivalRef, DepositRef } from './deposits.ts'
import { type DepositView, moneyPartner } from './partners/money.ts'
import { askRate } from './partners/rates.ts'

/** Asks the partner about a deposit, and books it. What it says of people goes into the books alone. */
export async function receiveDeposit({ partner, partnerDepositId }: ArrivalRef): Promise<Booked> {
  const view = await moneyPartner(partner).getDeposit(partnerDepositId)
  return view ? bookView(partner, view) : { kind: 'nothing' }
}

/** Books a deposit of a partner's own list or reply; one that it has sent back without us was never booked. */
export async function bookView(partner: MoneyPartner, view: DepositView): Promise<Booked> {
  if (view.status === 'returned') return { kind: 'nothing' }
  const { id: partnerDepositId, account, amount, sender, reference } = view
  const valueUsd = railOf(partner) === 'crypto' ? await usdValue(amount) : null
  return bookArrival({ partner, partnerDepositId, account, network: null, amount, valueUsd, source: sender, reference })
}

/** What coins are worth; null where the desk cannot say: then the money is held, and nothing is guessed. */
async function usdValue({ amount, currency }: Money): Promise<string | null> {
  try {
    return worth(amount, (await askRate(currency, 'USD')).rate)
  } catch (error) {
    log.warn({ err: error, currency }, 'no rate for a deposit: it is held whatever it is worth')
    return null
  }
}

const REASON = 'Nobody said who sent it.'
const UNMATCHED_REASON = 'Nobody could be found for it.'

/** Has the partner send a deposit back that is on its way back; nothing where it is not, or no longer. */
export async function returnDeposit({ organizationId, depositId }: DepositRef): Promise<void> {
  const going = await asSystem(organizationId, (tx) => returning(tx, depositId))
  if (going) await moneyPartner(going.partner).returnDeposit(going.partnerDepositId, REASON)
}

/** Has a partner send unmatched money back, and books it. What broke off is done again; each step is safe to repeat. */
export async function returnUnmatched(id: string): Promise<void> {
  const { partner, partnerDepositId } = await beginReturn(id)
  await moneyPartner(partner).returnDeposit(partnerDepositId, UNMATCHED_REASON)
  await recordUnmatchedReturn(id)
}

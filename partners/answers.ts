/** Checks of what drivers answer, once for all of them. */
import type { Money } from '../domain/money/money.ts'
import { KEY_MARGIN_SECONDS } from '../domain/partner-orders.ts'
import type { Capabilities, ListedPayout, MoneyDriver, PartnerPage, PayoutView } from './driver.ts'
import { anotherAmount, notCarried } from './failures.ts'
import { isSame } from './schemas.ts'

/** Driver whose payouts are of the amount that was ordered. */
export type CheckedDriver = Omit<MoneyDriver, 'payouts'> &
  Required<Pick<MoneyDriver, 'returnDeposit' | 'openAccount'>> & {
    /** Payouts of ours; what the list has beside them is odd. */
    readonly payouts: (after?: string) => Promise<PartnerPage<OwnPayout>>
  }
type OwnPayout = ListedPayout & { readonly id: string }

/**
 * Adds the checks: a payout of another amount than ordered fails for good (`isAnotherAmount`), as does what the driver
 * does not have.
 */
export function checkAnswers(connection: string, driver: MoneyDriver): CheckedDriver {
  checkMemory(connection, driver.describe())
  const check = (view: PayoutView, { amount }: { readonly amount: Money }): PayoutView => {
    if (isSame(view.amount, amount)) return view
    throw anotherAmount(connection)
  }
  const { cancel } = driver
  return {
    returnDeposit: () => Promise.reject(notCarried(connection)),
    openAccount: () => Promise.reject(notCarried(connection)),
    ...driver,
    send: async (intent, key) => check(await driver.send(intent, key), intent),
    async find(sought) {
      const found = await driver.find(sought)
      return found && check(found, sought)
    },
    async payouts(after) {
      const page = await driver.payouts(after)
      const own = page.data.filter((one): one is OwnPayout => one.id !== null)
      const others = page.data.flatMap(({ id }, position) =>
        id === null ? [{ id, position, isZeroAmount: false }] : [],
      )
      return { ...page, data: own, odd: [...page.odd, ...others] }
    },
    ...(cancel && { cancel: async (sought) => check(await cancel(sought), sought) }),
  }
}

/** Throws for a provider that may forget a key before the absence of its payout is sure. */
function checkMemory(connection: string, { keysKept, absenceSureAfterSeconds }: Capabilities): void {
  if (keysKept === 'ever' || absenceSureAfterSeconds < keysKept * 3600 - KEY_MARGIN_SECONDS) return
  throw new Error(`the driver of ${connection} forgets keys before it knows what is absent`)
}

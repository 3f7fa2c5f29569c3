/** Our ids in place of a provider's, once around every driver: deposits get UUIDs, payouts the ids of their payments. */
import { findFallbacks, findPaymentsOf, findTheirDeposit, nameDeposits } from '../services/partner-orders/their-ids.ts'
import { isUuid } from '../domain/ids.ts'
import type { ListedPayout, MoneyDriver } from './driver.ts'
import { unclear } from './http.ts'

/** Makes a driver that takes and answers our ids. */
export function useOurIds(connection: string, driver: MoneyDriver): MoneyDriver {
  const { returnDeposit } = driver
  /** Gives an answer our id; fails as unclear if it is of another deposit. */
  const named = <View extends { readonly id: string }>(id: string, theirId: string, view: View): View => {
    if (view.id === theirId) return { ...view, id }
    throw unclear({ party: connection }, 'it answers about another deposit', true)
  }
  return {
    ...driver,
    async payouts(after) {
      const page = await driver.payouts(after)
      const nameless = page.data.flatMap(({ id, theirId }) => (id === null && theirId !== null ? [theirId] : []))
      const known = await findPaymentsOf(connection, nameless)
      const data = page.data.map((one) => ({ ...one, id: one.id ?? known.get(one.theirId ?? '') ?? null }))
      return { ...page, data: await nameFallbacks(connection, data) }
    },
    async deposits(after) {
      const page = await driver.deposits(after)
      const ids = await nameDeposits(
        connection,
        page.data.map(({ id }) => id),
      )
      return { ...page, data: page.data.map((one, at) => ({ ...one, id: ids[at] ?? one.id })) }
    },
    async deposit(id) {
      const theirId = await findTheirDeposit(connection, id)
      const view = await driver.deposit(theirId)
      return view && named(id, theirId, view)
    },
    ...(returnDeposit && {
      async returnDeposit(order, key) {
        const theirId = await findTheirDeposit(connection, order.id)
        return named(order.id, theirId, await returnDeposit({ ...order, id: theirId }, key))
      },
    }),
  }
}

/**
 * Gives the payout of a standard order the id of its payment. That of the instant order before it is left out if it is
 * `rejected`; else it stays, under the other id: a payout of no payment, which is a finding.
 */
async function nameFallbacks(connection: string, data: readonly ListedPayout[]): Promise<readonly ListedPayout[]> {
  const ids = data.flatMap(({ id }) => (id !== null && isUuid(id) ? [id] : []))
  const orders = await findFallbacks(connection, ids)
  if (orders.length === 0) return data
  const others = new Map(
    orders.flatMap(
      ({ payment, fallback }) =>
        [
          [payment, fallback],
          [fallback, payment],
        ] as const,
    ),
  )
  const isInstant = new Set(orders.map(({ payment }) => payment))
  return data.flatMap((one) => {
    const other = one.id === null ? undefined : others.get(one.id)
    if (other === undefined) return [one]
    return isInstant.has(one.id ?? '') && one.status === 'rejected' ? [] : [{ ...one, id: other }]
  })
}

/** Payouts at Increase: transfers by ACH, wire, RTP and FedNow. */
import * as v from 'valibot'
import type { MoneyDriver, PayoutView, Sought } from '../driver.ts'
import { partnerRefusal, refusalOf, requestOrNull } from '../http.ts'
import type { At } from './calls.ts'
import { sortOut } from './entries.ts'
import { readWindow } from './lists.ts'
import { OPERATIONS, type Operation, planPayout } from './plan.ts'
import { TRANSFERS, type Transfer, operationOfId, pathOf, toListed, transferReply, viewOf } from './transfers.ts'
import { NOT_ENABLED, Page } from './words.ts'

type Payouts = Required<Pick<MoneyDriver, 'plan' | 'send' | 'find' | 'cancel' | 'payouts'>>

/** Makes the part of a driver that pays. */
export function payoutsAt(at: At): Payouts {
  const findByKey = async (operation: Operation, key: string): Promise<PayoutView | null> => {
    const query = new URLSearchParams({ account_id: at.settings.account, idempotency_key: key, limit: '1' }).toString()
    const path = `${pathOf(operation)}?${query}`
    const page = v.pipe(
      Page,
      v.transform(({ data }): unknown => data[0] ?? null),
      v.nullable(transferReply(operation, { key })),
    )
    const found = await requestOrNull(at.endpoint, { method: 'GET', path, answer: page }).catch(nullIfNotEnabled)
    return found && viewOf(found)
  }
  return {
    plan: (order) => planPayout({ party: at.endpoint.party, settings: at.settings }, order),
    async send({ operation, content }, key) {
      const sent = operationIn(operation)
      if (!sent) throw refusalOf(at.endpoint, { code: 'operation_unknown', message: 'this operation is not known' })
      return viewOf(await at.post(pathOf(sent), key, content, transferReply(sent, { key })))
    },
    async find({ key, operation, theirId }) {
      const known = theirId === null ? undefined : operationOfId(theirId)
      if (theirId !== null && known) {
        const path = `${pathOf(known)}/${theirId}`
        const found = await requestOrNull(at.endpoint, {
          method: 'GET',
          path,
          answer: transferReply(known, { key, theirId }),
        })
        return found && viewOf(found)
      }
      const sent = operationIn(operation)
      for (const one of sent ? [sent] : OPERATIONS) {
        const found = await findByKey(one, key)
        if (found) return found
      }
      return null
    },
    async cancel({ key, theirId }: Sought) {
      const operation = theirId === null ? undefined : operationOfId(theirId)
      if (!theirId || !operation) throw refusalOf(at.endpoint, { code: 'payout_unknown', message: 'it was never sent' })
      const path = `${pathOf(operation)}/${theirId}/cancel`
      return viewOf(await at.post(path, `${key}:cancel`, {}, transferReply(operation, { key, theirId })))
    },
    async payouts(after) {
      const { entries, next } = await readWindow(
        at.ask,
        { paths: OPERATIONS.map(pathOf), account: at.settings.account },
        after,
      )
      const { data, odd } = sortOut<Transfer>(entries, (resource) => TRANSFERS[OPERATIONS[resource] ?? 'ach'])
      return { data: data.map(({ one }) => toListed(one)), odd, next }
    },
  }
}

const operationIn = (name: string | null): Operation | undefined => OPERATIONS.find((one) => one === name)

/** Counts a network that the account does not have as one without the payout. */
function nullIfNotEnabled(failure: unknown): null {
  if (partnerRefusal(failure)?.code === NOT_ENABLED) return null
  throw failure
}

/** Deposits at Increase: transfers that come by ACH, wire, RTP and FedNow, and their ways back. */
import type { InboundACHTransferTransferReturnParams } from 'increase/resources/inbound-ach-transfers'
import type { InboundWireTransferReverseParams } from 'increase/resources/inbound-wire-transfers'
import type { DepositView, MoneyDriver } from '../driver.ts'
import { unknownMoney } from '../failures.ts'
import { partnerRefusal, refusalOf, requestOrNull, unclear } from '../http.ts'
import { type UnreadableRecord, isSame } from '../schemas.ts'
import type { At } from './calls.ts'
import { sortOut } from './entries.ts'
import { ARRIVALS, INCOMING, type Incoming, arrivalOfId, arrivalPath, incomingReply } from './inbound.ts'
import { readWindow } from './lists.ts'

type Deposits = Required<Pick<MoneyDriver, 'deposits' | 'deposit' | 'returnDeposit'>>

/** Makes the part of a driver that receives. */
export function depositsAt(at: At): Deposits {
  const incoming = async (id: string): Promise<Incoming | null> => {
    const arrival = arrivalOfId(id)
    if (!arrival) return null
    const path = `${arrivalPath(arrival)}/${id}`
    return requestOrNull(at.endpoint, { method: 'GET', path, answer: incomingReply(arrival, id) })
  }
  return {
    async deposits(after) {
      const paths = ARRIVALS.map(arrivalPath)
      const { entries, next } = await readWindow(at.ask, { paths, account: at.settings.account }, after)
      const { data, odd } = sortOut<Incoming>(entries, (resource) => INCOMING[ARRIVALS[resource] ?? 'ach'])
      const others = data.flatMap(({ one, position, id }): UnreadableRecord[] =>
        typeof one !== 'string' || one === 'not_yet' ? [] : [{ id, position, isZeroAmount: one === 'zero' }],
      )
      return { data: data.flatMap(({ one }) => (typeof one === 'string' ? [] : [one])), odd: [...odd, ...others], next }
    },
    async deposit(id) {
      const found = await incoming(id)
      if (found === 'unknown_money') throw unknownMoney(at.endpoint.party)
      return typeof found === 'string' ? null : found
    },
    async returnDeposit({ id, amount }, key) {
      const arrival = arrivalOfId(id)
      const way = arrival && RETURNS[arrival]
      if (!way) throw refusalOf(at.endpoint, { code: 'not_returnable', message: 'this network takes nothing back' })
      const path = `${arrivalPath(arrival)}/${id}/${way.path}`
      const answered = await at.post(path, key, way.body, incomingReply(arrival, id)).catch(async (error: unknown) => {
        if (!partnerRefusal(error)) throw error
        const found = await incoming(id) // it may have gone back before
        return isBack(found) ? found : Promise.reject(error)
      })
      if (!isBack(answered)) throw unclear(at.endpoint, 'it has not sent the money back yet', true)
      if (!isSame(answered.amount, amount)) throw unclear(at.endpoint, 'it names another amount than came', true)
      return answered
    },
  }
}

const isBack = (found: Incoming | null): found is DepositView =>
  found !== null && typeof found !== 'string' && found.status === 'returned'

/** Ways back of what has come; those of RTP and FedNow end with their receipt. */
const RETURNS: Readonly<Partial<Record<(typeof ARRIVALS)[number], { readonly path: string; readonly body: object }>>> =
  {
    ach: {
      path: 'transfer_return',
      body: { reason: 'credit_entry_refused_by_receiver' } satisfies InboundACHTransferTransferReturnParams,
    },
    wire: { path: 'reverse', body: { reason: 'creditor_request' } satisfies InboundWireTransferReverseParams },
  }

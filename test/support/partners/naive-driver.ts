/** Driver as one would write it on a first day: each of its faults is a situation of the conformance kit. */
import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import type { MoneyDriver, PayoutView } from '../../../partners/driver.ts'
import type { HttpConnection } from '../../../partners/http/driver.ts'

/**
 * Makes the naive driver. It asks under a new id with each try, believes every 404, takes an amount for right and a
 * success for a payment, follows redirects, and reads callbacks without their signature.
 */
export function naiveDriver(careful: MoneyDriver, { endpoint }: HttpConnection): MoneyDriver {
  /** Ids under which it asked last; forgotten with the process. */
  const sentAs = new Map<string, string>()
  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${endpoint.url}${path}`, {
      method,
      signal: AbortSignal.timeout(endpoint.timeoutMs),
      headers: { authorization: `Bearer ${endpoint.key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (response.status === 404) return null
    if (response.status >= 500) throw new Error(`the provider answered ${response.status}`)
    return (await response.json()) as Partial<PayoutView>
  }
  const viewOf = (answer: Partial<PayoutView>, amount: PayoutView['amount']): PayoutView => ({
    theirId: null,
    status: answer.status ?? 'settled',
    detail: answer.detail ?? '',
    reference: answer.reference ?? null,
    amount,
    version: Math.max(answer.version ?? 1, 1),
  })
  return {
    ...careful,
    async send({ id, amount, content }) {
      const theirs = randomUUID()
      const answer = await ask('PUT', `/v1/payouts/${theirs}`, content)
      sentAs.set(id, theirs)
      return viewOf(answer ?? {}, amount)
    },
    async find({ id, amount }) {
      const answer = await ask('GET', `/v1/payouts/${sentAs.get(id) ?? id}`)
      return answer && viewOf(answer, amount)
    },
    readCallback({ read }) {
      const { type, id } = read(v.object({ type: v.string(), id: v.string() }))
      return [{ messageId: randomUUID(), subject: type === 'payout.updated' ? 'payout' : 'deposit', named: { id } }]
    },
  }
}

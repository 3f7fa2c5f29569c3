/** Traces of a payment by bank, from its approval to its settlement. */
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTraces, stopTraces } from '../../../platform/traces.ts'
import { approve } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { answerInstead, usePartnerProxy } from '../../support/partners/proxy.ts'
import { become, outgoing, payerBy } from '../../support/payments/payouts.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

const exporter = new InMemorySpanExporter()
beforeAll(() => startTraces('worker', [new SimpleSpanProcessor({ exporter })]))
afterAll(stopTraces)
usePartnerProxy()
useWorker()

const idOf = (span: ReadableSpan): string => span.spanContext().spanId
const spans = (): ReadableSpan[] => exporter.getFinishedSpans()
const attribute = (span: ReadableSpan, name: string): unknown => span.attributes[name]

/** Lists a span and all that caused it: the spans around it, and those it is linked to. */
function causesOf(span: ReadableSpan): ReadableSpan[] {
  const byId = new Map(spans().map((one) => [idOf(one), one]))
  const found = new Set([span])
  for (const one of found) {
    const before = [one.parentSpanContext, ...one.links.map(({ context }) => context)]
    for (const context of before) {
      const cause = context && byId.get(context.spanId)
      if (cause) found.add(cause)
    }
  }
  return [...found]
}

test('a payment by bank is followed from its settlement back to its approval, and its partner gets the span', async () => {
  const received: { path: string; traceparent: unknown }[] = []
  answerInstead((method, path, headers) => {
    received.push({ path: `${method} ${path}`, traceparent: headers['traceparent'] })
    return undefined
  })
  const payer = await payerBy('fiat')
  const payment = await outgoing(payer)
  // a change is announced by a signal once the one before has been seen
  const unseen = () => owner`select from processes where id = ${payment.id} and unseen_since is not null`
  await until('the creation has been seen', async () => (await unseen()).length === 0)
  exporter.reset() // the contact was approved, too
  expect((await approve(payer.boss, payment)).status).toBe(200)
  await become(payer, payment, 'succeeded')
  const ofRun = () => spans().filter((span) => attribute(span, 'workflow_id') === `payment-${payment.id}`)
  // The look after which the run ends. A span is known when it has ended: what caused the look may end after it.
  const isWhole = (span: ReadableSpan) => causesOf(span).some(({ name }) => name.endsWith('/approve'))
  const last = await until('the last look and all that caused it have ended', async () => {
    const newest = ofRun().at(-1)
    return newest?.name === 'viewPayment' && isWhole(newest) && newest
  })
  const chain = causesOf(last).map(({ name }) => name)
  const isAnswered = (span: ReadableSpan) => attribute(span, 'http.response.status_code') === 200 // else a challenge
  const approval = spans().filter((span) => span.name.endsWith('/approve') && isAnswered(span))
  expect(approval).toHaveLength(1)
  expect(causesOf(last)).toEqual(expect.arrayContaining(approval))
  expect(chain).toEqual(expect.arrayContaining(['transaction', 'viewPayment', 'orderPayout']))

  const order = spans().find(({ name }) => name === 'bank PUT') as ReadableSpan // else the next line fails
  expect(causesOf(order).map(({ name }) => name)).toEqual(expect.arrayContaining(['orderPayout', 'viewPayment']))
  const { traceId, spanId } = order.spanContext()
  const put = received.filter(({ path }) => path === `PUT /bank/v1/payouts/${payment.id}`)
  expect(put).toEqual([expect.objectContaining({ traceparent: `00-${traceId}-${spanId}-01` })])

  const step = spans().find(({ name }) => name === 'orderPayout')
  expect(step?.attributes).toMatchObject({ organization_id: payer.payer.id, attempt: 1 })
  expect(step?.parentSpanContext, 'linked, not nested').toBeUndefined()
  const signals = ofRun().filter(({ name }) => name === 'signal payment')
  expect(signals.some((signal) => causesOf(signal).some((one) => one === approval[0]))).toBe(true)
  expect(JSON.stringify(spans().map(({ attributes }) => attributes))).not.toContain(payer.boss.token)
})

/** Costs of runs and their steps in Postgres: `runs.json` has the statements, commits, rows and bytes of each. */
import { tableOf } from '../../support/costs/table.ts' // first: it counts sessions that begin later
import { describe, expect, vi } from 'vitest'

vi.stubEnv('ANNOUNCE_PATIENCE_MS', '60000') // what waits for people is not looked at
vi.stubEnv('PARTNER_POLL_SECONDS', '3600') // the bank is asked when it has called
vi.stubEnv('WORKER_QUEUES', 'main,bank')
const { api, approve, approvalPath, fund, organization, person } = await import('../../support/api.ts')
const { approved, takeStep } = await import('../../support/batches/batches.ts')
const { fileOf, importFile, newBatch, toAccount, toHandle, uploaded } = await import('../../support/batches/imports.ts')
const { useSilentBank } = await import('../../support/costs/bank.ts')
const { owner } = await import('../../support/database.ts')
const { chained, writeEvents } = await import('../../support/events.ts')
const { calledBack } = await import('../../support/partners/partners.ts')
const { outgoing, payerBy } = await import('../../support/payments/payouts.ts')
const { earnStepUp, resultOf } = await import('../../support/runs/runs.ts')
const { until } = await import('../../support/until.ts')
const { httpReceiver } = await import('../../support/webhooks/receivers.ts')
const { subscribed } = await import('../../support/webhooks/webhooks.ts')
const { useWorker } = await import('../../support/worker.ts')
const { allowRounds } = await import('../../../activities/webhooks.ts')
const { webhooks } = await import('../../../activities/index.ts')
const { extendEventChain } = await import('../../../services/webhooks/chain.ts')

useSilentBank()
const costs = tableOf(new URL('runs.json', import.meta.url))
const bank = await payerBy('fiat', '100000.00')
await fund(bank.payer.id, '100000.00', 'USD')
const payee = await organization(await person(), 'Payee')

type Payment = Awaited<ReturnType<typeof outgoing>>

/** Waits until the bank has taken the payment, and its run has looked at that. */
const ordered = ({ id }: Payment) =>
  until('the bank has the payment', async () => {
    const rows = await owner`
      select from payments p join processes r using (id)
      where p.id = ${id} and p.status = 'processing' and r.unseen_since is null`
    return rows.length > 0
  })

/** Waits until the runs of all but payments have looked: those of the scene stay out of what is counted. */
const quiet = () =>
  until('others have looked', async () => {
    const rows = await owner`select from processes where unseen_since is not null and workflow <> 'payment'`
    return rows.length === 0
  })

describe('a run', () => {
  useWorker({ ticks: false })

  costs('a payment by bank is approved, and its run orders it', {
    prepare: async () => {
      const payment = await outgoing(bank, '10.00')
      await earnStepUp(bank.boss, payment)
      await quiet()
      return payment
    },
    run: async (payment) => {
      const { status } = await api('POST', `${approvalPath(payment)}/approve`, { token: bank.boss.token, body: {} })
      expect(status).toBe(200)
      await ordered(payment)
    },
  })
  costs('the bank calls about it, and its run settles it and ends', {
    prepare: async () => {
      const payment = await outgoing(bank, '10.00')
      await approve(bank.boss, payment)
      await ordered(payment)
      await quiet()
      return payment
    },
    run: async ({ id }) => {
      expect((await calledBack(id)).status).toBe(204)
      expect(await resultOf(`payment-${id}`)).toBe('succeeded')
    },
  })
})

const { boss, payer } = bank

/** The IBAN of an account at one bank. */
function ibanOf(account: number): string {
  const bban = `12030000${String(account).padStart(10, '0')}`
  return `DE${String(98n - (BigInt(`${bban}131400`) % 97n)).padStart(2, '0')}${bban}`
}
let accounts = 0
type Batch = { readonly id: string; readonly organization_id: string }
const stepOf = async ({ id, organization_id: organizationId }: Batch) =>
  expect(await takeStep({ id, organizationId } as Parameters<typeof takeStep>[0])).toBe(true)

for (const rows of [1000, 2000]) {
  costs(`the step that imports ${rows} rows, half to new accounts`, {
    prepare: async () => {
      const batch = await newBatch(boss, payer.id)
      const lines = Array.from({ length: rows }, (_, row) =>
        row % 2 === 0 ? toHandle(payee.svcId) : toAccount(ibanOf((accounts += 1))),
      )
      const answer = await importFile(boss, batch, await uploaded(boss, batch, fileOf(...lines)))
      expect(answer.status).toBe(202)
      return { id: batch, organization_id: payer.id }
    },
    run: stepOf,
  })
}
const manyOf = <Row>(count: number, row: () => Row): Row[] => Array.from({ length: count }, row)
costs('the step that pays 500 rows of a batch by service ID', {
  prepare: () =>
    approved(
      boss,
      payer.id,
      manyOf(501, () => ({ amount: '1.00', svc: payee })),
    ),
  run: stepOf,
})
costs('the step that pays 200 rows of a batch by bank, to new accounts', {
  prepare: async () => {
    const by = await payerBy('fiat') // whose payees have no other accounts
    return approved(
      by.boss,
      by.payer.id,
      manyOf(201, () => ({ amount: '1.00', iban: ibanOf((accounts += 1)) })),
    )
  },
  run: stepOf,
})

const EVENTS = 100
costs(`${EVENTS} events get their places in the log`, {
  prepare: async () => {
    await chained(payer.id)
    await writeEvents(
      payer.id,
      manyOf(EVENTS, () => ({})),
    )
  },
  run: async () => expect(await extendEventChain()).toBe(EVENTS),
})
for (const count of [1, 50]) {
  costs(`the step that delivers ${count} ${count === 1 ? 'event' : 'events'}`, {
    prepare: async () => {
      let left = Infinity
      const receiver = await httpReceiver((_, response) => {
        response.writeHead(204).end()
        allowRounds((left -= 1) > 0) // it waits for no more events: the waits are by the clock
      })
      const { id, organizationId } = await subscribed(boss, receiver)
      const deliver = async (due: number) => {
        left = due
        allowRounds(true)
        await webhooks.deliverEvents({ id, organizationId } as Parameters<typeof webhooks.deliverEvents>[0])
        expect(left).toBe(0)
      }
      await chained(organizationId)
      await deliver(1)
      await writeEvents(
        organizationId,
        manyOf(count, () => ({})),
      )
      await chained(organizationId)
      return () => deliver(count)
    },
    run: (deliver) => deliver(),
  })
}

/** Requests and answers of the stand-in of Increase compile as the official client's types. */
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type Increase from 'increase'
import { expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env['SANDBOX_SETTLE_MS'] = '600000' // transfers stay until a simulation moves them
})

import { ACCOUNT, BANK, achOrder, allOf, increaseClient, useIncrease } from '../support/partners/increase.ts'
import { useReceiver } from '../support/partners/partners.ts'

const increase = useIncrease(useReceiver().url)

/** Types of the objects by their `type`; those of lists are their entries'. */
const TYPES: Readonly<Record<string, string>> = {
  ach_transfer: 'Increase.ACHTransfer',
  real_time_payments_transfer: 'Increase.RealTimePaymentsTransfer',
  fednow_transfer: 'Increase.FednowTransfer',
  wire_transfer: 'Increase.WireTransfer',
  account: 'Increase.Account',
  balance_lookup: 'Increase.BalanceLookup',
  account_number: 'Increase.AccountNumber',
  inbound_ach_transfer: 'Increase.InboundACHTransfer',
  inbound_wire_transfer: 'Increase.InboundWireTransfer',
  inbound_real_time_payments_transfer: 'Increase.InboundRealTimePaymentsTransfer',
  inbound_fednow_transfer: 'Increase.InboundFednowTransfer',
  transaction: 'Increase.Transaction',
  pending_transaction: 'Increase.PendingTransaction',
  event: 'Increase.Event',
  event_subscription: 'Increase.EventSubscription',
  routing_number: 'Increase.RoutingNumberListResponse',
}
/** Members that a type lacks are errors, although the client's types allow them: their index is taken away. */
const STRICT = `
type Known<T> = T extends readonly (infer E)[] ? Known<E>[] : T extends object
  ? { [K in keyof T as string extends K ? never : number extends K ? never : K]: Known<T[K]> } : T
`

type Recorded = { readonly type: string; readonly literal: string }
const recorded: Recorded[] = []

function record(body: unknown): void {
  if (typeof body !== 'object' || body === null) return
  const data: unknown = Reflect.get(body, 'data')
  for (const one of Array.isArray(data) ? (data as unknown[]) : [body]) {
    const type: unknown = typeof one === 'object' && one !== null ? Reflect.get(one, 'type') : undefined
    recorded.push({ type: TYPES[String(type)] ?? 'never', literal: JSON.stringify(one) })
  }
}

/** Client that records each answer. */
const listening = (): Increase =>
  increaseClient(increase.url()).withOptions({
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      record(await response.clone().json())
      return response
    },
  })

test('every answer of a whole walk fits the types of the client, without a member more or less', async () => {
  const bank = listening()
  const number = await bank.accountNumbers.create({ account_id: ACCOUNT, name: 'Organization 7' })
  await bank.accounts.retrieve(ACCOUNT)
  const sent = await bank.achTransfers.create(
    achOrder({
      addenda: { category: 'freeform', freeform: { entries: [{ payment_related_information: 'INV-7' }] } },
      require_approval: true,
    }),
  )
  await bank.achTransfers.approve(sent.id)
  await bank.simulations.achTransfers.submit(sent.id)
  await bank.simulations.achTransfers.settle(sent.id, {})
  await bank.simulations.achTransfers.createNotificationOfChange(sent.id, { corrected_routing_number: BANK })
  await bank.simulations.achTransfers.return(sent.id, { reason: 'no_account' })
  const instant = {
    amount: 2_500,
    creditor_name: 'Payee Inc',
    source_account_number_id: number.id,
    unstructured_remittance_information: 'Invoice 7',
    account_number: '987654321',
    routing_number: BANK,
  }
  const paid = await bank.realTimePaymentsTransfers.create(instant)
  await bank.simulations.realTimePaymentsTransfers.complete(paid.id, {})
  const refused = await bank.realTimePaymentsTransfers.create(instant)
  const rejection = { reject_reason_code: 'account_closed' } as const
  await bank.simulations.realTimePaymentsTransfers.complete(refused.id, { rejection })
  await bank.fednowTransfers.create({ ...instant, debtor_name: 'Payer Ltd' })
  const wire = await bank.wireTransfers.create({
    account_id: ACCOUNT,
    amount: 50_000,
    creditor: { name: 'Payee Inc', address: { unstructured: { line1: '1 Main Street' } } },
    remittance: { category: 'unstructured', unstructured: { message: 'Invoice 7' } },
    account_number: '987654321',
    routing_number: BANK,
  })
  await bank.simulations.wireTransfers.submit(wire.id)
  const to = { account_number_id: number.id, amount: 700 }
  const arrived = await bank.simulations.inboundACHTransfers.create(to)
  await bank.inboundACHTransfers.transferReturn(arrived.id, { reason: 'duplicate_entry' })
  const late = await bank.simulations.inboundACHTransfers.create({ ...to, resolve_at: '2099-01-01T00:00:00Z' })
  await bank.inboundACHTransfers.decline(late.id, {})
  const wired = await bank.simulations.inboundWireTransfers.create(to)
  await bank.inboundWireTransfers.reverse(wired.id, { reason: 'duplicate' })
  await bank.simulations.inboundRealTimePaymentsTransfers.create(to)
  await bank.simulations.inboundFednowTransfers.create(to)
  await bank.eventSubscriptions.create({ url: 'https://example.com/callbacks' })
  await bank.accounts.balance(ACCOUNT)
  await bank.routingNumbers.list({ routing_number: BANK })
  await allOf(bank.transactions.list())
  await allOf(bank.pendingTransactions.list())
  await allOf(bank.events.list())
  expect(new Set(recorded.map(({ type }) => type))).toEqual(new Set(Object.values(TYPES)))
  expect(await compileLiterals(recorded)).toBe('')
})

const folder = join('node_modules', '.cache', 'increase-types')

/** Compiles literals as their types; answers what the compiler says. */
async function compileLiterals(all: readonly Recorded[]): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const lines = all.map(({ type, literal }) => `take<Known<${type}>>(${literal})`)
  const source = `import type { Increase } from 'increase'\n${STRICT}\ndeclare function take<T>(value: T): void\n${lines.join('\n')}\n`
  writeFileSync(join(folder, 'answers.ts'), source)
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2023']
  return promisify(execFile)('node_modules/.bin/tsc', ['--ignoreConfig', ...options, join(folder, 'answers.ts')]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )
}

/** Driver `increase` against answers of a test: statuses of each network, and ways back of what has come. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { mayHaveExecuted, partnerRefusal } from '../../partners/http.ts'
import { increaseDriver } from '../../partners/increase/driver.ts'
import { answering, partnerServer } from '../support/partners/server.ts'

const settings = {
  driver: 'increase',
  account: 'account_7',
  achLimit: '1000.00',
  instant: 'rtp',
  verifies: false,
} as const
const id = randomUUID()
const amount = { amount: '100.00', currency: 'USD' }

type Reply = { readonly status?: number; readonly body: object }
/** Makes a driver whose provider answers so. */
async function playing(answer: (asked: string) => Reply) {
  const server = await partnerServer((response, { method, url }) => {
    const { status = 200, body } = answer(`${method} ${url}`)
    answering(status, body)(response)
  })
  const driver = increaseDriver({ endpoint: { ...server.door, party: 'usd' }, callbackSecret: 'secret', settings })
  return { asked: server.asked, driver }
}
const failureOf = (call: Promise<unknown> | undefined): Promise<unknown> =>
  Promise.resolve(call).then(
    (answer) => expect.fail(JSON.stringify(answer)),
    (error: unknown) => error,
  )

const shared = { idempotency_key: id, amount: 10_000, currency: 'USD', created_at: '2030-01-01T00:00:00Z' }
const RESOURCES = {
  ach: { type: 'ach_transfer', settlement: null, submission: null, return: null },
  wire: { type: 'wire_transfer', submission: null, reversal: null },
  rtp: { type: 'real_time_payments_transfer', submission: null, rejection: null },
  fednow: { type: 'fednow_transfer', unique_end_to_end_transaction_reference: 'UETR-1', rejection: null },
}
type Network = keyof typeof RESOURCES

/** Reads a transfer of a network as the driver does. */
async function viewOf(network: Network, more: object) {
  const { type, ...members } = RESOURCES[network]
  const theirId = `${type}_1`
  const { driver, asked } = await playing(() => ({ body: { ...shared, ...members, type, id: theirId, ...more } }))
  const view = await driver.find({ id, key: id, operation: network, theirId, amount })
  expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([`GET /${type}s/${theirId}`])
  return view
}
const statusOf = async (network: Network, more: object) => (await viewOf(network, more))?.status

describe('statuses', () => {
  test.each([
    ['ach', 'pending_submission', 'pending'],
    ['ach', 'pending_reviewing', 'pending'],
    ['ach', 'pending_approval', 'on_hold'],
    ['ach', 'requires_attention', 'on_hold'],
    ['ach', 'submitted', 'processing'],
    ['ach', 'rejected', 'rejected'],
    ['ach', 'canceled', 'cancelled'],
    ['wire', 'pending_creating', 'pending'],
    ['wire', 'submitted', 'processing'],
    ['wire', 'complete', 'settled'],
    ['wire', 'rejected', 'rejected'],
    ['rtp', 'pending_submission', 'pending'],
    ['rtp', 'submitted', 'processing'],
    ['rtp', 'complete', 'settled'],
    ['rtp', 'rejected', 'rejected'],
    ['fednow', 'pending_submitting', 'pending'],
    ['fednow', 'pending_response', 'processing'],
    ['fednow', 'complete', 'settled'],
    ['fednow', 'reviewing_rejected', 'rejected'],
    ['fednow', 'rejected', 'rejected'],
  ] as const)('%s %s is %s', async (network, status, ours) => {
    expect(await statusOf(network, { status })).toBe(ours)
  })

  test('ACH is settled with its settlement, and returned with the code of the return, all of it', async () => {
    const settlement = { settled_at: '2030-01-02T00:00:00Z' }
    const submission = { trace_number: '064210020000001' }
    expect(await viewOf('ach', { status: 'submitted', settlement, submission })).toEqual({
      theirId: 'ach_transfer_1',
      status: 'settled',
      detail: 'settled',
      reference: '064210020000001',
      amount,
    })
    const back = {
      created_at: '2030-01-03T00:00:00Z',
      raw_return_reason_code: 'R03',
      return_reason_code: 'no_account',
    }
    expect(await viewOf('ach', { status: 'returned', settlement, submission, return: back })).toMatchObject({
      status: 'returned',
      detail: 'returned: R03 no account',
      returned: amount,
    })
  })

  test('a wire that comes back short says how much came', async () => {
    const reversal = {
      amount: 8_500,
      created_at: '2030-01-03T00:00:00Z',
      description: 'LESS OUR FEE',
      return_reason_code: 'AC04',
    }
    expect(await viewOf('wire', { status: 'reversed', reversal })).toMatchObject({
      status: 'returned',
      detail: 'reversed: AC04 LESS OUR FEE',
      returned: { amount: '85.00', currency: 'USD' },
    })
  })

  test('what is refused at once says why', async () => {
    const rejection = { reject_reason_code: 'account_closed', reject_reason_additional_information: 'since May' }
    for (const network of ['rtp', 'fednow'] as const) {
      expect(await viewOf(network, { status: 'rejected', rejection })).toMatchObject({
        status: 'rejected',
        detail: 'rejected: account closed, since May',
      })
    }
  })

  test('a status that is unknown, another key and another transfer tell nothing', async () => {
    for (const more of [
      { status: 'teleported' },
      { status: 'submitted', idempotency_key: 'other' },
      { status: 'submitted', id: 'ach_transfer_2' },
    ]) {
      expect(mayHaveExecuted(await failureOf(viewOf('ach', more)))).toBe(true)
    }
  })
})

describe('returns of deposits', () => {
  const came = {
    id: 'inbound_ach_transfer_1',
    type: 'inbound_ach_transfer',
    account_number_id: 'account_number_9',
    amount: 10_000,
    created_at: '2030-01-01T00:00:00Z',
    direction: 'credit',
    status: 'returned',
    acceptance: { accepted_at: '2030-01-01T01:00:00Z' },
    originator_company_name: 'SENDER',
    originator_company_entry_description: 'PAYMENT',
    addenda: null,
    trace_number: '1',
  }
  const order = { id: came.id, amount, reason: 'refused' }
  const refused = {
    status: 409,
    body: { type: 'invalid_operation_error', title: 'No', detail: 'It cannot be returned.', status: 409 },
  }

  test('ACH goes back by one call under our key', async () => {
    const { driver, asked } = await playing(() => ({ body: came }))
    expect(await driver.returnDeposit?.(order, 'our-key')).toMatchObject({ id: came.id, status: 'returned', amount })
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatchObject({ method: 'POST', url: `/inbound_ach_transfers/${came.id}/transfer_return` })
    expect(asked[0]?.headers['idempotency-key']).toBe('our-key')
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({ reason: 'credit_entry_refused_by_receiver' })
  })

  test('a wire is reversed', async () => {
    const wire = {
      id: 'inbound_wire_transfer_1',
      type: 'inbound_wire_transfer',
      account_number_id: 'account_number_9',
      amount: 10_000,
      created_at: came.created_at,
      status: 'reversed',
      acceptance: null,
      debtor_name: null,
      debtor_account_number: null,
      unstructured_remittance_information: null,
      end_to_end_identification: null,
      input_message_accountability_data: null,
    }
    const { driver, asked } = await playing(() => ({ body: wire }))
    expect(await driver.returnDeposit?.({ ...order, id: wire.id }, 'our-key')).toMatchObject({ status: 'returned' })
    expect(asked[0]).toMatchObject({ method: 'POST', url: `/inbound_wire_transfers/${wire.id}/reverse` })
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({ reason: 'creditor_request' })
  })

  test('what is refused since it went back before has gone back; else the refusal counts', async () => {
    const before = await playing((asked) => (asked.startsWith('POST') ? refused : { body: came }))
    expect(await before.driver.returnDeposit?.(order, 'our-key')).toMatchObject({ status: 'returned' })
    const here = await playing((asked) =>
      asked.startsWith('POST') ? refused : { body: { ...came, status: 'accepted' } },
    )
    expect(partnerRefusal(await failureOf(here.driver.returnDeposit?.(order, 'our-key')))).toMatchObject({
      code: 'invalid_operation_error',
    })
  })

  test('one that is still here, or of another amount, is unclear', async () => {
    for (const more of [{ status: 'accepted' }, { amount: 9_999 }]) {
      const { driver } = await playing(() => ({ body: { ...came, ...more } }))
      expect(mayHaveExecuted(await failureOf(driver.returnDeposit?.(order, 'our-key')))).toBe(true)
    }
  })

  test.each(['inbound_real_time_payments_transfer_1', 'inbound_fednow_transfer_1', 'strange'])(
    '%s cannot go back, and nobody is asked',
    async (theirId) => {
      const { driver, asked } = await playing(() => ({ body: came }))
      const failure = await failureOf(driver.returnDeposit?.({ ...order, id: theirId }, 'our-key'))
      expect(partnerRefusal(failure)).toMatchObject({ code: 'not_returnable' })
      expect(asked).toEqual([])
    },
  )
})

/** Gates of the payment of one bill, which hold for its row of a run as well. */
import { expect, test } from 'vitest'
import { type Answer, api, approve, fund, join, organization, person } from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { submit } from '../../support/batches/batches.ts'
import { addBills } from '../../support/batches/bills.ts'
import { newBatch, rowsOf } from '../../support/batches/imports.ts'
import { IBAN, OTHER_IBAN, requestPayment, typedBill } from '../../support/bills/bills.ts'
import { owner } from '../../support/database.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { routes } from '../../../api/routes.ts'

usePartners()

const boss = await person({ authenticator: true })
const admin = await person({ authenticator: true })

type At = { readonly id: string; readonly bill: string }

/** Occasion of a refusal: how the bill comes to be, and what forbids its payment. */
type Case = {
  readonly more?: object
  readonly prepare?: (at: At) => Promise<unknown>
  readonly forbid: (at: At) => Promise<unknown>
  /** Day that both requests name. */
  readonly on?: 'due_date' | '2020-01-01'
  /** Said by an answer of 200. */
  readonly waits?: true
}

const sets = (change: Record<string, string | null>) => (at: At) =>
  owner`update bills set ${owner(change)} where id = ${at.bill}`

/** Lets a bill name no account, so that its contact decides. */
const payContact = async ({ id, bill }: At) => {
  const account = { country_code: 'DE', currency: 'EUR', account_holder_name: 'Müller', iban: IBAN }
  const body = { name: 'Mueller', type: 'business', destinations: [{ type: 'bank', ...account }] }
  const made = await api('POST', `/organizations/${id}/payment-contacts`, { token: boss.token, body })
  await owner`update bills set payment_contact_id = ${made.body.id} where id = ${bill}`
}
/** Changes the contact of a bill as nobody can ask for. */
const forbidContact = (change: string) => (at: At) =>
  owner.unsafe(`update ${change.replace('$1', `(select payment_contact_id from bills where id = '${at.bill}')`)}`)

const CASES: Readonly<Record<string, Case>> = {
  invalid_state: { forbid: sets({ status: 'cancelled' }) },
  bill_payment_in_progress: {
    forbid: async ({ id, bill }) => {
      const other = await newBatch(boss, id)
      await owner`delete from payment_batch_rows where bill_id = ${bill}`
      expect((await addBills(boss, other, [bill])).body.refused).toEqual([])
    },
  },
  'unprocessable_entity by its kind': { forbid: sets({ not_payable: 'direct_debit' }) },
  'unprocessable_entity by its amount': { forbid: sets({ amount: '0.00' }) },
  bill_incomplete: { forbid: sets({ amount: null }) },
  duplicate_bill: { forbid: ({ id }) => typedBill(boss, id) },
  unsupported_currency: { more: { iban: null }, prepare: payContact, forbid: sets({ currency: 'USD' }) },
  amount_precision: { forbid: sets({ amount: '1.005' }) },
  amount_too_large: { prepare: ({ id }) => join(id, admin, 'admin'), forbid: sets({ amount: '999999999999999.99' }) },
  no_eligible_approver: { forbid: sets({ amount: '1500.00' }) },
  contact_not_approved: {
    more: { iban: null },
    prepare: payContact,
    forbid: async ({ id, bill }) => {
      const asks = { action_type: 'payment_contact', steps: [{ required: 1, roles: ['owner'] }] }
      await setRules(id, boss, [asks])
      const [found] = await owner`select payment_contact_id as contact from bills where id = ${bill}`
      const path = `/payment-contacts/${found?.['contact']}`
      expect((await api('PATCH', path, { token: boss.token, body: { name: 'Other' } })).status).toBe(200)
    },
    waits: true,
  },
  destination_missing: {
    more: { iban: null },
    prepare: payContact,
    forbid: forbidContact('payment_destinations set deleted_at = business_now() where payment_contact_id = $1'),
  },
  account_cooling_off: {
    more: { iban: OTHER_IBAN, bill_number: 'C-2', amount: '900.00' },
    prepare: async ({ id }) => {
      await join(id, admin, 'admin')
      const first = await typedBill(admin, id, { bill_number: 'C-1', amount: '1.00' })
      expect((await approve(boss, (await requestPayment(boss, first.id)).body)).status).toBe(200)
      await owner`update organizations set account_change_hours = 0 where id = ${id}`
    },
    forbid: ({ id }) => owner`
      update organizations set account_change_hours = 24,
        account_change_free_amount = '{"amount": "1.00", "currency": "EUR"}' where id = ${id}`,
  },
  ledger_unbalanced: {
    forbid: ({ id }) => owner`update organizations set books_stopped_at = business_now() where id = ${id}`,
  },
  limit_exceeded: {
    forbid: async ({ id }) => {
      const hard = { currency: 'EUR', amount_from: '50', period: 'day', per: 'payee', hard: true, steps: [] }
      await setRules(id, boss, [
        ...(['withdrawal', 'payment_batch'] as const).map((action_type) => ({ ...hard, action_type })),
        { action_type: 'payment_batch', steps: [{ required: 1, roles: ['owner'] }] },
      ])
    },
  },
  coding_required: {
    forbid: async ({ id }) => {
      const asks = { steps: [{ required: 1, roles: ['owner'] }], require: ['account_code'] }
      await setRules(id, boss, [
        { action_type: 'withdrawal', ...asks },
        { action_type: 'payment_batch', ...asks },
      ])
    },
  },
  payee_mismatch: {
    more: { account_holder_name: 'No Match GmbH' },
    forbid: async () => {},
    prepare: async () => {},
  },
  'invalid_schedule without a due date': { on: 'due_date', forbid: sets({ due_date: null }) },
}

/** Refusals of one bill that no case leads to, each with its reason. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  invalid_bank_details: 'typing and reading refuse them; an account that is not whole is bill_incomplete',
  address_required: 'a setting of operators: rows are judged by it (test/shared/batches/payee-addresses.test.ts)',
  onboarding_incomplete: 'a setting of operators: rows are judged by it (test/isolated/onboarding)',
  payee_held: 'a setting of operators: rows are judged by it (test/isolated/screening/payees.test.ts)',
  same_account: 'a bill names bank accounts alone',
}

let seen = 0
async function madeBill({ more, prepare }: Case): Promise<At> {
  const { id } = await organization(boss, `Payer ${(seen += 1)}`)
  await fund(id, '10000.00', 'EUR')
  const at = { id, bill: (await typedBill(boss, id, more)).id }
  await prepare?.(at)
  return at
}

const typeOf = ({ status, body }: Answer): string => (status === 200 ? 'passes' : body.error.type)

/** Asks for the payment of the bill by itself. */
async function single({ bill }: At, { on, waits }: Case): Promise<string> {
  const day = on === 'due_date' ? { on_due_date: true } : on ? { execute_on: on } : {}
  const answer = await requestPayment(boss, bill, day)
  return waits && answer.body.waits_for ? 'contact_not_approved' : typeOf(answer)
}

/** Submits a run; answers why it, or its only row, is refused. */
async function submitted(batch: string): Promise<string> {
  const answer = await submit(boss, batch)
  const type = typeOf(answer)
  if (type !== 'batch_has_invalid_rows') return type
  const [row] = await rowsOf(boss, batch)
  return row.errors.at(-1).code
}

async function add({ id, bill }: At, { on }: Case) {
  const batch = await newBatch(boss, id)
  const { status, body } = await addBills(boss, batch, [bill], on)
  expect(status).toBe(200)
  return { batch, refused: body.refused[0]?.type as string | undefined }
}

test.each(Object.entries(CASES))(
  '%s is said of a row that was there, of one that is added, and of the bill by itself',
  async (name, one) => {
    const [type] = name.split(' ')
    const at = await madeBill(one)
    const before = await add(at, one)
    expect(before.refused).toBe(undefined)
    await one.forbid(at)
    const [row] = await rowsOf(boss, before.batch)
    if (row && !one.on) expect(await submitted(before.batch)).toBe(type)
    await api('DELETE', `/payment-batches/${before.batch}`, { token: boss.token })
    const { batch, refused } = await add(at, one)
    expect(refused ?? (await submitted(batch))).toBe(type)
    await api('DELETE', `/payment-batches/${batch}`, { token: boss.token })
    expect(await single(at, one)).toBe(type)
  },
)

test('each refusal of the payment of one bill has a case', () => {
  const route = routes.find(({ operationId }) => operationId === 'requestBillPayment')
  const known = new Set([...Object.keys(CASES).map((name) => name.split(' ')[0]), ...Object.keys(ELSEWHERE)])
  expect(route?.refuses?.filter((type) => !known.has(type))).toEqual([])
})

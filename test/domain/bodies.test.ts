/** Bodies and queries that a schema refuses, by the member that it names. */
import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { NewBatch, NewBatchFile } from '../../domain/batches/batch.ts'
import { BillChange, BillFilters, NewBill, NewBillFile } from '../../domain/bills/bill.ts'
import { NewPaymentContact, PaymentContactChange } from '../../domain/contacts/contact.ts'
import { DepositFilters, NewArrival } from '../../domain/deposits/deposit.ts'
import { SenderTravelRule } from '../../domain/deposits/travel-rule.ts'
import { NewExport } from '../../domain/exports/export.ts'
import { MemberFilters } from '../../domain/organizations/member.ts'
import { NewPayment, PaymentChange } from '../../domain/payments/payment.ts'
import { QuoteExecution } from '../../domain/payments/quote.ts'
import { SwapQuoteRequest } from '../../domain/swaps/swap.ts'
import { TransactionChanges } from '../../domain/accounts/transaction.ts'
import { NewAllocation } from '../../domain/invoices/allocation.ts'
import { NewInvoiceFile } from '../../domain/invoice-documents/attachment.ts'
import { Finalization, MailRepeat } from '../../domain/invoices/invoice.ts'
import { faultsOf, pathsOf } from '../support/bodies.ts'
import { NewBillingContact } from '../../domain/billing-contacts/billing-contact.ts'
import type { GenericSchema } from 'valibot'
import { parse } from '../../api/http/validation.ts'
import { RejectBody, SetDecision } from '../../domain/approvals/approval.ts'
import { DEFAULT_RULES, PolicyRules } from '../../domain/approvals/policy.ts'
import { NewSubstitution } from '../../domain/substitutions/substitution.ts'

const OTHER = { own_account: false, attestation: true, name: 'Sender AG', address: '1 Side Street', country: 'CH' }
const RANGE = { from: '2026-01-02', to: '2026-01-02' }
const EUROS = { rail: 'fiat', amount: { amount: '1', currency: 'EUR' } }
const NO_LETTERS = ['...', '– –', '\u3164']

test.each<[v.GenericSchema, good: object, wrong: Readonly<Record<string, readonly unknown[]>>]>([
  [
    BillChange,
    { due_date: null },
    {
      amount: ['1,00', '1e3', '-1', '0', '-0.00'],
      currency: ['EURO', 'XXX'],
      due_date: ['2026-02-30'],
      issue_date: ['30.01.2026'],
      supplier_name: ['x'.repeat(256), 'two\nlines'],
      bill_number: [''],
      iban: ['x'.repeat(65)],
      not_payable: ['own_invoice'],
      address_country: ['XX'],
      address_town: ['x'.repeat(141), ' '],
      address_street: ['a\u0007'],
    },
  ],
  [
    NewBillFile,
    { filename: 'bill.pdf', byte_size: 10_485_760, content_type: 'application/pdf' },
    { byte_size: [0, 10_485_761], content_type: ['text/csv', 'image/svg+xml'], filename: ['two\nlines'] },
  ],
  [
    NewBatchFile,
    { filename: 'x'.repeat(255), byte_size: 5_242_880, content_type: 'application/vnd.ms-excel' },
    { byte_size: [0, 5_242_881, 1.5], content_type: ['text/html'], filename: ['', 'x'.repeat(256)] },
  ],
  [
    NewInvoiceFile,
    { filename: 'hours.csv', byte_size: 1, content_type: 'text/csv' },
    { filename: ['page.html', '../a.csv', 'C:\\a.csv'], content_type: ['text/html'] },
  ],
  [NewBatch, { name: 'June' }, { name: ['', 'x'.repeat(256)] }],
  [
    SenderTravelRule,
    OTHER,
    {
      own_account: [undefined],
      attestation: ['yes', null, false],
      relationship: ['enemy'],
      person_type: ['robot'],
      country: ['XK'],
      name: NO_LETTERS,
      address: NO_LETTERS,
      account_reference: [...NO_LETTERS, 'x'.repeat(256)],
    },
  ],
  [NewArrival, { ...EUROS, account: 'nobody-s' }, { account: ['a\u0007b', 'a\nb', ' '] }],
  [
    NewExport,
    { type: 'transactions', format: 'csv', ...RANGE },
    { type: ['taxes'], from: ['2026-02-30'], to: ['2026-01-01'] },
  ],
  [
    NewPayment,
    {
      amount: { amount: '1', currency: 'USD' },
      payment_contact_id: randomUUID(),
      payout_reason: 'x'.repeat(255),
      statement_description: '😀'.repeat(255),
      internal_notes: 'x'.repeat(65_536),
    },
    {
      payment_contact_id: ['abc', undefined],
      payout_reason: ['x'.repeat(256), ' '],
      statement_description: ['x'.repeat(256), ''],
      internal_notes: ['x'.repeat(65_537)],
    },
  ],
  [
    QuoteExecution,
    { quote_id: randomUUID(), payout_reason: 'services', statement_description: 'x'.repeat(255), tag: null },
    {
      quote_id: ['abc', undefined],
      payout_reason: [' ', 'x'.repeat(256), undefined],
      statement_description: ['', 'x'.repeat(256)],
      internal_notes: ['x'.repeat(65_537)],
      tag: ['friends'],
      acknowledge_payee_check: ['yes'],
    },
  ],
  [PaymentChange, { tag: null }, { tag: ['friends'], internal_notes: ['x'.repeat(65_537)] }],
  [
    TransactionChanges,
    { category: '😀'.repeat(255), internal_notes: '' },
    { category: ['x'.repeat(256), ' '], internal_notes: ['y'.repeat(65_537)] },
  ],
  [
    SwapQuoteRequest,
    { source_currency: 'USD', target_currency: 'EUR', source_amount: '1', target_amount: null },
    { source_amount: [undefined, null, '0.00', { amount: '1', currency: 'USD' }], target_currency: [undefined] },
  ],
  [
    SwapQuoteRequest,
    { source_currency: 'USD', target_currency: 'EUR', target_amount: '1' },
    { source_amount: ['1'], target_amount: ['0'] },
  ],
  [PaymentContactChange, { name: '👩‍👩‍👧' }, { name: [null, '\u200b'], email: ['nobody'] }],
  [Finalization, { accepted_amount: '1' }, { accepted_amount: ['0', '-1', '1e3'] }],
  [NewAllocation, { transaction_id: randomUUID(), amount: '1' }, { amount: ['0', '-1'] }],
  [
    BillFilters,
    { status: 'extracted', overdue: 'true' },
    { status: ['paid'], overdue: ['maybe'], due_from: ['2026-02-30'], q: [''], cursor: ['x'] },
  ],
  [
    DepositFilters,
    { status: 'held', rail: 'crypto' },
    { status: ['lost'], rail: ['pigeon'], amount_min: ['x'], from: ['yesterday'], cursor: ['x'] },
  ],
  [MemberFilters, { role: 'admin' }, { role: ['boss'] }],
])('%# names each wrong member, and takes the rest', (schema, good, wrong) => {
  expect(v.is(schema, good)).toBe(true)
  for (const [member, values] of Object.entries(wrong)) {
    for (const value of values) {
      const [path] = pathsOf(schema, { ...good, [member]: value })
      expect(path, `${member} ${JSON.stringify(value)}`).toBe(member)
    }
  }
})

test('a bill is made of a file or of what a person typed, and not of nothing', () => {
  expect([{}, { amount: null }, { amount: '1' }].map((body) => v.is(NewBill, body))).toEqual([false, false, true])
})

const addresses = (count: number) => Array.from({ length: count }, (_, index) => `a${index}@example.com`)
const BANK = { type: 'bank', country_code: 'DE', currency: 'EUR', account_holder_name: 'Payee', iban: 'DE02' }

describe('of a billing contact', () => {
  const postal_address = { line1: 'Domkloster 4', postal_code: '50667', city: 'Köln', country_code: 'DE' }
  const customer = (more: object) => ({ company_name: 'Müller & Söhne GmbH', ...more })

  test.each<[object, string]>([
    [{ company_name: ' ' }, 'company_name'],
    [{ company_name: null }, 'company_name'],
    [{ address: 'x'.repeat(1001) }, 'address'],
    [{ phone_number: 'x'.repeat(65) }, 'phone_number'],
    [{ emails: 'a@example.com' }, 'emails'],
    [{ emails: ['nobody'] }, 'emails.0'],
    [{ emails: ['a@example.com', 'A@example.com'] }, 'emails.1'],
    [{ emails: addresses(21) }, 'emails'],
    [{ vat_id: 'DE1' }, 'vat_id'],
    [{ vat_id: 'US123456789' }, 'vat_id'],
    [{ language: 'nl' }, 'language'],
    [{ language: null }, 'language'],
    [{ postal_address: { ...postal_address, country_code: 'de' } }, 'postal_address.country_code'],
    [{ postal_address: { ...postal_address, line1: '' } }, 'postal_address.line1'],
  ])('%j is refused at %s', (more, path) => expect(pathsOf(NewBillingContact, customer(more))).toEqual([path]))

  test('twenty addresses are taken, and VAT ids of any neighbour', () => {
    const taken = (more: object) => v.parse(NewBillingContact, customer(more))
    expect(taken({ emails: addresses(20) }).emails).toHaveLength(20)
    for (const vat_id of ['CHE-116.281.710 MWST', 'GB 980 7806 84', 'XI980780684', 'EL094014201', 'ATU13585627'])
      expect(taken({ vat_id }).vat_id).toBe(vat_id.replaceAll(/[ .-]/g, ''))
  })
})

test.each<[readonly string[], string]>([
  [[], 'emails'],
  [['nobody'], 'emails.0'],
  [['a@example.com', 'A@example.com'], 'emails.1'],
  [addresses(21), 'emails'],
])('an invoice is sent again to one to twenty addresses, each once: not to %j', (emails, path) =>
  expect(pathsOf(MailRepeat, { emails })).toEqual([path]),
)

describe('of a payment contact', () => {
  const bodyOf = (more: object) => ({ name: 'Payee', type: 'business', ...more })
  const inside = (payee_address: unknown) => bodyOf({ destinations: [{ ...BANK, payee_address }] })

  test.each<[object, string]>([
    [{ name: '' }, 'name'],
    [{ name: '\u200b' }, 'name'],
    [{ type: 'robot' }, 'type'],
    [{ email: 'nobody' }, 'email'],
    [{ tag: 'friend' }, 'tag'],
    [{ destinations: [{ type: 'cash' }] }, 'destinations.0.type'],
    [{ destinations: [{ type: 'svc_id' }] }, 'destinations.0.svc_id'],
    [{ destinations: [{ ...BANK, country_code: 'Germany' }] }, 'destinations.0.country_code'],
    [{ destinations: [{ ...BANK, account_holder_name: '\u200b' }] }, 'destinations.0.account_holder_name'],
    [{ destinations: [{ ...BANK, label: '\u200b' }] }, 'destinations.0.label'],
    [{ destinations: [{ type: 'crypto', network: 'abacus', coin: 'USDC', address: 'x' }] }, 'destinations.0.network'],
    [{ destinations: Array(21).fill(BANK) }, 'destinations'],
  ])('%j is refused at %s', (more, path) => expect(pathsOf(NewPaymentContact, bodyOf(more))).toEqual([path]))

  const TOWN = 'payee_address.town'
  test.each<[unknown, string]>([
    [{ country_code: 'DE' }, TOWN],
    [{ town: 'Köln' }, 'payee_address.country_code'],
    [{ town: null, country_code: 'DE' }, TOWN],
    [{ town: '', country_code: 'DE' }, TOWN],
    [{ town: '   ', country_code: 'DE' }, TOWN],
    [{ town: '\u00a0\u200b', country_code: 'DE' }, TOWN],
    [{ town: 'a'.repeat(141), country_code: 'DE' }, TOWN],
    [{ town: 'ß'.repeat(71), country_code: 'DE' }, TOWN],
    [{ town: '東京', country_code: 'JP' }, TOWN],
    [{ town: '\u00b4', country_code: 'FR' }, TOWN],
    [{ town: '\ue000', country_code: 'DE' }, TOWN],
    [{ town: '<->', country_code: 'DE' }, TOWN],
    [{ town: 'Köln', country_code: 'XX' }, 'payee_address.country_code'],
    [{ town: 'Köln', country_code: 'de' }, 'payee_address.country_code'],
    [{ town: 'Köln', country_code: 'DE', street: 'x'.repeat(141) }, 'payee_address.street'],
    ['Köln', 'payee_address'],
  ])('the address %j is refused at %s, of a contact and of an account', (payee_address, path) => {
    expect(new Set(pathsOf(NewPaymentContact, bodyOf({ payee_address })))).toEqual(new Set([path]))
    expect(new Set(pathsOf(NewPaymentContact, inside(payee_address)))).toEqual(new Set([`destinations.0.${path}`]))
  })

  test('140 characters, Kosovo, Greek and Cyrillic are taken; the country is not that of the account', () => {
    for (const [town, country_code] of [
      ['a'.repeat(140), 'AT'],
      ['Prishtinë', 'XK'],
      ['Θεσσαλονίκη', 'GR'],
      ['Київ', 'UA'],
    ])
      expect(pathsOf(NewPaymentContact, inside({ town, country_code }))).toEqual([])
  })
})

const rule = (more: object = {}) => ({ ...DEFAULT_RULES[0], ...more })

const codesOf = (schema: GenericSchema, body: unknown) =>
  faultsOf(schema, body).map(({ path, code }) => `${path}: ${code}`)

describe('rules of the wrong shape', () => {
  const ID = randomUUID()
  const CONTACT = { action_type: 'payment_contact' }
  const step = { required: 1, roles: ['owner'] }
  const steps = (...some: object[]) => rule({ steps: some })
  const monthly = { amount_from: '1', period: 'month', per: 'organization' }
  const hard = { hard: true, steps: [] }
  test.each<[string, unknown, string]>([
    ['no rules', undefined, 'rules: required'],
    ['an unknown action', [rule({ action_type: 'swap' })], 'rules.0.action_type: picklist'],
    ['no number of approvers', [steps(step, { roles: ['owner'] })], 'rules.0.steps.1.required: required'],
    ['zero approvers', [steps({ ...step, required: 0 })], 'rules.0.steps.0.required: min_value'],
    ['six approvers', [steps({ ...step, required: 6 })], 'rules.0.steps.0.required: max_value'],
    ['a part of an approver', [steps({ ...step, required: 1.5 })], 'rules.0.steps.0.required: integer'],
    ['a step that names no one', [steps(step, { required: 1 })], 'rules.0.steps.1: names_nobody'],
    ['a role twice', [steps({ required: 1, roles: ['admin', 'admin'] })], 'rules.0.steps.0.roles.1: duplicate'],
    ['an unknown role', [steps({ required: 1, roles: ['boss'] })], 'rules.0.steps.0.roles.0: picklist'],
    ['no uuid', [steps({ required: 1, user_ids: ['me'] })], 'rules.0.steps.0.user_ids.0: check'],
    [
      'a person twice, in whatever case',
      [steps({ required: 1, user_ids: [ID, ID.toUpperCase()] })],
      'rules.0.steps.0.user_ids.1: duplicate',
    ],
    ['no step', [steps()], 'rules.0.steps: min_length'],
    ['six steps', [steps(...Array(6).fill(step))], 'rules.0.steps: max_length'],
    ['101 rules', Array(101).fill(rule()), 'rules: max_length'],
    ['an unknown currency', [rule({ currency: 'XXX' })], 'rules.0.currency: unknown_currency'],
    ['a currency in small letters', [rule({ currency: 'usd' })], 'rules.0.currency: unknown_currency'],
    ['no amount', [rule({ amount_from: '1e3' })], 'rules.0.amount_from: regex'],
    ['a currency without money', [rule({ ...CONTACT, currency: 'USD' })], 'rules.0.currency: without_amount'],
    ['an amount without money', [rule({ ...CONTACT, amount_from: '1' })], 'rules.0.amount_from: without_amount'],
    ['two rules of one scope', [rule(), rule({ currency: 'USD' }), rule()], 'rules.2: duplicate'],
    ['an amount twice', [rule({ amount_from: '10.5' }), rule({ amount_from: '10.500' })], 'rules.1: duplicate'],
    ['from zero beside no amount', [rule(), rule({ amount_from: '0.00' })], 'rules.1: duplicate'],
    ['a period without per', [rule({ period: 'day', amount_from: '1' })], 'rules.0.per: beside_period'],
    ['per without a period', [rule({ per: 'person', amount_from: '1' })], 'rules.0.period: beside_per'],
    ['a limit without amount', [rule({ period: 'day', per: 'payee' })], 'rules.0.amount_from: limit_without_amount'],
    [
      'a limit of what is no money out',
      [rule({ ...monthly, action_type: 'billing_invoice' })],
      'rules.0.period: not_money_out',
    ],
    ['a hard rule without period', [rule({ amount_from: '1', ...hard })], 'rules.0.hard: only_with_period'],
    ['a hard limit with steps', [rule({ ...monthly, hard: true })], 'rules.0.steps: hard_with_steps'],
    [
      'a limit twice, once hard',
      [rule(monthly), rule({ ...monthly, amount_from: '1.0', ...hard })],
      'rules.1: duplicate',
    ],
    ['no choice about the requester', [rule({ self_approval: null })], 'rules.0.self_approval: boolean'],
    ['an expiry at once', [rule({ expires_after_hours: 0 })], 'rules.0.expires_after_hours: min_value'],
    ['an expiry after a year', [rule({ expires_after_hours: 8761 })], 'rules.0.expires_after_hours: max_value'],
  ])('%s', (_, rules, fault) => expect(codesOf(PolicyRules, { rules })).toEqual([fault]))
})

test('a rule names a person by an id in whatever case, kept as the ids of people are', () => {
  const [id, steps] = [randomUUID(), (user_id: string) => [{ required: 1, user_ids: [user_id] }]]
  const { rules } = parse(PolicyRules, { rules: [rule({ steps: steps(id.toUpperCase()) })] })
  expect(rules[0]?.steps).toMatchObject(steps(id))
})

test.each([
  ['no approval', [], 'reject', 'approval_ids: min_length'],
  ['101 approvals', Array.from({ length: 101 }, () => randomUUID()), 'reject', 'approval_ids: max_length'],
  ['no ids', ['nonsense'], 'reject', 'approval_ids.0: check'],
  ['an approval twice, in whatever case', ['a', 'A'], 'reject', 'approval_ids.1: duplicate'],
  ['another decision', ['a'], 'cancel', 'decision: picklist'],
])('a set of %s is refused by name', (_, ids, decision, fault) => {
  const approval_ids = ids.map((id) => (/^a$/i.test(id) ? `00000000-0000-4000-8000-00000000000${id}` : id))
  expect(codesOf(SetDecision, { approval_ids, decision })).toEqual([fault])
})

test.each(['\u200c', ' \n', '', null, undefined])('a rejection with the reason %j has none', (reason) => {
  const set = { approval_ids: [randomUUID()], decision: 'reject', reason }
  expect([parse(RejectBody, { reason }).reason ?? null, parse(SetDecision, set).reason ?? null]).toEqual([null, null])
})

describe('a substitution', () => {
  const bodyOf = (from: string, until: string) => ({ substitute_id: randomUUID(), from, until })

  test.each([
    ['9998-03-01T09:30:00+02', '9998-03-02 09:30:00 -0130', '9998-03-01T07:30:00.000Z', '9998-03-02T11:00:00.000Z'],
    [
      '9998-03-01T09:30:00.000Z',
      '9998-03-01T09:30:00.001999999Z',
      '9998-03-01T09:30:00.000Z',
      '9998-03-01T09:30:00.001Z',
    ],
    ['9999-12-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '9999-12-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
  ])('takes a time however it is written, in milliseconds: from %s until %s', (from, until, begins, ends) =>
    expect(parse(NewSubstitution, bodyOf(from, until))).toMatchObject({ from: begins, until: ends }),
  )

  test.each([
    ['longer than 90 days', '9998-03-01T00:00:00Z', '9998-05-30T00:00:01Z', 'too_far'],
    ['that ends before it begins', '9998-03-02T00:00:00Z', '9998-03-01T00:00:00Z', 'not_after_from'],
    ['of no length once it is kept', '9998-03-01T09:30:00.001Z', '9998-03-01T09:30:00.0019Z', 'not_after_from'],
    ['after the year 9999', '9999-12-31T00:00:00Z', '9999-12-31T23:59:59-14', 'no_such_time'],
    ['that Postgres would round up', '9999-12-31T00:00:00Z', '9999-12-31T23:59:59.9999999Z', 'no_such_time'],
  ])('is refused for a time %s', (_, from, until, code) =>
    expect(codesOf(NewSubstitution, bodyOf(from, until))).toEqual([`until: ${code}`]),
  )
})

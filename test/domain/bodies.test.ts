/** Bodies and queries that a schema refuses, by the member that it names. */
import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { NewBatch, NewBatchFile } from '../../domain/batches/batch.ts'
import { BillChange, BillFilters, NewBill, NewBillFile } from '../../domain/bills/bill.ts'
import { PaymentContactChange } from '../../domain/contacts/contact.ts'
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
import { Finalization } from '../../domain/invoices/invoice.ts'
import { pathsOf } from '../support/bodies.ts'

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

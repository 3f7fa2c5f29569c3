/** Items of attention of every kind, about the things of one company. */
import { readerOf } from '../../../db/postgres/sql.ts'
import type { Viewer } from '../../../domain/approvals/requirements.ts'
import type { AttentionKind } from '../../../domain/attention/attention.ts'
import type { OrganizationId, UserId } from '../../../domain/ids.ts'
import { KINDS } from '../../../services/registries/attention-kinds.ts'
import type { Company } from './company.ts'

type Sample = {
  /** Name of the thing among the ids of the company. */
  readonly of: string
  /** Columns that the query of the kind reads. */
  readonly facts?: object
  /** True if plain members see items of this kind, also about things of others. */
  readonly isForMembers?: true
}

const MONEY = { amount: '1.00', currency: 'EUR' }
const PAYMENT = { ...MONEY, payee: 'Payee' }
const BILL = { ...MONEY, supplier: null, number: null, why: null }
const MAIL = { sender: 'ann@supplier.example', subject: 'Invoice', bills: 1 }
const INVOICE = { number: 'R-1', due_date: '2026-01-31' }
const EXPORT = { type: 'transactions', format: 'csv', range_from: '2026-01-01', range_to: '2026-01-31' }

const SAMPLES: Readonly<Record<AttentionKind, readonly Sample[]>> = {
  review_approval: [
    { of: 'approval_id', facts: { target_type: 'fiat_outgoing', wait: { steps: [], given: [], excluded: null } } },
  ],
  question: [{ of: 'approval_id', facts: { approval_id: 'approval_id', summary: null }, isForMembers: true }],
  sent_back: [{ of: 'approval_id', facts: { summary: null }, isForMembers: true }],
  fix_bill: [{ of: 'bill_id', facts: BILL, isForMembers: true }],
  pay_bill: [{ of: 'bill_id', facts: BILL, isForMembers: true }],
  check_bank_details: [{ of: 'bill_id', facts: BILL, isForMembers: true }],
  unknown_sender: [{ of: 'inbound_mail_id', facts: MAIL, isForMembers: true }],
  mail_without_bill: [{ of: 'inbound_mail_id', facts: MAIL, isForMembers: true }],
  account_changed: [
    {
      of: 'payment_destination_id',
      facts: { name: 'Payee', contact_id: 'payment_contact_id', until: '2026-01-31T00:00:00Z' },
      isForMembers: true,
    },
  ],
  travel_rule: [{ of: 'deposit_id', facts: MONEY, isForMembers: true }],
  payment_on_hold: [{ of: 'payment_id', facts: { ...PAYMENT, reason: 'unpublished' } }],
  payment_schedule_failed: [
    {
      of: 'payment_id',
      facts: { ...PAYMENT, is_batch: false, execute_on: '2026-01-31', refused: 'insufficient_funds' },
    },
    { of: 'batch_id', facts: { ...PAYMENT, is_batch: true, execute_on: '2026-01-31', refused: 'insufficient_funds' } },
  ],
  payee_mismatch: [
    { of: 'payment_id', facts: { ...PAYMENT, contact_id: 'payment_contact_id', result: 'no_match', failed: true } },
  ],
  reconciliation_difference: [
    { of: 'payment_id', facts: { check_name: 'bank_missing', subject: 'payment_id' } },
    { of: 'deposit_id', facts: { check_name: 'bank_deposit_missing', subject: 'deposit_id' } },
  ],
  database_behind: [{ of: 'organization_id', facts: { check_name: 'bank_missing', subject: 'payment_id' } }],
  overdue_invoice: [{ of: 'sent_invoice_id', facts: INVOICE }],
  undelivered_invoice: [{ of: 'sent_invoice_id', facts: INVOICE }],
  undelivered_credit_note: [{ of: 'sent_note_id', facts: { number: 'G-1', invoice_id: 'sent_invoice_id' } }],
  allocate_deposit: [{ of: 'transaction_id', facts: { ...MONEY, payer: null, invoice_ids: [] } }],
  fix_batch: [{ of: 'batch_id', facts: { name: 'Wages', rows_invalid: 1, import_error: null } }],
  complete_payee: [{ of: 'organization_id', facts: { contacts: 1 }, isForMembers: true }],
  onboarding_needed: [{ of: 'organization_id', facts: { status: 'draft' }, isForMembers: true }],
  onboarding_more_needed: [{ of: 'organization_id', facts: { status: 'needs_more' }, isForMembers: true }],
  set_up_totp: [{ of: 'user_id', isForMembers: true }],
  set_approval_policy: [{ of: 'organization_id' }],
  renew_subscription: [
    { of: 'organization_id', facts: { ...MONEY, offer_id: 'organization_id', offer: 'Plan' }, isForMembers: true },
  ],
  reconnect_accounting: [{ of: 'organization_id', facts: { tenant_name: 'Books' }, isForMembers: true }],
  failed_export: [{ of: 'export_id', facts: { ...EXPORT, failure: 'too_large' } }],
  delegate_expiring: [
    { of: 'delegate_id', facts: { name: 'Books', until: '2026-01-31T00:00:00Z' }, isForMembers: true },
  ],
  failing_identity_provider: [
    {
      of: 'organization_id',
      facts: {
        issuer: 'https://id.example.com',
        failures: 12,
        failure: 'provider_client',
        failed_at: '2026-01-31T00:00:00Z',
      },
    },
  ],
  failing_webhook: [
    { of: 'webhook_endpoint_id', facts: { url: 'https://example.com/hook', is_disabled: false, is_stream: false } },
  ],
}

/** Describes an item of every kind that viewers of this role see, by the kind itself. */
export function itemsFor({ boss, member, ids }: Company, role: 'owner' | 'member') {
  const reader = readerOf(ids['organization_id'] as OrganizationId) // an organization of the test
  const viewer: Viewer = {
    userId: (role === 'owner' ? boss : member).userId as UserId,
    role,
    ownOnly: role === 'member',
  }
  return KINDS.flatMap((kind) =>
    SAMPLES[kind.kind]
      .filter(({ isForMembers }) => role === 'owner' || isForMembers)
      .map(({ of, facts = {} }) => {
        const named = Object.entries(facts).map(([name, value]) => [name, ids[value as string] ?? value])
        const item = { id: ids[of] ?? '', facts: Object.fromEntries(named) as never } // as the query of the kind has them
        return { kind: kind.kind, ...kind.describe(reader, item, viewer, []) }
      }),
  )
}

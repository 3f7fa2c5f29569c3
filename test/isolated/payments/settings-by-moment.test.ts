/** Settings and states that forbid a payment, from its request to its order. */
import { expect, test, vi } from 'vitest'
import { CONTACT_STATUSES } from '../../../domain/contacts/flow.ts'
import { organizationFlow } from '../../../domain/organizations/flow.ts'
import { OrganizationSettings } from '../../../domain/organizations/settings.ts'
import { everyNth } from '../../support/model-runs.ts'
import type { Forbid, Moment } from '../../support/payments/moments.ts'

const addressFrom = vi.hoisted(() => {
  const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  process.env['ADDRESS_REQUIRED_FROM'] = day
  return day
})
const { stopBooks } = await import('../../../services/organizations/status.ts')
const { asSystem } = await import('../../../db/postgres/sql.ts')
const { setSettings } = await import('../../support/account-changes.ts')
const { setRules } = await import('../../support/approvals/approvals.ts')
const { owner } = await import('../../support/database.ts')
const { moveOrganization } = await import('../../support/organizations/status.ts')
const { usePartners } = await import('../../support/partners/partners.ts')
const { passes } = await import('../../support/payments/moments.ts')
const { moveTo } = await import('../../support/payments/schedules.ts')

// no worker runs: each step is taken when the test says so
usePartners()

type Policy = {
  /** Settings under which the payment may go on. */
  readonly before?: object
  readonly forbid: Forbid
  readonly says: Readonly<Record<Moment, string>>
}

const setting =
  (body: object): Forbid =>
  (at) =>
    setSettings(at.boss, at.id, body)
const HARD = { currency: 'EUR', amount_from: '1', period: 'day', per: 'organization', hard: true } as const

/** Settings of an organization that forbid nothing that was asked for: what they are about. */
const SAYS_NOTHING: Readonly<Record<string, string>> = {
  requires_authenticator: 'sessions, which it ends',
  invoice_prefix: 'invoices',
  credit_note_prefix: 'credit notes',
  invoice_reminder_days: 'invoices',
  postal_address: 'invoices, and orders where a payer is required (onboarding.test.ts)',
  vat_id: 'invoices',
  contact_name: 'invoices',
  contact_phone: 'invoices',
  time_zone: 'days that are named later',
  time_zone_from: 'days that are named later',
  'organization: deleted': 'an organization without money and without payments under way',
}

/**
 * `goes on`: a limit counts when a payment is asked for, and on its day; an account that changed has to wait before the
 * last approval, and on a day; what is approved without a day is under way, with its money held, and only the bank's
 * answer about its payee still ends it before its order.
 */
const POLICIES: Readonly<Record<string, Policy>> = {
  payee_check: {
    forbid: setting({ payee_check: 'block' }),
    says: {
      requested: 'payee_mismatch',
      approved: 'payee_mismatch',
      its_day: 'failed: not paid on its day: payee check blocks',
      page_of_a_batch: 'failed: payee_mismatch',
      day_of_a_batch: 'failed: payee_mismatch',
      order: 'failed: payee check changed',
    },
  },
  account_change_hours: {
    forbid: setting({ account_change_hours: 24 }),
    says: {
      requested: 'account_cooling_off',
      approved: 'account_cooling_off',
      its_day: 'put off: account_cooling_off',
      page_of_a_batch: 'goes on: submitted',
      day_of_a_batch: 'waits: account_cooling_off',
      order: 'goes on: ordered',
    },
  },
  account_change_free_amount: {
    before: { account_change_hours: 24, account_change_free_amount: { amount: '100.00', currency: 'EUR' } },
    forbid: setting({ account_change_free_amount: null }),
    says: {
      requested: 'account_cooling_off',
      approved: 'account_cooling_off',
      its_day: 'put off: account_cooling_off',
      page_of_a_batch: 'goes on: submitted',
      day_of_a_batch: 'waits: account_cooling_off',
      order: 'goes on: ordered',
    },
  },
  'a hard limit': {
    forbid: (at) => setRules(at.id, at.boss, [{ ...HARD, steps: [] }]),
    says: {
      requested: 'limit_exceeded',
      approved: 'goes on: 200',
      its_day: 'failed: not paid on its day: limit exceeded',
      page_of_a_batch: 'goes on: submitted',
      day_of_a_batch: 'cancelling: limit_exceeded',
      order: 'goes on: ordered',
    },
  },
  'stopped books': {
    forbid: (at) => asSystem(at.id, stopBooks),
    says: {
      requested: 'ledger_unbalanced',
      approved: 'ledger_unbalanced',
      its_day: 'put off: ledger_unbalanced',
      page_of_a_batch: 'waits',
      day_of_a_batch: 'waits',
      order: 'goes on: ordered',
    },
  },
  'a destination that is deleted': {
    forbid: (at) => owner`update payment_destinations set deleted_at = business_now() where id = ${at.account}`,
    says: {
      requested: 'destination_missing',
      approved: 'destination_missing',
      its_day: 'failed: not paid on its day: destination missing',
      page_of_a_batch: 'failed: destination_missing',
      day_of_a_batch: 'failed: destination_missing',
      order: 'goes on: ordered',
    },
  },
  'contact: archived': {
    forbid: (at) => owner`update payment_contacts set status = 'archived' where id = ${at.contact}`,
    says: {
      requested: 'contact_not_approved',
      approved: 'contact_not_approved',
      its_day: 'failed: not paid on its day: contact archived',
      page_of_a_batch: 'failed: contact_not_approved',
      day_of_a_batch: 'failed: contact_not_approved',
      order: 'goes on: ordered',
    },
  },
  'contact: pending_approval': {
    forbid: (at) =>
      owner`update payment_contacts set status = 'pending_approval', changing = true where id = ${at.contact}`,
    says: {
      requested: 'contact_not_approved',
      approved: 'contact_not_approved',
      its_day: 'put off: contact_not_approved',
      page_of_a_batch: 'failed: contact_not_approved',
      day_of_a_batch: 'failed: contact_not_approved',
      order: 'goes on: ordered',
    },
  },
  'organization: paused': {
    forbid: (at) => moveOrganization(at.id, 'pause'),
    says: {
      requested: 'organization_unavailable',
      approved: 'organization_unavailable',
      its_day: 'put off: organization_unavailable',
      page_of_a_batch: 'waits',
      day_of_a_batch: 'waits',
      order: 'goes on: ordered',
    },
  },
  'organization: banned': {
    forbid: (at) => moveOrganization(at.id, 'ban'),
    says: {
      requested: 'not_found',
      approved: 'not_found',
      its_day: 'cancelled: organization banned',
      page_of_a_batch: 'cancelling',
      day_of_a_batch: 'cancelling',
      order: 'goes on: ordered',
    },
  },
}

test.each(everyNth(Object.entries(POLICIES), 4))(
  '%s forbids what it should at each moment, and nothing else',
  async (_, { before = {}, forbid, says }) => {
    const found = await passes(before, (scenes) => Promise.all(scenes.map(forbid)))
    expect(found).toEqual(says)
  },
)

test('the day from which banks need an address of the payee', async () => {
  await moveTo(new Date(Date.parse(`${addressFrom}T00:00:00Z`) - 120_000).toISOString())
  const found = await passes({}, () => moveTo(`${addressFrom}T00:00:01Z`))
  expect(found).toEqual({
    requested: 'address_required',
    approved: 'address_required',
    its_day: 'failed: not paid on its day: address required',
    page_of_a_batch: 'failed: address_required',
    day_of_a_batch: 'failed: address_required',
    order: 'goes on: ordered',
  })
})

test('every setting of an organization, and every state of it and of a contact, has its place here', () => {
  const known = new Set([...Object.keys(POLICIES), ...Object.keys(SAYS_NOTHING)])
  const all = [
    ...Object.keys(OrganizationSettings.entries),
    ...organizationFlow.states.filter((state) => state !== 'active').map((state) => `organization: ${state}`),
    ...CONTACT_STATUSES.filter((status) => status !== 'active').map((status) => `contact: ${status}`),
  ]
  expect(all.filter((one) => !known.has(one))).toEqual([])
})

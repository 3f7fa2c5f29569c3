import { expect, test } from 'vitest'
import { can, PERMISSIONS, permissionsOf } from '../../domain/permissions.ts'

/** Copied from the contract's "Permission keys (exact values)". */
const contract = `
  api_keys.list api_keys.manage approvals.review bank_accounts.list billing_contacts.create billing_contacts.delete
  billing_contacts.list billing_contacts.update billing_invoices.allocate billing_invoices.create
  billing_invoices.delete billing_invoices.list_all billing_invoices.list_allocations billing_invoices.list_own
  billing_invoices.read billing_invoices.resend billing_invoices.submit billing_invoices.update
  billing_invoices.view_summary bills.cancel bills.create bills.list bills.read bills.update
  card_entitlements.create card_entitlements.list cards.activate cards.create cards.freeze cards.list_all
  cards.list_own cards.order_physical cards.provision_google_wallet cards.read cards.reveal cards.set_pin
  cards.unfreeze cards.update_limit cards.view_usage chains.cancel chains.create chains.decide chains.list
  chains.read deposit_addresses.list expenses.manage_all expenses.manage_own expenses.read expenses.update
  feedback.send integrations.connect integrations.disconnect invitations.create invitations.delete invitations.list
  invitations.resend members.list members.manage onboarding.view_own_requirements onboarding.view_requirements
  organization.claim_personal_handle organization.generate_upload_url organization.read organization.sudo_session
  organization.update organization.update_logo organization.update_preferences organization.view_balances
  organization.view_capabilities organization.view_insights organization.view_kyb_status
  organization.view_legal_name organization.view_lifetime_spend organization.view_points_balance
  organization.view_subscription_offers payment_contacts.create payment_contacts.delete payment_contacts.list
  payment_contacts.update payment_destinations.create payment_destinations.list payment_destinations.update
  payments.send_crypto payments.send_fiat payments.swap_fiat transactions.list_all transactions.list_own xero.manage
`
  .trim()
  .split(/\s+/)

/** Permissions of owners and admins, or (`approvals.review`) of people that a policy names. */
const beyondMembers = contract.filter((key) => !permissionsOf('member').some((permission) => permission === key))

test('the keys are the 88 of the contract, in its order and spelling', () => {
  expect(contract).toHaveLength(88)
  expect(PERMISSIONS).toEqual(contract)
  expect(new Set(PERMISSIONS).size).toBe(88)
})

test('owners and admins hold every key, members none that decides, administers, or shows the whole organization', () => {
  const expected = `
    api_keys.list api_keys.manage approvals.review billing_contacts.delete billing_invoices.allocate
    billing_invoices.list_all billing_invoices.list_allocations billing_invoices.view_summary bills.cancel
    card_entitlements.create cards.create cards.list_all cards.order_physical cards.update_limit chains.cancel
    chains.decide expenses.manage_all integrations.connect integrations.disconnect invitations.create
    invitations.delete invitations.list invitations.resend members.manage onboarding.view_requirements
    organization.claim_personal_handle organization.update organization.update_logo
    organization.update_preferences organization.view_insights organization.view_kyb_status
    organization.view_lifetime_spend organization.view_points_balance organization.view_subscription_offers
    payment_contacts.delete payment_contacts.update payment_destinations.update payments.swap_fiat
    transactions.list_all xero.manage`
  expect(beyondMembers).toEqual(expected.trim().split(/\s+/))
  expect(permissionsOf('member')).toEqual(contract.filter((key) => !beyondMembers.includes(key)))
  for (const role of ['owner', 'admin'] as const) expect(permissionsOf(role)).toEqual(contract)
})

test('a role can exactly what its keys say', () => {
  for (const role of ['owner', 'admin', 'member'] as const)
    expect(PERMISSIONS.filter((permission) => can({ role }, permission))).toEqual(permissionsOf(role))
})

/** Columns that the service's role cannot change: no grant of a migration names them. */

/** Immutable columns: requests, decisions, quotes, payments, and their proofs. */
export const NEVER_UPDATED: Readonly<Record<string, readonly string[]>> = {
  approvals: ['action_type', 'target_type', 'target_id', 'policy', 'requester_id'],
  payments: [
    'speed',
    'fallback',
    ...'payment_contact_id destination_id payee_organization_id approval_request_id quote_id rail connection created_by'.split(
      ' ',
    ),
    'payee_address_id',
    'payer_id',
    'payer_account_id',
    'payee_check_id',
    'payee_acknowledged',
    ...'deducting_amount deducting_currency landing_amount landing_currency fee_amount rate'.split(' '),
  ],
  payment_quotes: [
    'speed',
    'fallback',
    'connection',
    'payment_contact_id',
    'destination_id',
    'deducting_amount',
    'landing_amount',
    'fee_amount',
    'rate',
  ],
  payment_destinations: [
    'payment_contact_id',
    'type',
    'svc_id',
    'payee_organization_id',
    'currency',
    'payee_address_id',
  ],
  payee_addresses: ['organization_id', 'fingerprint', 'inserted_at'],
  payee_accounts: ['organization_id', 'key'],
  payee_checks: ['organization_id', 'destination_id', 'result', 'checked_at'],
  transactions:
    'type direction amount currency payment_id deposit_id swap_id adjustment_id charges_amount charges_currency'.split(
      ' ',
    ),
  unmatched_deposits: ['partner', 'partner_deposit_id', 'rail', 'amount', 'currency', 'account', 'source'],
  partner_orders: ['connection', 'subject', 'subject_id', 'organization_id', 'key'],
  deposits: [
    'rail',
    'connection',
    'amount',
    'currency',
    'source',
    'partner_deposit_id',
    'receiving_account_id',
    'value_usd',
  ],
  receiving_accounts: ['rail', 'connection', 'currency', 'network'],
  covers:
    'connection transfer_key trade_id opened_by sell_amount sell_currency buy_amount buy_currency value_usd'.split(' '),
  cover_dealings: 'sold_amount sold_currency bought_amount bought_currency settles_on reason proposed_by'.split(' '),
  dealt_covers: ['dealing_id', 'cover_id', 'sold_amount', 'bought_amount'],
  swap_quotes: ['source_amount', 'source_currency', 'target_amount', 'target_currency', 'rate'],
  adjustments: ['clearing', 'receivable', 'available', 'payable', 'refunded_fee', 'proposed_by'],
  step_ups: [
    'session_id',
    'user_id',
    'operation',
    'target',
    'body_hash',
    'mode',
    'methods',
    'match_code',
    'summary',
    'payment',
    'weakens',
  ],
  step_up_grants: ['step_up_id', 'target'],
  approval_credentials: ['user_id', 'device_id', 'credential_hash', 'cooling_off_until'],
  passkeys: ['user_id', 'credential_id', 'public_key'],
  billing_contacts: ['created_by'],
  credit_notes: ['organization_id', 'invoice_id', 'created_by', 'inserted_at'],
  invoice_words: ['invoice_id', 'organization_id', 'inserted_at'],
  accounting_connections: ['organization_id', 'provider', 'tenant_id'],
  accounting_items: ['tenant_id', 'kind', 'subject_id'],
  invitations: ['email', 'role', 'approval_request_id', 'invited_by'],
  api_keys: ['organization_id', 'environment', 'lookup', 'created_by'],
  sessions: ['token_hash', 'user_id', 'device_id', 'signed_in_at', 'method'],
  devices: ['user_id', 'public_id'],
}

/** Tables without updates, or with updates only by functions of the database. */
export const APPEND_ONLY = (
  'events event_chain security_events ledger_accounts ledger_entries ledger_transfers swaps ' +
  'approval_decisions approval_waits voided_approvals idempotency_claims payers partner_charges'
).split(' ')

/** What the service's role cannot change, whatever code of ours does: no grant of a migration names it. */

/** For good once they are written: what was asked for, decided, offered and paid, and what proves it. */
export const NEVER_UPDATED: Readonly<Record<string, readonly string[]>> = {
  approvals: ['action_type', 'target_type', 'target_id', 'policy', 'subject_body', 'subject_hash', 'requester_id'],
  payments: [
    'payment_contact_id',
    'destination_id',
    'payee_organization_id',
    'approval_request_id',
    'quote_id',
    'rail',
    'deducting_amount',
    'deducting_currency',
    'landing_amount',
    'landing_currency',
    'fee_amount',
    'rate',
    'created_by',
  ],
  payment_quotes: ['payment_contact_id', 'destination_id', 'deducting_amount', 'landing_amount', 'fee_amount', 'rate'],
  payment_destinations: ['payment_contact_id', 'type', 'svc_id', 'payee_organization_id', 'currency'],
  transactions: ['type', 'direction', 'amount', 'currency', 'payment_id', 'deposit_id', 'swap_id', 'adjustment_id'],
  deposits: ['rail', 'amount', 'currency', 'source', 'partner_deposit_id', 'receiving_account_id', 'value_usd'],
  unmatched_deposits: ['partner', 'partner_deposit_id', 'rail', 'amount', 'currency', 'account', 'source'],
  covers: ['transfer_key', 'trade_id', 'sell_amount', 'sell_currency', 'buy_amount', 'buy_currency', 'value_usd'],
  swap_quotes: ['source_amount', 'source_currency', 'target_amount', 'target_currency', 'rate'],
  adjustments: ['clearing', 'receivable', 'available', 'payable', 'refunded_fee', 'proposed_by'],
  step_ups: ['session_id', 'user_id', 'operation', 'target', 'body_hash', 'mode', 'methods', 'match_code', 'summary'],
  step_up_grants: ['step_up_id', 'target'],
  approval_credentials: ['user_id', 'device_id', 'credential_hash', 'cooling_off_until'],
  passkeys: ['user_id', 'credential_id', 'public_key'],
  billing_contacts: ['created_by'],
  invoice_words: ['invoice_id', 'organization_id', 'inserted_at'],
  invitations: ['email', 'role', 'approval_request_id', 'invited_by'],
  api_keys: ['organization_id', 'environment', 'lookup', 'created_by'],
  sessions: ['token_hash', 'user_id', 'device_id', 'signed_in_at'],
}

/** Of which nothing is ever updated, or only by functions of the database. */
export const APPEND_ONLY = [
  'events',
  'event_chain',
  'ledger_entries',
  'ledger_transfers',
  'approval_decisions',
  'voided_approvals',
  'security_events',
  'idempotency_claims',
  'ledger_accounts',
  'swaps',
  'approval_waits',
]

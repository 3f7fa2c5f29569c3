/** Columns of bytes, by their fate when the encryption key changes. */

/** Columns of what the first encryption key makes again in a rotation. A test rotates keys, and reads each of them. */
export const MADE_ANEW = [
  'accounting_connections.sealed',
  'authenticators.secret',
  'bill_findings.sealed',
  'bill_readings.sealed',
  'bills.fingerprint',
  'bills.sealed',
  'deposits.travel_rule',
  'identity_providers.sealed',
  'inbound_mails.sealed_key',
  'invoices.page_token_sealed',
  'onboarding_documents.sealed_key',
  'onboarding_people.sealed',
  'onboardings.entity',
  'onboardings.submitted',
  'payee_accounts.key',
  'payee_addresses.sealed',
  'payee_checks.sealed',
  'payment_batch_rows.sealed',
  'payment_destinations.fingerprint',
  'payment_destinations.sealed',
  'screenings.answer_sealed',
  'screenings.sealed',
  'webhook_endpoints.sealed',
] as const

const APPROVED = 'approvals hash it, so it stays; limits and changed accounts go by account_id'
const SHORT = 'is deleted within a day, messages within 30 days'
const OF_BANK = 'is of its day, and a key that has sealed one stays configured'

/** Columns made with an encryption key and kept, with the reason. */
export const KEPT: Readonly<Record<string, string>> = {
  'accounting_authorizations.sealed': SHORT,
  'authenticator_setups.secret': SHORT,
  'bank_entries.sealed': OF_BANK,
  'bank_entry_parts.sealed': OF_BANK,
  'bank_files.sealed': OF_BANK,
  'bank_payments.sealed': OF_BANK,
  'messages.sealed': SHORT,
  'messaging_codes.code': SHORT,
  'payee_addresses.fingerprint': 'approvals name it; an address is compared with that of its own approval alone',
  'payment_batch_rows.address_fingerprint': 'approvals hash it; that of a draft is made anew',
  'payment_batch_rows.fingerprint': `${APPROVED}; that of a draft is made anew`,
  'provider_sign_ins.sealed': SHORT,
  'sign_in_challenges.secret': SHORT,
}

/** Columns made without an encryption key, beside hashes, whose names end so. */
export const WITHOUT_KEY: ReadonlySet<string> = new Set([
  'avatars.image',
  'event_chain.hash',
  'event_heads.hash',
  'event_heads.previous',
  'event_heads.signature',
  'funds_leaves.first_key',
  'funds_proofs.previous',
  'funds_proofs.seed',
  'funds_proofs.signature',
  'logos.image',
  'passkeys.public_key',
  'used_refresh_tokens.salt',
])

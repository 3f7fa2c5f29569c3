/** Every refusal the service can answer, with its HTTP status and the sentence a user may read. */
export const REFUSALS = {
  invalid_request: [400, 'The request is not valid.'],
  malformed_request: [400, 'The request body could not be read as JSON.'],
  idempotency_key_invalid: [400, 'The Idempotency-Key must have 1 to 255 printable ASCII characters.'],
  invalid_credentials: [401, 'The email or the password is wrong.'],
  not_authenticated: [401, 'Unauthorized'],
  invalid_api_key: [401, 'The API key is not valid.'],
  forbidden: [403, 'You may not do this.'],
  step_up_required: [403, 'Please confirm that it is you.'],
  api_key_not_permitted: [403, 'This operation does not accept API keys.'],
  api_scope_missing: [403, 'The API key lacks the scope that this operation needs.'],
  organization_unavailable: [403, 'This organization is not available at the moment.'],
  role_exceeds_creator: [403, 'The role would exceed that of its creator.'],
  requester_cannot_approve: [403, 'Somebody else has to approve what you requested.'],
  not_an_approver: [403, 'You are not an approver of this request.'],
  email_not_confirmed: [403, 'Please confirm your email address first.'],
  not_found: [404, 'There is nothing here that you can see.'],
  route_not_found: [404, 'There is no such operation.'],
  method_not_allowed: [405, 'This path does not take that method.'],
  invalid_state: [409, 'This is not possible in the present state.'],
  api_key_revoked: [409, 'The API key is revoked.'],
  approval_already_processed: [409, 'This request has been decided already.'],
  approval_expired: [409, 'This request has expired.'],
  decision_expired: [409, 'The decision came too late and was not recorded. Read the request, then decide again.'],
  contact_in_use: [409, 'A payment to this contact is under way.'],
  payment_not_cancellable: [409, 'This payment can no longer be cancelled.'],
  batch_not_draft: [409, 'The batch is no longer a draft.'],
  file_not_uploaded: [409, 'The file has not been uploaded yet.'],
  bill_payment_in_progress: [409, 'A payment for this bill is under way.'],
  duplicate_bill: [409, 'This bill has been entered before.'],
  quote_already_used: [409, 'The quote has been used already.'],
  handle_taken: [409, 'This service ID is taken.'],
  already_member: [409, 'This person is a member already.'],
  last_owner: [409, 'An organization needs at least one owner.'],
  totp_already_enabled: [409, 'An authenticator is set up already.'],
  invitation_expired: [410, 'The invitation has expired.'],
  upload_expired: [410, 'The upload has expired.'],
  export_expired: [410, 'The export has expired.'],
  payload_too_large: [413, 'The request body is too large.'],
  unsupported_media_type: [415, 'The request body is of a type that is not taken here.'],
  unprocessable_entity: [422, 'The request was understood, but cannot be carried out.'],
  unsupported_rail: [422, 'This contact is not paid by service ID.'],
  unsupported_currency: [422, 'This currency is not supported here.'],
  amount_precision: [422, 'The amount has more decimals than the currency.'],
  amount_too_large: [422, 'The amount is too large.'],
  insufficient_funds: [422, 'The balance does not cover this.'],
  invalid_bank_details: [422, 'The bank details are not valid.'],
  contact_not_approved: [422, 'The contact has not been approved yet.'],
  quote_expired: [422, 'The quote has expired.'],
  market_closed: [422, 'The market is closed.'],
  same_account: [422, 'The payer and the payee are the same organization.'],
  same_currency: [422, 'Both currencies are the same.'],
  destination_missing: [422, 'The contact has no destination to pay to.'],
  invalid_file: [422, 'The file cannot be read.'],
  code_invalid: [422, 'The code is wrong.'],
  token_invalid: [422, 'The link is wrong, used or expired.'],
  unknown_handle: [422, 'There is no organization with this service ID.'],
  travel_rule_incomplete: [422, 'Details of the sender are missing.'],
  bill_incomplete: [422, 'Details of the bill are missing.'],
  batch_has_invalid_rows: [422, 'The batch has invalid rows.'],
  batch_empty: [422, 'The batch has no rows.'],
  scope_requires_role: [422, 'The scope needs a higher role.'],
  api_key_limit_reached: [422, 'The organization has reached its limit of active API keys.'],
  organization_limit_reached: [422, 'You own as many organizations as you may.'],
  no_eligible_approver: [422, 'Nobody could approve under this policy.'],
  weak_password: [422, 'Please choose a longer and less common password.'],
  password_incorrect: [422, 'The current password is wrong.'],
  idempotency_key_reused: [422, 'This Idempotency-Key was used with another request.'],
  rate_limited: [429, 'Too many requests. Please slow down.'],
  internal_error: [500, 'Something went wrong on our side.'],
  service_unavailable: [503, 'The service is not available for a moment. Please try again.'],
  ledger_unbalanced: [503, 'New payments wait until an operator has looked at the books.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

/** Sentences for `details.reason`, if a type has several: what the user can do about this one. */
const REASONS: Readonly<Record<string, string>> = {
  required_by_organization: 'An organization that you are in requires an authenticator app.',
  authenticator_required: 'Please set up an authenticator app first: the organization requires one.',
  no_second_factor: 'Please set up an authenticator app or a passkey first.',
  no_setup_under_way: 'Please begin the setup of the authenticator app again.',
  changed_meanwhile: 'The password was changed in the meantime.',
  already_registered: 'This passkey is registered already.',
  malformed: 'What the passkey answered could not be read.',
  wrong_origin: 'The passkey was used on another site.',
  wrong_challenge: 'The passkey answered too late, or something else. Please try again.',
  not_verified: 'The passkey could not be verified.',
  method_unavailable: 'This method is not available to you.',
  approval_credential_unknown: 'This device is not one of your approval devices.',
  other_address: 'The invitation is for another address than yours.',
  earlier_step: 'An earlier step has to be approved first.',
  withdraw_instead: 'You asked for this: withdraw it instead.',
  already_invited: 'This address has been invited already.',
  contact_archived: 'This contact was turned down or put away.',
  exchange_paused: 'No currencies are exchanged for the moment. Please try again later.',
  fees_exceed_amount: 'The fees would take up the whole amount.',
  payee_unavailable: 'The payee cannot be paid at the moment.',
  rounds_to_zero: 'The amount is too small: it would bring less than the smallest unit.',
  change_waits: 'This contact waits for approval already: decide or withdraw that first.',
  same_destination: 'The contact has this account already.',
  default_needed: 'Please make another destination the default first.',
  too_many_destinations: 'The contact has as many destinations as it may.',
  too_many_passkeys: 'You have as many passkeys as you may.',
  too_many_phone_numbers: 'You have as many phone numbers as you may.',
  too_many_approval_devices: 'You have as many approval devices as you may.',
  needed_later: 'A later step has nobody else than you: somebody else has to approve this one.',
  owns_enough: 'This person owns as many organizations as they may.',
  too_many_pixels: 'The picture has too many pixels.',
  unreadable: 'The picture cannot be read.',
  too_much_text: 'The file holds too much beside the picture.',
  too_complex: 'The picture takes too long to be read.',
  too_many_parts: 'The form has too many parts.',
  not_multipart: 'The request body could not be read as a form.',
  too_many_values: 'The request body has too many values.',
  host: 'The request has to name one host.',
  target: 'The address of the request could not be read.',
  headers_too_large: 'The headers of the request are too large.',
  too_slow: 'The request came too slowly.',
  not_http: 'The request could not be read as HTTP.',
  too_short: 'Please choose a password of at least 12 characters.',
  repeated_character: 'Please choose a password that is more than one character again and again.',
  same_as_email: 'Please choose a password that is not your address.',
  common: 'Please choose a less common password.',
  no_messenger: 'No messages are sent to phones here. Codes go to your email address.',
  no_stand_in: 'The sandbox has no stand-in for this partner.',
  not_of_this_partner: 'This partner does not have this fault.',
  only_requester_withdraws: 'Only who asked for it can withdraw it.',
  waits_for_approval: 'This payment waits for approval: withdraw its approval instead.',
  rail_not_cancellable: 'Only payments by blockchain can be cancelled once they are approved.',
  on_hold: 'This payment is on hold, and cannot be cancelled meanwhile.',
  custody_decided: 'The custodian has sent it already: it can no longer be cancelled.',
  already_ended: 'This payment has ended already.',
}

export type RefusalType = keyof typeof REFUSALS
export type Details = Readonly<Record<string, unknown>>

/** What stands against something: the refusal that it would get as things are. */
export type Blocker = { readonly type: RefusalType; readonly details?: Details }

/** What a caller can cause and may be told. Anything else that is thrown is a bug. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  constructor(
    readonly type: RefusalType,
    readonly details?: Details,
    readonly stepUp?: object,
  ) {
    super(REASONS[String(details?.['reason'])] ?? REFUSALS[type][1])
  }
}

/** Refuses: the answer carries the type's status and sentence from `REFUSALS`, and the details. */
export function refuse(type: RefusalType, details?: Details): never {
  throw new Refusal(type, details)
}

/** Refuses by the first of these; does nothing if there is none. */
export function refuseFirst([first]: readonly Blocker[]): void {
  if (first) refuse(first.type, first.details)
}

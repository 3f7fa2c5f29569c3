// Written by `npm run client` from openapi.json.

export type SignUpAnswer = ConfirmationRequired | EmailConfirmationAnswer

export type ConfirmationRequired = {
  /** Status. */
  readonly status: 'confirmation_required'
  /** Secret of the client that signed up: with it the confirmation takes the password of the sign-up. */
  readonly sign_up_token: string
}

export type EmailConfirmationAnswer = {
  /** Status. */
  readonly status: 'authenticated'
  /** Session token: send it as bearer. */
  readonly token: string
  /** Person who is signed in. */
  readonly user: Me
  /** Id of the device. */
  readonly device_id: string
}

export type Me = {
  /** Id. */
  readonly id: string
  /** Given name. */
  readonly first_name: string | null
  /** Family name. */
  readonly last_name: string | null
  /** Name. */
  readonly name: string | null
  /** Postal address of the person. */
  readonly address: Address
  /** Picture of the person. */
  readonly avatar: Avatar
  /** E-mail addresses. */
  readonly emails: readonly MeEmail[]
  /** Phone numbers of the person. */
  readonly phone_numbers: readonly MePhoneNumber[]
  /** Id of the identity check. */
  readonly kyc_entity_id: string | null
  /** Number of organizations that the person may own. */
  readonly organization_limit: number
  /** Code of the referral. */
  readonly referral_code: string | null
  /** Authenticator app of the person. */
  readonly totp: MeAuthenticator
  /** Country of residence (ISO 3166-1 alpha-2), as the person stated it. */
  readonly user_filled_country_of_residence: string | null
  /** Mails about requests that wait for the person: `at_once`, together after ten minutes (`digest`), or once a day (`daily`). A request with a grave warning, or one that expires within a day, is mailed at once. */
  readonly notify: MeNotify
}

export type Address = {
  /** First line of the address. */
  readonly address_line1: string
  /** Second line of the address. */
  readonly address_line2: string | null
  /** City. */
  readonly city: string
  /** Country (ISO 3166-1 alpha-2). */
  readonly country_code: string
  /** Postal code. */
  readonly postal_code: string | null
}

export type Avatar = {
  /** Address of the picture; empty if there is none. */
  readonly url: string
}

export type MeEmail = {
  /** E-mail address. */
  readonly address: string
  /** True once the person has confirmed it. */
  readonly confirmed: boolean
  /** Id. */
  readonly id: string
  /** True for the address that mails go to. */
  readonly primary: boolean
}

export type MePhoneNumber = {
  /** True once the person has confirmed it. */
  readonly confirmed: boolean
  /** Phone number in E.164, for example `+4915112345678`. */
  readonly e164: string
}

export type MeAuthenticator = {
  /** True while an authenticator app is set up. */
  readonly enabled: boolean
  /** Instant since which `enabled` is as it is. */
  readonly inserted_at: string
}

export type MailedLink = {
  /** Address of the account, or of the one that is to be. */
  readonly email: string
  /** Organization that the invitation is to; null for the other links. */
  readonly organization_name: string | null
}

export type SignInAnswer = Authenticated | MfaRequired | TotpSetupRequired | WebauthnRequired

export type Authenticated = {
  /** Status. */
  readonly status: 'authenticated'
  /** Session token: send it as bearer. */
  readonly token: string
  /** Person who is signed in. */
  readonly user: Me
  /** Id of the device. */
  readonly device_id: string
  /** Token of a trusted device: a sign-in with it skips the code. */
  readonly trust_token?: string
}

export type MfaRequired = {
  /** Status. */
  readonly status: 'mfa_required'
  /** Token of this sign-in, for the step that completes it. */
  readonly challenge_token: string
  /** Id of the device. */
  readonly device_id: string
}

export type TotpSetupRequired = {
  /** Status. */
  readonly status: 'totp_setup_required'
  /** Token of this sign-in, for the step that completes it. */
  readonly challenge_token: string
  /** Id of the device. */
  readonly device_id: string
}

export type WebauthnRequired = {
  /** Status. */
  readonly status: 'webauthn_required'
  /** Token of this sign-in, for the step that completes it. */
  readonly challenge_token: string
  /** Id of the device. */
  readonly device_id: string
  /** Passkey options to answer with. */
  readonly webauthn: WebauthnOptions
}

export type WebauthnOptions = {
  /** Id of the passkey challenge. */
  readonly challenge_id: string
  /** Bytes to be signed, in base64url. */
  readonly challenge: string
  /** Domain that the passkeys are for. */
  readonly rp_id: string
  /** Time in milliseconds that the person has. */
  readonly timeout: number
  /** Whether the authenticator verifies the person: `required`. */
  readonly user_verification: string
  /** Passkeys that may answer. */
  readonly allow_credentials: readonly PasskeyDescriptor[]
}

export type PasskeyDescriptor = {
  /** Id of the passkey in base64url. */
  readonly id: string
  /** Ways to reach the authenticator: `internal`, `hybrid`, `usb` and others. */
  readonly transports: readonly string[]
  /** Kind. */
  readonly type: 'public-key'
}

export type SignInCodeAnswer = Authenticated | MfaFailed | ChallengeExpired | TotpSetupRequired

export type MfaFailed = {
  /** Status. */
  readonly status: 'mfa_failed'
}

export type ChallengeExpired = {
  /** Status. */
  readonly status: 'challenge_expired'
}

export type AuthenticatorSetup = {
  /** Link of the authenticator app, `otpauth://…`, for a QR code. */
  readonly uri: string
  /** Secret of the authenticator app in base32, to type instead of scanning. */
  readonly secret_encoded: string
}

export type AuthenticatorActivated = {
  /** Status. */
  readonly status: 'activated'
  /** Person who is signed in. */
  readonly user: Me
}

export type AuthenticatorRemoved = {
  /** Status. */
  readonly status: 'removed'
  /** Person who is signed in. */
  readonly user: Me
}

export type RecoveryCodes = {
  /** Recovery codes; each works once. They are shown only here. */
  readonly codes: readonly string[]
}

export type RecoveryCodeCount = {
  /** Number of codes that are left. */
  readonly remaining: number
  /** Instant when it was made. */
  readonly inserted_at: string | null
}

export type LoginCredentialResult = {
  /** Login credential of the device; it is shown only here. */
  readonly credential: string
  /** Id of the device. */
  readonly device_id: string
  /** Instant when it expires. */
  readonly expires_at: string
}

export type DevicePage = {
  /** Items of the page. */
  readonly data: readonly Device[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type Device = {
  /** Id. */
  readonly id: string
  /** Name. */
  readonly name: string | null
  /** True for the device that asks. */
  readonly this_device: boolean
  /** Number of open sessions on the device. */
  readonly sessions: number
  /** Instant until which sign-ins skip the code on the device; null if they do not. */
  readonly trusted_until: string | null
  /** Instant when it was made. */
  readonly inserted_at: string
  /** Instant when the device was last used. */
  readonly last_seen_at: string
}

export type Deleted = {
  /** Always true. */
  readonly deleted: true
  /** Id. */
  readonly id: string
}

export type SessionPage = {
  /** Items of the page. */
  readonly data: readonly Session[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type Session = {
  /** Id. */
  readonly id: string
  /** Id of the device. */
  readonly device_id: string
  /** Name of the device. */
  readonly device_name: string | null
  /** True for the session that asks. */
  readonly this_session: boolean
  /** Network address of the sign-in. */
  readonly ip_address: string | null
  /** Instant of the sign-in. */
  readonly signed_in_at: string
  /** Instant when it was last used. */
  readonly last_used_at: string
  /** Instant when it expires. */
  readonly expires_at: string
}

export type PrimaryOrganizationAnswer = {
  /** Always true. */
  readonly success: boolean
  /** Sentence that a person may read; never branch on it. */
  readonly message: string
  /** Organization. */
  readonly organization: PrimaryOrganizationName
}

export type PrimaryOrganizationName = {
  /** Id. */
  readonly id: string
  /** Name. */
  readonly name: string
  /** Role in the organization. */
  readonly role: string
}

export type PhoneCodeSent = {
  /** Status. */
  readonly status: 'code_sent'
  /** Phone number in E.164, for example `+4915112345678`. */
  readonly e164: string
  /** Instant when it expires. */
  readonly expires_at: string
}

export type SecurityEventPage = {
  /** Items of the page. */
  readonly data: readonly SecurityEvent[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type SecurityEvent = {
  /** Id. */
  readonly id: string
  /** What happened. */
  readonly type: SecurityEventType | (string & {})
  /** Id of the session. */
  readonly session_id: string | null
  /** Id of the device. */
  readonly device_id: string | null
  /** Network address of the request. */
  readonly ip_address: string | null
  /** Name of the program that asked, as it gave it. */
  readonly user_agent: string | null
  /** Details; its members depend on the type. */
  readonly details: Readonly<Record<string, unknown>>
  /** Instant when it happened. */
  readonly occurred_at: string
}

export type PasskeyPage = {
  /** Items of the page. */
  readonly data: readonly Passkey[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type Passkey = {
  /** Id. */
  readonly id: string
  /** Name. */
  readonly name: string
  /** Id of the device. */
  readonly device_id: string | null
  /** True for the device that asks. */
  readonly this_device: boolean
  /** True if the passkey is copied between devices of the person. */
  readonly synced: boolean
  /** Ways to reach the authenticator: `internal`, `hybrid`, `usb` and others. */
  readonly transports: readonly string[]
  /** Instant when it was made. */
  readonly inserted_at: string
  /** Instant when it was last used. */
  readonly last_used_at: string | null
}

export type RegistrationOptions = {
  /** Service that the passkey is for. */
  readonly rp: RegistrationParty
  /** Person whom the passkey is for. */
  readonly user: RegistrationUser
  /** Bytes to be signed, in base64url. */
  readonly challenge: string
  /** Signature algorithms that are accepted, best first. */
  readonly pubKeyCredParams: readonly RegistrationAlgorithm[]
  /** Time in milliseconds that the person has. */
  readonly timeout: number
  /** Passkeys that the person has already. */
  readonly excludeCredentials: readonly PasskeyDescriptor[]
  /** Properties that the authenticator must have. */
  readonly authenticatorSelection: AuthenticatorSelection
  /** Always `none`: the maker of the authenticator is not asked for. */
  readonly attestation: 'none'
}

export type RegistrationParty = {
  /** Domain that the passkey is for. */
  readonly id: string
  /** Name. */
  readonly name: string
}

export type RegistrationUser = {
  /** Handle of the person in base64url. */
  readonly id: string
  /** Name. */
  readonly name: string
  /** Name of the person for the list of passkeys. */
  readonly displayName: string
}

export type RegistrationAlgorithm = {
  /** Kind. */
  readonly type: 'public-key'
  /** COSE number of the algorithm. */
  readonly alg: number
}

export type AuthenticatorSelection = {
  /** Always `required`: the passkey stays on the authenticator. */
  readonly residentKey: 'preferred'
  /** Always `required`: the authenticator verifies the person. */
  readonly userVerification: 'required'
}

export type StepUp = {
  /** Status. */
  readonly status: StepUpStatus
  /** Instant until which the step-up releases requests; null until it is verified. */
  readonly verified_until: string | null
  /** Number of wrong codes that are left. */
  readonly remaining_attempts: number
}

/** Comes with `step_up_required`: verify it, then repeat the request unchanged. */
export type StepUpChallenge = {
  /** Id of the step-up, for its path. */
  readonly id: string
  /** Id of the step-up, for the evidence. */
  readonly step_up_authentication_id: string
  /** Way in which the code was sent, or `none`. */
  readonly delivery: string
  /** Instant when it expires. */
  readonly expires_at: string | null
  /** Three digits that the person compares on both screens. */
  readonly match_code: string | null
  /** Ways in which the person can prove. */
  readonly methods: readonly (StepUpMethod | (string & {}))[]
  /** Sentence for people that says what it is about. */
  readonly summary: string | null
  /** What to show in Secure Payment Confirmation; null if it is not one payment in a currency. */
  readonly payment: PaymentToConfirm | null
  /** Passkey options to answer with; null if the person has no passkey. */
  readonly webauthn: WebauthnOptions | null
}

export type PaymentToConfirm = {
  /** Payee, as `payeeName` takes it. */
  readonly payee_name: string
  /** Currency of the total (ISO 4217). */
  readonly currency: string
  /** Total with fees, as a decimal. */
  readonly value: string
}

export type ApprovalCredentialResult = {
  /** Id. */
  readonly id: string
  /** Approval credential of the device; it is shown only here. */
  readonly credential: string
  /** Name. */
  readonly name: string | null
  /** Id of the device. */
  readonly device_id: string
  /** Instant from which the device may approve. */
  readonly cooling_off_until: string
  /** Instant when it was made. */
  readonly inserted_at: string
}

export type ApprovalCredentialPage = {
  /** Items of the page. */
  readonly data: readonly ApprovalCredential[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type ApprovalCredential = {
  /** Id. */
  readonly id: string
  /** Name. */
  readonly name: string | null
  /** Id of the device. */
  readonly device_id: string
  /** Instant when it was made. */
  readonly inserted_at: string
  /** Instant from which the device may approve. */
  readonly cooling_off_until: string
  /** Instant when it was last used. */
  readonly last_used_at: string | null
}

export type ApprovalChallengePage = {
  /** Items of the page. */
  readonly data: readonly ApprovalChallenge[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type ApprovalChallenge = {
  /** Id. */
  readonly id: string
  /** Operation that is to be released. */
  readonly operation: string
  /** Id of what it is about. */
  readonly target: string
  /** Sentence for people that says what it is about. */
  readonly summary: string | null
  /** Id of the device. */
  readonly device_id: string
  /** Name of the device. */
  readonly device_name: string | null
  /** Instant when it was made. */
  readonly inserted_at: string
  /** Instant when it expires. */
  readonly expires_at: string
}

export type OrganizationPage = {
  /** Items of the page. */
  readonly data: readonly Organization[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type Organization = {
  /** Id. */
  readonly id: string
  /** Name. */
  readonly name: string
  /** Name on cards. */
  readonly card_name: string | null
  /** Address of the company, in lines. */
  readonly company_address: string | null
  /** Address for questions. */
  readonly contact_email: string | null
  /** Country (ISO 3166-1 alpha-2). */
  readonly country_code: string | null
  /** Name of the seller on invoices. */
  readonly invoice_name: string | null
  /** Note on every invoice. */
  readonly invoice_notes: string | null
  /** Code of the referral. */
  readonly referral_code: string | null
  /** Tax number. */
  readonly tax_id: string | null
  /** Handle of the organization, `@name`: others pay to it. */
  readonly svc_id: string | null
  /** True for the organization that the person opens first. */
  readonly is_primary: boolean
  /** Logo of the organization. */
  readonly logo: Logo
  /** Permissions of the caller in the organization. */
  readonly permissions: readonly Permission[]
  /** True if the organization is a registered company. */
  readonly registered_entity: boolean | null
  /** Role in the organization. */
  readonly role: Role
  /** Time zone in which days, weeks and months of limits and schedules begin: an IANA name such as `Europe/Berlin`. */
  readonly time_zone: string
}

export type Logo = {
  /** Address of the picture; empty if there is none. */
  readonly url: string
}

export type HandleOwner = {
  /** Handle of the organization, `@name`: others pay to it. */
  readonly svc_id: string
  /** Name for people. */
  readonly display_name: string
}

export type Onboarding = {
  /** `needs_more`: a review asks for more; `review_due`: it has to be submitted again by `due_at`. */
  readonly status: OnboardingStatus
  /** Instant of the status; null before anything is known. */
  readonly since: string | null
  /** Instant of the latest submission. */
  readonly submitted_at: string | null
  /** Instant at which it was verified last. */
  readonly verified_at: string | null
  /** Payments stop then unless it is verified again. */
  readonly due_at: string | null
  /** Instant of the next review. */
  readonly review_at: string | null
  /** Requirements, open ones first. */
  readonly requirements: readonly OnboardingRequirement[]
  /** The legal entity; null in the part about yourself. */
  readonly entity: LegalEntity | null
  /** Owners, directors, and who controls it. */
  readonly people: readonly OnboardingPerson[]
  /** Papers of the entity and of its people. */
  readonly documents: readonly OnboardingDocument[]
  /** Verdict of each reviewer: payments by a connection need its own. */
  readonly reviews: readonly OnboardingReview[]
}

export type OnboardingRequirement = {
  /** Path of what is asked for, such as `entity.tax_id` or `people.<id>.born_on`. */
  readonly field: string
  /** Why it is asked for. */
  readonly reason: string
  /** Status. */
  readonly status: OnboardingRequirementStatus
  /** `service`, or the connection whose provider asks. */
  readonly from: string
  /** Payments stop then unless it is there. */
  readonly due_at: string | null
}

export type LegalEntity = {
  /** Name as the register or the tax office has it. */
  readonly legal_name: string
  /** Name by which customers know it. */
  readonly trading_name: string | null
  /** Kind of entity. */
  readonly form: LegalEntityForm
  /** Entry in a public register. */
  readonly registration: Registration | null
  /** Tax number. */
  readonly tax_id: string | null
  /** Day of its foundation. */
  readonly incorporated_on: string | null
  /** Address in lines. */
  readonly address: PostalAddress | null
  /** Address of its website. */
  readonly website: string | null
  /** Business of the entity. */
  readonly activity: BusinessActivity | null
  /** Business that it expects here. */
  readonly expected: ExpectedBusiness | null
}

export type Registration = {
  /** Number without gaps, given when the invoice is sent; null before. */
  readonly number: string
  /** Country (ISO 3166-1 alpha-2). */
  readonly country: string
  /** Name of the register. */
  readonly register: string | null
}

export type PostalAddress = {
  /** First line of the address. */
  readonly line1: string
  /** Second line of the address. */
  readonly line2: string | null
  /** Postal code. */
  readonly postal_code: string
  /** City. */
  readonly city: string
  /** Country (ISO 3166-1 alpha-2). */
  readonly country_code: string
}

export type BusinessActivity = {
  /** NACE of the EU, or NAICS of North America. */
  readonly scheme: BusinessActivityScheme
  /** Code of six digits. */
  readonly code: string
  /** Text for people. */
  readonly description: string
}

export type ExpectedBusiness = {
  /** What it expects to pay and receive in a month. */
  readonly monthly_volume: Money
  /** Currencies of its payments. */
  readonly currencies: readonly string[]
  /** Countries of its payers and payees. */
  readonly countries: readonly string[]
}

export type Money = {
  /** Amount: a decimal. */
  readonly amount: string
  /** Currency (ISO 4217) or coin. */
  readonly currency: string
}

export type OnboardingPerson = {
  /** Id. */
  readonly id: string
  /** Roles whose members may approve the step. */
  readonly roles: readonly OnboardingPersonRoles[]
  /** Name. */
  readonly name: string | null
  /** Day of birth. */
  readonly born_on: string | null
  /** Country of the nationality. */
  readonly nationality: string | null
  /** Address in lines. */
  readonly address: PostalAddress | null
  /** Tax number, or that of the document. */
  readonly identity_number: string | null
  /** Percent that an owner holds, direct or not. */
  readonly share: string | null
  /** A member, who fills in their own part. */
  readonly is_member: boolean
  /** Id of the person. */
  readonly user_id: string | null
  /** Instant when it was made. */
  readonly inserted_at: string
}

export type OnboardingDocument = {
  /** Id. */
  readonly id: string
  /** Kind. */
  readonly kind: OnboardingDocumentKind
  /** Person of an `identity`. */
  readonly person_id: string | null
  /** Name of the file. */
  readonly file_name: string
  /** Size in bytes. */
  readonly byte_size: number
  /** Media type. */
  readonly content_type: string
  /** `awaiting_upload` until its file is there; `sealed` once it was submitted, and is kept encrypted. */
  readonly status: OnboardingDocumentStatus
  /** Hash of its bytes; null before they are there. */
  readonly sha256: string | null
  /** Instant when it was made. */
  readonly inserted_at: string
}

export type OnboardingReview = {
  /** `service`, or the connection whose provider verifies. */
  readonly reviewer: string
  /** Status. */
  readonly status: OnboardingReviewStatus
  /** Instant of the status. */
  readonly since: string
}

export type UploadSlot = {
  /** Id of the file. */
  readonly id: string
  /** Name of the file. */
  readonly file_name: string
  /** Size in bytes. */
  readonly byte_size: number
  /** Media type. */
  readonly content_type: string
  /** Method of the upload: PUT. */
  readonly method: 'PUT'
  /** Address for the PUT; it needs no bearer. */
  readonly upload_url: string
  /** Headers that the PUT must have. */
  readonly headers: UploadHeaders
  /** Instant when it expires. */
  readonly expires_at: string
}

export type UploadHeaders = {
  /** Size in bytes. */
  readonly 'content-length': string
  /** Media type. */
  readonly 'content-type': string
}

export type KybStatus = {
  /** `needs_more`: a review asks for more; `review_due`: it has to be submitted again by `due_at`. */
  readonly status: OnboardingStatus
  /** Instant of the status; null before anything is known. */
  readonly since: string | null
  /** Payments stop then unless it is verified again. */
  readonly due_at: string | null
  /** Paths of what is open, such as `documents.articles`. */
  readonly needed: readonly string[]
}

export type OrganizationSettings = {
  /** True if every member needs an authenticator app. */
  readonly requires_authenticator: boolean
  /** Characters before the number of an invoice. */
  readonly invoice_prefix: string
  /** Characters before the number of a credit note; others than before that of an invoice. */
  readonly credit_note_prefix: string
  /** Days after the due date on which the customer is reminded. */
  readonly invoice_reminder_days: readonly number[]
  /** Postal address. */
  readonly postal_address: PostalAddress | null
  /** VAT identification number. */
  readonly vat_id: string | null
  /** Person for questions about invoices. */
  readonly contact_name: string | null
  /** Phone number for questions about invoices. */
  readonly contact_phone: string | null
  /** Time zone in which days, weeks and months of limits and schedules begin: an IANA name such as `Europe/Berlin`. */
  readonly time_zone: string
  /** Instant from which the time zone counts: the midnight after it was set, in the zone before. Null: always. */
  readonly time_zone_from: string | null
  /** Hours in which a new account of a payee gets no more than the free amount, unless a call confirmed it; 0: none. */
  readonly account_change_hours: number
  /** Amount up to which a new account is paid at once; null: nothing is. */
  readonly account_change_free_amount: Money | null
  /** `warn`: an account of another name is paid if people acknowledge it; `block`: it is never paid. */
  readonly payee_check: OrganizationSettingsPayeeCheck
}

export type IpAllowList = {
  /** Networks; empty: every address is good. */
  readonly cidrs: readonly string[]
  /** Credentials that work from these networks alone. */
  readonly applies_to: readonly IpAllowListAppliesTo[]
  /** Address that this request came from. */
  readonly your_address: string
  /** Open request to lift the list; null for none. */
  readonly lift: IpAllowListLift | null
}

export type IpAllowListLift = {
  /** Owner who asked for it. */
  readonly requested_by: string
  /** Instant when the owner asked. */
  readonly requested_at: string
  /** Instant from which an only owner can confirm it alone. */
  readonly alone_from: string
  /** Instant until which it can be confirmed. */
  readonly expires_at: string
}

export type IpAllowListRemoved = {
  /** Status. */
  readonly status: 'removed'
}

export type IpAllowListLifting = {
  /** `requested`: another owner has to confirm it. */
  readonly status: IpAllowListLiftingStatus
  /** Open request; null once the list is lifted. */
  readonly lift: IpAllowListLift | null
}

export type IpAllowListLiftCancelled = {
  /** Status. */
  readonly status: 'cancelled'
}

export type MemberPage = {
  /** Items of the page. */
  readonly data: readonly Member[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type Member = {
  /** Id. */
  readonly id: string
  /** E-mail address, in lower case. */
  readonly email: string
  /** Name. */
  readonly name: string | null
  /** Role in the organization. */
  readonly role: Role
  /** Permissions that were taken from the member. */
  readonly permissions_removed: readonly Permission[]
  /** Name of the set that was taken; null for none of them. */
  readonly preset: MemberPreset | null
  /** Permissions that the member has: those of the role, without those taken. */
  readonly permissions: readonly Permission[]
  /** Instant when the person joined. */
  readonly joined_at: string
  /** True if the identity provider manages the member (SCIM). */
  readonly managed_by_scim: boolean
  /** True if an authenticator app is set up; null for callers who may not know. */
  readonly totp_enabled: boolean | null
}

export type OrganizationLeft = {
  /** Always true. */
  readonly left: true
  /** Id of the organization. */
  readonly organization_id: string
}

export type InvitationPage = {
  /** Items of the page. */
  readonly data: readonly Invitation[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type Invitation = {
  /** Id. */
  readonly id: string
  /** Id of the organization. */
  readonly organization_id: string
  /** E-mail address, in lower case. */
  readonly email: string
  /** Role in the organization. */
  readonly role: Role
  /** Status. */
  readonly status: InvitationStatus
  /** Instant when it was accepted. */
  readonly accepted_at: string | null
  /** Id of the approval that decides it; null if none is needed. */
  readonly approval_request_id: string | null
  /** Instant when it expires. */
  readonly expires_at: string
  /** Instant when it was made. */
  readonly inserted_at: string
  /** True if an account has this address. */
  readonly user_exists: boolean
  /** Set of permissions that is taken from the person who joins; null for none of them. */
  readonly preset: MemberPreset | null
  /** True if the person may have a card. */
  readonly card_approved: boolean
  /** Amount that the card may spend in a month, in the currency of the organization. */
  readonly card_limit: number | null
}

export type OwnInvitation = {
  /** Id. */
  readonly id: string
  /** Id of the organization. */
  readonly organization_id: string
  /** E-mail address, in lower case. */
  readonly email: string
  /** Role in the organization. */
  readonly role: Role
  /** Status. */
  readonly status: InvitationStatus
  /** Instant when it was accepted. */
  readonly accepted_at: string | null
  /** Id of the approval that decides it; null if none is needed. */
  readonly approval_request_id: string | null
  /** Instant when it expires. */
  readonly expires_at: string
  /** Instant when it was made. */
  readonly inserted_at: string
  /** True if an account has this address. */
  readonly user_exists: boolean
  /** Set of permissions that is taken from the person who joins; null for none of them. */
  readonly preset: MemberPreset | null
}

export type ApiKeyWithSecret = {
  /** Id. */
  readonly id: string
  /** Id of the organization. */
  readonly organization_id: string
  /** Name. */
  readonly name: string
  /** Role in the organization. */
  readonly role: ApiKeyRole
  /** Operations that the key may call. */
  readonly scopes: readonly ApiKeyScope[]
  /** Environment of the key: `live` or `test`. */
  readonly environment: Environment
  /** Eight characters of the key, by which it is recognized. */
  readonly lookup: string
  /** Status. */
  readonly status: ApiKeyStatus
  /** Id of the person who made it. */
  readonly created_by: string
  /** Instant when it was made. */
  readonly inserted_at: string
  /** Instant when it was last used. */
  readonly last_used_at: string | null
  /** Instant when the secret was last rotated. */
  readonly rotated_at: string | null
  /** Instant until which the previous secret also works. */
  readonly previous_secret_expires_at: string | null
  /** Instant when the key was revoked. */
  readonly revoked_at: string | null
  /** Secret; it is shown only here. */
  readonly secret: string
}

export type ApiKeyPage = {
  /** Items of the page. */
  readonly data: readonly ApiKey[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type ApiKey = {
  /** Id. */
  readonly id: string
  /** Id of the organization. */
  readonly organization_id: string
  /** Name. */
  readonly name: string
  /** Role in the organization. */
  readonly role: ApiKeyRole
  /** Operations that the key may call. */
  readonly scopes: readonly ApiKeyScope[]
  /** Environment of the key: `live` or `test`. */
  readonly environment: Environment
  /** Eight characters of the key, by which it is recognized. */
  readonly lookup: string
  /** Status. */
  readonly status: ApiKeyStatus
  /** Id of the person who made it. */
  readonly created_by: string
  /** Instant when it was made. */
  readonly inserted_at: string
  /** Instant when it was last used. */
  readonly last_used_at: string | null
  /** Instant when the secret was last rotated. */
  readonly rotated_at: string | null
  /** Instant until which the previous secret also works. */
  readonly previous_secret_expires_at: string | null
  /** Instant when the key was revoked. */
  readonly revoked_at: string | null
}

export type DelegateWithSecret = {
  /** Id. */
  readonly id: string
  /** Id of the organization. */
  readonly organization_id: string
  /** Id of the person. */
  readonly user_id: string
  /** Name. */
  readonly name: string
  /** A program that follows rules, or an agent that decides what to do next. */
  readonly kind: DelegateWithSecretKind
  /** What the delegate may do: read. */
  readonly access: DelegateWithSecretAccess
  /** Network addresses, or networks, that the delegate is taken from; empty: any. */
  readonly allowed_addresses: readonly string[]
  /** Instant when it expires. */
  readonly expires_at: string
  /** Instant when it was last used. */
  readonly last_used_at: string | null
  /** Network address that changed the secret into a token last. */
  readonly last_used_address: string | null
  /** Instant when the secret was last rotated. */
  readonly rotated_at: string | null
  /** Instant until which the previous secret also works. */
  readonly previous_secret_expires_at: string | null
  /** Instant when it ended; null while it goes on. */
  readonly ended_at: string | null
  /** Why the delegate ended; null if it did not, or if its time is over. */
  readonly end_reason: DelegateWithSecretEndReason | null
  /** Instant when it was made. */
  readonly inserted_at: string
  /** Secret; it is shown only here. */
  readonly secret: string
}

export type DelegatePage = {
  /** Items of the page. */
  readonly data: readonly Delegate[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type Delegate = {
  /** Id. */
  readonly id: string
  /** Id of the organization. */
  readonly organization_id: string
  /** Id of the person. */
  readonly user_id: string
  /** Name. */
  readonly name: string
  /** A program that follows rules, or an agent that decides what to do next. */
  readonly kind: DelegateWithSecretKind
  /** What the delegate may do: read. */
  readonly access: DelegateWithSecretAccess
  /** Network addresses, or networks, that the delegate is taken from; empty: any. */
  readonly allowed_addresses: readonly string[]
  /** Instant when it expires. */
  readonly expires_at: string
  /** Instant when it was last used. */
  readonly last_used_at: string | null
  /** Network address that changed the secret into a token last. */
  readonly last_used_address: string | null
  /** Instant of the latest secret; null: the first. */
  readonly rotated_at: string | null
  /** The secret before the latest works until then, or until the latest is used. */
  readonly previous_secret_expires_at: string | null
  /** Instant when it ended; null while it goes on. */
  readonly ended_at: string | null
  /** Why the delegate ended; null if it did not, or if its time is over. */
  readonly end_reason: DelegateWithSecretEndReason | null
  /** Instant when it was made. */
  readonly inserted_at: string
}

export type OAuthClient = {
  /** Id of the client: the address of its description, or `bfs`. */
  readonly client_id: string
  /** Name that the client gives itself. */
  readonly name: string
  /** Host of its description, which the name cannot be checked against otherwise; null for our own. */
  readonly host: string | null
  /** A program that follows rules, or an agent that decides what to do next. */
  readonly kind: DelegateWithSecretKind
  /** Address that the browser returns to, with the code. */
  readonly redirect_uri: string
}

export type AuthorizationCode = {
  /** Code that the client changes into a token, once. */
  readonly code: string
  /** Seconds until the code ends. */
  readonly expires_in: number
  /** Id of the delegate. */
  readonly delegate_id: string
}

export type OAuthToken = {
  /** Token of a session. */
  readonly access_token: string
  /** Always Bearer. */
  readonly token_type: 'Bearer'
  /** Seconds until the token ends at the latest. */
  readonly expires_in: number
  /** Organization that the token is good for. */
  readonly organization_id: string
  /** Secret by which the next token is got; it replaces the one before. */
  readonly refresh_token?: string
  /** What the delegate may do. */
  readonly scope?: DelegateWithSecretAccess
}

export type ResourceMetadata = {
  /** Address that tokens are taken at. */
  readonly resource: string
  /** Name of the service. */
  readonly resource_name: string
  /** Services that give tokens. */
  readonly authorization_servers: readonly string[]
  /** What delegates may do. */
  readonly scopes_supported: readonly DelegateWithSecretAccess[]
  /** Ways to send a token. */
  readonly bearer_methods_supported: readonly 'header'[]
}

export type ServerMetadata = {
  /** Identity of this service, as answers of the page name it. */
  readonly issuer: string
  /** Page on which a person connects a client. */
  readonly authorization_endpoint: string
  /** Address of tokens. */
  readonly token_endpoint: string
  /** What delegates may do. */
  readonly scopes_supported: readonly DelegateWithSecretAccess[]
  /** What the page answers. */
  readonly response_types_supported: readonly 'code'[]
  /** How the page answers. */
  readonly response_modes_supported: readonly 'query'[]
  /** What is changed into a token. */
  readonly grant_types_supported: readonly ServerMetadataGrantTypesSupported[]
  /** Ways of a client to say who it is. */
  readonly token_endpoint_auth_methods_supported: readonly ServerMetadataTokenEndpointAuthMethodsSupported[]
  /** Kinds of challenges. */
  readonly code_challenge_methods_supported: readonly 'S256'[]
  /** True: the id of a client is the address of its description. */
  readonly client_id_metadata_document_supported: boolean
  /** True: answers of the page name the issuer (RFC 9207). */
  readonly authorization_response_iss_parameter_supported: boolean
}

export type IdentityProvider = {
  /** Id. */
  readonly id: string
  /** Id of the organization. */
  readonly organization_id: string
  /** Address that the provider is known by. */
  readonly issuer: string
  /** Id of this service at the provider. */
  readonly client_id: string
  /** True if members with an address of a proved domain sign in there alone. */
  readonly required: boolean
  /** Address that the provider sends people back to. */
  readonly redirect_uri: string
  /** Address at which the provider ends sessions (back-channel logout). */
  readonly logout_uri: string
  /** Domains, the oldest first. */
  readonly domains: readonly IdentityProviderDomain[]
  /** Instant when it was made. */
  readonly inserted_at: string
}

export type IdentityProviderDomain = {
  /** Domain of mail addresses, as name servers know it. */
  readonly domain: string
  /** Name of the TXT record that proves the domain. */
  readonly record_name: string
  /** Text of that record. */
  readonly record_value: string
  /** Instant when the record was seen; null until then. */
  readonly proved_at: string | null
}

export type IdentityProviderDisconnected = {
  /** Status. */
  readonly status: 'disconnected'
}

export type ProviderSignIn = {
  /** Page of the provider, on which the person signs in. */
  readonly authorize_url: string
  /** Token that completes this sign-in: it stays with the client that began it. */
  readonly attempt_token: string
  /** Name of the organization whose provider it is. */
  readonly organization_name: string
  /** Instant when it expires. */
  readonly expires_at: string
}

export type ProviderSignInAnswer = Authenticated | IdentityLinkRequired

export type IdentityLinkRequired = {
  /** Status. */
  readonly status: 'link_required'
  /** Id of the organization. */
  readonly organization_id: string
  /** Name of the organization whose provider it is. */
  readonly organization_name: string
  /** Instant when it expires. */
  readonly expires_at: string
}

export type IdentityLink = {
  /** Id. */
  readonly id: string
  /** Id of the organization. */
  readonly organization_id: string
  /** Id of the person. */
  readonly user_id: string
  /** Name of the person at the provider. */
  readonly subject: string
  /** Instant when it was made. */
  readonly inserted_at: string
}

export type ScimTokenPage = {
  /** Items of the page. */
  readonly data: readonly ScimToken[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type ScimToken = {
  /** Id. */
  readonly id: string
  /** Id of the organization. */
  readonly organization_id: string
  /** Name. */
  readonly name: string
  /** Id of the person who made it. */
  readonly created_by: string
  /** Instant when it was made. */
  readonly inserted_at: string
  /** Instant when it was last used. */
  readonly last_used_at: string | null
  /** Instant when the key was revoked. */
  readonly revoked_at: string | null
}

export type ScimTokenWithSecret = {
  /** Id. */
  readonly id: string
  /** Id of the organization. */
  readonly organization_id: string
  /** Name. */
  readonly name: string
  /** Id of the person who made it. */
  readonly created_by: string
  /** Instant when it was made. */
  readonly inserted_at: string
  /** Instant when it was last used. */
  readonly last_used_at: string | null
  /** Instant when the key was revoked. */
  readonly revoked_at: string | null
  /** Address that the provider sends requests to. */
  readonly scim_url: string
  /** Secret; it is shown only here. */
  readonly secret: string
}

export type ScimGroupPage = {
  /** Items of the page. */
  readonly data: readonly ScimGroup[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type ScimGroup = {
  /** Id. */
  readonly id: string
  /** Id of the organization. */
  readonly organization_id: string
  /** Name of the group at the provider. */
  readonly display_name: string
  /** Number of users in the group. */
  readonly members: number
  /** Role that its members have here; null: the group gives none. */
  readonly role: ApiKeyRole | null
  /** Set of permissions that is taken from the role. */
  readonly preset: MemberPreset | null
  /** Instant when it was made. */
  readonly inserted_at: string
}

export type ApprovalPage = {
  /** Items of the page. */
  readonly data: readonly ListedApproval[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
  /** Number of approvals that wait, whatever the filters. */
  readonly pending_count: number
  /** True if the caller can decide one of them. */
  readonly can_take_action: boolean
  /** Id of the organization. */
  readonly organization_id: string
}

export type ListedApproval = {
  /** Id of the approval. */
  readonly approval_id: string
  /** Id of what is to be approved. */
  readonly target_id: string
  /** What is to be approved. */
  readonly action_type: ListedApprovalActionType
  /** Kind of what is to be approved. */
  readonly target_type: ListedApprovalTargetType
  /** Status. */
  readonly status: ListedApprovalStatus
  /** Null until it is approved; of several, the last. */
  readonly approver: ApprovalPerson | null
  /** Person who asked. */
  readonly requester: ApprovalPerson
  /** E-mail address of the approver who decided. */
  readonly approver_email: string | null
  /** E-mail address of the requester. */
  readonly requester_email: string | null
  /** Name of the requester. */
  readonly requester_name: string | null
  /** Instant when it was made. */
  readonly created_at: string
  /** Instant of the decision. */
  readonly processed_at: string | null
  /** Reason that the approver gave. */
  readonly rejection_reason: string | null
  /** True if it was rejected to be changed and asked for again. */
  readonly sent_back: boolean
  /** Sentence for people that says what it is about. */
  readonly summary: string | null
  /** What is to be approved, as it was asked for. */
  readonly subject: ApprovalTarget
  /** Instant when it expires. */
  readonly expires_at: string
  /** True if the caller can decide. */
  readonly can_take_action: boolean
  /** True if an approval by the caller would count for another member. */
  readonly as_substitute: boolean
  /** Amount that leaves the balance with the approval. Null if none does, it is decided, or `with_warnings` is not set. */
  readonly money: Money | null
  /** Warnings as of a single approval. Null unless `with_warnings` asks for them. */
  readonly warnings: readonly (ListedApprovalWarnings | (string & {}))[] | null
}

export type ApprovalPerson = {
  /** Id. */
  readonly id: string
  /** E-mail address, in lower case. */
  readonly email: string
  /** Given name. */
  readonly first_name: string | null
  /** Family name. */
  readonly last_name: string | null
  /** Name. */
  readonly name: string | null
}

export type ApprovalTarget = InternalTransferTarget | FiatOutgoingTarget | CryptoOutgoingTarget | BillingInvoiceTarget | PaymentContactTarget | OrganizationInvitationTarget | PaymentBatchTarget

export type InternalTransferTarget = {
  /** Kind. */
  readonly type: 'internal_transfer'
  /** Payment within the service. */
  readonly internal_transfer: InternalTransferView
}

export type InternalTransferView = {
  /** Id. */
  readonly id: string
  /** Amount that arrives, in `currency`. */
  readonly amount: string
  /** Deducted amount, fees included; null if that is in another currency. */
  readonly amount_with_fees: string | null
  /** Currency (ISO 4217) or coin. */
  readonly currency: string
  /** Day on which it is paid, in the time zone of the organization; none: at once. */
  readonly execute_on?: string
  /** Instant when it was made. */
  readonly created_at: string
  /** Destination of the payment. */
  readonly destination: InternalTransferDestination
  /** Another account than the payee was last paid at: both, side by side; null if it is the same. */
  readonly account_change: AccountChange | null
  /** Notes that only members see. */
  readonly internal_notes: string | null
  /** Payee. */
  readonly payment_contact: ApprovalPayee
  /** Reason of the payment. */
  readonly payout_reason: string
  /** Text for the statement of the payee. */
  readonly statement_description: string
  /** State of the payment. */
  readonly state: string
  /** Tag of the payment. */
  readonly tag: string | null
}

export type InternalTransferDestination = {
  /** Id. */
  readonly id: string
  /** Handle of the organization, `@name`: others pay to it. */
  readonly svc_id: string
}

export type AccountChange = {
  /** Account that was paid until now. */
  readonly old: ChangedAccount
  /** Account that is to be paid. */
  readonly new: ChangedAccount
  /** People who added the destination, made it the default, or brought the account with a bill or a row. */
  readonly changed_by: readonly AccountChangePerson[]
  /** Instant since when the account can be paid. */
  readonly changed_at: string
  /** Payments to the old account. */
  readonly paid_to_old: PaidToOldAccount
  /** Call by which another person confirmed the account; null without one. */
  readonly call_back: AccountCallBack | null
}

export type ChangedAccount = {
  /** Id of the destination; null for an account that a row of a batch names. */
  readonly destination_id: string | null
  /** How it is paid. */
  readonly type: ChangedAccountType
  /** IBAN, number or address, masked; or the service ID. */
  readonly account: string | null
  /** Holder of a bank account; the network of a wallet, and an ellipsis for a service ID. */
  readonly account_holder_name: string
  /** Country (ISO 3166-1 alpha-2). */
  readonly country_code: string
  /** Currency (ISO 4217) or coin. */
  readonly currency: string
}

export type AccountChangePerson = {
  /** Id. */
  readonly id: string
  /** Name of the person. */
  readonly name: string | null
}

export type PaidToOldAccount = {
  /** Number of payments. */
  readonly count: number
  /** Sums that arrived, by currency. */
  readonly totals: readonly Money[]
  /** Instant when the last one was asked for. */
  readonly last_at: string
}

export type AccountCallBack = {
  /** Person who called. */
  readonly confirmed_by: AccountChangePerson
  /** Instant when the call was recorded. */
  readonly confirmed_at: string
  /** Person at the payee who confirmed the account. */
  readonly spoken_to: string
  /** What else is worth knowing of the call. */
  readonly note: string | null
}

export type ApprovalPayee = {
  /** Id. */
  readonly id: string
  /** Name. */
  readonly name: string
  /** Instant when it was deleted. */
  readonly deleted_at: string | null
}

export type FiatOutgoingTarget = {
  /** Kind. */
  readonly type: 'fiat_outgoing'
  /** Payment by bank. */
  readonly fiat_outgoing: FiatOutgoingView
}

export type FiatOutgoingView = {
  /** Id. */
  readonly id: string
  /** Amount that arrives, in `currency`. */
  readonly amount: string
  /** Deducted amount, fees included; null if that is in another currency. */
  readonly amount_with_fees: string | null
  /** Currency (ISO 4217) or coin. */
  readonly currency: string
  /** Amount that is deducted, fees included. */
  readonly deducting: Money
  /** Amount that arrives. */
  readonly landing: Money
  /** Fee. */
  readonly fee: Money
  /** Rate: target for one source. Null if nothing is exchanged. */
  readonly rate: string | null
  /** Day on which it is paid, in the time zone of the organization; none: at once. */
  readonly execute_on?: string
  /** The most that may be deducted on the day, since the rate is that of the day. */
  readonly max_deducting?: Money
  /** Who pays, as the order names it; null: it names none. */
  readonly payer: Payer | null
  /** What the bank says about the name of the account; null if no bank account is paid, or it was not asked. */
  readonly payee_check: ApprovalPayeeCheck | null
  /** Instant when it was made. */
  readonly created_at: string
  /** Destination of the payment. */
  readonly destination: FiatOutgoingDestination
  /** Address with which the payee is paid; null: none. */
  readonly payee_address: PayeeAddress | null
  /** Another account than the payee was last paid at: both, side by side; null if it is the same. */
  readonly account_change: AccountChange | null
  /** Notes that only members see. */
  readonly internal_notes: string | null
  /** Payee. */
  readonly payment_contact: ApprovalPayee
  /** Reason of the payment. */
  readonly payout_reason: string
  /** Text for the statement of the payee. */
  readonly statement_description: string
  /** State of the payment. */
  readonly state: string
  /** Tag of the payment. */
  readonly tag: string | null
}

export type Payer = {
  /** Name. */
  readonly name: string
  /** Address in lines. */
  readonly address: PostalAddress
}

export type ApprovalPayeeCheck = {
  /** Id. */
  readonly id: string
  /** `match`, `close_match` with the name, `no_match`, or `not_possible` with the reason. */
  readonly result: ApprovalPayeeCheckResult
  /** Name that the bank knows, of a close match; else null. */
  readonly name: string | null
  /** Reason why the bank could not compare; else null. */
  readonly reason: ApprovalPayeeCheckReason | (string & {}) | null
  /** Instant of the check. */
  readonly checked_at: string
  /** Name that the bank was asked about. */
  readonly holder: string
}

export type FiatOutgoingDestination = {
  /** Id. */
  readonly id: string
  /** IBAN, number or address; masked. */
  readonly account: string | null
  /** Name of the account holder. */
  readonly account_holder_name: string
  /** Holder under which a contact has the account, if another one is named here; null if none differs. The bank is asked about the one that is named here, and the order names that one. */
  readonly known_holder: string | null
  /** Country (ISO 3166-1 alpha-2). */
  readonly country_code: string
  /** Currency (ISO 4217) or coin. */
  readonly currency: string
}

export type PayeeAddress = {
  /** Name of the street. */
  readonly street: string | null
  /** Number of the building. */
  readonly building_number: string | null
  /** Postal code. */
  readonly postal_code: string | null
  /** Town. */
  readonly town: string
  /** Country of the address (ISO 3166-1 alpha-2, or XK), whatever that of the account is. */
  readonly country_code: string
  /** State, province or county. */
  readonly region: string | null
  /** How a bank gets it: in Latin letters, digits and few signs; null if that is as it is written. */
  readonly transliterated: TransliteratedAddress | null
}

export type TransliteratedAddress = {
  /** Name of the street. */
  readonly street: string | null
  /** Number of the building. */
  readonly building_number: string | null
  /** Postal code. */
  readonly postal_code: string | null
  /** Town. */
  readonly town: string
  /** State, province or county. */
  readonly region: string | null
}

export type CryptoOutgoingTarget = {
  /** Kind. */
  readonly type: 'crypto_outgoing'
  /** Payment by blockchain. */
  readonly crypto_outgoing: CryptoOutgoingView
}

export type CryptoOutgoingView = {
  /** Id. */
  readonly id: string
  /** Amount that arrives, in `currency`. */
  readonly amount: string
  /** Deducted amount, fees included; null if that is in another currency. */
  readonly amount_with_fees: string | null
  /** Currency (ISO 4217) or coin. */
  readonly currency: string
  /** Coin. */
  readonly coin: CryptoCoin
  /** Day on which it is paid, in the time zone of the organization; none: at once. */
  readonly execute_on?: string
  /** Instant when it was made. */
  readonly created_at: string
  /** Destination of the payment. */
  readonly destination: CryptoOutgoingDestination
  /** Who pays, as the order names it; null: it names none. */
  readonly payer: Payer | null
  /** Notes that only members see. */
  readonly internal_notes: string | null
  /** Another account than the payee was last paid at: both, side by side; null if it is the same. */
  readonly account_change: AccountChange | null
  /** Payee. */
  readonly payment_contact: ApprovalPayee
  /** State of the payment. */
  readonly state: string
  /** Tag of the payment. */
  readonly tag: string | null
  /** Id of the transaction on the network. */
  readonly txid: string | null
}

export type CryptoCoin = {
  /** Code of the coin at the custodian. */
  readonly custody_code: string
  /** Name for people. */
  readonly display_name: string
  /** Id. */
  readonly id: string
  /** Name for the person who pays, for example "Salary account". */
  readonly label: string
  /** Network of the coin. */
  readonly network: string
  /** Name of the network. */
  readonly network_name: string
  /** Symbol of the coin. */
  readonly symbol: string
}

export type CryptoOutgoingDestination = {
  /** Id. */
  readonly id: string
  /** Address on the network. */
  readonly address: string
  /** Memo or tag that names the account where many share one address. */
  readonly memo?: string
}

export type BillingInvoiceTarget = {
  /** Kind. */
  readonly type: 'billing_invoice'
  /** Invoice. */
  readonly billing_invoice: BillingInvoiceView
  /** Credit note that waits; absent if the invoice itself waits. */
  readonly credit_note?: CreditNoteView
}

export type BillingInvoiceView = {
  /** Id. */
  readonly id: string
  /** Customer. */
  readonly contact: BillingInvoiceContact
  /** Sum: a decimal. */
  readonly total: string
  /** Currency (ISO 4217) or coin. */
  readonly currency: string
  /** Day on which it is due. */
  readonly due_date: string
  /** Day of issue. */
  readonly issue_date: string | null
  /** Day of delivery; null: the day of issue, or the period. */
  readonly delivery_date: string | null
  /** Period of the supply (BG-14). */
  readonly period: BillingInvoicePeriod | null
  /** Order number of the customer (BT-13). */
  readonly order_number: string | null
  /** Reference of the buyer, for example a purchase order or a Leitweg-ID. */
  readonly buyer_reference: string | null
  /** Text above the lines. */
  readonly comments: string | null
  /** Lines. */
  readonly line_items: readonly InvoiceLine[]
  /** Discounts on the whole invoice, shared out over the taxes of its lines. */
  readonly discounts: readonly InvoiceAdjustment[]
  /** Charges on the whole invoice; without a tax shared out over those of its lines. */
  readonly charges: readonly InvoiceAdjustment[]
  /** Discounts for payment within so many days, the earliest first. */
  readonly early_payment_discounts: readonly EarlyPaymentDiscount[]
  /** Files in the message. */
  readonly attachments: readonly BillingInvoiceAttachment[]
  /** Number without gaps, given when the invoice is sent; null before. */
  readonly number: null
  /** Instant when it was made. */
  readonly created_at: string
}

export type BillingInvoiceContact = {
  /** Id. */
  readonly id: string
  /** Name of the company. */
  readonly company_name: string
  /** E-mail addresses. */
  readonly emails: readonly string[] | null
}

export type BillingInvoicePeriod = {
  /** First day. */
  readonly from: string
  /** Last day. */
  readonly to: string
}

export type InvoiceLine = {
  /** Text for people. */
  readonly description: string
  /** Price of one unit, without tax: a decimal. */
  readonly price: string
  /** Quantity: a decimal. */
  readonly quantity: string
  /** Tax in percent: a decimal. */
  readonly tax_percentage: string
  /** Sum of the line, without tax: a decimal. */
  readonly total: string
  /** Category of the tax (UNTDID 5305). */
  readonly tax_category: TaxCategory
  /** Reason why no tax is charged. */
  readonly tax_exemption_reason: string | null
  /** Unit of the quantity (UN/ECE Recommendation 20 or 21); absent: C62, one. */
  readonly unit: InvoiceLineUnit
  /** Discount on the line. */
  readonly discount: InvoiceLineAdjustment | null
  /** Charge on the line. */
  readonly charge: InvoiceLineAdjustment | null
}

export type InvoiceLineAdjustment = {
  /** Reason for people. */
  readonly reason: string | null
  /** Percentage: a decimal; either this or the amount. */
  readonly percentage: string | null
  /** Amount: a decimal. */
  readonly amount: string | null
  /** Sum that it is taken of: a decimal. */
  readonly base: string
  /** Sum of the discount or charge: a decimal. */
  readonly total: string
}

export type InvoiceAdjustment = {
  /** Reason for people. */
  readonly reason: string | null
  /** Percentage: a decimal; either this or the amount. */
  readonly percentage: string | null
  /** Amount: a decimal. */
  readonly amount: string | null
  /** Sum of the discount or charge, without tax: a decimal. */
  readonly total: string
  /** Parts by tax. */
  readonly taxes: readonly InvoiceAdjustmentTax[]
}

export type InvoiceAdjustmentTax = {
  /** Tax in percent: a decimal. */
  readonly tax_percentage: string
  /** Category of the tax (UNTDID 5305). */
  readonly tax_category: TaxCategory
  /** Reason why no tax is charged. */
  readonly tax_exemption_reason: string | null
  /** Sum of the lines that it is taken of: a decimal. */
  readonly base: string
  /** Amount: a decimal. */
  readonly amount: string
}

export type EarlyPaymentDiscount = {
  /** Discount in percent: a decimal. */
  readonly percentage: string
  /** Days after the day of issue. */
  readonly days: number
}

export type BillingInvoiceAttachment = {
  /** Id of the file. */
  readonly file_id: string
  /** Name of the file. */
  readonly filename: string
  /** Media type. */
  readonly content_type: BillingInvoiceAttachmentContentType
  /** Size in bytes. */
  readonly byte_size: number
  /** Text for people. */
  readonly description: string | null
  /** SHA-256 of the bytes, in hex. */
  readonly sha256: string
}

export type CreditNoteView = {
  /** Id. */
  readonly id: string
  /** Number of the invoice. */
  readonly invoice_number: string
  /** Sum: a decimal. */
  readonly total: string
  /** Currency (ISO 4217) or coin. */
  readonly currency: string
  /** Day of issue. */
  readonly issue_date: string
  /** Reason, which the customer reads. */
  readonly reason: string
  /** Lines. */
  readonly line_items: readonly InvoiceLine[]
  /** Discounts on the whole invoice, shared out over the taxes of its lines. */
  readonly discounts: readonly InvoiceAdjustment[]
  /** Charges on the whole invoice; without a tax shared out over those of its lines. */
  readonly charges: readonly InvoiceAdjustment[]
  /** Instant when it was made. */
  readonly created_at: string
}

export type PaymentContactTarget = {
  /** Kind. */
  readonly type: 'payment_contact'
  /** Payment contact. */
  readonly payment_contact: PaymentContactView
}

export type PaymentContactView = {
  /** Id. */
  readonly id: string
  /** Name. */
  readonly name: string
  /** Name as soon as its approval is given; null if it stays. */
  readonly becomes_name: string | null
  /** Kind. */
  readonly type: string
  /** E-mail address, in lower case. */
  readonly email: string | null
  /** Tag of the payment. */
  readonly tag: string | null
  /** Postal address of the payee, with town and country at least: one line each, at most 140 characters. Null: none. */
  readonly payee_address: PayeeAddress | null
  /** Status. */
  readonly status: string
  /** Instant when it was made. */
  readonly created_at: string
  /** Instant when it was deleted. */
  readonly deleted_at: string | null
  /** Other payees whose name looks the same, at most five, as they were when it was asked for. */
  readonly looks_like: readonly PaymentContactAlike[]
  /** Destinations of the contact. */
  readonly destinations: readonly PaymentContactViewDestination[]
}

export type PaymentContactAlike = {
  /** Id of the payment contact. */
  readonly payment_contact_id: string
  /** Name. */
  readonly name: string
}

export type PaymentContactViewDestination = {
  /** Id. */
  readonly id: string
  /** Kind. */
  readonly type: string
  /** Name for the person who pays, for example "Salary account". */
  readonly label: string | null
  /** Handle of the organization, `@name`: others pay to it. */
  readonly svc_id: string | null
  /** End of the bank account; the destination has the rest. */
  readonly account: string | null
  /** Name of the holder of a bank account; else null. */
  readonly account_holder_name: string | null
  /** Country of a bank account; else null. */
  readonly country_code: string | null
  /** Currency or coin that it is paid in. */
  readonly currency: string | null
  /** Network of a wallet; else null. */
  readonly network: string | null
  /** Whole address of a wallet; else null. */
  readonly address: string | null
  /** Memo of a wallet; else null. */
  readonly memo: string | null
  /** True if payments go to it now. */
  readonly default: boolean
  /** True if it is asked for with this approval. */
  readonly new: boolean
  /** True if payments go to it as soon as its approval is given. */
  readonly becomes_default: boolean
  /** Postal address of the payee, with town and country at least: one line each, at most 140 characters. Null: none. */
  readonly payee_address: PayeeAddress | null
  /** Answer of the bank before it was asked for; null if it was not asked. */
  readonly payee_check: ApprovalPayeeCheck | null
}

export type OrganizationInvitationTarget = {
  /** Kind. */
  readonly type: 'organization_invitation'
  /** Invitation. */
  readonly organization_invitation: OrganizationInvitationView
}

export type OrganizationInvitationView = {
  /** Id. */
  readonly id: string
  /** E-mail address, in lower case. */
  readonly email: string
  /** Role in the organization. */
  readonly role: string
  /** Status. */
  readonly status: string
  /** True if the person may have a card. */
  readonly card_approved: boolean
  /** Amount that the card may spend in a month, in the currency of the organization. */
  readonly card_limit: number | null
  /** Set of permissions that is taken; null for none. */
  readonly preset: MemberPreset | null
  /** Instant when it was made. */
  readonly created_at: string
  /** Instant when it expires. */
  readonly expires_at: string
}

export type PaymentBatchTarget = {
  /** Kind. */
  readonly type: 'payment_batch'
  /** Payment batch. */
  readonly payment_batch: PaymentBatchView
}

export type PaymentBatchView = {
  /** Id. */
  readonly id: string
  /** Name. */
  readonly name: string
  /** Number of rows that will be paid. */
  readonly rows: number
  /** Sums of the valid rows by currency, without fees. */
  readonly totals: readonly Money[]
  /** Fees on top of the totals. */
  readonly fees: readonly Money[]
  /** Ten largest rows, compared as numbers. */
  readonly largest: readonly PaymentBatchLargestRow[]
  /** Instant when it was made. */
  readonly created_at: string
  /** Id of the file. */
  readonly file_id: string | null
  /** Number of payments to banks without an address of the payee. */
  readonly without_address: number
  /** Number of rows that name another holder than the one under which a contact has the account. */
  readonly holders_differ: number
  /** Number of rows that pay bills. */
  readonly bills: number
  /** Sums of the credit notes that are set against bills, by currency. */
  readonly credits: readonly Money[]
  /** SHA-256 of the bytes, in hex. */
  readonly sha256: string
  /** Day on which it is paid, in the time zone of the organization; none: at once. */
  readonly execute_on?: string
  /** Another account than the payee was last paid at: both, side by side; null if it is the same. */
  readonly account_change: BatchAccountChange | null
  /** Rows by bank, by what the bank says about the names of their accounts. */
  readonly payee_checks: readonly PaymentBatchPayeeCheckTotal[]
}

export type PaymentBatchLargestRow = {
  /** Number of the row, from 1. */
  readonly row_number: number
  /** Name of the payee. */
  readonly payee: string
  /** Amount: a decimal. */
  readonly amount: Money
}

export type BatchAccountChange = {
  /** Number of payees with another account than was last paid. */
  readonly payees: number
  /** Number of rows that pay them. */
  readonly rows: number
  /** Those of the largest amounts, 20 at most. */
  readonly changes: readonly ChangedAccountOfRows[]
}

export type ChangedAccountOfRows = {
  /** Number of the first of these rows. */
  readonly row_number: number
  /** Number of rows that pay the payee at this account. */
  readonly rows: number
  /** Sum of these rows. */
  readonly amount: Money
  /** Account that was paid until now. */
  readonly old: ChangedAccount
  /** Account that is to be paid. */
  readonly new: ChangedAccount
  /** People who added the destination, made it the default, or brought the account with a bill or a row. */
  readonly changed_by: readonly AccountChangePerson[]
  /** Instant since when the account can be paid. */
  readonly changed_at: string
  /** Payments to the old account. */
  readonly paid_to_old: PaidToOldAccount
  /** Call by which another person confirmed the account; null without one. */
  readonly call_back: AccountCallBack | null
}

export type PaymentBatchPayeeCheckTotal = {
  /** What the bank says; `not_possible` also for rows that it was not asked about. */
  readonly result: ApprovalPayeeCheckResult
  /** Number of these rows. */
  readonly rows: number
  /** What these rows pay, by currency. */
  readonly totals: readonly Money[]
}

export type ApprovalDetail = {
  /** Id of the approval. */
  readonly approval_id: string
  /** Id of what is to be approved. */
  readonly target_id: string
  /** What is to be approved. */
  readonly action_type: ListedApprovalActionType
  /** Kind of what is to be approved. */
  readonly target_type: ListedApprovalTargetType
  /** Status. */
  readonly status: ListedApprovalStatus
  /** Null until it is approved; of several, the last. */
  readonly approver: ApprovalPerson | null
  /** Person who asked. */
  readonly requester: ApprovalPerson
  /** E-mail address of the approver who decided. */
  readonly approver_email: string | null
  /** E-mail address of the requester. */
  readonly requester_email: string | null
  /** Name of the requester. */
  readonly requester_name: string | null
  /** Instant when it was made. */
  readonly created_at: string
  /** Instant of the decision. */
  readonly processed_at: string | null
  /** Reason that the approver gave. */
  readonly rejection_reason: string | null
  /** True if it was rejected to be changed and asked for again. */
  readonly sent_back: boolean
  /** Sentence for people that says what it is about. */
  readonly summary: string | null
  /** What is to be approved, as it was asked for. */
  readonly subject: ApprovalTarget
  /** Instant when it expires. */
  readonly expires_at: string
  /** Id of the request sent back that it follows; null if it follows none. */
  readonly former_approval_id: string | null
  /** True if the caller can decide. */
  readonly can_take_action: boolean
  /** Member on whose behalf an approval by the caller would count; null in their own role. */
  readonly acting_for: ApprovalPrincipal | null
  /** Reasons why it cannot be approved now. */
  readonly blocked_by: readonly string[]
  /** Program or agent that asked for it in the name of the requester. */
  readonly delegate: ApprovalDelegate | null
  /** Differences from how the payee was paid before; none blocks. `first_payment`, `new_country` (of the account), `account_changed`, `duplicate` (within 30 days), `unusual_amount` (over three times the median); and `by_delegate`. `payee_no_match`, `payee_close_match`: the bank knows the account under another name. `address_missing`: the bank gets no address of the payee with town and country. `similar_name`: the name looks like that of another payee. `holder_differs`: the file or bill names another holder than the one under which a contact has the account. `payer_changed`: payments before named another name or address of the organization. */
  readonly warnings: readonly (ListedApprovalWarnings | (string & {}))[]
  /** Files that belong to it; what approvers sign has their hashes. */
  readonly attachments: readonly SignedAttachment[]
  /** True if the requester may approve. */
  readonly self_approval: boolean
  /** Limits that were reached, and asked for their steps. */
  readonly limits: readonly ReachedLimit[]
  /** Steps, in their order: each must be approved. */
  readonly steps: readonly ApprovalStep[]
  /** Decisions, oldest first. */
  readonly decisions: readonly ApprovalDecision[]
}

export type ApprovalPrincipal = {
  /** Id. */
  readonly id: string
  /** Name. */
  readonly name: string | null
}

export type ApprovalDelegate = {
  /** Id. */
  readonly id: string
  /** Name. */
  readonly name: string
  /** Kind. */
  readonly kind: DelegateWithSecretKind
}

export type SignedAttachment = {
  /** Id of the file. */
  readonly file_id: string
  /** Name of the file. */
  readonly filename: string
  /** Media type. */
  readonly content_type: string
  /** Size in bytes. */
  readonly byte_size: number
  /** SHA-256 of the bytes, in hex. */
  readonly sha256: string
}

export type ReachedLimit = {
  /** Calendar period over which requests add up. */
  readonly period: ReachedLimitPeriod
  /** Whose requests add up: those of the requester, to the payee, or of the whole organization. */
  readonly per: ReachedLimitPer
  /** Amount from which the limit is reached. */
  readonly limit: Money
  /** Sum of the period with this request. */
  readonly total: Money
  /** Day of the oldest rate by which other currencies count; null without other currencies. */
  readonly rate_date: string | null
  /** Currencies without a rate: by these the limit counts as reached. */
  readonly without_rate: readonly string[]
}

export type ApprovalStep = {
  /** Number of people who must approve the step. */
  readonly required: number
  /** Roles whose members may approve the step. */
  readonly roles: readonly Role[]
  /** Ids of people who may approve the step. */
  readonly user_ids: readonly string[]
  /** Status. */
  readonly status: ApprovalStepStatus
  /** Ids of the people who approved the step. */
  readonly approved_by: readonly string[]
  /** People who may approve the step. */
  readonly approvers: readonly ApprovalStepApprover[]
}

export type ApprovalStepApprover = {
  /** Id. */
  readonly id: string
  /** Name. */
  readonly name: string | null
  /** Id of the member whose substitute the person is; null in their own role. */
  readonly on_behalf_of: string | null
}

export type ApprovalDecision = {
  /** Id of the decision. */
  readonly decision_id: string
  /** Decision. */
  readonly decision: ApprovalDecisionKind
  /** Id of the person. */
  readonly user_id: string | null
  /** Id of the member on whose behalf a substitute decided; null in the own role. */
  readonly on_behalf_of: string | null
  /** Step that the decision counts for, from 1. */
  readonly step: number | null
  /** Factor that proved the person. */
  readonly factor: string | null
  /** Remark on the decision. */
  readonly comment: string | null
  /** Instant when it happened. */
  readonly occurred_at: string
  /** Instant from which the decision no longer counts. */
  readonly voided_at: string | null
}

export type Approval = {
  /** Id of the approval. */
  readonly approval_id: string
  /** Id of what is to be approved. */
  readonly target_id: string
  /** What is to be approved. */
  readonly action_type: ListedApprovalActionType
  /** Kind of what is to be approved. */
  readonly target_type: ListedApprovalTargetType
  /** Status. */
  readonly status: ListedApprovalStatus
  /** Null until it is approved; of several, the last. */
  readonly approver: ApprovalPerson | null
  /** Person who asked. */
  readonly requester: ApprovalPerson
  /** E-mail address of the approver who decided. */
  readonly approver_email: string | null
  /** E-mail address of the requester. */
  readonly requester_email: string | null
  /** Name of the requester. */
  readonly requester_name: string | null
  /** Instant when it was made. */
  readonly created_at: string
  /** Instant of the decision. */
  readonly processed_at: string | null
  /** Reason that the approver gave. */
  readonly rejection_reason: string | null
  /** True if it was rejected to be changed and asked for again. */
  readonly sent_back: boolean
  /** Sentence for people that says what it is about. */
  readonly summary: string | null
  /** What is to be approved, as it was asked for. */
  readonly subject: ApprovalTarget
}

export type SetVerdicts = {
  /** Items of the page. */
  readonly data: readonly SetVerdict[]
}

export type SetVerdict = {
  /** Id of the approval. */
  readonly approval_id: string
  /** Status. */
  readonly status: ListedApprovalStatus | null
  /** Refusal of this decision, as in the envelope of errors. */
  readonly error?: SetVerdictError
}

export type SetVerdictError = {
  /** Kind. */
  readonly type: string
  /** Sentence that a person may read; never branch on it. */
  readonly message: string
  /** What was wrong; its members depend on the type. */
  readonly details?: Readonly<Record<string, unknown>>
}

export type Evidence = {
  /** Approval as it stands. */
  readonly approval: Approval
  /** Canonical JSON of what approvers saw. */
  readonly subject_body: string
  /** SHA-256 of `subject_body`, in hex. */
  readonly subject_hash: string
  /** Rule that the request was made under. */
  readonly policy: EvidencePolicy
  /** Steps, in their order: each must be approved. */
  readonly steps: readonly EvidenceStep[]
  /** Decisions, oldest first. */
  readonly decisions: readonly DecisionEvidence[]
  /** Events of the approval, oldest first. */
  readonly events: readonly EventEvidence[]
  /** Calls by which other persons confirmed the changed accounts, until now. */
  readonly call_backs: readonly EvidenceCallBack[]
  /** Log that the events are chained in. */
  readonly chain: EvidenceChain
}

export type EvidencePolicy = {
  /** Steps, in their order: each must be approved. */
  readonly steps: readonly EvidencePolicyStep[]
  /** True if the requester may approve. */
  readonly self_approval: boolean
  /** Hours after which an undecided request expires. */
  readonly expires_after_hours: number
  /** Ids of people who may not approve, beside the requester; absent if there are none. */
  readonly barred?: readonly string[]
  /** Limits that were reached, and asked for their steps. */
  readonly limits?: readonly ReachedLimit[]
}

export type EvidencePolicyStep = {
  /** Number of people who must approve the step. */
  readonly required: number
  /** Roles whose members may approve the step. */
  readonly roles: readonly Role[]
  /** Ids of people who may approve the step. */
  readonly user_ids: readonly string[]
}

export type EvidenceStep = {
  /** Number of people who must approve the step. */
  readonly required: number
  /** Roles whose members may approve the step. */
  readonly roles: readonly Role[]
  /** Ids of people who may approve the step. */
  readonly user_ids: readonly string[]
  /** Status. */
  readonly status: ApprovalStepStatus
  /** Ids of the people who approved the step. */
  readonly approved_by: readonly string[]
}

export type DecisionEvidence = {
  /** Id of the decision. */
  readonly decision_id: string
  /** Person who decided. */
  readonly actor: EvidenceActor | null
  /** Member on whose behalf a substitute decided; null in the own role. */
  readonly on_behalf_of: EvidencePrincipal | null
  /** Decision. */
  readonly decision: ApprovalDecisionKind
  /** Step that the decision counts for, from 1. */
  readonly step: number | null
  /** Role in the organization. */
  readonly role: Role | null
  /** Factor that proved the person. */
  readonly factor: string | null
  /** Pseudonym of the device: the same for the same device, and no id that a sign-in takes. */
  readonly device_id: string | null
  /** Remark on the decision. */
  readonly comment: string | null
  /** Instant when it happened. */
  readonly occurred_at: string
  /** Why the decision no longer counts; null if it counts. */
  readonly voided: EvidenceVoiding | null
  /** Proof that released the decision. */
  readonly step_up: StepUpEvidence | null
}

export type EvidenceActor = {
  /** Id. */
  readonly id: string
  /** E-mail address, in lower case. */
  readonly email: string
  /** Name. */
  readonly name: string | null
}

export type EvidencePrincipal = {
  /** Id. */
  readonly id: string
  /** E-mail address, in lower case. */
  readonly email: string
  /** Name. */
  readonly name: string | null
  /** Id of the substitution. */
  readonly substitution_id: string
}

export type EvidenceVoiding = {
  /** Instant. */
  readonly at: string
  /** Reason why the decision no longer counts. */
  readonly reason: string
}

export type StepUpEvidence = {
  /** Id. */
  readonly id: string
  /** Operation that is to be released. */
  readonly operation: string
  /** Id of what it is about. */
  readonly target: string
  /** Sentence for people that says what it is about. */
  readonly summary: string | null
  /** Instant when the proof was asked for. */
  readonly asked_at: string
  /** Instant of the verification. */
  readonly verified_at: string | null
  /** Instant when it released the request. */
  readonly consumed_at: string | null
  /** Ways that were offered. */
  readonly methods: readonly string[]
  /** Factor that proved the person. */
  readonly factor: string | null
  /** What the browser says a passkey signed for: base64url of clientDataJSON. Else null. */
  readonly client_data: string | null
  /** Data that the passkey signed; null for another factor. */
  readonly assertion: SignedAssertion | null
  /** Set of approvals that one proof released. */
  readonly set: StepUpEvidenceSet | null
}

export type SignedAssertion = {
  /** Public key of the passkey: COSE, in base64url. */
  readonly public_key: string
  /** Data of the authenticator, in base64url. */
  readonly authenticator_data: string
  /** Signature in base64url. */
  readonly signature: string
  /** Random text with which the target was hashed to the challenge. */
  readonly nonce: string | null
}

export type StepUpEvidenceSet = {
  /** Ids of the approvals in the set. */
  readonly targets: readonly string[]
  /** Instant when this one was decided. */
  readonly used_at: string | null
}

export type EventEvidence = {
  /** Id. */
  readonly id: string
  /** Stream of the event. */
  readonly stream: string
  /** Id of what the event is about. */
  readonly subject_id: string
  /** Kind. */
  readonly type: string
  /** Who acted. */
  readonly actor_kind: string | null
  /** Id of the person who acted. */
  readonly actor_user_id: string | null
  /** Id of the cause. */
  readonly causation_id: string | null
  /** Cause. */
  readonly cause: string
  /** Facts of the event; the members depend on its type. */
  readonly payload: Readonly<Record<string, unknown>> | null
  /** Instant when it happened. */
  readonly occurred_at: string
  /** Position in the chain; null until the event is chained. */
  readonly seq: number | null
  /** Hash of the event before, in hex. */
  readonly previous_hash: string | null
  /** Hash of the event, in hex. */
  readonly hash: string | null
  /** Canonical JSON that is hashed. */
  readonly canonical: string
}

export type EvidenceCallBack = {
  /** Id of the destination that was confirmed. */
  readonly destination_id: string
  /** Person who called. */
  readonly confirmed_by: AccountChangePerson
  /** Instant when the call was recorded. */
  readonly confirmed_at: string
  /** Person at the payee who confirmed the account. */
  readonly spoken_to: string
  /** What else is worth knowing of the call. */
  readonly note: string | null
}

export type EvidenceChain = {
  /** True if the chain reaches all events. */
  readonly complete: boolean
  /** Algorithm. */
  readonly algorithm: 'sha256'
}

export type AttachmentFile = {
  /** Id of the file. */
  readonly file_id: string
  /** Name of the file. */
  readonly filename: string
  /** Media type. */
  readonly content_type: string
  /** Size in bytes. */
  readonly byte_size: number
  /** SHA-256 of the bytes, in hex. */
  readonly sha256: string
  /** Address to download from; it needs no bearer and expires soon. */
  readonly download_url: string
  /** Instant when it expires. */
  readonly expires_at: string
}

export type Question = {
  /** Id. */
  readonly id: string
  /** Id of the approval. */
  readonly approval_id: string
  /** Person who asked. */
  readonly asked_by: QuestionPerson
  /** Person who was asked. */
  readonly to: QuestionPerson
  /** Question as it was written. */
  readonly question_text: string
  /** Instant of the question. */
  readonly asked_at: string
  /** Answers, oldest first. */
  readonly answers: readonly QuestionAnswer[]
}

export type QuestionPerson = {
  /** Id. */
  readonly id: string
  /** Name. */
  readonly name: string | null
}

export type QuestionAnswer = {
  /** Id. */
  readonly id: string
  /** Person who answered. */
  readonly answered_by: QuestionPerson
  /** Answer as it was written. */
  readonly answer_text: string
  /** Ids of files of the request. */
  readonly attachments: readonly string[]
  /** Instant of the answer. */
  readonly answered_at: string
}

export type QuestionPage = {
  /** Items of the page. */
  readonly data: readonly Question[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type AttentionItemPage = {
  /** Items of the page. */
  readonly data: readonly AttentionItem[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type AttentionItem = {
  /** Id of the item: `kind:obligation_id`. */
  readonly id: string
  /** Kind. */
  readonly kind: AttentionItemKind | (string & {})
  /** Title for people. */
  readonly title: string
  /** Sentence for people. */
  readonly summary: string
  /** Urgency: `blocking`, `action` or `info`. */
  readonly severity: AttentionItemSeverity
  /** Who sees it: the organization, or the caller alone. */
  readonly audience: AttentionItemAudience
  /** True if the caller can do it. */
  readonly actionable_by_viewer: boolean
  /** Instant since which it needs attention. */
  readonly raised_at: string
  /** Instant until which it should be done. */
  readonly due_at: string | null
  /** Path of the thing in this API. */
  readonly href: string
  /** What can be done. An item of a kind that came later has further ones. */
  readonly action: ReviewApprovalAction | QuestionAction | SentBackAction | FixBillAction | PayBillAction | CheckBankDetailsAction | UnknownSenderAction | MailWithoutBillAction | AccountChangedAction | TravelRuleAction | OnboardingMoreNeededAction | OnboardingNeededAction | PaymentOnHoldAction | PaymentScheduleFailedAction | PayeeMismatchAction | OverdueInvoiceAction | UndeliveredInvoiceAction | UndeliveredCreditNoteAction | AllocateDepositAction | FixBatchAction | CompletePayeeAction | RenewSubscriptionAction | ReconnectAccountingAction | FailingWebhookAction | FailingIdentityProviderAction | DelegateExpiringAction | ReconciliationDifferenceAction | DatabaseBehindAction | FailedExportAction | SetUpTotpAction | SetApprovalPolicyAction
  /** What it is about. An item of a kind that came later has further ones. */
  readonly subject: ApprovalSubject | QuestionSubject | BillSubject | InboundMailSubject | PaymentDestinationSubject | DepositSubject | OnboardingSubject | PaymentSubject | PaymentBatchSubject | InvoiceSubject | CreditNoteSubject | TransactionSubject | PaymentContactsSubject | SubscriptionSubject | AccountingConnectionSubject | WebhookEndpointSubject | IdentityProviderSubject | DelegateSubject | OrganizationSubject | ExportSubject | PersonSubject
}

export type ReviewApprovalAction = {
  /** Kind. */
  readonly kind: 'review_approval'
  /** Id of the approval that decides it; null if none is needed. */
  readonly approval_request_id: string
}

export type QuestionAction = {
  /** Kind. */
  readonly kind: 'question'
  /** Id of the question. */
  readonly question_id: string
  /** Id of the approval that decides it; null if none is needed. */
  readonly approval_request_id: string
}

export type SentBackAction = {
  /** Kind. */
  readonly kind: 'sent_back'
  /** Id of the approval that decides it; null if none is needed. */
  readonly approval_request_id: string
}

export type FixBillAction = {
  /** Kind. */
  readonly kind: 'fix_bill'
  /** Id of the bill. */
  readonly bill_id: string
}

export type PayBillAction = {
  /** Kind. */
  readonly kind: 'pay_bill'
  /** Id of the bill. */
  readonly bill_id: string
}

export type CheckBankDetailsAction = {
  /** Kind. */
  readonly kind: 'check_bank_details'
  /** Id of the bill. */
  readonly bill_id: string
}

export type UnknownSenderAction = {
  /** Kind. */
  readonly kind: 'unknown_sender'
  /** Id of the mail. */
  readonly inbound_mail_id: string
}

export type MailWithoutBillAction = {
  /** Kind. */
  readonly kind: 'mail_without_bill'
  /** Id of the mail. */
  readonly inbound_mail_id: string
}

export type AccountChangedAction = {
  /** Kind. */
  readonly kind: 'account_changed'
  /** Id of the payment destination. */
  readonly payment_destination_id: string
}

export type TravelRuleAction = {
  /** Kind. */
  readonly kind: 'travel_rule'
  /** Id of the deposit. */
  readonly deposit_id: string
}

export type OnboardingMoreNeededAction = {
  /** Kind. */
  readonly kind: 'onboarding_more_needed'
  /** Id of the organization. */
  readonly organization_id: string
}

export type OnboardingNeededAction = {
  /** Kind. */
  readonly kind: 'onboarding_needed'
  /** Id of the organization. */
  readonly organization_id: string
}

export type PaymentOnHoldAction = {
  /** Kind. */
  readonly kind: 'payment_on_hold'
  /** Id of the payment. */
  readonly payment_id: string
}

export type PaymentScheduleFailedAction = {
  /** Kind. */
  readonly kind: 'payment_schedule_failed'
  /** Id of the payment. */
  readonly payment_id: string | null
  /** Id of the payment batch. */
  readonly payment_batch_id: string | null
}

export type PayeeMismatchAction = {
  /** Kind. */
  readonly kind: 'payee_mismatch'
  /** Id of the payment. */
  readonly payment_id: string
  /** Id of the payment contact. */
  readonly payment_contact_id: string
}

export type OverdueInvoiceAction = {
  /** Kind. */
  readonly kind: 'overdue_invoice'
  /** Id of the invoice. */
  readonly invoice_id: string
}

export type UndeliveredInvoiceAction = {
  /** Kind. */
  readonly kind: 'undelivered_invoice'
  /** Id of the invoice. */
  readonly invoice_id: string
}

export type UndeliveredCreditNoteAction = {
  /** Kind. */
  readonly kind: 'undelivered_credit_note'
  /** Id of the credit note. */
  readonly credit_note_id: string
}

export type AllocateDepositAction = {
  /** Kind. */
  readonly kind: 'allocate_deposit'
  /** Id of the transaction. */
  readonly transaction_id: string
  /** Ids of invoices that it may pay. */
  readonly invoice_ids: readonly string[]
}

export type FixBatchAction = {
  /** Kind. */
  readonly kind: 'fix_batch'
  /** Id of the payment batch. */
  readonly payment_batch_id: string
}

export type CompletePayeeAction = {
  /** Kind. */
  readonly kind: 'complete_payee'
  /** Id of the organization. */
  readonly organization_id: string
}

export type RenewSubscriptionAction = {
  /** Kind. */
  readonly kind: 'renew_subscription'
  /** Id of the subscription. */
  readonly subscription_id: string
  /** Id of the offer. */
  readonly offer_id: string
  /** Amount that the renewal needs. */
  readonly required: Money
}

export type ReconnectAccountingAction = {
  /** Kind. */
  readonly kind: 'reconnect_accounting'
  /** Id of the connection with the accounting program. */
  readonly connection_id: string
}

export type FailingWebhookAction = {
  /** Kind. */
  readonly kind: 'failing_webhook'
  /** Id of the webhook endpoint. */
  readonly webhook_endpoint_id: string
}

export type FailingIdentityProviderAction = {
  /** Kind. */
  readonly kind: 'failing_identity_provider'
  /** Id of the identity provider. */
  readonly identity_provider_id: string
}

export type DelegateExpiringAction = {
  /** Kind. */
  readonly kind: 'delegate_expiring'
  /** Id of the delegate. */
  readonly delegate_id: string
}

export type ReconciliationDifferenceAction = {
  /** Kind. */
  readonly kind: 'reconciliation_difference'
}

export type DatabaseBehindAction = {
  /** Kind. */
  readonly kind: 'database_behind'
}

export type FailedExportAction = {
  /** Kind. */
  readonly kind: 'failed_export'
  /** Id of the export. */
  readonly export_id: string
}

export type SetUpTotpAction = {
  /** Kind. */
  readonly kind: 'set_up_totp'
}

export type SetApprovalPolicyAction = {
  /** Kind. */
  readonly kind: 'set_approval_policy'
}

export type ApprovalSubject = {
  /** Kind. */
  readonly type: 'approval'
  /** Id of the approval that decides it; null if none is needed. */
  readonly approval_request_id: string
}

export type QuestionSubject = {
  /** Kind. */
  readonly type: 'question'
  /** Id of the question. */
  readonly question_id: string
  /** Id of the approval that decides it; null if none is needed. */
  readonly approval_request_id: string
}

export type BillSubject = {
  /** Kind. */
  readonly type: 'bill'
  /** Id of the bill. */
  readonly bill_id: string
}

export type InboundMailSubject = {
  /** Kind. */
  readonly type: 'inbound_mail'
  /** Id of the mail. */
  readonly inbound_mail_id: string
}

export type PaymentDestinationSubject = {
  /** Kind. */
  readonly type: 'payment_destination'
  /** Id of the payment destination. */
  readonly payment_destination_id: string
  /** Id of the payment contact. */
  readonly payment_contact_id: string
}

export type DepositSubject = {
  /** Kind. */
  readonly type: 'deposit'
  /** Id of the deposit. */
  readonly deposit_id: string
}

export type OnboardingSubject = {
  /** Kind. */
  readonly type: 'onboarding'
  /** Id of the organization. */
  readonly organization_id: string
}

export type PaymentSubject = {
  /** Kind. */
  readonly type: 'payment'
  /** Id of the payment. */
  readonly payment_id: string
}

export type PaymentBatchSubject = {
  /** Kind. */
  readonly type: 'payment_batch'
  /** Id of the payment batch. */
  readonly payment_batch_id: string
}

export type InvoiceSubject = {
  /** Kind. */
  readonly type: 'invoice'
  /** Id of the invoice. */
  readonly invoice_id: string
}

export type CreditNoteSubject = {
  /** Kind. */
  readonly type: 'credit_note'
  /** Id of the credit note. */
  readonly credit_note_id: string
  /** Id of the invoice. */
  readonly invoice_id: string
}

export type TransactionSubject = {
  /** Kind. */
  readonly type: 'transaction'
  /** Id of the transaction. */
  readonly transaction_id: string
}

export type PaymentContactsSubject = {
  /** Kind. */
  readonly type: 'payment_contacts'
  /** Id of the organization. */
  readonly organization_id: string
  /** Number of contacts. */
  readonly count: number
}

export type SubscriptionSubject = {
  /** Kind. */
  readonly type: 'subscription'
  /** Id of the subscription. */
  readonly subscription_id: string
}

export type AccountingConnectionSubject = {
  /** Kind. */
  readonly type: 'accounting_connection'
  /** Id of the connection with the accounting program. */
  readonly connection_id: string
}

export type WebhookEndpointSubject = {
  /** Kind. */
  readonly type: 'webhook_endpoint'
  /** Id of the webhook endpoint. */
  readonly webhook_endpoint_id: string
}

export type IdentityProviderSubject = {
  /** Kind. */
  readonly type: 'identity_provider'
  /** Id of the identity provider. */
  readonly identity_provider_id: string
}

export type DelegateSubject = {
  /** Kind. */
  readonly type: 'delegate'
  /** Id of the delegate. */
  readonly delegate_id: string
}

export type OrganizationSubject = {
  /** Kind. */
  readonly type: 'organization'
  /** Id of the organization. */
  readonly organization_id: string
}

export type ExportSubject = {
  /** Kind. */
  readonly type: 'export'
  /** Id of the export. */
  readonly export_id: string
}

export type PersonSubject = {
  /** Kind. */
  readonly type: 'person'
  /** Id of the person. */
  readonly user_id: string
}

export type AttentionSummary = {
  /** Numbers by kind. */
  readonly by_kind: Readonly<Record<string, AttentionCount>>
  /** Items that concern all members. */
  readonly organization: AttentionCount
  /** Items for the caller alone. */
  readonly viewer: AttentionCount
  /** Kinds of which only the most urgent are listed. */
  readonly truncated: readonly (AttentionItemKind | (string & {}))[]
}

export type AttentionCount = {
  /** Number of items that the caller can do. */
  readonly actionable: number
  /** Number of items. */
  readonly total: number
}

export type AccountsChart = {
  /** Accounts by code, archived ones too. */
  readonly accounts: readonly ChartAccount[]
  /** Tax codes by code, archived ones too. */
  readonly tax_codes: readonly ChartTaxCode[]
}

export type ChartAccount = {
  /** Code of six digits. */
  readonly code: string
  /** Name. */
  readonly name: string
  /** Kind of account. */
  readonly account_type: ChartAccountAccountType
  /** Since when it is not chosen any more; null while it is. */
  readonly archived_at: string | null
}

export type ChartTaxCode = {
  /** Code of six digits. */
  readonly code: string
  /** Name. */
  readonly name: string
  /** In percent, a plain decimal; null without one. */
  readonly rate: string | null
  /** Since when it is not chosen any more; null while it is. */
  readonly archived_at: string | null
}

export type DimensionPage = {
  /** Items of the page. */
  readonly data: readonly Dimension[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type Dimension = {
  /** Code of six digits. */
  readonly code: string
  /** Name. */
  readonly name: string
  /** Since when it is not chosen any more; null while it is. */
  readonly archived_at: string | null
  /** Values by code, archived ones too. */
  readonly values: readonly DimensionValue[]
}

export type DimensionValue = {
  /** Code of six digits. */
  readonly code: string
  /** Name. */
  readonly name: string
  /** Since when it is not chosen any more; null while it is. */
  readonly archived_at: string | null
}

export type ContactCoding = {
  /** Code of an account of the chart. */
  readonly account_code: string | null
  /** Code of a tax code of the chart. */
  readonly tax_code: string | null
  /** One value for each dimension. */
  readonly labels: readonly CodingLabel[]
}

export type CodingLabel = {
  /** Code of the dimension. */
  readonly dimension: string
  /** Code of its value. */
  readonly value: string
}

export type BillCoding = {
  /** Currency (ISO 4217) or coin. */
  readonly currency: string | null
  /** Lines of the bill; a bill without them, or without an amount for each, has one. */
  readonly lines: readonly CodingLine[]
}

export type CodingLine = {
  /** Number of the line, from 1. */
  readonly line: number
  /** Text for people. */
  readonly description: string | null
  /** Net amount of the line; of a bill without lines its amount. */
  readonly amount: string | null
  /** Provenance: only what a `person` saved counts; by a `rule` of the contact or from `memory` it is proposed; null without. */
  readonly coded_by: CodingLineCodedBy | (string & {}) | null
  /** Parts; one of the whole amount unless it is split. */
  readonly parts: readonly CodingPart[]
}

export type CodingPart = {
  /** Part of the amount of the line, in the currency of the bill. */
  readonly amount: string
  /** Code of an account of the chart. */
  readonly account_code: string | null
  /** Code of a tax code of the chart. */
  readonly tax_code: string | null
  /** One value for each dimension. */
  readonly labels: readonly CodingLabel[]
}

export type ApprovalPolicy = {
  /** Rules, one for each action type and range of amounts. */
  readonly rules: readonly ApprovalRule[]
  /** Rules that hold where `rules` has none. */
  readonly defaults: readonly ApprovalRule[]
  /** Version of the policy; 0 before the first change. */
  readonly version: number
  /** Instant of the last change. */
  readonly updated_at: string | null
  /** Id of the person who changed it last. */
  readonly updated_by: string | null
}

export type ApprovalRule = {
  /** What is to be approved. */
  readonly action_type: ListedApprovalActionType
  /** Currency that the rule is for; null: every one. */
  readonly currency: string | null
  /** Amount from which the rule holds; null: any amount. */
  readonly amount_from: string | null
  /** Makes the rule a limit: `amount_from` is compared with the sum of the calendar period, in the time zone of the settings; weeks begin on Monday. */
  readonly period?: ReachedLimitPeriod
  /** Whose requests add up: those of the requester, to the payee, or of the whole organization. */
  readonly per?: ReachedLimitPer
  /** True if what reaches the limit is refused; it then has no steps. */
  readonly hard?: boolean
  /** Steps, in their order: each must be approved. */
  readonly steps: readonly ApprovalRuleStep[]
  /** True if the requester may approve. */
  readonly self_approval: boolean
  /** True if a person may approve what a delegate of theirs asks for. Absent is false: another person has to. */
  readonly delegate_self_approval?: boolean
  /** Hours after which an undecided request expires. */
  readonly expires_after_hours: number
  /** Conditions of a rule that adds its steps to those of the rule for the amount. */
  readonly when?: ApprovalRuleConditions
  /** Coding that each line of a bill needs before its payment is asked for. */
  readonly require?: readonly 'account_code'[]
}

export type ApprovalRuleStep = {
  /** Number of people who must approve the step. */
  readonly required: number
  /** Roles whose members may approve the step. */
  readonly roles: readonly Role[]
  /** Ids of people who may approve the step. */
  readonly user_ids: readonly string[]
}

export type ApprovalRuleConditions = {
  /** Contacts that are paid. */
  readonly contact_ids?: readonly string[]
  /** Labels of the payment, or of lines of its bill. */
  readonly labels?: readonly CodingLabel[]
  /** Accounts of lines of the bill that is paid. */
  readonly account_codes?: readonly string[]
  /** Countries of the accounts that are paid. */
  readonly countries?: readonly string[]
  /** Ways by which it is asked for. */
  readonly origins?: readonly ApprovalRuleConditionsOrigins[]
  /** True: nothing was paid to the account yet; false: something was. */
  readonly new_payee?: boolean
}

export type PolicyEvaluation = {
  /** Rule that applies; null if no approval is needed. */
  readonly rule: ApprovalRule | null
  /** Rules with conditions that add their steps. */
  readonly routed: readonly RoutedRule[]
  /** False if too few people could approve. */
  readonly can_be_met: boolean
  /** Lines of the bill that lack what the rule requires: asking for its payment would be refused. */
  readonly uncoded_lines: readonly number[]
  /** Steps, in their order: each must be approved. */
  readonly steps: readonly PolicyEvaluationStep[]
  /** Limits for such a request, as they stand. */
  readonly limits: readonly LimitStanding[]
  /** First rule that too few members can meet. */
  readonly unmeetable: UnmeetableStep | null
}

export type RoutedRule = {
  /** Index among all rules. */
  readonly rule: number
  /** Names of its conditions, which the request meets. */
  readonly conditions: readonly string[]
}

export type PolicyEvaluationStep = {
  /** Number of people who must approve the step. */
  readonly required: number
  /** People who may approve the step. */
  readonly approvers: readonly PolicyEvaluationApprover[]
}

export type PolicyEvaluationApprover = {
  /** Id. */
  readonly id: string
  /** Name. */
  readonly name: string | null
  /** Id of the member whose substitute the person is; null in their own role. */
  readonly on_behalf_of: string | null
}

export type LimitStanding = {
  /** Calendar period over which requests add up. */
  readonly period: ReachedLimitPeriod
  /** Whose requests add up: those of the requester, to the payee, or of the whole organization. */
  readonly per: ReachedLimitPer
  /** Amount from which the limit is reached. */
  readonly limit: Money
  /** Sum of what was requested in the period before; what ended without payment is not in it. */
  readonly used: Money
  /** Difference to the limit: less than that may be asked for before it is reached. */
  readonly left: Money
  /** True if what reaches the limit is refused; it then has no steps. */
  readonly hard: boolean
  /** True if this request reaches the limit. */
  readonly reached: boolean
  /** Instant at which the next period begins. */
  readonly resets_at: string
  /** Day of the oldest rate by which other currencies count; null without other currencies. */
  readonly rate_date: string | null
  /** Currencies without a rate: by these the limit counts as reached. */
  readonly without_rate: readonly string[]
}

export type UnmeetableStep = {
  /** Index among all rules. */
  readonly rule: number
  /** Index of its first failing step. */
  readonly step: number
}

export type PolicyRehearsal = {
  /** Number of requests in the span. */
  readonly requests: number
  /** Numbers of requests by what would have changed. */
  readonly outcomes: readonly PolicyRehearsalOutcome[]
  /** Numbers of requests by rule. */
  readonly rules: readonly PolicyRehearsalRule[]
  /** Members of today, and what they could have approved. */
  readonly people: readonly PolicyRehearsalPerson[]
  /** First hundred requests with another outcome than `unchanged`, the oldest first. */
  readonly examples: readonly PolicyRehearsalExample[]
}

export type PolicyRehearsalOutcome = {
  /** `stricter` and `weaker` by the number of approvals, then by self-approval; `other`: the same number of other people; `unmeetable`: the members of today could not approve it; `refused`: over a hard limit, or of a bill without the coding that a rule requires. */
  readonly outcome: PolicyRehearsalOutcomeOutcome
  /** Number of requests with this outcome. */
  readonly requests: number
}

export type PolicyRehearsalRule = {
  /** Index among the rules. */
  readonly rule: number
  /** Number of requests for which it asked for steps. */
  readonly requests: number
}

export type PolicyRehearsalPerson = {
  /** Id. */
  readonly id: string
  /** Name. */
  readonly name: string | null
  /** Number of requests that the member could have approved. */
  readonly could_approve: number
  /** Number of requests that could not have been approved without the member. */
  readonly needed: number
  /** Sums of what the member could have approved, by currency. */
  readonly amounts: readonly Money[]
}

export type PolicyRehearsalExample = {
  /** Id of the approval. */
  readonly approval_id: string
  /** Instant of the request. */
  readonly requested_at: string
  /** Sentence for people that says what it is about. */
  readonly summary: string | null
  /** Outcome of the request under the new rules, against how it ended. */
  readonly outcome: PolicyRehearsalOutcomeOutcome
  /** Steps that were asked for. */
  readonly before: readonly PolicyRehearsalStep[]
  /** Steps that would have been asked for. */
  readonly after: readonly PolicyRehearsalStep[]
}

export type PolicyRehearsalStep = {
  /** Number of people who must approve the step. */
  readonly required: number
  /** Roles whose members may approve the step. */
  readonly roles: readonly string[]
  /** Ids of people who may approve the step. */
  readonly user_ids: readonly string[]
}

export type Substitution = {
  /** Id. */
  readonly id: string
  /** Id of the organization. */
  readonly organization_id: string
  /** Id of the member who is away, the principal. */
  readonly user_id: string
  /** Name of the member who is away. */
  readonly user_name: string | null
  /** Id of the member who decides on behalf of the other. */
  readonly substitute_id: string
  /** Name of the substitute. */
  readonly substitute_name: string | null
  /** Instant from which the substitute decides. */
  readonly from: string
  /** Instant until which the substitute decides, exclusive. */
  readonly until: string
  /** Reason for people. */
  readonly reason: string | null
  /** State of the substitution, by time. */
  readonly status: SubstitutionStatus
  /** Id of the person who named the substitute. */
  readonly created_by: string
  /** Instant when it was made. */
  readonly created_at: string
  /** Instant when a person ended it, or one of both left; null if it ends at `until`. */
  readonly ended_at: string | null
  /** Id of the person who ended it, or who removed the member. */
  readonly ended_by: string | null
  /** Why it ended before its time; null if it did not. */
  readonly end_reason: SubstitutionEndReason | null
}

export type SubstitutionPage = {
  /** Items of the page. */
  readonly data: readonly Substitution[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type PaymentDestinationChecks = {
  /** True if every check passed. */
  readonly valid: boolean
  /** Checks of the details. */
  readonly checks: readonly PaymentDestinationCheck[]
  /** The given address as it would be stored and sent; null: none was given. */
  readonly payee_address: PayeeAddress | null
  /** What the bank says about the name of the account; null if no bank account is paid, or it was not asked. */
  readonly payee_check: PayeeCheck | null
}

export type PaymentDestinationCheck = {
  /** Field that was checked. */
  readonly field: string
  /** Status. */
  readonly status: PaymentDestinationCheckStatus
  /** Code of six digits. */
  readonly code: string
}

export type PayeeCheck = {
  /** `match`, `close_match` with the name, `no_match`, or `not_possible` with the reason. */
  readonly result: ApprovalPayeeCheckResult
  /** Name that the bank knows, of a close match; else null. */
  readonly name: string | null
  /** Reason why the bank could not compare; else null. */
  readonly reason: ApprovalPayeeCheckReason | (string & {}) | null
  /** Instant of the check. */
  readonly checked_at: string
}

export type BankRequirements = {
  /** Country (ISO 3166-1 alpha-2). */
  readonly country_code: string
  /** Currency (ISO 4217) or coin. */
  readonly currency: string
  /** JSON Schema of the fields that the country and currency need. */
  readonly schema: Readonly<Record<string, unknown>>
  /** What the rail asks for of the address of the payee. */
  readonly payee_address: PayeeAddressRequirements
}

export type PayeeAddressRequirements = {
  /** How a payment reaches the account: `sepa`, the own clearing of its country, or `swift`. */
  readonly rail: PayeeAddressRequirementsRail
  /** Members that a payment needs. */
  readonly needed: readonly PayeeAddressRequirementsNeeded[]
  /** Members that can be given beside them. */
  readonly optional: readonly PayeeAddressRequirementsNeeded[]
  /** Characters of a member, also after its transliteration. */
  readonly max_length: number
  /** Characters that the rail takes. Others are transliterated: both sets have the same ones. */
  readonly character_set: PayeeAddressRequirementsCharacterSet
  /** Day (UTC) from which a payment without the needed members is refused; null: it carries a warning. */
  readonly required_from: string | null
}

export type PaymentContact = {
  /** Id. */
  readonly id: string
  /** Id of the organization. */
  readonly organization_id: string
  /** Name. */
  readonly name: string
  /** Kind. */
  readonly type: PaymentContactType
  /** E-mail address, in lower case. */
  readonly email: string | null
  /** Tag of the payment. */
  readonly tag: Tag | null
  /** Status. */
  readonly status: PaymentContactStatus
  /** Id of the approval that decides it; null if none is needed. */
  readonly approval_request_id: string | null
  /** Name as soon as its approval is given; null if it stays. */
  readonly becomes_name: string | null
  /** Postal address of the payee, with town and country at least: one line each, at most 140 characters. Null: none. */
  readonly payee_address: PayeeAddress | null
  /** Destinations of the contact. */
  readonly destinations: readonly PaymentDestination[]
  /** True if it was made for one payment of a batch or a bill: it is in no list, and stays as it is. */
  readonly one_time: boolean
  /** Id in your own system, unique among the things of this kind in the organization. */
  readonly external_id: string | null
  /** Up to 20 texts of your own, by key. A change merges them: null or an empty text removes a key, null all. */
  readonly metadata: Metadata
  /** Id of the person who made it. */
  readonly created_by: string
  /** Instant when it was made. */
  readonly inserted_at: string
}

export type PaymentDestination = SvcIdDestination | BankDestination | CryptoDestination

export type SvcIdDestination = {
  /** Kind. */
  readonly type: 'svc_id'
  /** Id. */
  readonly id: string
  /** Id of the payment contact. */
  readonly payment_contact_id: string
  /** Name for the person who pays, for example "Salary account". */
  readonly label: string | null
  /** True for the destination that payments go to if they name none. */
  readonly default: boolean
  /** True if payments go to it as soon as its approval is given. */
  readonly becomes_default: boolean
  /** Status. */
  readonly status: PaymentDestinationStatus
  /** Id of the approval that decides it; null if none is needed. */
  readonly approval_request_id: string | null
  /** Instant when it was made. */
  readonly inserted_at: string
  /** Ids of the same account at other contacts; null in lists. */
  readonly duplicate_of: readonly string[] | null
  /** Call by which another person confirmed the account; null without one. */
  readonly call_back: AccountCallBack | null
  /** Id in your own system, unique among the things of this kind in the organization. */
  readonly external_id: string | null
  /** Up to 20 texts of your own, by key. A change merges them: null or an empty text removes a key, null all. */
  readonly metadata: Metadata
  /** Handle of the organization, `@name`: others pay to it. */
  readonly svc_id: string
}

export type Metadata = Readonly<Record<string, string>>

export type BankDestination = {
  /** Kind. */
  readonly type: 'bank'
  /** Id. */
  readonly id: string
  /** Id of the payment contact. */
  readonly payment_contact_id: string
  /** Name for the person who pays, for example "Salary account". */
  readonly label: string | null
  /** True for the destination that payments go to if they name none. */
  readonly default: boolean
  /** True if payments go to it as soon as its approval is given. */
  readonly becomes_default: boolean
  /** Status. */
  readonly status: PaymentDestinationStatus
  /** Id of the approval that decides it; null if none is needed. */
  readonly approval_request_id: string | null
  /** Instant when it was made. */
  readonly inserted_at: string
  /** Ids of the same account at other contacts; null in lists. */
  readonly duplicate_of: readonly string[] | null
  /** Call by which another person confirmed the account; null without one. */
  readonly call_back: AccountCallBack | null
  /** Id in your own system, unique among the things of this kind in the organization. */
  readonly external_id: string | null
  /** Up to 20 texts of your own, by key. A change merges them: null or an empty text removes a key, null all. */
  readonly metadata: Metadata
  /** Country (ISO 3166-1 alpha-2). */
  readonly country_code: string
  /** Currency (ISO 4217) or coin. */
  readonly currency: string
  /** Name of the account holder. */
  readonly account_holder_name: string
  /** IBAN; masked in lists. */
  readonly iban: string | null
  /** BIC. */
  readonly swift_code: string | null
  /** Account number; masked in lists. */
  readonly account_number: string | null
  /** ABA routing number (United States). */
  readonly aba_code: string | null
  /** Sort code (United Kingdom). */
  readonly sort_code: string | null
  /** BSB (Australia). */
  readonly bsb_code: string | null
  /** IFSC (India). */
  readonly ifsc_code: string | null
  /** CNAPS (China). */
  readonly cnaps: string | null
  /** Bank code. */
  readonly bank_code: string | null
  /** Branch code. */
  readonly branch_code: string | null
  /** Name of the bank. */
  readonly bank_name: string | null
  /** Address of the payee for this account, instead of that of the contact; null: none. */
  readonly payee_address: PayeeAddress | null
}

export type CryptoDestination = {
  /** Kind. */
  readonly type: 'crypto'
  /** Id. */
  readonly id: string
  /** Id of the payment contact. */
  readonly payment_contact_id: string
  /** Name for the person who pays, for example "Salary account". */
  readonly label: string | null
  /** True for the destination that payments go to if they name none. */
  readonly default: boolean
  /** True if payments go to it as soon as its approval is given. */
  readonly becomes_default: boolean
  /** Status. */
  readonly status: PaymentDestinationStatus
  /** Id of the approval that decides it; null if none is needed. */
  readonly approval_request_id: string | null
  /** Instant when it was made. */
  readonly inserted_at: string
  /** Ids of the same account at other contacts; null in lists. */
  readonly duplicate_of: readonly string[] | null
  /** Call by which another person confirmed the account; null without one. */
  readonly call_back: AccountCallBack | null
  /** Id in your own system, unique among the things of this kind in the organization. */
  readonly external_id: string | null
  /** Up to 20 texts of your own, by key. A change merges them: null or an empty text removes a key, null all. */
  readonly metadata: Metadata
  /** Network of the coin. */
  readonly network: string
  /** Coin. */
  readonly coin: string
  /** Address on the network; masked in lists. */
  readonly address: string
  /** Memo or tag that names the account where many share one address. */
  readonly memo: string | null
}

export type PaymentContactPage = {
  /** Items of the page. */
  readonly data: readonly PaymentContact[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type PaymentContactDraft = {
  /** Name. */
  readonly name: string
  /** Kind. */
  readonly type: PaymentContactType
  /** E-mail address, in lower case. */
  readonly email: string | null
  /** Tag of the payment. */
  readonly tag: Tag | null
  /** Postal address of the payee, with town and country at least: one line each, at most 140 characters. Null: none. */
  readonly payee_address: PayeeAddress | null
  /** Destinations with whole coordinates. */
  readonly destinations: readonly PaymentDestination[]
  /** Id of its request if that was sent back; else null. */
  readonly former_approval_id: string | null
}

export type PaymentDestinationPage = {
  /** Items of the page. */
  readonly data: readonly PaymentDestination[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type FeeTable = {
  /** Fees of payments. */
  readonly payments: readonly PaymentFee[]
  /** Spread of the rate below the middle rate. */
  readonly exchange: {
  readonly basis_points: number
}
  /** Times until a payment arrives. */
  readonly arrival: ArrivalTimes
}

export type PaymentFee = {
  /** Way of the money. */
  readonly rail: PartnerRail
  /** Deducted currency; null for every one that has no rule of its own. */
  readonly currency: string | null
  /** Name. */
  readonly name: string
  /** Fixed part of the fee. */
  readonly fixed: Money | null
  /** Hundredths of a percent. */
  readonly basis_points: number
  /** Least fee. */
  readonly min: Money | null
  /** Largest fee. */
  readonly max: Money | null
}

export type ArrivalTimes = {
  /** Payments between organizations of the service. */
  readonly svc_id: {
  readonly minutes: number
}
  /** Payments by blockchain. */
  readonly crypto: {
  readonly minutes: number
}
  /** Payments by bank. */
  readonly fiat: {
  readonly business_days: number
}
}

export type Quote = {
  /** Id of the quote. */
  readonly quote_id: string
  /** Instant when it expires. */
  readonly expires_at: string
  /** Way of the money. */
  readonly rail: Rail
  /** Amount that is deducted, fees included. */
  readonly deducting: Money
  /** Amount that arrives. */
  readonly landing: Money
  /** Fees, which are in the deducted amount. */
  readonly fees: readonly QuoteFee[]
  /** Rate: target for one source. Null if nothing is exchanged. */
  readonly rate: string | null
  /** Speed by bank: within seconds at any hour if `instant`. */
  readonly speed: QuoteSpeed
  /** Payment that follows an instant one that the bank refuses: a standard one, or none. */
  readonly fallback: QuoteFallback
  /** Instant at which the payment arrives, as estimated. */
  readonly estimated_arrival: string
  /** Number of people who must approve. */
  readonly approvers_needed: number
  /** Address with which the payee would be paid now; null: none. */
  readonly payee_address: PayeeAddress | null
  /** Limits for this payment, as they stand. */
  readonly limits: readonly LimitStanding[]
  /** What the bank says about the name of the account; null if no bank account is paid, or it was not asked. */
  readonly payee_check: PayeeCheck | null
  /** Faults that do not keep it from being sent; `receiving_account`: the customer is shown no way to pay; `chronology`: an earlier number has a later day; `swiss_account_holder`, `swiss_postal_address`: it has no Swiss payment part, because this is missing, or in letters that its code lacks. */
  readonly warnings: readonly QuoteNotice[]
  /** Reasons why the quote cannot be executed. */
  readonly blocked_by: readonly QuoteNotice[]
}

export type QuoteFee = {
  /** Name. */
  readonly name: string
  /** Fee. */
  readonly amount: Money
}

export type QuoteNotice = {
  /** Error type that the execution would answer. */
  readonly type: string
  /** Sentence that a person may read; never branch on it. */
  readonly message: string
}

export type Payment = {
  /** Id. */
  readonly id: string
  /** Id of the organization. */
  readonly organization_id: string
  /** Id of the payment contact. */
  readonly payment_contact_id: string
  /** Id of the payment destination. */
  readonly destination_id: string
  /** Id of the approval that decides it; null if none is needed. */
  readonly approval_request_id: string | null
  /** True if the payment can be cancelled now. */
  readonly cancellable: boolean
  /** Kept of `landing` when it came back. */
  readonly charges: Money | null
  /** Instant when it was made. */
  readonly created_at: string
  /** Amount that is deducted, fees included. */
  readonly deducting: Money
  /** Amount that arrives. */
  readonly landing: Money
  /** Name of the payee. */
  readonly destination_name: string
  /** Event that created the payment. */
  readonly event: PaymentEvent
  /** Notes that only members see. */
  readonly internal_notes: string | null
  /** One value for each dimension. */
  readonly labels: readonly CodingLabel[]
  /** Id in your own system, unique among the things of this kind in the organization. */
  readonly external_id: string | null
  /** Up to 20 texts of your own, by key. A change merges them: null or an empty text removes a key, null all. */
  readonly metadata: Metadata
  /** Address with which the payee is paid, as it was when the payment was made; null: none. */
  readonly payee_address: PayeeAddress | null
  /** Id of the payment batch. */
  readonly payment_batch_id: string | null
  /** Id of the quote that was executed; null without one. */
  readonly quote_id: string | null
  /** Way of the money. */
  readonly rail: Rail
  /** Connection to the partner that moves the money; null: none. */
  readonly connection: string | null
  /** Day of the payment, if it was asked for on a date. */
  readonly schedule: PaymentSchedule | null
  /** Speed by bank: within seconds at any hour if `instant`. */
  readonly speed: QuoteSpeed
  /** Payment that follows an instant one that the bank refuses: a standard one, or none. */
  readonly fallback: QuoteFallback
  /** Status. */
  readonly status: PaymentStatus
  /** State at the partner, for diagnosis only; never branch on it. */
  readonly status_detail: string
  /** Tag of the payment. */
  readonly tag: Tag | null
  /** Id of the transaction. */
  readonly transaction_id: string | null
}

export type PaymentEvent = {
  /** Id. */
  readonly id: string
  /** Stream of the event. */
  readonly stream: string
  /** Id of what the event is about. */
  readonly subject_id: string
  /** Kind. */
  readonly type: string
}

export type PaymentSchedule = {
  /** Day that counts: the business day to which the requested one was moved. */
  readonly execute_on: string
  /** Day that was asked for. */
  readonly requested_on: string
  /** waiting until the day begins, executing until the payment is on its way or has ended, then done. */
  readonly state: PaymentScheduleState
  /** Instant at which the day begins: before it the payment can be unscheduled. */
  readonly until: string
}

export type PaymentDraft = {
  /** Id of the bill that it paid, at which it is asked for again; null without one. */
  readonly bill_id: string | null
  /** Body of POST /payments/preflight; null if it was paid without a quote. */
  readonly quote: PaymentDraftQuote | null
  /** Body of POST /payments, or with the id of a new quote that of POST /payments/execute. */
  readonly payment: PaymentDraftOrder
}

export type PaymentDraftQuote = {
  /** Id of the payment contact. */
  readonly payment_contact_id: string
  /** Id of the payment destination. */
  readonly destination_id: string
  /** Amount of the side that was fixed. */
  readonly amount: Money
  /** Side that `amount` fixes: `deducting` or `landing`. */
  readonly side: PaymentDraftQuoteSide
  /** Tag of the payment. */
  readonly tag: Tag | null
  /** Speed by bank: within seconds at any hour if `instant`. */
  readonly speed: QuoteSpeed
  /** Payment that follows an instant one that the bank refuses: a standard one, or none. */
  readonly fallback: QuoteFallback
}

export type PaymentDraftOrder = {
  /** Id of the payment contact. */
  readonly payment_contact_id: string
  /** Amount that arrives. */
  readonly amount: Money
  /** Reason of the payment. */
  readonly payout_reason: string
  /** Text for the statement of the payee. */
  readonly statement_description: string
  /** Notes that only members see. */
  readonly internal_notes: string | null
  /** One value for each dimension. */
  readonly labels: readonly CodingLabel[]
  /** Day on which it is paid, in the time zone of the organization; none: at once. */
  readonly execute_on: string | null
  /** Id of its request if that was sent back; else null. */
  readonly former_approval_id: string | null
}

export type PaymentPage = {
  /** Items of the page. */
  readonly data: readonly Payment[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type HistoryEventPage = {
  /** Items of the page. */
  readonly data: readonly HistoryEvent[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type HistoryEvent = {
  /** Id. */
  readonly id: string
  /** Kind. */
  readonly kind: EventKind
  /** Type of the event. */
  readonly event_type: string
  /** Who acted. */
  readonly actor_kind: ActorKind | null
  /** Id of the person who acted. */
  readonly actor_user_id: string | null
  /** Id of the cause. */
  readonly causation_id: string | null
  /** Id of the request that it follows from. */
  readonly correlation_id: string | null
  /** Instant when it happened. */
  readonly occurred_at: string
  /** Facts of the event; the members depend on its type. */
  readonly payload: Readonly<Record<string, unknown>> | null
  /** Partner that it came from, or `delegate:<id>` if a delegate acted for the person. */
  readonly provider: string | null
}

export type PaymentBatch = {
  /** Id. */
  readonly id: string
  /** Id of the organization. */
  readonly organization_id: string
  /** Name. */
  readonly name: string
  /** Status. */
  readonly status: PaymentBatchStatus
  /** Id of the approval that decides it; null if none is needed. */
  readonly approval_request_id: string | null
  /** Id of the file that was imported last. */
  readonly file_id: string | null
  /** Number of rows. */
  readonly rows_total: number
  /** Number of rows without errors. */
  readonly rows_valid: number
  /** Number of rows with errors. */
  readonly rows_invalid: number
  /** Number of rows that were paid. */
  readonly rows_succeeded: number
  /** Number of rows whose payment failed. */
  readonly rows_failed: number
  /** Number of rows that were left out. */
  readonly rows_skipped: number
  /** Progress: rows of the import, then payments. */
  readonly rows_processed: number
  /** Number of rows of the file that carry no data, and were passed over. */
  readonly rows_empty: number
  /** Number of columns of the file without a name and data, which were passed over. */
  readonly columns_empty: number
  /** Reason why the file could not be read. */
  readonly import_error: PaymentBatchImportError | null
  /** Sums of the valid rows by currency, without fees. */
  readonly totals: readonly Money[]
  /** Fees on top of the totals. */
  readonly fees: readonly Money[]
  /** Id of the person who made it. */
  readonly created_by: string
  /** Instant when it was made. */
  readonly inserted_at: string
  /** Instant of the submission. */
  readonly submitted_at: string | null
  /** Day on which its bills are to be paid, unless the submission names another one; null for at once. */
  readonly execute_on: string | null
  /** Day of the payment, if it was asked for on a date. */
  readonly schedule: PaymentSchedule | null
  /** Id in your own system, unique among the things of this kind in the organization. */
  readonly external_id: string | null
  /** Up to 20 texts of your own, by key. A change merges them: null or an empty text removes a key, null all. */
  readonly metadata: Metadata
}

export type PaymentBatchImportError = {
  /** Line of the file on which it begins, or its row in the sheet, from 1. */
  readonly line: number | null
  /** Code of the fault. */
  readonly code: string
  /** Sentence that a person may read; never branch on it. */
  readonly message: string
}

export type PaymentBatchPage = {
  /** Items of the page. */
  readonly data: readonly PaymentBatch[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type PaymentBatchRowPage = {
  /** Items of the page. */
  readonly data: readonly PaymentBatchRow[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type PaymentBatchRow = {
  /** Id. */
  readonly id: string
  /** Number of the row, from 1. */
  readonly row_number: number
  /** Line of the file on which it begins, or its row in the sheet, from 1. */
  readonly line: number
  /** Status. */
  readonly status: PaymentBatchRowStatus
  /** Faults of the row. */
  readonly errors: readonly PaymentBatchRowRemark[]
  /** Remarks that do not hinder the row. */
  readonly warnings: readonly PaymentBatchRowRemark[]
  /** Id of the payment. */
  readonly payment_id: string | null
  /** Amount that arrives; null if the row does not say it. */
  readonly amount: Money | null
  /** Name of the payee. */
  readonly payee: string | null
  /** Id of the bill that the row pays; null for another row. */
  readonly bill_id: string | null
  /** Credit notes that are set against the bill. */
  readonly credits: readonly PaymentBatchRowCredit[]
  /** Holder under which a contact has the account, if another one is named here; null if none differs. The bank is asked about the one that is named here, and the order names that one. */
  readonly known_holder: string | null
  /** What the bank says about the name of the account; null if no bank account is paid, or it was not asked. */
  readonly payee_check: PayeeCheck | null
  /** Cells as written, by column; IBAN and account number are masked if nothing is wrong with them. */
  readonly cells: Readonly<Record<string, string>>
}

export type PaymentBatchRowRemark = {
  /** Column of the file; null for the whole row. */
  readonly column: string | null
  /** Code of the remark. */
  readonly code: string
  /** Sentence that a person may read; never branch on it. */
  readonly message: string
}

export type PaymentBatchRowCredit = {
  /** Id of the credit note. */
  readonly bill_id: string
  /** Amount by which the row pays less than its bill. */
  readonly amount: Money
}

export type PaymentBatchBills = {
  /** Batch with its rows of now. */
  readonly batch: PaymentBatch
  /** Bills and credit notes that are in the batch now. */
  readonly added: readonly PaymentBatchBill[]
  /** Bills that cannot be paid in a batch now; the batch is as if they had not been named. */
  readonly refused: readonly RefusedPaymentBatchBill[]
}

export type PaymentBatchBill = {
  /** Id of the bill. */
  readonly bill_id: string
  /** Place in the request, from 0. */
  readonly index: number
  /** Row that pays it, or that it is set against. */
  readonly row_number: number
  /** Payment of its row; of a credit note, the part by which that is less. */
  readonly amount: Money
}

export type RefusedPaymentBatchBill = {
  /** Id of the bill. */
  readonly bill_id: string
  /** Place in the request, from 0. */
  readonly index: number
  /** Type of the error that its own payment would have, or would be asked to settle. */
  readonly type: string
  /** Sentence that a person may read; never branch on it. */
  readonly message: string
  /** Details of the error, as its own payment would have them. */
  readonly details: Readonly<Record<string, unknown>>
}

export type Bill = {
  /** Id. */
  readonly id: string
  /** Id of the organization. */
  readonly organization_id: string
  /** Person who added it; null for one that came by mail. */
  readonly created_by_id: string | null
  /** Mail that brought it. */
  readonly inbound_mail_id: string | null
  /** True while no person has accepted the sender of its mail: it is read, and not paid. */
  readonly sender_is_unknown: boolean
  /** Status. */
  readonly status: BillStatus
  /** Amount: a decimal. */
  readonly amount: string | null
  /** Currency (ISO 4217) or coin. */
  readonly currency: string | null
  /** Number of the bill, as the supplier gave it. */
  readonly bill_number: string | null
  /** Name of the supplier. */
  readonly supplier_name: string | null
  /** Tax number of the supplier. */
  readonly supplier_tax_id: string | null
  /** Text that the supplier asks for in the payment. */
  readonly payment_reference: string | null
  /** Day of issue. */
  readonly issue_date: string | null
  /** Day on which it is due. */
  readonly due_date: string | null
  /** All tax in the amount, as the file states it, with `-` on a credit note; null if it is unknown or the sums are wrong. */
  readonly tax_total: string | null
  /** Name of the account holder. */
  readonly account_holder_name: string | null
  /** Country of the bank (ISO 3166-1 alpha-2). */
  readonly bank_country_alpha2: string | null
  /** IBAN; masked in lists. */
  readonly iban: string | null
  /** BIC. */
  readonly swift_code: string | null
  /** Account number; masked in lists. */
  readonly account_number: string | null
  /** ABA routing number (United States). */
  readonly aba_code: string | null
  /** Sort code (United Kingdom). */
  readonly sort_code: string | null
  /** BSB (Australia). */
  readonly bsb_code: string | null
  /** IFSC (India). */
  readonly ifsc_code: string | null
  /** CNAPS (China). */
  readonly cnaps: string | null
  /** Bank code. */
  readonly bank_code: string | null
  /** Branch code. */
  readonly branch_code: string | null
  /** Name of the bank. */
  readonly bank_name: string | null
  /** Street of the payee. */
  readonly address_street: string | null
  /** Number of the building of the payee. */
  readonly address_building_number: string | null
  /** Postal code of the payee. */
  readonly address_postal_code: string | null
  /** Town of the payee. */
  readonly address_town: string | null
  /** Country of the payee (ISO 3166-1 alpha-2). */
  readonly address_country: string | null
  /** Reason why it is not to be paid; null if it is. */
  readonly not_payable: BillNotPayable | null
  /** Fields that reading left empty or doubts; typing settles them. */
  readonly doubts: readonly BillDoubt[]
  /** True if the bank details differ from earlier bills of the supplier, or from its contact, or name an account in part. */
  readonly bank_details_differ: boolean
  /** True if an account is named in part or wrongly: nothing compares it, and a second person approves. */
  readonly account_is_partial: boolean
  /** True if its payment goes to its account, in any currency; null without either. */
  readonly account_is_paid: boolean | null
  /** True if a contact has the account of the bill under another name than the bill gives. */
  readonly holder_differs: boolean
  /** Id of the approval that decides it; null if none is needed. */
  readonly approval_request_id: string | null
  /** Id of the payment. */
  readonly fiat_outgoing_id: string | null
  /** Id of the batch whose row pays the bill, or that the credit note is set against bills of; null for none. */
  readonly payment_batch_id: string | null
  /** Id of the file. */
  readonly file_id: string | null
  /** Id of the payment contact. */
  readonly payment_contact_id: string | null
  /** Approval of the contact, without which the bill is not paid. */
  readonly waits_for: BillWait | null
  /** Instant when reading failed. */
  readonly extraction_failed_at: string | null
  /** Reason why reading failed. */
  readonly extraction_error: string | null
  /** Id in your own system, unique among the things of this kind in the organization. */
  readonly external_id: string | null
  /** Up to 20 texts of your own, by key. A change merges them: null or an empty text removes a key, null all. */
  readonly metadata: Metadata
  /** Instant when it was made. */
  readonly inserted_at: string
  /** Instant of the last change. */
  readonly updated_at: string
}

export type BillDoubt = {
  /** Kind of doubt. */
  readonly code: BillDoubtCode
  /** Fields that it concerns. */
  readonly fields: readonly (BillField | (string & {}))[]
  /** Sentence that a person may read; never branch on it. */
  readonly message: string
}

export type BillWait = {
  /** Id of the approval to wait for. */
  readonly approval_request_id: string
}

export type BillPage = {
  /** Items of the page. */
  readonly data: readonly Bill[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
  /** Sums of all that the filters find, on whatever page, by currency; empty without `payable` and `credits`. */
  readonly sums: readonly BillCurrencySum[]
}

export type BillCurrencySum = {
  /** Sum of the amounts; of credit notes with `-`. */
  readonly amount: Money
  /** Number of bills. */
  readonly count: number
}

export type BillSums = {
  /** Day before which bills are overdue, in UTC. */
  readonly today: string
  /** Number of bills that are being read. */
  readonly reading: number
  /** Each time, soonest first. */
  readonly data: readonly BillSum[]
}

export type BillSum = {
  /** `week`: today and the 6 days after; `unknown`: no date. */
  readonly due: BillSumDue
  /** Number of bills. */
  readonly count: number
  /** Sums of their amounts, by currency. */
  readonly totals: readonly Money[]
}

export type BillDetail = {
  /** Bill. */
  readonly bill: Bill
  /** History of the bill, oldest first. */
  readonly events: readonly HistoryEvent[]
  /** Bills that may be the same. */
  readonly duplicates: readonly BillDuplicate[]
  /** Holder under which a contact has the account, if another one is named here; null if none differs. The bank is asked about the one that is named here, and the order names that one. */
  readonly known_holder: string | null
  /** What is charged for, as XML states it and its sums confirm; empty if that is unknown, or for over 1,000 lines. */
  readonly line_items: readonly BillLineItem[]
}

export type BillDuplicate = {
  /** Id of the bill. */
  readonly bill_id: string
  /** Reason why they count as one. */
  readonly reason: BillDuplicateReason
}

export type BillLineItem = {
  /** The goods or services, on one line; cut to 500 characters. */
  readonly description: string | null
  /** A plain decimal. */
  readonly quantity: string | null
  /** The unit of the quantity as the bill writes it, in UBL and CII a code of UN/ECE Recommendation 20. */
  readonly unit: string | null
  /** Net, for one unit; null also if the bill gives a price for several units. */
  readonly unit_price: string | null
  /** Net, of the whole line, in the currency of the bill; a credit note has it without a sign, as the file does. */
  readonly amount: string | null
  /** In percent, a plain decimal. */
  readonly tax_rate: string | null
}

export type BillFile = {
  /** Id. */
  readonly id: string
  /** Name of the file. */
  readonly filename: string
  /** Media type. */
  readonly content_type: string
  /** Size in bytes. */
  readonly byte_size: number
  /** Address to download from; it needs no bearer and expires soon. */
  readonly download_url: string
  /** Instant when it expires. */
  readonly expires_at: string
}

export type BillProvenance = {
  /** Items of the page. */
  readonly data: readonly BillFieldProvenance[]
}

export type BillFieldProvenance = {
  /** Field. */
  readonly field: BillField | (string & {})
  /** Value that was read. */
  readonly value: string
  /** Way in which it was read. */
  readonly method: string
  /** Page, from 1. */
  readonly page: number | null
  /** Left, top, width and height in points, from the top left of the page. */
  readonly box: readonly number[] | null
  /** Text on the page that it was read from. */
  readonly text: string | null
  /** How sure the reading is, from 0 to 1. */
  readonly confidence: number | null
  /** Id of the event. */
  readonly event_id: string
}

export type BillMailbox = {
  /** Id. */
  readonly id: string
  /** Id of the organization. */
  readonly organization_id: string
  /** Name of the address, for the members. */
  readonly name: string
  /** Address to send bills to. Each mail with this token is for this organization. */
  readonly address: string
  /** Id of the person who made it. */
  readonly created_by_id: string
  /** Instant from which it takes no mail any more; null: it takes mail. */
  readonly ended_at: string | null
  /** Instant when it was made. */
  readonly inserted_at: string
  /** Instant of the last change. */
  readonly updated_at: string
}

export type BillMailboxPage = {
  /** Items of the page. */
  readonly data: readonly BillMailbox[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type InboundMailPage = {
  /** Items of the page. */
  readonly data: readonly InboundMail[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type InboundMail = {
  /** Id. */
  readonly id: string
  /** Id of the organization. */
  readonly organization_id: string
  /** Id of the address that it came to. */
  readonly bill_mailbox_id: string
  /** Status. */
  readonly status: InboundMailStatus
  /** Address of the sender, as the mail says; null until it is read, or without one. */
  readonly from_address: string | null
  /** Name of the sender, as the mail says. */
  readonly from_name: string | null
  /** Subject, as the mail says. */
  readonly subject_line: string | null
  /** Instant at which it was stored. */
  readonly received_at: string
  /** Size in bytes. */
  readonly byte_size: number
  /** Findings of the gateway about the sender; null until it is read. */
  readonly authentication: InboundMailAuthentication | null
  /** True if a person accepted this sender for always before. */
  readonly sender_is_known: boolean
  /** Reason why it has no bill. */
  readonly without_bill: InboundMailWithoutBill | null
  /** Mail that came before and is the same. */
  readonly duplicate_of: string | null
  /** Person who accepted or refused it, or accepted its sender for always. */
  readonly decided_by_id: string | null
  /** Its files, in their order. */
  readonly files: readonly InboundMailFile[]
  /** Instant of the last change. */
  readonly updated_at: string
}

export type InboundMailAuthentication = {
  /** `pass`: the gateway has proved the domain of the sender; `fail`: it disproved it; `none`: nothing is known. */
  readonly verdict: InboundMailAuthenticationVerdict
  /** Result of DMARC, of the gateway alone; null without one. */
  readonly dmarc: InboundMailAuthenticationDmarc | null
  /** Best result of DKIM that is of the domain of the sender. */
  readonly dkim: InboundMailAuthenticationDmarc | null
  /** Result of SPF. */
  readonly spf: InboundMailAuthenticationDmarc | null
}

export type InboundMailFile = {
  /** Id. */
  readonly id: string
  /** Name of the file. */
  readonly filename: string
  /** Media type. */
  readonly content_type: string
  /** Size in bytes. */
  readonly byte_size: number
  /** SHA-256 of the bytes, in hex. */
  readonly sha256: string
  /** Outcome of the file. */
  readonly outcome: InboundMailFileOutcome
  /** Bill that it became, is known as, or is beside of. */
  readonly bill_id: string | null
}

export type BillPaymentPreview = {
  /** Contact that is paid; null: none yet. */
  readonly payment_contact_id: string | null
  /** Name of the contact, also of one that the request makes. */
  readonly payee: string | null
  /** IBAN or number of the account that is paid. */
  readonly account: string | null
  /** True if the contact has to be approved before. */
  readonly waits_for_contact: boolean
  /** Amount that arrives. */
  readonly landing: Money | null
  /** Amount that is deducted, fees included. */
  readonly deducting: Money | null
  /** Fees on top of the totals. */
  readonly fees: readonly QuoteFee[]
  /** Instant at which it arrives, as estimated. */
  readonly estimated_arrival: string | null
  /** Day on which it is paid; null: once it is approved. */
  readonly schedule: PaymentSchedule | null
  /** Number of people who must approve. */
  readonly approvers_needed: number | null
  /** What the bank says about the name of the account; null if no bank account is paid, or it was not asked. */
  readonly payee_check: PayeeCheck | null
  /** Members of the request that have to be true. */
  readonly acknowledgements: readonly BillPaymentPreviewAcknowledgements[]
  /** Faults that do not keep it from being sent; `receiving_account`: the customer is shown no way to pay; `chronology`: an earlier number has a later day; `swiss_account_holder`, `swiss_postal_address`: it has no Swiss payment part, because this is missing, or in letters that its code lacks. */
  readonly warnings: readonly QuoteNotice[]
  /** Refusal of the request; empty if none. */
  readonly blocked_by: readonly QuoteNotice[]
  /** Fields of the bill that are missing. */
  readonly missing: readonly string[]
}

export type AttachmentPage = {
  /** Items of the page. */
  readonly data: readonly Attachment[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type Attachment = {
  /** Id of the file. */
  readonly file_id: string
  /** Name of the file. */
  readonly filename: string
  /** Media type. */
  readonly content_type: string
  /** Size in bytes. */
  readonly byte_size: number
  /** SHA-256 of the bytes, in hex. */
  readonly sha256: string
  /** Instant when it was attached. */
  readonly attached_at: string
}

export type BillingContact = {
  /** Id. */
  readonly id: string
  /** Id of the organization. */
  readonly organization_id: string
  /** Name of the company. */
  readonly company_name: string
  /** Address in lines. */
  readonly address: string | null
  /** Phone number. */
  readonly phone_number: string | null
  /** Tax number. */
  readonly tax_id: string | null
  /** E-mail addresses. */
  readonly emails: readonly string[] | null
  /** Postal address. */
  readonly postal_address: PostalAddress | null
  /** VAT identification number. */
  readonly vat_id: string | null
  /** Language of documents. */
  readonly language: DocumentLanguage | (string & {})
  /** Instant when it was deleted. */
  readonly deleted_at: string | null
  /** Instant when it was made. */
  readonly inserted_at: string
  /** Instant of the last change. */
  readonly updated_at: string
}

export type BillingContactPage = {
  /** Items of the page. */
  readonly data: readonly BillingContact[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type Invoice = {
  /** Id. */
  readonly id: string
  /** Id of the organization. */
  readonly organization_id: string
  /** State. */
  readonly state: InvoiceState
  /** States that can follow. */
  readonly next_valid_states: readonly InvoiceState[]
  /** Number without gaps, given when the invoice is sent; null before. */
  readonly number: string | null
  /** Currency (ISO 4217) or coin. */
  readonly currency: string
  /** Amount that counts as the whole; null until the invoice is finalized. */
  readonly accepted_amount: string | null
  /** Accepted amount, else the total, less allocations and credit notes; never below zero. */
  readonly due_amount: string
  /** Sum of the lines without tax (BT-106): a decimal. */
  readonly line_total: string
  /** Sum of the discounts on the whole invoice (BT-107): a decimal. */
  readonly discount_total: string
  /** Sum of the charges on the whole invoice (BT-108): a decimal. */
  readonly charge_total: string
  /** Sum without tax: the lines, less discounts, with charges (BT-109): a decimal. */
  readonly net_total: string
  /** Sum of the taxes: a decimal. */
  readonly tax_total: string
  /** Sum with tax: a decimal. */
  readonly total: string
  /** Discounts on the whole invoice, shared out over the taxes of its lines. */
  readonly discounts: readonly InvoiceAdjustment[]
  /** Charges on the whole invoice; without a tax shared out over those of its lines. */
  readonly charges: readonly InvoiceAdjustment[]
  /** Taxes by category and percentage. */
  readonly taxes: readonly InvoiceTax[]
  /** Sum of the allocations: a decimal. */
  readonly allocated: string
  /** Sum of the sent credit notes: a decimal. */
  readonly credited: string
  /** Sent credit notes, in the order of their numbers. */
  readonly credit_notes: readonly InvoiceCreditNote[]
  /** What the customer paid beyond what is left after the credit notes: a decimal. Nothing pays it by itself. */
  readonly refund_due: string
  /** `credit` if a credit note left nothing due, `early_payment` if a discount did; null if payments did, or while it is open. */
  readonly settled_by: InvoiceSettledBy | (string & {}) | null
  /** Sums less a discount for early payment, or what the customer did not accept; null if it is nothing. Credit notes have sums of their own. */
  readonly reduced_totals: InvoiceReducedTotals | null
  /** Day on which it is due. */
  readonly due_date: string
  /** Day of issue. */
  readonly issue_date: string
  /** Day of delivery; null: the day of issue, or the period. */
  readonly delivery_date: string | null
  /** Period of the supply (BG-14). */
  readonly period: InvoicePeriod | null
  /** Discounts for early payment. */
  readonly payment_terms: InvoicePaymentTerms | null
  /** True if it is past its due date and not paid. */
  readonly is_overdue: boolean
  /** Id of the approval that decides it; null if none is needed. */
  readonly approval_request_id: string | null
  /** Person who asked for the approval. */
  readonly approval_requester: InvoicePerson | null
  /** Person who made it. */
  readonly created_by: InvoicePerson | null
  /** Id of the person who made it. */
  readonly created_by_id: string | null
  /** Customer, as the contact is now or was when the invoice was sent. */
  readonly billing_contact: BillingContact
  /** Text above the lines. */
  readonly comments: string | null
  /** Description that only members see. */
  readonly internal_description: string | null
  /** Reference that only members see. */
  readonly internal_reference_number: string | null
  /** Reference of the buyer, for example a purchase order or a Leitweg-ID. */
  readonly buyer_reference: string | null
  /** Order number of the customer (BT-13). */
  readonly order_number: string | null
  /** Profile of the electronic invoice. */
  readonly profile: InvoiceProfile
  /** Instant when it was finalized or paid, whichever came first. */
  readonly completed_at: string | null
  /** Instant when it was sent. */
  readonly sent_at: string | null
  /** Instant when it was paid. */
  readonly paid_at: string | null
  /** Lines. */
  readonly line_items: readonly InvoiceLine[]
  /** Page for the customer; null before it is sent, and once revoked. */
  readonly public_url: string | null
  /** Faults that do not keep it from being sent; `receiving_account`: the customer is shown no way to pay; `chronology`: an earlier number has a later day; `swiss_account_holder`, `swiss_postal_address`: it has no Swiss payment part, because this is missing, or in letters that its code lacks. */
  readonly warnings: readonly (InvoiceWarnings | (string & {}))[]
  /** Files in the message. */
  readonly attachments: readonly InvoiceAttachment[]
  /** Id in your own system, unique among the things of this kind in the organization. */
  readonly external_id: string | null
  /** Up to 20 texts of your own, by key. A change merges them: null or an empty text removes a key, null all. */
  readonly metadata: Metadata
  /** Instant when it was made. */
  readonly inserted_at: string
  /** Instant of the last change. */
  readonly updated_at: string
}

export type InvoiceTax = {
  /** Tax in percent: a decimal. */
  readonly tax_percentage: string
  /** Category of the tax (UNTDID 5305). */
  readonly tax_category: TaxCategory
  /** Reason why no tax is charged. */
  readonly tax_exemption_reason: string | null
  /** Sum that the tax is on: a decimal. */
  readonly base: string
  /** Tax: a decimal. */
  readonly amount: string
}

export type InvoiceCreditNote = {
  /** Id. */
  readonly id: string
  /** Number of the credit note. */
  readonly number: string
  /** Sum with tax: a decimal. */
  readonly total: string
}

export type InvoiceReducedTotals = {
  /** Sum without tax: a decimal. */
  readonly net_total: string
  /** Sum of the taxes: a decimal. */
  readonly tax_total: string
  /** Sum with tax: a decimal. */
  readonly total: string
  /** Taxes by category and percentage. */
  readonly taxes: readonly InvoiceTax[]
}

export type InvoicePeriod = {
  /** First day. */
  readonly from: string
  /** Last day. */
  readonly to: string
}

export type InvoicePaymentTerms = {
  /** Discounts for payment within so many days, the earliest first. */
  readonly early_payment_discounts: readonly InvoiceEarlyPaymentDiscount[]
}

export type InvoiceEarlyPaymentDiscount = {
  /** Discount in percent: a decimal. */
  readonly percentage: string
  /** Days after the day of issue. */
  readonly days: number
  /** End, exclusive. */
  readonly until: string
  /** Amount to pay until then: a decimal. */
  readonly amount: string
}

export type InvoicePerson = {
  /** Id. */
  readonly id: string
  /** Address of the picture. */
  readonly avatar: string | null
  /** Given name. */
  readonly first_name: string | null
  /** Family name. */
  readonly last_name: string | null
}

export type InvoiceAttachment = {
  /** Id of the file. */
  readonly file_id: string
  /** Name of the file. */
  readonly filename: string
  /** Media type. */
  readonly content_type: BillingInvoiceAttachmentContentType
  /** Size in bytes. */
  readonly byte_size: number
  /** Text for people. */
  readonly description: string | null
}

export type InvoicePage = {
  /** Items of the page. */
  readonly data: readonly Invoice[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type InvoiceAllocation = {
  /** Id. */
  readonly id: string
  /** Id of the organization. */
  readonly organization_id: string
  /** Id of the invoice. */
  readonly invoice_id: string
  /** Id of the transaction. */
  readonly transaction_id: string
  /** Amount: a decimal. */
  readonly amount: string
  /** Currency (ISO 4217) or coin. */
  readonly currency: string
  /** Id of the person who made it. */
  readonly created_by_id: string | null
  /** Instant when it was made. */
  readonly inserted_at: string
}

export type InvoiceAllocationPage = {
  /** Items of the page. */
  readonly data: readonly InvoiceAllocation[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type InvoiceSummary = {
  /** Sums by currency. */
  readonly by_currency: readonly InvoiceCurrencySummary[]
  /** Months with invoices (by day of issue) or payments, oldest first. */
  readonly by_month: readonly InvoiceMonthSummary[]
}

export type InvoiceCurrencySummary = {
  /** Currency (ISO 4217) or coin. */
  readonly currency: string
  /** Due amounts of sent invoices: a decimal. */
  readonly outstanding: string
  /** Due amounts past their due date: a decimal. */
  readonly overdue: string
  /** Sum that was paid: a decimal. */
  readonly paid: string
  /** Sum of the sent credit notes: a decimal. */
  readonly credited: string
  /** Sum of drafts, also those that wait for approval: a decimal. */
  readonly draft: string
}

export type InvoiceMonthSummary = {
  /** Month, `YYYY-MM`. */
  readonly month: string
  /** Currency (ISO 4217) or coin. */
  readonly currency: string
  /** Sum of the invoices: a decimal. */
  readonly invoiced: string
  /** Sum that was paid: a decimal. */
  readonly paid: string
}

export type CreditNote = {
  /** Id. */
  readonly id: string
  /** Id of the organization. */
  readonly organization_id: string
  /** Id of the invoice. */
  readonly invoice_id: string
  /** Number of the invoice. */
  readonly invoice_number: string
  /** State. */
  readonly state: CreditNoteState
  /** States that can follow. */
  readonly next_valid_states: readonly CreditNoteState[]
  /** Number without gaps, given when it is sent; null before. */
  readonly number: string | null
  /** Currency (ISO 4217) or coin. */
  readonly currency: string
  /** Reason, which the customer reads. */
  readonly reason: string
  /** Day of issue. */
  readonly issue_date: string
  /** Sum of the lines without tax (BT-106): a decimal. */
  readonly line_total: string
  /** Discounts on the whole invoice, shared out over the taxes of its lines. */
  readonly discounts: readonly InvoiceAdjustment[]
  /** Charges on the whole invoice; without a tax shared out over those of its lines. */
  readonly charges: readonly InvoiceAdjustment[]
  /** Sum of the discounts on the whole invoice (BT-107): a decimal. */
  readonly discount_total: string
  /** Sum of the charges on the whole invoice (BT-108): a decimal. */
  readonly charge_total: string
  /** Sum without tax: the lines, less discounts, with charges (BT-109): a decimal. */
  readonly net_total: string
  /** Sum of the taxes: a decimal. */
  readonly tax_total: string
  /** Sum with tax, which is credited: a decimal. */
  readonly total: string
  /** Taxes by category and percentage. */
  readonly taxes: readonly InvoiceTax[]
  /** Lines. */
  readonly line_items: readonly InvoiceLine[]
  /** Profile of the electronic invoice. */
  readonly profile: InvoiceProfile
  /** Customer, as the contact is now or was when the invoice was sent. */
  readonly billing_contact: BillingContact
  /** Id of the approval that decides it; null if none is needed. */
  readonly approval_request_id: string | null
  /** Person who asked for the approval. */
  readonly approval_requester: InvoicePerson | null
  /** Person who made it. */
  readonly created_by: InvoicePerson | null
  /** Id of the person who made it. */
  readonly created_by_id: string | null
  /** Instant when it was sent. */
  readonly sent_at: string | null
  /** Id in your own system, unique among the things of this kind in the organization. */
  readonly external_id: string | null
  /** Up to 20 texts of your own, by key. A change merges them: null or an empty text removes a key, null all. */
  readonly metadata: Metadata
  /** Instant when it was made. */
  readonly inserted_at: string
  /** Instant of the last change. */
  readonly updated_at: string
}

export type CreditNotePage = {
  /** Items of the page. */
  readonly data: readonly CreditNote[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type PayoutReasonPage = {
  /** Items of the page. */
  readonly data: readonly PayoutReason[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type PayoutReason = {
  /** Code of the reason, which can be sent as `payout_reason`. */
  readonly code: string
  /** Name. */
  readonly name: string
}

export type AccountPage = {
  /** Items of the page. */
  readonly data: readonly Account[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type Account = {
  /** Id. */
  readonly id: string
  /** Currency (ISO 4217) or coin. */
  readonly currency: string
  /** Amount that can be spent. */
  readonly available: Money
  /** Amount that open payments hold. */
  readonly held: Money
  /** Available and held. */
  readonly total: Money
  /** Status. */
  readonly status: 'active'
  /** Accounts at which money arrives. */
  readonly account_details: readonly AccountDetails[]
}

export type AccountDetails = {
  /** Kind. */
  readonly type: AccountDetailsType
  /** Id. */
  readonly id: string
  /** Network of the coin. */
  readonly network: string | null
  /** IBAN, number or address. */
  readonly account: string
  /** Details that a payer needs, by name. */
  readonly details: Readonly<Record<string, string>>
}

export type Balances = {
  /** Instant of the balances. */
  readonly as_of: string
  /** Items of the page. */
  readonly data: readonly Balance[]
}

export type Balance = {
  /** Currency (ISO 4217) or coin. */
  readonly currency: string
  /** Amount that can be spent. */
  readonly available: Money
  /** Amount that open payments hold. */
  readonly held: Money
  /** Available and held. */
  readonly total: Money
}

export type Capabilities = {
  /** Items of the page. */
  readonly data: readonly Capability[]
}

export type Capability = {
  /** Way of the money. */
  readonly rail: PartnerRail
  /** Currency (ISO 4217) or coin. */
  readonly currency: string
  /** Network of a coin. */
  readonly network: string | null
  /** Payments in it. */
  readonly send: Ability
  /** Accounts or addresses at which it arrives. */
  readonly receive: Ability
  /** Exchange from and to this currency. */
  readonly exchange: Ability
  /** Payments that arrive within seconds. */
  readonly instant: Ability
  /** Question to the bank whose account it is. */
  readonly payee_check: Ability
}

export type Ability = {
  /** Amount that can be spent. */
  readonly available: boolean
  /** Why it is not available: no partner does it here, it or the organization is paused, it does not answer, or details of the organization are missing. */
  readonly reason: AbilityReason | null
}

export type LedgerIntegrity = {
  /** True if everything is right. */
  readonly ok: boolean
  /** Instant of the check. */
  readonly checked_at: string
  /** Number of ledger entries that were checked. */
  readonly entries: number
  /** Number of transfers that were checked. */
  readonly transfers: number
  /** Faults that were found. */
  readonly violations: readonly LedgerViolation[]
}

export type LedgerViolation = {
  /** Rule that is broken. */
  readonly check: string
  /** Account or transfer that is wrong. */
  readonly subject: string
}

export type ProofOfFunds = {
  /** Items of the page. */
  readonly data: readonly FundsProof[]
}

export type FundsProof = {
  /** Currency (ISO 4217) or coin. */
  readonly currency: string
  /** Key that signed; null before the first proof. */
  readonly key_id: string | null
  /** What is signed. */
  readonly statement: string | null
  /** Signature in base64url. */
  readonly signature: string | null
  /** What is hashed of the organization; null if it is left out. */
  readonly leaf: string | null
  /** Way to the root. */
  readonly path: readonly FundsSibling[]
}

export type FundsSibling = {
  /** On the left. */
  readonly left: boolean
  /** In hex. */
  readonly hash: string
  /** Sum below. */
  readonly sum: string
}

export type BankAccountPage = {
  /** Items of the page. */
  readonly data: readonly BankAccount[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type BankAccount = {
  /** Id. */
  readonly id: string
  /** Id of the organization. */
  readonly organization_id: string
  /** Currency (ISO 4217) or coin. */
  readonly currency: string
  /** Connection to the partner that moves the money; null: none. */
  readonly connection: string | null
  /** Status. */
  readonly status: BankAccountStatus
  /** IBAN or number, once it is active. */
  readonly account: string | null
  /** Details that a payer needs, by name, once it is active. */
  readonly details: Readonly<Record<string, string>> | null
  /** Instant when it was made. */
  readonly inserted_at: string
}

export type DepositAddressPage = {
  /** Items of the page. */
  readonly data: readonly DepositAddress[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type DepositAddress = {
  /** Id. */
  readonly id: string
  /** Id of the organization. */
  readonly organization_id: string
  /** Currency (ISO 4217) or coin. */
  readonly currency: string
  /** Connection to the partner that moves the money; null: none. */
  readonly connection: string | null
  /** Status. */
  readonly status: BankAccountStatus
  /** Address, once it is active. */
  readonly account: string | null
  /** Details that a payer needs, by name, once it is active. */
  readonly details: Readonly<Record<string, string>> | null
  /** Instant when it was made. */
  readonly inserted_at: string
  /** Network of the coin. */
  readonly network: string
}

export type DepositPage = {
  /** Items of the page. */
  readonly data: readonly Deposit[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type Deposit = {
  /** Id. */
  readonly id: string
  /** Id of the organization. */
  readonly organization_id: string
  /** Way of the money. */
  readonly rail: PartnerRail
  /** Connection to the partner that moves the money; null: none. */
  readonly connection: string | null
  /** Network of the coin. */
  readonly network: string | null
  /** Amount that came. */
  readonly amount: Money
  /** Status. */
  readonly status: DepositStatus
  /** Sender of the money. */
  readonly source: DepositSource
  /** True while the deposit waits for statements about its sender. */
  readonly needs_sender_travel_rule: boolean
  /** Instant until which the statements can be made; then the deposit is returned. */
  readonly release_by: string | null
  /** Id of the transaction. */
  readonly transaction_id: string | null
  /** Instant when it happened. */
  readonly occurred_at: string
}

export type DepositSource = {
  /** Name. */
  readonly name: string | null
  /** Text of the sender. */
  readonly reference: string | null
  /** Account of the sender. */
  readonly account_reference: string | null
  /** Country (ISO 3166-1 alpha-2). */
  readonly country: string | null
}

export type TravelRuleResult = {
  /** Id of the deposit. */
  readonly deposit_id: string
  /** True while the deposit waits for statements about its sender. */
  readonly needs_sender_travel_rule: boolean
  /** Always true: an answer that lacks something is refused, and not kept. */
  readonly travel_rule_complete: boolean
  /** Sender of the money. */
  readonly source: TravelRuleSource
}

export type TravelRuleSource = {
  /** Account of the sender. */
  readonly account_reference: string | null
  /** Address in lines. */
  readonly address: string | null
  /** Country (ISO 3166-1 alpha-2). */
  readonly country: string | null
  /** Name. */
  readonly name: string | null
  /** Natural or legal person. */
  readonly person_type: string | null
  /** Relation to the sender. */
  readonly relationship: string | null
  /** True if the money comes from an own account. */
  readonly is_own_account: boolean
}

export type SwapQuote = {
  /** Id of the quote. */
  readonly quote_id: string
  /** Rate: target for one source. Null if nothing is exchanged. */
  readonly rate: string
  /** Amount that is given: a decimal. */
  readonly source_amount: string
  /** Currency that is given. */
  readonly source_currency: string
  /** Amount that is received: a decimal. */
  readonly target_amount: string
  /** Currency that is received. */
  readonly target_currency: string
  /** State of the market. */
  readonly market_state: MarketState
  /** Instant when it expires. */
  readonly expires_at: string
}

export type Swap = {
  /** Id of the swap. */
  readonly swap_id: string
  /** Id of the quote. */
  readonly quote_id: string
  /** Instant of the execution. */
  readonly executed_at: string
  /** Rate: target for one source. Null if nothing is exchanged. */
  readonly rate: string
  /** Amount that is given: a decimal. */
  readonly source_amount: string
  /** Currency that is given. */
  readonly source_currency: string
  /** Amount that is received: a decimal. */
  readonly target_amount: string
  /** Currency that is received. */
  readonly target_currency: string
  /** State of the market. */
  readonly market_state: MarketState
}

export type SwapPage = {
  /** Items of the page. */
  readonly data: readonly Swap[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type SubscriptionOfferPage = {
  /** Items of the page. */
  readonly data: readonly SubscriptionOffer[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type SubscriptionOffer = {
  /** Id. */
  readonly id: string
  /** Name. */
  readonly name: string
  /** Name for people. */
  readonly display_name: string | null
  /** Text for people. */
  readonly description: string | null
  /** Price for a month: a decimal. */
  readonly amount: string
  /** Currency (ISO 4217) or coin. */
  readonly currency: string
  /** True if the offer can be selected now. */
  readonly active: boolean
  /** Instant from which it can be selected. */
  readonly valid_from: string | null
  /** Instant until which it can be selected. */
  readonly valid_to: string | null
  /** Texts about the plan. */
  readonly marketing_attributes: MarketingAttributes
}

export type MarketingAttributes = {
  /** Text about cash withdrawals. */
  readonly atm_withdrawals: string | null
  /** Text about bank transfers. */
  readonly bank_transfers: string | null
  /** Text about rewards of cards. */
  readonly card_spend_rewards: string | null
  /** Text about network fees. */
  readonly network_fees: string | null
  /** Text about transactions in other currencies than USD. */
  readonly non_usd_transactions: string | null
  /** Text about fees of physical cards. */
  readonly physical_card_fees: string | null
  /** Text about deposits in stablecoins. */
  readonly stablecoin_deposit: string | null
  /** Text about withdrawals in stablecoins. */
  readonly stablecoin_withdraw: string | null
  /** Text about rewards of transfers. */
  readonly transfers_rewards: string | null
  /** Text about deposits in USD. */
  readonly usd_deposit: string | null
  /** Text about transactions in USD. */
  readonly usd_transactions: string | null
  /** Text about transfers in USD. */
  readonly usd_transfers: string | null
  /** Text about virtual cards. */
  readonly virtual_cards: string | null
  /** Sentences about the plan. */
  readonly summary: readonly string[]
}

export type LatestSubscription = {
  /** Subscription; null if there never was one. */
  readonly subscription: Subscription | null
}

export type Subscription = {
  /** Id. */
  readonly id: string
  /** Status. */
  readonly status: SubscriptionStatus
  /** Offer that was selected. */
  readonly offer: SubscriptionOffer
  /** Instant until which the subscription cannot end. */
  readonly commitment_ends_at: string | null
  /** Offer that follows; null if none is scheduled. */
  readonly scheduled_offer: SubscriptionOffer | null
  /** Day from which the scheduled offer holds. */
  readonly scheduled_effective_date: string | null
  /** Instant of the first failed charge of its next month. */
  readonly renewal_failing_since: string | null
  /** Instant of the next try to charge. */
  readonly next_renewal_attempt_at: string | null
  /** Instant when it was made. */
  readonly inserted_at: string
  /** Instant of the last change. */
  readonly updated_at: string
}

export type SubscriptionResult = {
  /** What was done. */
  readonly operation: SubscriptionResultOperation
  /** Day from which it holds. */
  readonly effective_date: string
  /** Transaction that was charged. */
  readonly purchase: SubscriptionPurchase
  /** Day from which the scheduled offer holds. */
  readonly scheduled_effective_date: string | null
  /** Offer that follows; null if none is scheduled. */
  readonly scheduled_offer: SubscriptionOffer | null
  /** Subscription; null if there never was one. */
  readonly subscription: Subscription
}

export type SubscriptionPurchase = {
  /** Id of the transaction, or of the selection if nothing was charged. */
  readonly id: string
  /** Status. */
  readonly status: SubscriptionPurchaseStatus
}

export type TransactionPage = {
  /** Items of the page. */
  readonly data: readonly Transaction[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type Transaction = {
  /** Id. */
  readonly id: string
  /** Id of the organization. */
  readonly organization_id: string
  /** Kind. */
  readonly type: TransactionType
  /** Direction of the money. */
  readonly direction: TransactionDirection
  /** Amount that was booked, without a sign. */
  readonly amount: Money
  /** Balance after the transaction. */
  readonly running_balance: Money | null
  /** Kept when a payment came back. */
  readonly charges: Money | null
  /** Name of the other side. */
  readonly counterparty: string | null
  /** Text for people. */
  readonly description: string | null
  /** Id of the payment. */
  readonly payment_id: string | null
  /** Id of the deposit. */
  readonly deposit_id: string | null
  /** Id of the swap. */
  readonly swap_id: string | null
  /** Id of the bill. */
  readonly bill_id: string | null
  /** Status. */
  readonly status: TransactionStatus
  /** Category for the books. */
  readonly category: string | null
  /** Notes that only members see. */
  readonly internal_notes: string | null
  /** One value for each dimension: its own, else those of its payment. */
  readonly labels: readonly CodingLabel[]
  /** Instant when it happened. */
  readonly occurred_at: string
  /** Instant when it was booked; null while it is pending. */
  readonly posted_at: string | null
}

export type Export = {
  /** Id. */
  readonly id: string
  /** Id of the organization. */
  readonly organization_id: string
  /** Name of the file. */
  readonly filename: string
  /** Status. */
  readonly status: ExportStatus
  /** Kind. */
  readonly type: ExportType
  /** Format of the file: `camt053`, `camt054`, `mt940` and `ofx` are statements for accounting programs. */
  readonly format: ExportFormat | (string & {})
  /** Start, inclusive: a day in UTC or an instant. */
  readonly from: string
  /** End: a whole day in UTC, or an instant, exclusive. */
  readonly to: string
  /** Currency of the rows; null: every one. */
  readonly currency: string | null
  /** Sample of an audit pack; null for any other type. */
  readonly sample: ExportSample | null
  /** Progress: rows that are written. */
  readonly rows_processed: number
  /** Number of rows, once known. */
  readonly rows_total: number | null
  /** Reason of the failure. */
  readonly failure: ExportFailure | null
  /** Address to download from; it needs no bearer and expires soon. */
  readonly download_url: string | null
  /** Instant when it expires. */
  readonly expires_at: string | null
  /** Instant when it was made. */
  readonly inserted_at: string
}

export type ExportSample = {
  /** Number of items that are drawn from each list. */
  readonly size: number
  /** The auditor's own words. */
  readonly seed: string
}

export type ExportFailure = {
  /** Kind of failure. */
  readonly code: ExportFailureCode | (string & {})
  /** Sentence that a person may read; never branch on it. */
  readonly message: string
}

export type ExportPage = {
  /** Items of the page. */
  readonly data: readonly Export[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type LoggedRequestPage = {
  /** Items of the page. */
  readonly data: readonly LoggedRequest[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type LoggedRequest = {
  /** Id. */
  readonly id: string
  /** Id that the answer named: of the caller, or our own. */
  readonly request_id: string
  /** Instant of its arrival. */
  readonly received_at: string
  /** Kind of the credential; a SCIM token counts as an API key. */
  readonly credential_kind: LoggedRequestCredentialKind
  /** Id of the API key, the delegate or the SCIM token; null: a session. */
  readonly credential_id: string | null
  /** Name of the API key, the delegate or the SCIM token; null: a session. */
  readonly credential_name: string | null
  /** Person of the session or the delegate; null: an API key or a SCIM token. */
  readonly user_id: string | null
  /** Operation of this document. */
  readonly operation: string
  /** Method of HTTP. */
  readonly method: string
  /** Path with the names of its parameters. */
  readonly path: string
  /** Status of the answer; 499: the caller hung up. */
  readonly status: number
  /** `error.type` of the answer. */
  readonly error_type: string | null
  /** Time until the answer began. */
  readonly milliseconds: number
  /** Name of the program, shortened. */
  readonly user_agent: string | null
}

export type EventPage = {
  /** Items of the page. */
  readonly data: readonly Event[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type Event = {
  /** Id. */
  readonly id: string
  /** Kind. */
  readonly kind: EventKind
  /** Type of the event. */
  readonly event_type: string
  /** Who acted. */
  readonly actor_kind: ActorKind | null
  /** Id of the person who acted. */
  readonly actor_user_id: string | null
  /** Id of the cause. */
  readonly causation_id: string | null
  /** Id of the request that it follows from. */
  readonly correlation_id: string | null
  /** Instant when it happened. */
  readonly occurred_at: string
  /** Facts of the event; the members depend on its type. */
  readonly payload: Readonly<Record<string, unknown>> | null
  /** Partner that it came from, or `delegate:<id>` if a delegate acted for the person. */
  readonly provider: string | null
  /** Id of the organization. */
  readonly organization_id: string
  /** Stream of the event. */
  readonly stream: string
  /** Id of what the event is about. */
  readonly subject_id: string
  /** Cause. */
  readonly cause: string
  /** Position in the chain; null until the event is chained. */
  readonly seq: number | null
  /** Hash of the event, in hex. */
  readonly hash: string | null
}

export type EventLogVerification = {
  /** True if everything is right. */
  readonly ok: boolean
  /** Number of events that were verified. */
  readonly events: number
  /** Last event that was verified. */
  readonly head: EventLogHead
  /** Instant of the verification. */
  readonly verified_at: string
  /** First fault of the chain; null if there is none. */
  readonly first_bad: EventLogFault | null
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type EventLogHead = {
  /** Position in the chain; null until the event is chained. */
  readonly seq: number
  /** Hash of the event, in hex. */
  readonly hash: string | null
}

export type EventLogFault = {
  /** Kind of fault. */
  readonly fault: EventLogFaultKind
  /** Position in the chain; null until the event is chained. */
  readonly seq: number | null
  /** Id of the event. */
  readonly event_id: string | null
}

export type EventHeadPage = {
  /** Items of the page. */
  readonly data: readonly EventHead[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type EventHead = {
  /** Id. */
  readonly id: string
  /** Id of the organization. */
  readonly organization_id: string
  /** Position in the chain; null until the event is chained. */
  readonly seq: number
  /** Hash of the event, in hex. */
  readonly hash: string
  /** Id of the key that signed. */
  readonly key_id: string
  /** Text that was signed. */
  readonly statement: string
  /** Signature in base64url. */
  readonly signature: string
  /** Instant of the publication. */
  readonly published_at: string
}

export type EventLogKeyPage = {
  /** Items of the page. */
  readonly data: readonly EventLogKey[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type EventLogKey = {
  /** Id. */
  readonly id: string
  /** Algorithm. */
  readonly algorithm: 'Ed25519'
  /** Ed25519 public key in base64. */
  readonly public_key: string
}

export type JsonWebKeySet = {
  /** Present and former keys; the first one signs. */
  readonly keys: readonly JsonWebKey[]
}

export type JsonWebKey = {
  /** Kind of the key. */
  readonly kty: 'OKP'
  /** Curve of the key. */
  readonly crv: 'Ed25519'
  /** Public key in base64url. */
  readonly x: string
  /** Id of the key, which signed tokens name. */
  readonly kid: string
  /** Use of the key: it signs. */
  readonly use: 'sig'
  /** Algorithm of its signatures. */
  readonly alg: 'EdDSA'
}

export type CountryPage = {
  /** Items of the page. */
  readonly data: readonly Country[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type Country = {
  /** Code (ISO 3166-1 alpha-2). */
  readonly alpha2: string
  /** Code (ISO 3166-1 alpha-3). */
  readonly alpha3: string
  /** English name. */
  readonly name: string
  /** Names in other languages. */
  readonly translations: readonly NameTranslation[]
  /** Calling codes, with `+`. */
  readonly calling_codes: readonly string[]
  /** Currency of the country; null if it has none. */
  readonly currency: string | null
}

export type NameTranslation = {
  /** Language tag (BCP 47). */
  readonly locale: string
  /** Name. */
  readonly name: string
}

export type SubdivisionPage = {
  /** Items of the page. */
  readonly data: readonly Subdivision[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type Subdivision = {
  /** Code (ISO 3166-2). */
  readonly code: string
  /** Name. */
  readonly name: string
  /** Names in other languages. */
  readonly translations: readonly NameTranslation[]
}

export type CurrencyPage = {
  /** Items of the page. */
  readonly data: readonly Currency[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type Currency = {
  /** Code (ISO 4217) or symbol of the coin. */
  readonly code: string
  /** Name. */
  readonly name: string
  /** Number of decimals. */
  readonly precision: number
  /** Kind. */
  readonly kind: CurrencyKind
}

export type AccountingIntegrationPage = {
  /** Items of the page. */
  readonly data: readonly AccountingIntegration[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type AccountingIntegration = {
  /** Id. */
  readonly id: string
  /** Kind. */
  readonly type: 'accounting'
  /** Accounting program. */
  readonly provider: 'xero'
  /** Status. */
  readonly status: AccountingIntegrationStatus
  /** True if a member must connect again. */
  readonly needs_reconnect: boolean
  /** Id of the organization in the accounting program. */
  readonly tenant_id: string
  /** Name of the organization in the accounting program. */
  readonly tenant_name: string
  /** Instant when it was connected. */
  readonly connected_at: string
  /** Person who connected it. */
  readonly connected_by: AccountingConnector
  /** Instant when it ended; null while it goes on. */
  readonly ended_at: string | null
  /** Latest sync; null before the first. */
  readonly last_sync: AccountingSyncSummary | null
}

export type AccountingConnector = {
  /** Id. */
  readonly id: string
  /** Given name. */
  readonly first_name: string | null
  /** Family name. */
  readonly last_name: string | null
}

export type AccountingSyncSummary = {
  /** Id. */
  readonly id: string
  /** Status. */
  readonly status: AccountingSyncStatus
  /** What started the sync. */
  readonly trigger: AccountingSyncTrigger
  /** Id of the person who asked for it. */
  readonly requested_by: string | null
  /** Instant of the start. */
  readonly started_at: string
  /** Instant when it ended; null while it goes on. */
  readonly ended_at: string | null
  /** Number of items that are in the books now. */
  readonly pushed: number
  /** Number of items without an account, or that the books cannot hold. */
  readonly skipped: number
  /** Number of items that the accounting program refused. */
  readonly failed: number
  /** Reason of the failure. */
  readonly failure: AccountingSyncFailure | null
}

export type AccountingSyncFailure = {
  /** Kind of failure. */
  readonly code: AccountingSyncFailureCode | (string & {})
  /** Sentence that a person may read; never branch on it. */
  readonly message: string
}

export type AccountingConnectionStart = {
  /** Page of the accounting program, on which the member agrees. */
  readonly authorize_url: string
  /** Instant when it expires. */
  readonly expires_at: string
}

export type AccountingMappingOptions = {
  /** Values of `source_value` for mappings of `card_category`. */
  readonly card_categories: readonly string[]
  /** Mapping types that take one mapping and no `source_value`. */
  readonly other_mapping_types: readonly AccountingMappingType[]
}

export type AccountingMappingType = {
  /** Value of `mapping_type`. */
  readonly type: string
  /** Name for people. */
  readonly label: string
  /** Kind of account. */
  readonly account_type: string
}

export type AccountingAccountPage = {
  /** Items of the page. */
  readonly data: readonly AccountingAccount[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type AccountingAccount = {
  /** Code of the account. */
  readonly code: string
  /** Name. */
  readonly name: string
  /** Kind of account. */
  readonly account_type: ChartAccountAccountType
  /** Currency (ISO 4217) or coin. */
  readonly currency: string | null
  /** True if payments can be booked on it. */
  readonly takes_payments: boolean
}

export type AccountingMappingPage = {
  /** Items of the page. */
  readonly data: readonly AccountingMapping[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type AccountingMapping = {
  /** What is mapped. */
  readonly mapping_type: string
  /** Value that is mapped; null if the type takes none. */
  readonly source_value: string | null
  /** Code of the account in the books. */
  readonly account_code: string
  /** Name at the latest sync; null if the books had no such account. */
  readonly account_name: string | null
}

export type AccountingSync = {
  /** Id. */
  readonly id: string
  /** Status. */
  readonly status: AccountingSyncStatus
  /** What started the sync. */
  readonly trigger: AccountingSyncTrigger
  /** Id of the person who asked for it. */
  readonly requested_by: string | null
  /** Instant of the start. */
  readonly started_at: string
  /** Instant when it ended; null while it goes on. */
  readonly ended_at: string | null
  /** Number of items that are in the books now. */
  readonly pushed: number
  /** Number of items without an account, or that the books cannot hold. */
  readonly skipped: number
  /** Number of items that the accounting program refused. */
  readonly failed: number
  /** First 100 errors of the skipped and failed. */
  readonly errors: readonly AccountingSyncError[]
  /** Reason of the failure. */
  readonly failure: AccountingSyncFailure | null
}

export type AccountingSyncError = {
  /** Kind. */
  readonly kind: AccountingSyncErrorKind
  /** Id of the transaction, bill, invoice or allocation. */
  readonly id: string
  /** Kind of error. */
  readonly code: AccountingSyncErrorCode | (string & {})
  /** Sentence that a person may read; never branch on it. */
  readonly message: string
  /** Mapping type that has no account. */
  readonly mapping_type: string | null
}

export type AccountingSyncPage = {
  /** Items of the page. */
  readonly data: readonly AccountingSync[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type WebhookEndpointWithSecret = {
  /** Id. */
  readonly id: string
  /** Address. */
  readonly url: string
  /** Event types that are delivered; empty for all. */
  readonly types: readonly string[]
  /** Text for people. */
  readonly description: string | null
  /** Status. */
  readonly status: WebhookEndpointStatus
  /** Reason why it is disabled; null while it is enabled. */
  readonly disabled_reason: WebhookEndpointDisabledReason | (string & {}) | null
  /** Instant when it was made. */
  readonly created_at: string
  /** Instant of the last change. */
  readonly updated_at: string
  /** Instant of the last delivery that was taken. */
  readonly last_success_at: string | null
  /** Instant of the last delivery that was not taken. */
  readonly last_failure_at: string | null
  /** Instant since which no delivery is taken. */
  readonly failing_since: string | null
  /** Instant until which the previous secret also works. */
  readonly previous_secret_expires_at: string | null
  /** Secret; it is shown only here. */
  readonly secret: string
}

export type WebhookEndpointPage = {
  /** Items of the page. */
  readonly data: readonly WebhookEndpoint[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type WebhookEndpoint = {
  /** Id. */
  readonly id: string
  /** Address. */
  readonly url: string
  /** Event types that are delivered; empty for all. */
  readonly types: readonly string[]
  /** Text for people. */
  readonly description: string | null
  /** Status. */
  readonly status: WebhookEndpointStatus
  /** Reason why it is disabled; null while it is enabled. */
  readonly disabled_reason: WebhookEndpointDisabledReason | (string & {}) | null
  /** Instant when it was made. */
  readonly created_at: string
  /** Instant of the last change. */
  readonly updated_at: string
  /** Instant of the last delivery that was taken. */
  readonly last_success_at: string | null
  /** Instant of the last delivery that was not taken. */
  readonly last_failure_at: string | null
  /** Instant since which no delivery is taken. */
  readonly failing_since: string | null
  /** Instant until which the previous secret also works. */
  readonly previous_secret_expires_at: string | null
}

export type WebhookEndpointDeliveryPage = {
  /** Items of the page. */
  readonly data: readonly WebhookEndpointDelivery[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type WebhookEndpointDelivery = {
  /** Id. */
  readonly id: string
  /** Id of the event. */
  readonly event_id: string
  /** Type of the event. */
  readonly event_type: string
  /** Why it is delivered. */
  readonly origin: WebhookEndpointDeliveryOrigin
  /** Status. */
  readonly status: WebhookEndpointDeliveryStatus
  /** Attempts, oldest first. */
  readonly attempts: readonly WebhookAttempt[]
  /** Instant of the next attempt. */
  readonly next_attempt_at: string | null
  /** Instant when it was made. */
  readonly created_at: string
  /** Instant when it ended; null while it goes on. */
  readonly ended_at: string | null
}

export type WebhookAttempt = {
  /** Instant of the attempt. */
  readonly attempted_at: string
  /** Status of the answer; null if none came. */
  readonly status_code: number | null
  /** First 1,000 characters of the answer. */
  readonly response: string | null
  /** Reason why no answer came. */
  readonly failure: WebhookAttemptFailure | (string & {}) | null
  /** Time until the answer, in milliseconds. */
  readonly duration_ms: number
}

export type WebhookReplay = {
  /** Id. */
  readonly id: string
  /** Status. */
  readonly status: WebhookReplayStatus
  /** Start, inclusive. */
  readonly from: string
  /** End, exclusive. */
  readonly until: string
  /** Number of deliveries made yet. */
  readonly queued: number
  /** Instant when it was made. */
  readonly created_at: string
  /** Instant when it ended; null while it goes on. */
  readonly ended_at: string | null
}

export type WebhookReplayPage = {
  /** Items of the page. */
  readonly data: readonly WebhookReplay[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type LogStreamWithSecret = {
  /** Id. */
  readonly id: string
  /** Kind. */
  readonly kind: LogStreamWithSecretKind
  /** Address in lines. */
  readonly address: string
  /** Text for people. */
  readonly description: string | null
  /** True while events wait. */
  readonly paused: boolean
  /** Number of events that are queued and not taken yet. */
  readonly waiting: number
  /** Reason why it is disabled; null while it is enabled. */
  readonly disabled_reason: WebhookEndpointDisabledReason | (string & {}) | null
  /** Instant when it was made. */
  readonly created_at: string
  /** Instant of the last change. */
  readonly updated_at: string
  /** Instant of the last delivery that was taken. */
  readonly last_success_at: string | null
  /** Instant of the last delivery that was not taken. */
  readonly last_failure_at: string | null
  /** Instant since which no delivery is taken. */
  readonly failing_since: string | null
  /** Instant until which the previous secret also works. */
  readonly previous_secret_expires_at: string | null
  /** Secret that signs each request; null: syslog has no signature. */
  readonly secret: string | null
}

export type LogStreamPage = {
  /** Items of the page. */
  readonly data: readonly LogStream[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type LogStream = {
  /** Id. */
  readonly id: string
  /** Way to the receiver. */
  readonly kind: LogStreamWithSecretKind
  /** Address that events are sent to. */
  readonly address: string
  /** Text for people. */
  readonly description: string | null
  /** True while events wait. */
  readonly paused: boolean
  /** Number of events that are queued and not taken yet. */
  readonly waiting: number
  /** Reason why it is disabled; null while it is enabled. */
  readonly disabled_reason: WebhookEndpointDisabledReason | (string & {}) | null
  /** Instant when it was made. */
  readonly created_at: string
  /** Instant of the last change. */
  readonly updated_at: string
  /** Instant of the last delivery that was taken. */
  readonly last_success_at: string | null
  /** Instant of the last delivery that was not taken. */
  readonly last_failure_at: string | null
  /** Instant since which no delivery is taken. */
  readonly failing_since: string | null
  /** Instant until which the previous secret also works. */
  readonly previous_secret_expires_at: string | null
}

export type ListedErrorTypePage = {
  /** Items of the page. */
  readonly data: readonly ListedErrorType[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type ListedErrorType = {
  /** Error type. */
  readonly type: string
  /** HTTP status. */
  readonly status: number
  /** Sentence that a person may read; never branch on it. */
  readonly message: string
}

export type ListedEventTypePage = {
  /** Items of the page. */
  readonly data: readonly ListedEventType[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type ListedEventType = {
  /** Event type. */
  readonly type: string
  /** Stream of the event. */
  readonly stream: string
  /** Kind. */
  readonly kind: EventKind
  /** Text for people. */
  readonly description: string
  /** JSON Schema of the payload. */
  readonly payload_schema: Readonly<Record<string, unknown>>
}

export type UploadedFile = {
  /** Id. */
  readonly id: string
  /** Size in bytes. */
  readonly byte_size: number
  /** SHA-256 of the bytes, in hex. */
  readonly sha256: string
}

export type SandboxTenantPage = {
  /** Items of the page. */
  readonly data: readonly SandboxTenant[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type SandboxTenant = {
  /** Id. */
  readonly id: string
  /** Name. */
  readonly name: string
  /** Currency of the books. */
  readonly base_currency: string
  /** Number of calls. */
  readonly calls: number
  /** Number of calls that were refused by a limit. */
  readonly limited_calls: number
  /** Number of items, by kind. */
  readonly items: Readonly<Record<string, number>>
  /** Instant when it was made. */
  readonly created_at: string
}

export type SandboxItemPage = {
  /** Items of the page. */
  readonly data: readonly SandboxItem[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type SandboxItem = {
  /** Id in the accounting program. */
  readonly id: string
  /** Kind. */
  readonly type: SandboxItemType
  /** Item as the accounting program has it. */
  readonly body: Readonly<Record<string, unknown>>
  /** Instant when it was made. */
  readonly created_at: string
  /** Instant of the last change. */
  readonly updated_at: string
}

export type SandboxClock = {
  /** Present instant of the clock. */
  readonly now: string
}

export type SandboxArrival = {
  /** Status. */
  readonly status: SandboxArrivalStatus
  /** Id of the deposit. */
  readonly deposit_id: string | null
  /** Id of the unmatched deposit, if the account has no owner. */
  readonly unmatched_deposit_id: string | null
}

export type SandboxFault = {
  /** Stand-in, by the name of its connection; or `mail`, `payee_checks`, `accounting`, `storage`. */
  readonly partner: string
  /** Kind of fault. */
  readonly fault: SandboxFaultKind
  /** Number of calls that fail. */
  readonly times: number
}

export type SandboxFaultPage = {
  /** Items of the page. */
  readonly data: readonly SandboxFault[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type SandboxMarket = {
  /** State. */
  readonly state: SandboxMarketState
  /** State of the market. */
  readonly market_state: MarketState
}

export type SandboxMessagePage = {
  /** Items of the page. */
  readonly data: readonly SandboxMessage[]
  /** True if more items follow. */
  readonly has_more: boolean
  /** Cursor of the next page, or null. */
  readonly next_cursor: string | null
}

export type SandboxMessage = {
  /** Id. */
  readonly id: string
  /** Address or number of the recipient. */
  readonly to: string
  /** Way in which it was sent. */
  readonly channel: SandboxMessageChannel
  /** Subject line. */
  readonly subject: string
  /** Text of the message. */
  readonly text: string
  /** Token in the link of the message, if it has one. */
  readonly token: string | null
  /** Code in the message, if it has one. */
  readonly code: string | null
  /** Link in the message, if it has one. */
  readonly url: string | null
  /** Files in the message. */
  readonly attachments: readonly SandboxMessageAttachment[]
  /** Instant when it was sent. */
  readonly sent_at: string
}

export type SandboxMessageAttachment = {
  /** Name of the file. */
  readonly filename: string
  /** Media type. */
  readonly content_type: string
  /** Size in bytes. */
  readonly byte_size: number
  /** SHA-256 of the bytes, in hex. */
  readonly sha256: string
  /** Address to download from; it needs no bearer and expires soon. */
  readonly download_url: string
}

export type OAuthError = {
  /** Kind of error (RFC 6749, section 5.2). */
  readonly error: OAuthErrorError
  /** Explanation for people. */
  readonly error_description: string
}

export type ProviderLogoutError = {
  /** Always the same. */
  readonly error: 'invalid_request'
  /** Explanation for people. */
  readonly error_description: string
}

export type DepositMoney = {
  /** Amount: a decimal. */
  readonly amount: string
  /** Currency (ISO 4217) or coin. */
  readonly currency: string
  /** Connection to the partner that moves the money; null: none. */
  readonly connection?: string
}

export type PartnerUpdate = {
  /** Kind of the partner. */
  readonly partner: PartnerUpdatePartner
  /** Connection to the partner that moves the money; null: none. */
  readonly connection?: string
  /** Grows with each update. */
  readonly version: number
  /** Text for the payee. */
  readonly reference: string | null
}

export type PlanChange = {
  /** Id of the offer. */
  readonly offer_id: string
  /** Offer before it. */
  readonly previous_offer_id: string | null
  /** Day from which it is in force. */
  readonly effective_date: string
  /** Month that is paid. */
  readonly month: {
  readonly from: string
  readonly until: string
}
  /** Amount of now. */
  readonly charged: Money
  /** Id of the transaction. */
  readonly transaction_id: string | null
}

export type SignUp = {
  /** E-mail address, in lower case. */
  readonly email: string
  /** Password: 12 to 256 characters, and none that is known from leaks. */
  readonly password: string
  /** Given name. */
  readonly first_name?: string | null
  /** Family name. */
  readonly last_name?: string | null
  /** Token of an invitation, to join its organization with the new account. */
  readonly invitation_token?: string | null
}

export type EmailConfirmation = {
  /** Token from the link in the mail. */
  readonly token: string
  /** Secret of the client that signed up: with it the confirmation takes the password of the sign-up. */
  readonly sign_up_token?: string | null
  /** Password of the new account, instead of the one of the sign-up: needed without its `sign_up_token`. */
  readonly password?: string | null
}

export type AskedMailedLink = {
  /** Page, from 1. */
  readonly page: AskedMailedLinkPage
  /** Token from the link in the mail. */
  readonly token: string
}

export type SignIn = {
  /** E-mail address, in lower case. */
  readonly email: string
  /** Password: 12 to 256 characters, and none that is known from leaks. */
  readonly password: string
  /** Id of the device from an earlier sign-in; absent for a new device. */
  readonly device_id?: string | null
  /** Trusts this device for 30 days: later sign-ins skip the code. Never set it on a server. */
  readonly remember_me?: boolean | null
  /** Same as `remember_me`. */
  readonly trust_transport?: boolean | null
  /** Same as `remember_me`. */
  readonly trust_tokens?: boolean | null
  /** Token of a trusted device: a sign-in with it skips the code. */
  readonly trust_token?: string | null
}

export type SignInCode = {
  /** Token of this sign-in, for the step that completes it. */
  readonly challenge_token: string
  /** Code of the authenticator app, or a recovery code. */
  readonly code: string
}

export type SignInPasskey = {
  /** Token of this sign-in, for the step that completes it. */
  readonly challenge_token: string
  /** Credential that the browser answered, as JSON. */
  readonly credential: WebauthnCredential
}

export type WebauthnCredential = {
  /** Id of the passkey in base64url. */
  readonly id: string
  /** Id of the credential in base64url, as the browser gives it. */
  readonly rawId: string
  /** Kind. */
  readonly type: 'public-key'
  /** Results of extensions, as the browser gives them. */
  readonly clientExtensionResults?: Readonly<Record<string, unknown>>
  /** Kind of authenticator: `platform` or `cross-platform`. */
  readonly authenticatorAttachment?: string | null
  /** Answer of the authenticator. */
  readonly response: AssertionResponse
}

export type AssertionResponse = {
  /** Signed data of the client, in base64url. */
  readonly clientDataJSON: string
  /** Data of the authenticator, in base64url. */
  readonly authenticatorData: string
  /** Signature in base64url. */
  readonly signature: string
  /** Handle of the person in base64url. */
  readonly userHandle?: string | null
}

export type ChallengeToken = {
  /** Token of this sign-in, for the step that completes it. */
  readonly challenge_token: string
}

export type PasswordForgotten = {
  /** E-mail address, in lower case. */
  readonly email: string
}

export type PasswordReset = {
  /** Token from the link in the mail. */
  readonly token: string
  /** Password: 12 to 256 characters, and none that is known from leaks. */
  readonly password: string
}

export type PasswordChange = {
  /** Present password. */
  readonly current_password: string
  /** Password: 12 to 256 characters, and none that is known from leaks. */
  readonly password: string
}

export type FactorsObjection = {
  /** Token from the link in the mail. */
  readonly token: string
}

export type AuthenticatorCodes = {
  /** Code that the authenticator app shows. */
  readonly code: string
  /** Code from the message. */
  readonly messaging_code: string
}

export type DeviceSignIn = {
  /** Id of the device. */
  readonly device_id: string
  /** Login credential of the device. */
  readonly credential: string
  /** Trusts this device for 30 days: later sign-ins skip the code. Never set it on a server. */
  readonly remember_me?: boolean | null
  /** Same as `remember_me`. */
  readonly trust_transport?: boolean | null
  /** Same as `remember_me`. */
  readonly trust_tokens?: boolean | null
  /** Token of a trusted device: a sign-in with it skips the code. */
  readonly trust_token?: string | null
}

export type DeviceName = {
  /** Name. */
  readonly name: string
}

export type MeChanges = {
  /** Given name. */
  readonly first_name?: string | null
  /** Family name. */
  readonly last_name?: string | null
  /** Postal address of the person. */
  readonly address?: AddressChange | null
  /** Country of residence (ISO 3166-1 alpha-2), as the person stated it. */
  readonly user_filled_country_of_residence?: string | null
  /** Mails about requests that wait for the person: `at_once`, together after ten minutes (`digest`), or once a day (`daily`). A request with a grave warning, or one that expires within a day, is mailed at once. */
  readonly notify?: MeNotify
}

export type AddressChange = {
  /** First line of the address. */
  readonly address_line1: string
  /** Second line of the address. */
  readonly address_line2?: string | null
  /** City. */
  readonly city: string
  /** Country (ISO 3166-1 alpha-2). */
  readonly country_code: string
  /** Postal code. */
  readonly postal_code?: string | null
}

export type PrimaryOrganization = {
  /** Id of the organization. */
  readonly organization_id: string
}

export type NewPhoneNumber = {
  /** Phone number in E.164, for example `+4915112345678`. */
  readonly e164: string
}

export type PhoneNumberConfirmation = {
  /** Phone number in E.164, for example `+4915112345678`. */
  readonly e164: string
  /** Code of six digits. */
  readonly code: string
}

export type NewPasskey = {
  /** Name. */
  readonly name: string
  /** Credential that the browser answered, as JSON. */
  readonly credential: NewCredential
}

export type NewCredential = {
  /** Id of the passkey in base64url. */
  readonly id: string
  /** Id of the credential in base64url, as the browser gives it. */
  readonly rawId: string
  /** Kind. */
  readonly type: 'public-key'
  /** Results of extensions, as the browser gives them. */
  readonly clientExtensionResults?: Readonly<Record<string, unknown>>
  /** Kind of authenticator: `platform` or `cross-platform`. */
  readonly authenticatorAttachment?: string | null
  /** Answer of the authenticator. */
  readonly response: AttestationResponse
}

export type AttestationResponse = {
  /** Signed data of the client, in base64url. */
  readonly clientDataJSON: string
  /** Attestation of the new passkey, in base64url. */
  readonly attestationObject: string
  /** Ways to reach the authenticator: `internal`, `hybrid`, `usb` and others. */
  readonly transports?: readonly string[] | null
}

export type PasskeyName = {
  /** Name. */
  readonly name: string
}

export type StepUpProof = TotpProof | WebauthnProof | MessagingCodeProof | ApprovalDeviceProof

export type TotpProof = {
  /** Way to prove. */
  readonly method: 'totp'
  /** Code of six digits. */
  readonly code: string
}

export type WebauthnProof = {
  /** Way to prove. */
  readonly method: 'webauthn'
  /** Id of the passkey challenge. */
  readonly challenge_id: string
  /** Credential that the browser answered, as JSON. */
  readonly credential: WebauthnCredential
}

export type MessagingCodeProof = {
  /** Way to prove. */
  readonly method: 'messaging_code'
  /** Code of six digits. */
  readonly code: string
}

export type ApprovalDeviceProof = {
  /** Way to prove. */
  readonly method: 'approval_device'
}

export type StepUpFallback = {
  /** Way to prove. */
  readonly method: StepUpMethod
}

export type ApprovalChallengeApproval = {
  /** Approval credential of the device. */
  readonly credential: string
  /** Three digits that the person compares on both screens. */
  readonly match_code: string
}

export type ApprovalChallengeDenial = {
  /** Approval credential of the device. */
  readonly credential: string
}

export type NewOrganization = {
  /** Name. */
  readonly name: string
  /** Country (ISO 3166-1 alpha-2). */
  readonly country_code?: string | null
  /** Name on cards. */
  readonly card_name?: string | null
  /** Address of the company, in lines. */
  readonly company_address?: string | null
  /** Address for questions. */
  readonly contact_email?: string | null
  /** Name of the seller on invoices. */
  readonly invoice_name?: string | null
  /** Note on every invoice. */
  readonly invoice_notes?: string | null
  /** Code of the referral. */
  readonly referral_code?: string | null
  /** True if the organization is a registered company. */
  readonly registered_entity?: boolean | null
  /** Tax number. */
  readonly tax_id?: string | null
  /** IANA name of the zone in which its days begin; UTC if absent. */
  readonly time_zone?: string | null
}

export type OrganizationChanges = {
  /** Name. */
  readonly name?: string
  /** Country (ISO 3166-1 alpha-2). */
  readonly country_code?: string | null
  /** Name on cards. */
  readonly card_name?: string | null
  /** Address of the company, in lines. */
  readonly company_address?: string | null
  /** Address for questions. */
  readonly contact_email?: string | null
  /** Name of the seller on invoices. */
  readonly invoice_name?: string | null
  /** Note on every invoice. */
  readonly invoice_notes?: string | null
  /** True if the organization is a registered company. */
  readonly registered_entity?: boolean | null
  /** Tax number. */
  readonly tax_id?: string | null
}

export type ClaimHandle = {
  /** Handle of the organization, `@name`: others pay to it. */
  readonly svc_id: string
}

export type NewLegalEntity = {
  /** Name as the register or the tax office has it. */
  readonly legal_name: string
  /** Name by which customers know it. */
  readonly trading_name?: string | null
  /** Kind of entity; it decides what else is asked for. */
  readonly form: LegalEntityForm
  /** Entry in a public register; a sole trader may have none. */
  readonly registration?: NewRegistration | null
  /** Number at the tax office, as it writes it. */
  readonly tax_id?: string | null
  /** Day of its foundation. */
  readonly incorporated_on?: string | null
  /** Registered address. */
  readonly address?: NewPostalAddress | null
  /** Address of its website. */
  readonly website?: string | null
  /** Business of the entity. */
  readonly activity?: {
  readonly scheme: 'nace' | 'naics'
  readonly code: string
  readonly description: string
} | null
  /** Business that it expects here. */
  readonly expected?: NewExpectedBusiness | null
}

export type NewRegistration = {
  /** Number without gaps, given when the invoice is sent; null before. */
  readonly number: string
  /** Country (ISO 3166-1 alpha-2). */
  readonly country: string
  /** Name of the register. */
  readonly register?: string | null
}

export type NewPostalAddress = {
  /** First line of the address. */
  readonly line1: string
  /** Second line of the address. */
  readonly line2?: string | null
  /** Postal code. */
  readonly postal_code: string
  /** City. */
  readonly city: string
  /** Country (ISO 3166-1 alpha-2). */
  readonly country_code: string
}

export type NewBusinessActivity = {
  /** NACE of the EU, or NAICS of North America. */
  readonly scheme: BusinessActivityScheme
  /** Code of six digits. */
  readonly code: string
  /** Text for people. */
  readonly description: string
}

export type NewExpectedBusiness = {
  /** What it expects to pay and receive in a month. */
  readonly monthly_volume: RequestMoney
  /** Currencies of its payments. */
  readonly currencies: readonly string[]
  /** Countries of its payers and payees. */
  readonly countries: readonly string[]
}

export type RequestMoney = {
  /** Amount: a decimal. */
  readonly amount: string
  /** Currency (ISO 4217) or coin. */
  readonly currency: string
}

export type NewOnboardingPerson = {
  /** Roles of the person in the entity. */
  readonly roles: readonly OnboardingPersonRoles[]
  /** Percent that an owner holds, direct or not. */
  readonly share?: string | null
  /** Member who fills in their own part. */
  readonly user_id?: string | null
  /** Name as the identity document has it. */
  readonly name?: string | null
  /** Day of birth. */
  readonly born_on?: string | null
  /** Country of the nationality. */
  readonly nationality?: string | null
  /** Home address. */
  readonly address?: NewPostalAddress | null
  /** Tax number, or that of the document. */
  readonly identity_number?: string | null
}

export type OnboardingPersonChanges = {
  /** Roles whose members may approve the step. */
  readonly roles?: readonly OnboardingPersonRoles[]
  /** Percent that an owner holds, direct or not. */
  readonly share?: string | null
  /** Member who fills in their own part. */
  readonly user_id?: string | null
  /** Name as the identity document has it. */
  readonly name?: string | null
  /** Day of birth. */
  readonly born_on?: string | null
  /** Country of the nationality. */
  readonly nationality?: string | null
  /** Home address. */
  readonly address?: NewPostalAddress | null
  /** Tax number, or that of the document. */
  readonly identity_number?: string | null
}

export type NewOnboardingDocument = {
  /** Name of the file. */
  readonly filename: string
  /** Size in bytes. */
  readonly byte_size: number
  /** Media type. */
  readonly content_type: NewOnboardingDocumentContentType
  /** Kind of the paper. */
  readonly kind: OnboardingDocumentKind
  /** Person of an `identity`. */
  readonly person_id?: string | null
}

export type OrganizationSettingsChanges = {
  /** True if every member needs an authenticator app. */
  readonly requires_authenticator?: boolean
  /** Characters before the number of an invoice. */
  readonly invoice_prefix?: string
  /** Characters before the number of a credit note; others than before that of an invoice. */
  readonly credit_note_prefix?: string
  /** Days after the due date on which the customer is reminded. */
  readonly invoice_reminder_days?: readonly number[]
  /** Postal address. */
  readonly postal_address?: NewPostalAddress | null
  /** VAT identification number. */
  readonly vat_id?: string | null
  /** Person for questions about invoices. */
  readonly contact_name?: string | null
  /** Phone number for questions about invoices. */
  readonly contact_phone?: string | null
  /** Time zone in which days, weeks and months of limits and schedules begin: an IANA name such as `Europe/Berlin`. */
  readonly time_zone?: string
  /** Hours in which a new account of a payee gets no more than the free amount, unless a call confirmed it; 0: none. */
  readonly account_change_hours?: number
  /** Amount up to which a new account is paid at once; null: nothing is. */
  readonly account_change_free_amount?: RequestMoney | null
  /** `warn`: an account of another name is paid if people acknowledge it; `block`: it is never paid. */
  readonly payee_check?: OrganizationSettingsPayeeCheck
}

export type NewIpAllowList = {
  /** Networks (IPv4 or IPv6, CIDR) and addresses; IPv4 mapped to IPv6 counts as IPv4. */
  readonly cidrs: readonly string[]
  /** Credentials that work from these networks alone. */
  readonly applies_to: readonly IpAllowListAppliesTo[]
}

export type MemberChange = {
  /** Role in the organization. */
  readonly role?: Role
  /** Permissions to take from the member, in place of those taken before; empty gives all back. */
  readonly permissions_removed?: readonly Permission[]
  /** Set of permissions to take: `reader` sees and changes nothing, `accountant` also codes and exports, `preparer` asks and never decides. Null gives all back. */
  readonly preset?: MemberPreset | null
}

export type OwnershipTransfer = {
  /** Id of the person. */
  readonly user_id: string
}

export type NewInvitations = {
  /** Invitations, one for each address. */
  readonly invitations: readonly NewInvitation[]
}

export type NewInvitation = {
  /** E-mail address, in lower case. */
  readonly email: string
  /** Role in the organization. */
  readonly role?: ApiKeyRole
  /** Set of permissions to take from the role: the member begins without them. */
  readonly preset?: MemberPreset | null
  /** True if the person may have a card. */
  readonly card_approved?: boolean | null
  /** Amount that the card may spend in a month, in the currency of the organization. */
  readonly card_limit?: number | null
}

export type InvitationToken = {
  /** Token from the link in the mail. */
  readonly token: string
}

export type NewApiKey = {
  /** Name. */
  readonly name: string
  /** Role whose permissions the key has at most. */
  readonly role: ApiKeyRole
  /** Operations that the key may call. */
  readonly scopes: readonly ApiKeyScope[]
}

export type ApiKeyChanges = {
  /** Name. */
  readonly name?: string
  /** Role in the organization. */
  readonly role?: ApiKeyRole
  /** Operations that the key may call. */
  readonly scopes?: readonly ApiKeyScope[]
}

export type NewDelegate = {
  /** Id of the organization. */
  readonly organization_id: string
  /** Name. */
  readonly name: string
  /** A program that follows rules, or an agent that decides what to do next. */
  readonly kind: DelegateWithSecretKind
  /** What the delegate may do: read. */
  readonly access: DelegateWithSecretAccess
  /** Days until the delegate ends by itself. */
  readonly expires_in_days: number
  /** Network addresses, or networks, that the delegate is taken from; empty: any. */
  readonly allowed_addresses?: readonly string[]
}

export type DelegateRotation = {
  /** Days from now until its end; absent: the end stays. */
  readonly expires_in_days?: number
}

export type NewAuthorization = {
  /** Id of the organization. */
  readonly organization_id: string
  /** Id of the client: the address of its description, or `bfs`. */
  readonly client_id: string
  /** Address that the browser returns to, with the code. */
  readonly redirect_uri: string
  /** S256 of the verifier (RFC 7636). */
  readonly code_challenge: string
  /** What the delegate may do: read. */
  readonly access: DelegateWithSecretAccess
  /** What its tokens are for: `api`, the operations; `mcp`, the endpoint of agents; or `service`, both (RFC 8707). */
  readonly audience?: NewAuthorizationAudience
  /** Days until the delegate ends by itself. */
  readonly expires_in_days: number
}

export type OAuthTokenForm = {
  /** What is changed into a token. */
  readonly grant_type: ServerMetadataGrantTypesSupported
  /** Code of the page, for `authorization_code`. */
  readonly code?: string
  /** Verifier of the challenge that the page got (RFC 7636), for `authorization_code`. */
  readonly code_verifier?: string
  /** Address that the browser came back to, for `authorization_code`. */
  readonly redirect_uri?: string
  /** Id of the client, for `authorization_code` and `refresh_token`. */
  readonly client_id?: string
  /** Refresh token of the answer before, for `refresh_token`. */
  readonly refresh_token?: string
  /** Own secret of the delegate, for `client_credentials`. */
  readonly client_secret?: string
  /** Address that the token is for (RFC 8707); absent: what was granted. */
  readonly resource?: string
}

export type NewIdentityProvider = {
  /** Address that the provider is known by; its description is read below it. */
  readonly issuer: string
  /** Id of this service at the provider. */
  readonly client_id: string
  /** Secret of this service at the provider; no answer has it. */
  readonly client_secret: string
}

export type IdentityProviderChanges = {
  /** True if members with an address of a proved domain sign in there alone. */
  readonly required?: boolean
  /** Secret of this service at the provider; no answer has it. */
  readonly client_secret?: string
}

export type NewIdentityProviderDomain = {
  /** Domain of mail addresses, in any script. */
  readonly domain: string
}

export type NewProviderSignIn = {
  /** E-mail address, in lower case. */
  readonly email: string
}

export type ProviderCallback = {
  /** Token of the client that began the sign-in. */
  readonly attempt_token: string
  /** Query with which the provider sent the person back, as it came: `code=…&state=…`. */
  readonly callback: string
  /** Id of the device from an earlier sign-in; absent for a new device. */
  readonly device_id?: string | null
}

export type NewIdentityLink = {
  /** Token of the client that began the sign-in. */
  readonly attempt_token: string
}

export type ProviderLogoutForm = {
  /** Signed token that names who or what is signed out. */
  readonly logout_token: string
}

export type NewScimToken = {
  /** Name. */
  readonly name: string
}

export type ScimGroupRole = {
  /** Role for its members; null: none by this group. */
  readonly role: ApiKeyRole | null
  /** Set of permissions to take from the role. */
  readonly preset?: MemberPreset | null
}

export type Approve = {
  /** Remark on the decision. */
  readonly comment?: string | null
}

export type Reject = {
  /** Reason for people. */
  readonly reason?: string | null
}

export type SendBack = {
  /** Change that the requester is asked for, as plain text. */
  readonly reason: string
}

export type SetDecision = {
  /** Ids of the approvals to decide, 1 to 100. */
  readonly approval_ids: readonly string[]
  /** Decision. */
  readonly decision: SetDecisionKind
  /** Reason for people. */
  readonly reason?: string | null
}

export type NewQuestion = {
  /** Question, as plain text. */
  readonly text: string
  /** Id of the member who is asked; they must see the request. */
  readonly to: string
}

export type NewAnswer = {
  /** Answer, as plain text. */
  readonly text: string
  /** Ids of files of the request that the answer is about. */
  readonly attachments?: readonly string[]
}

export type NewAccountsChart = {
  /** Accounts; those that it does not name are archived. */
  readonly accounts: readonly NewChartAccount[]
  /** Tax codes; those that it does not name are archived. */
  readonly tax_codes: readonly NewChartTaxCode[]
}

export type NewChartAccount = {
  /** Code of six digits. */
  readonly code: string
  /** Name. */
  readonly name: string
  /** Kind of account. */
  readonly account_type: ChartAccountAccountType
}

export type NewChartTaxCode = {
  /** Code of six digits. */
  readonly code: string
  /** Name. */
  readonly name: string
  /** In percent, a plain decimal. */
  readonly rate?: string | null
}

export type NewDimensions = {
  /** Dimensions; those that it does not name are archived. */
  readonly dimensions: readonly NewDimension[]
}

export type NewDimension = {
  /** Code of six digits. */
  readonly code: string
  /** Name. */
  readonly name: string
  /** Values; those that it does not name are archived. */
  readonly values: readonly NewDimensionValue[]
}

export type NewDimensionValue = {
  /** Code of six digits. */
  readonly code: string
  /** Name. */
  readonly name: string
}

export type NewContactCoding = {
  /** Code of an account of the chart. */
  readonly account_code?: string | null
  /** Code of a tax code of the chart. */
  readonly tax_code?: string | null
  /** One value for each dimension. */
  readonly labels?: readonly NewCodingLabel[]
}

export type NewCodingLabel = {
  /** Code of the dimension. */
  readonly dimension: string
  /** Code of its value. */
  readonly value: string
}

export type NewBillCoding = {
  /** Lines that are coded. */
  readonly lines: readonly NewCodingLine[]
}

export type NewCodingLine = {
  /** Number of the line, from 1. */
  readonly line: number
  /** Parts of the line; they add up to its amount. */
  readonly parts: readonly NewCodingPart[]
}

export type NewCodingPart = {
  /** Part of the amount of the line; absent with `share`, and for the whole. */
  readonly amount?: string
  /** Part of the line in percent. */
  readonly share?: string
  /** Code of an account of the chart. */
  readonly account_code?: string | null
  /** Code of a tax code of the chart. */
  readonly tax_code?: string | null
  /** One value for each dimension. */
  readonly labels?: readonly NewCodingLabel[]
}

export type NewApprovalPolicy = {
  /** Rules, one for each action type and range of amounts. */
  readonly rules: readonly NewApprovalRule[]
  /** Version that must be in force; absent: any. */
  readonly version?: number
}

export type NewApprovalRule = {
  /** What is to be approved. */
  readonly action_type: ListedApprovalActionType
  /** Currency that the rule is for; absent: every one. */
  readonly currency?: string | null
  /** Compared as a number. Without a currency, any amount of a coin that is not pegged to one (BTC, ETH) reaches it. */
  readonly amount_from?: string | null
  /** Makes the rule a limit: `amount_from` is compared with the sum of the calendar period, in the time zone of the settings; weeks begin on Monday. */
  readonly period?: ReachedLimitPeriod
  /** Whose requests add up: those of the requester, to the payee, or of the whole organization. */
  readonly per?: ReachedLimitPer
  /** True if what reaches the limit is refused; it then has no steps. */
  readonly hard?: boolean
  /** Steps, in their order: each must be approved. */
  readonly steps: readonly NewApprovalStep[]
  /** True if the requester may approve. */
  readonly self_approval: boolean
  /** True if a person may approve what a delegate of theirs asks for. Absent is false: another person has to. */
  readonly delegate_self_approval?: boolean
  /** Hours after which an undecided request expires. */
  readonly expires_after_hours: number
  /** Conditions of a rule that adds its steps to those of the rule for the amount. */
  readonly when?: NewApprovalRuleConditions
  /** Coding that each line of a bill needs before its payment is asked for. */
  readonly require?: readonly 'account_code'[]
}

export type NewApprovalRuleFields = {
  /** What is to be approved. */
  readonly action_type: ListedApprovalActionType
  /** Currency that the rule is for; absent: every one. */
  readonly currency?: string | null
  /** Compared as a number. Without a currency, any amount of a coin that is not pegged to one (BTC, ETH) reaches it. */
  readonly amount_from?: string | null
  /** Makes the rule a limit: `amount_from` is compared with the sum of the calendar period, in the time zone of the settings; weeks begin on Monday. */
  readonly period?: ReachedLimitPeriod
  /** Whose requests add up: those of the requester, to the payee, or of the whole organization. */
  readonly per?: ReachedLimitPer
  /** True if what reaches the limit is refused; it then has no steps. */
  readonly hard?: boolean
  /** Steps, in their order: each must be approved. */
  readonly steps: readonly NewApprovalStep[]
  /** True if the requester may approve. */
  readonly self_approval: boolean
  /** True if a person may approve what a delegate of theirs asks for. Absent is false: another person has to. */
  readonly delegate_self_approval?: boolean
  /** Hours after which an undecided request expires. */
  readonly expires_after_hours: number
  /** Conditions of a rule that adds its steps to those of the rule for the amount. */
  readonly when?: NewApprovalRuleConditions
  /** Coding that each line of a bill needs before its payment is asked for. */
  readonly require?: readonly 'account_code'[]
}

export type NewApprovalStep = {
  /** Number of people who must approve the step. */
  readonly required: number
  /** Roles whose members may approve the step. */
  readonly roles?: readonly Role[]
  /** Ids of people who may approve the step. */
  readonly user_ids?: readonly string[]
}

export type NewApprovalRuleConditions = {
  /** Contacts that are paid. */
  readonly contact_ids?: readonly string[]
  /** Labels of the payment, or of lines of its bill. */
  readonly labels?: readonly NewCodingLabel[]
  /** Accounts of lines of the bill that is paid. */
  readonly account_codes?: readonly string[]
  /** Countries of the accounts that are paid. */
  readonly countries?: readonly string[]
  /** Ways by which it is asked for. */
  readonly origins?: readonly ApprovalRuleConditionsOrigins[]
  /** True: nothing was paid to the account yet; false: something was. */
  readonly new_payee?: boolean
}

export type NewApprovalRuleConditionFields = {
  /** Contacts that are paid. */
  readonly contact_ids?: readonly string[]
  /** Labels of the payment, or of lines of its bill. */
  readonly labels?: readonly NewCodingLabel[]
  /** Accounts of lines of the bill that is paid. */
  readonly account_codes?: readonly string[]
  /** Countries of the accounts that are paid. */
  readonly countries?: readonly string[]
  /** Ways by which it is asked for. */
  readonly origins?: readonly ApprovalRuleConditionsOrigins[]
  /** True: nothing was paid to the account yet; false: something was. */
  readonly new_payee?: boolean
}

export type PolicyEvaluationRequest = {
  /** What is to be approved. */
  readonly action_type: ListedApprovalActionType
  /** Amount of the request; absent or null where it has none. */
  readonly amount?: RequestMoney | null
  /** Contact to pay; limits of payees need it. */
  readonly payment_contact_id?: string | null
  /** Requester; absent or null: the caller. */
  readonly requested_by?: string | null
  /** Way by which it is asked for; absent or null: this one. */
  readonly origin?: ApprovalRuleConditionsOrigins | null
  /** Labels of the payment. */
  readonly labels?: readonly NewCodingLabel[]
  /** Bill that is paid: its labels and accounts are compared. */
  readonly bill_id?: string | null
  /** Rules to try; absent or null: those in force. */
  readonly rules?: readonly NewApprovalRule[] | null
}

export type NewPolicyRehearsal = {
  /** Rules to rehearse. */
  readonly rules: readonly NewApprovalRule[]
  /** Instant of the first requests. */
  readonly from: string
  /** Instant before which the last ones were made: at most 366 days after `from`. */
  readonly to: string
}

export type NewSubstitution = {
  /** Id of the member who is away; absent or null: the caller. */
  readonly user_id?: string | null
  /** Id of the member who decides on behalf of the other. */
  readonly substitute_id: string
  /** Instant from which the substitute decides; one in the past counts as now. */
  readonly from: string
  /** Instant until which the substitute decides, exclusive: at most 90 days after `from`. */
  readonly until: string
  /** Reason for people. */
  readonly reason?: string | null
}

export type PaymentDestinationToValidate = SvcIdDestinationToValidate | BankDestinationToValidate | CryptoDestinationToValidate

export type SvcIdDestinationToValidate = {
  /** Kind. */
  readonly type: 'svc_id'
  /** Name for the person who pays, for example "Salary account". */
  readonly label?: string | null
  /** True for the destination that payments go to if they name none. */
  readonly default?: boolean
  /** Id in your own system, unique among the things of this kind in the organization. */
  readonly external_id?: string | null
  /** Up to 20 texts of your own, by key. A change merges them: null or an empty text removes a key, null all. */
  readonly metadata?: NewMetadata | null
  /** Handle of the organization, `@name`: others pay to it. */
  readonly svc_id: string
  /** True to have the bank asked whether the account belongs to its holder. */
  readonly check_payee?: boolean
}

export type NewMetadata = Readonly<Record<string, string | null>>

export type BankDestinationToValidate = {
  /** Kind. */
  readonly type: 'bank'
  /** Name for the person who pays, for example "Salary account". */
  readonly label?: string | null
  /** True for the destination that payments go to if they name none. */
  readonly default?: boolean
  /** Id in your own system, unique among the things of this kind in the organization. */
  readonly external_id?: string | null
  /** Up to 20 texts of your own, by key. A change merges them: null or an empty text removes a key, null all. */
  readonly metadata?: NewMetadata | null
  /** Country (ISO 3166-1 alpha-2). */
  readonly country_code: string
  /** Currency (ISO 4217) or coin. */
  readonly currency: string
  /** Name of the account holder. */
  readonly account_holder_name: string
  /** IBAN; masked in lists. */
  readonly iban?: string | null
  /** BIC. */
  readonly swift_code?: string | null
  /** Account number; masked in lists. */
  readonly account_number?: string | null
  /** ABA routing number (United States). */
  readonly aba_code?: string | null
  /** Sort code (United Kingdom). */
  readonly sort_code?: string | null
  /** BSB (Australia). */
  readonly bsb_code?: string | null
  /** IFSC (India). */
  readonly ifsc_code?: string | null
  /** CNAPS (China). */
  readonly cnaps?: string | null
  /** Bank code. */
  readonly bank_code?: string | null
  /** Branch code. */
  readonly branch_code?: string | null
  /** Name of the bank. */
  readonly bank_name?: string | null
  /** Postal address of the payee, with town and country at least: one line each, at most 140 characters. Null: none. */
  readonly payee_address?: NewPayeeAddress | null
  /** True to have the bank asked whether the account belongs to its holder. */
  readonly check_payee?: boolean
}

export type NewPayeeAddress = {
  /** Name of the street. */
  readonly street?: string | null
  /** Number of the building. */
  readonly building_number?: string | null
  /** Postal code. */
  readonly postal_code?: string | null
  /** Town. */
  readonly town: string
  /** Country of the address (ISO 3166-1 alpha-2, or XK), whatever that of the account is. */
  readonly country_code: string
  /** State, province or county. */
  readonly region?: string | null
}

export type CryptoDestinationToValidate = {
  /** Kind. */
  readonly type: 'crypto'
  /** Name for the person who pays, for example "Salary account". */
  readonly label?: string | null
  /** True for the destination that payments go to if they name none. */
  readonly default?: boolean
  /** Id in your own system, unique among the things of this kind in the organization. */
  readonly external_id?: string | null
  /** Up to 20 texts of your own, by key. A change merges them: null or an empty text removes a key, null all. */
  readonly metadata?: NewMetadata | null
  /** Network of the coin. */
  readonly network: CryptoDestinationToValidateNetwork
  /** Coin. */
  readonly coin: CryptoDestinationToValidateCoin
  /** Address in lines. */
  readonly address: string
  /** Memo or tag that names the account where many share one address. */
  readonly memo?: string | null
  /** True to have the bank asked whether the account belongs to its holder. */
  readonly check_payee?: boolean
}

export type NewPaymentContact = {
  /** Name. */
  readonly name: string
  /** Kind. */
  readonly type: PaymentContactType
  /** E-mail address, in lower case. */
  readonly email?: string | null
  /** Tag of the payment. */
  readonly tag?: Tag | null
  /** Postal address of the payee, with town and country at least: one line each, at most 140 characters. Null: none. */
  readonly payee_address?: NewPayeeAddress | null
  /** Id in your own system, unique among the things of this kind in the organization. */
  readonly external_id?: string | null
  /** Up to 20 texts of your own, by key. A change merges them: null or an empty text removes a key, null all. */
  readonly metadata?: NewMetadata | null
  /** Destinations of the contact. */
  readonly destinations?: readonly NewPaymentDestination[]
  /** Id of the request sent back that this one follows. */
  readonly former_approval_id?: string | null
}

export type NewPaymentDestination = NewSvcIdDestination | NewBankDestination | NewCryptoDestination

export type NewSvcIdDestination = {
  /** Kind. */
  readonly type: 'svc_id'
  /** Name for the person who pays, for example "Salary account". */
  readonly label?: string | null
  /** True for the destination that payments go to if they name none. */
  readonly default?: boolean
  /** Id in your own system, unique among the things of this kind in the organization. */
  readonly external_id?: string | null
  /** Up to 20 texts of your own, by key. A change merges them: null or an empty text removes a key, null all. */
  readonly metadata?: NewMetadata | null
  /** Handle of the organization, `@name`: others pay to it. */
  readonly svc_id: string
}

export type NewBankDestination = {
  /** Kind. */
  readonly type: 'bank'
  /** Name for the person who pays, for example "Salary account". */
  readonly label?: string | null
  /** True for the destination that payments go to if they name none. */
  readonly default?: boolean
  /** Id in your own system, unique among the things of this kind in the organization. */
  readonly external_id?: string | null
  /** Up to 20 texts of your own, by key. A change merges them: null or an empty text removes a key, null all. */
  readonly metadata?: NewMetadata | null
  /** Country (ISO 3166-1 alpha-2). */
  readonly country_code: string
  /** Currency (ISO 4217) or coin. */
  readonly currency: string
  /** Name of the account holder. */
  readonly account_holder_name: string
  /** IBAN; masked in lists. */
  readonly iban?: string | null
  /** BIC. */
  readonly swift_code?: string | null
  /** Account number; masked in lists. */
  readonly account_number?: string | null
  /** ABA routing number (United States). */
  readonly aba_code?: string | null
  /** Sort code (United Kingdom). */
  readonly sort_code?: string | null
  /** BSB (Australia). */
  readonly bsb_code?: string | null
  /** IFSC (India). */
  readonly ifsc_code?: string | null
  /** CNAPS (China). */
  readonly cnaps?: string | null
  /** Bank code. */
  readonly bank_code?: string | null
  /** Branch code. */
  readonly branch_code?: string | null
  /** Name of the bank. */
  readonly bank_name?: string | null
  /** Address of the payee for this account, instead of that of the contact. */
  readonly payee_address?: NewPayeeAddress | null
}

export type NewCryptoDestination = {
  /** Kind. */
  readonly type: 'crypto'
  /** Name for the person who pays, for example "Salary account". */
  readonly label?: string | null
  /** True for the destination that payments go to if they name none. */
  readonly default?: boolean
  /** Id in your own system, unique among the things of this kind in the organization. */
  readonly external_id?: string | null
  /** Up to 20 texts of your own, by key. A change merges them: null or an empty text removes a key, null all. */
  readonly metadata?: NewMetadata | null
  /** Network of the coin. */
  readonly network: CryptoDestinationToValidateNetwork
  /** Coin. */
  readonly coin: CryptoDestinationToValidateCoin
  /** Address on the network. */
  readonly address: string
  /** Memo or tag that names the account where many share one address. */
  readonly memo?: string | null
}

export type PaymentContactChange = {
  /** Name. */
  readonly name?: string
  /** E-mail address, in lower case. */
  readonly email?: string | null
  /** Tag of the payment. */
  readonly tag?: Tag | null
  /** Postal address of the payee, with town and country at least: one line each, at most 140 characters. Null: none. */
  readonly payee_address?: NewPayeeAddress | null
  /** Id in your own system, unique among the things of this kind in the organization. */
  readonly external_id?: string | null
  /** Up to 20 texts of your own, by key. A change merges them: null or an empty text removes a key, null all. */
  readonly metadata?: NewMetadata | null
}

export type PaymentDestinationChange = {
  /** Name for the person who pays, for example "Salary account". */
  readonly label?: string | null
  /** True for the destination that payments go to if they name none. */
  readonly default?: boolean
  /** Id in your own system, unique among the things of this kind in the organization. */
  readonly external_id?: string | null
  /** Up to 20 texts of your own, by key. A change merges them: null or an empty text removes a key, null all. */
  readonly metadata?: NewMetadata | null
}

export type NewAccountCallBack = {
  /** Person at the payee who confirmed the account. */
  readonly spoken_to: string
  /** What else is worth knowing of the call. */
  readonly note?: string | null
}

export type NewQuote = {
  /** Id of the payment contact. */
  readonly payment_contact_id: string
  /** Id of the payment destination. */
  readonly destination_id?: string | null
  /** Amount of the side that is fixed. */
  readonly amount: RequestMoney
  /** Side that `amount` fixes: `deducting` or `landing`. */
  readonly side: PaymentDraftQuoteSide
  /** Tag of the payment. */
  readonly tag?: Tag | null
  /** Speed by bank, where the capabilities say `instant`. */
  readonly speed?: QuoteSpeed
  /** Payment that follows an instant one that the bank refuses: a standard one, or none. */
  readonly fallback?: QuoteFallback
}

export type QuoteExecution = {
  /** Id of the quote. */
  readonly quote_id: string
  /** Reason of the payment. */
  readonly payout_reason: string
  /** Text for the statement of the payee. */
  readonly statement_description: string
  /** Notes that only members see. */
  readonly internal_notes?: string | null
  /** Tag of the payment. */
  readonly tag?: Tag | null
  /** One value for each dimension. */
  readonly labels?: readonly NewCodingLabel[]
  /** Id in your own system, unique among the things of this kind in the organization. */
  readonly external_id?: string | null
  /** Up to 20 texts of your own, by key. A change merges them: null or an empty text removes a key, null all. */
  readonly metadata?: NewMetadata | null
  /** Day on which it is paid, in the time zone of the organization; none: at once. */
  readonly execute_on?: string | null
  /** Direction in which a day without bank payments moves; `following` by default. */
  readonly roll?: QuoteExecutionRoll
  /** Id of the request sent back that this one follows. */
  readonly former_approval_id?: string | null
  /** True to pay although the bank knows the account under another or a similar name: as it was shown, and no worse. */
  readonly acknowledge_payee_check?: boolean
}

export type PaymentChange = {
  /** Notes that only members see. */
  readonly internal_notes?: string | null
  /** Tag of the payment. */
  readonly tag?: Tag | null
  /** One value for each dimension; empty clears. */
  readonly labels?: readonly NewCodingLabel[]
  /** Id in your own system, unique among the things of this kind in the organization. */
  readonly external_id?: string | null
  /** Up to 20 texts of your own, by key. A change merges them: null or an empty text removes a key, null all. */
  readonly metadata?: NewMetadata | null
}

export type NewPayment = {
  /** Amount that arrives. */
  readonly amount: RequestMoney
  /** Id of the payment contact. */
  readonly payment_contact_id: string
  /** Reason of the payment. */
  readonly payout_reason: string
  /** Text for the statement of the payee. */
  readonly statement_description: string
  /** Notes that only members see. */
  readonly internal_notes?: string | null
  /** One value for each dimension. */
  readonly labels?: readonly NewCodingLabel[]
  /** Id in your own system, unique among the things of this kind in the organization. */
  readonly external_id?: string | null
  /** Up to 20 texts of your own, by key. A change merges them: null or an empty text removes a key, null all. */
  readonly metadata?: NewMetadata | null
  /** Day on which it is paid, in the time zone of the organization; none: at once. */
  readonly execute_on?: string | null
  /** Direction in which a day without bank payments moves; `following` by default. */
  readonly roll?: QuoteExecutionRoll
  /** Id of the request sent back that this one follows. */
  readonly former_approval_id?: string | null
}

export type NewPaymentBatch = {
  /** Name. */
  readonly name: string
  /** Id in your own system, unique among the things of this kind in the organization. */
  readonly external_id?: string | null
  /** Up to 20 texts of your own, by key. A change merges them: null or an empty text removes a key, null all. */
  readonly metadata?: NewMetadata | null
}

export type NewPaymentBatchFile = {
  /** Name of the file. */
  readonly filename: string
  /** Size in bytes. */
  readonly byte_size: number
  /** Media type. */
  readonly content_type: PaymentBatchContentType
}

export type NewPaymentBatchDocument = {
  /** Format of the file: `camt053`, `camt054`, `mt940` and `ofx` are statements for accounting programs. */
  readonly format: 'xlsx'
  /** Name of the file. */
  readonly filename: string
  /** Size in bytes. */
  readonly byte_size: number
}

export type NewPaymentBatchImport = {
  /** Id of the file. */
  readonly file_id: string
}

export type NewPaymentBatchRow = {
  /** Handle of the payee. */
  readonly payee_svc_id?: string | null
  /** Id of the payment contact. */
  readonly payment_contact_id?: string | null
  /** Name of the account holder. */
  readonly account_holder_name?: string | null
  /** IBAN; masked in lists. */
  readonly iban?: string | null
  /** Account number; masked in lists. */
  readonly account_number?: string | null
  /** ABA routing number (United States). */
  readonly aba_code?: string | null
  /** Sort code (United Kingdom). */
  readonly sort_code?: string | null
  /** BIC. */
  readonly swift_code?: string | null
  /** Country of the bank (ISO 3166-1 alpha-2). */
  readonly bank_country?: string | null
  /** Amount: a decimal. */
  readonly amount?: string | null
  /** Currency (ISO 4217) or coin. */
  readonly currency?: string | null
  /** Reason of the payment. */
  readonly payout_reason?: string | null
  /** Text for the statement of the payee. */
  readonly statement_description?: string | null
  /** Notes that only members see. */
  readonly internal_notes?: string | null
  /** Text for the payee. */
  readonly reference?: string | null
  /** Street of the payee. */
  readonly address_street?: string | null
  /** Number of the building of the payee. */
  readonly address_building_number?: string | null
  /** Postal code of the payee. */
  readonly address_postal_code?: string | null
  /** Town of the payee. */
  readonly address_town?: string | null
  /** Country of the payee (ISO 3166-1 alpha-2). */
  readonly address_country?: string | null
}

export type PaymentBatchRowChange = {
  /** Handle of the payee. */
  readonly payee_svc_id?: string | null
  /** Id of the payment contact. */
  readonly payment_contact_id?: string | null
  /** Name of the account holder. */
  readonly account_holder_name?: string | null
  /** IBAN; masked in lists. */
  readonly iban?: string | null
  /** Account number; masked in lists. */
  readonly account_number?: string | null
  /** ABA routing number (United States). */
  readonly aba_code?: string | null
  /** Sort code (United Kingdom). */
  readonly sort_code?: string | null
  /** BIC. */
  readonly swift_code?: string | null
  /** Country of the bank (ISO 3166-1 alpha-2). */
  readonly bank_country?: string | null
  /** Amount: a decimal. */
  readonly amount?: string | null
  /** Currency (ISO 4217) or coin. */
  readonly currency?: string | null
  /** Reason of the payment. */
  readonly payout_reason?: string | null
  /** Text for the statement of the payee. */
  readonly statement_description?: string | null
  /** Notes that only members see. */
  readonly internal_notes?: string | null
  /** Text for the payee. */
  readonly reference?: string | null
  /** Street of the payee. */
  readonly address_street?: string | null
  /** Number of the building of the payee. */
  readonly address_building_number?: string | null
  /** Postal code of the payee. */
  readonly address_postal_code?: string | null
  /** Town of the payee. */
  readonly address_town?: string | null
  /** Country of the payee (ISO 3166-1 alpha-2). */
  readonly address_country?: string | null
}

export type PaymentBatchSubmission = {
  /** True to submit the valid rows and leave out the others. */
  readonly exclude_invalid?: boolean
  /** True to pay although the bank knows the account under another or a similar name: as it was shown, and no worse. */
  readonly acknowledge_payee_check?: boolean
  /** Day on which it is paid, in the time zone of the organization; none: at once. */
  readonly execute_on?: string | null
  /** Direction in which a day without bank payments moves; `following` by default. */
  readonly roll?: QuoteExecutionRoll
}

export type NewPaymentBatchBills = {
  /** Ids of bills to pay, and of credit notes of their suppliers, which are set against them. */
  readonly bill_ids: readonly string[]
  /** Execution day of the batch, or `due_date`: that of all its bills. Absent: as it is. */
  readonly on?: string
}

export type NewBillFile = {
  /** Name of the file. */
  readonly filename: string
  /** Size in bytes. */
  readonly byte_size: number
  /** Media type. */
  readonly content_type: BillContentType
}

export type NewBill = {
  /** Id of the file. */
  readonly file_id?: string
  /** Amount: a decimal. */
  readonly amount?: string | null
  /** Currency (ISO 4217) or coin. */
  readonly currency?: string | null
  /** Number of the bill, as the supplier gave it. */
  readonly bill_number?: string | null
  /** Name of the supplier. */
  readonly supplier_name?: string | null
  /** Tax number of the supplier. */
  readonly supplier_tax_id?: string | null
  /** Text that the supplier asks for in the payment. */
  readonly payment_reference?: string | null
  /** Day of issue. */
  readonly issue_date?: string | null
  /** Day on which it is due. */
  readonly due_date?: string | null
  /** Name of the account holder. */
  readonly account_holder_name?: string | null
  /** Country of the bank (ISO 3166-1 alpha-2). */
  readonly bank_country_alpha2?: string | null
  /** IBAN; masked in lists. */
  readonly iban?: string | null
  /** BIC. */
  readonly swift_code?: string | null
  /** Account number; masked in lists. */
  readonly account_number?: string | null
  /** ABA routing number (United States). */
  readonly aba_code?: string | null
  /** Sort code (United Kingdom). */
  readonly sort_code?: string | null
  /** BSB (Australia). */
  readonly bsb_code?: string | null
  /** IFSC (India). */
  readonly ifsc_code?: string | null
  /** CNAPS (China). */
  readonly cnaps?: string | null
  /** Bank code. */
  readonly bank_code?: string | null
  /** Branch code. */
  readonly branch_code?: string | null
  /** Name of the bank. */
  readonly bank_name?: string | null
  /** Street of the payee. */
  readonly address_street?: string | null
  /** Number of the building of the payee. */
  readonly address_building_number?: string | null
  /** Postal code of the payee. */
  readonly address_postal_code?: string | null
  /** Town of the payee. */
  readonly address_town?: string | null
  /** Country of the payee (ISO 3166-1 alpha-2). */
  readonly address_country?: string | null
  /** Reason why it is not to be paid; null if it is. */
  readonly not_payable?: NewBillNotPayable | null
  /** Id in your own system, unique among the things of this kind in the organization. */
  readonly external_id?: string | null
  /** Up to 20 texts of your own, by key. A change merges them: null or an empty text removes a key, null all. */
  readonly metadata?: NewMetadata | null
}

export type BillChange = {
  /** Amount: a decimal. */
  readonly amount?: string | null
  /** Currency (ISO 4217) or coin. */
  readonly currency?: string | null
  /** Number of the bill, as the supplier gave it. */
  readonly bill_number?: string | null
  /** Name of the supplier. */
  readonly supplier_name?: string | null
  /** Tax number of the supplier. */
  readonly supplier_tax_id?: string | null
  /** Text that the supplier asks for in the payment. */
  readonly payment_reference?: string | null
  /** Day of issue. */
  readonly issue_date?: string | null
  /** Day on which it is due. */
  readonly due_date?: string | null
  /** Name of the account holder. */
  readonly account_holder_name?: string | null
  /** Country of the bank (ISO 3166-1 alpha-2). */
  readonly bank_country_alpha2?: string | null
  /** IBAN; masked in lists. */
  readonly iban?: string | null
  /** BIC. */
  readonly swift_code?: string | null
  /** Account number; masked in lists. */
  readonly account_number?: string | null
  /** ABA routing number (United States). */
  readonly aba_code?: string | null
  /** Sort code (United Kingdom). */
  readonly sort_code?: string | null
  /** BSB (Australia). */
  readonly bsb_code?: string | null
  /** IFSC (India). */
  readonly ifsc_code?: string | null
  /** CNAPS (China). */
  readonly cnaps?: string | null
  /** Bank code. */
  readonly bank_code?: string | null
  /** Branch code. */
  readonly branch_code?: string | null
  /** Name of the bank. */
  readonly bank_name?: string | null
  /** Street of the payee. */
  readonly address_street?: string | null
  /** Number of the building of the payee. */
  readonly address_building_number?: string | null
  /** Postal code of the payee. */
  readonly address_postal_code?: string | null
  /** Town of the payee. */
  readonly address_town?: string | null
  /** Country of the payee (ISO 3166-1 alpha-2). */
  readonly address_country?: string | null
  /** Reason why it is not to be paid; null if it is. */
  readonly not_payable?: NewBillNotPayable | null
  /** Id in your own system, unique among the things of this kind in the organization. */
  readonly external_id?: string | null
  /** Up to 20 texts of your own, by key. A change merges them: null or an empty text removes a key, null all. */
  readonly metadata?: NewMetadata | null
}

export type NewBillMailbox = {
  /** Name of the address, for the members. */
  readonly name: string
}

export type BillMailboxChange = {
  /** Name of the address, for the members. */
  readonly name: string
}

export type InboundMailAcceptance = {
  /** `always`: later mails of this address are taken at once, if the gateway proves its domain. */
  readonly remember: InboundMailAcceptanceRemember
}

export type BillPaymentRequest = {
  /** Id of the payment contact. */
  readonly payment_contact_id?: string
  /** Reason of the payment. */
  readonly payout_reason?: string | null
  /** Text for the statement of the payee. */
  readonly statement_description?: string | null
  /** True to pay although another bill looks the same. */
  readonly acknowledge_duplicate?: boolean
  /** True to pay although the bank details differ from before. */
  readonly acknowledge_bank_details?: boolean
  /** True to pay although no number was read in the file of the bill, or typed: it may be no bill. */
  readonly acknowledge_missing_number?: boolean
  /** Day on which it is paid, in the time zone of the organization; none: at once. */
  readonly execute_on?: string | null
  /** Direction in which a day without bank payments moves; `following` by default. */
  readonly roll?: QuoteExecutionRoll
  /** True to pay on the due date of the bill; one that is today or past is paid at once. */
  readonly on_due_date?: boolean
  /** True to pay although the bank knows the account under another or a similar name: as it was shown, and no worse. */
  readonly acknowledge_payee_check?: boolean
}

export type NewAttachmentFile = {
  /** Name of the file. */
  readonly filename: string
  /** Size in bytes. */
  readonly byte_size: number
  /** Media type. */
  readonly content_type: BillContentType
}

export type NewBillingContact = {
  /** Name of the company. */
  readonly company_name: string
  /** Address in lines. */
  readonly address?: string | null
  /** Phone number. */
  readonly phone_number?: string | null
  /** Tax number. */
  readonly tax_id?: string | null
  /** E-mail addresses. */
  readonly emails?: readonly string[] | null
  /** Postal address. */
  readonly postal_address?: NewPostalAddress | null
  /** VAT identification number. */
  readonly vat_id?: string | null
  /** Language of documents. */
  readonly language?: DocumentLanguage
}

export type BillingContactChange = {
  /** Name of the company. */
  readonly company_name?: string
  /** Address in lines. */
  readonly address?: string | null
  /** Phone number. */
  readonly phone_number?: string | null
  /** Tax number. */
  readonly tax_id?: string | null
  /** E-mail addresses. */
  readonly emails?: readonly string[] | null
  /** Postal address. */
  readonly postal_address?: NewPostalAddress | null
  /** VAT identification number. */
  readonly vat_id?: string | null
  /** Language of documents. */
  readonly language?: DocumentLanguage
}

export type NewInvoiceFile = {
  /** Name of the file. */
  readonly filename: string
  /** Size in bytes. */
  readonly byte_size: number
  /** Media type. */
  readonly content_type: BillingInvoiceAttachmentContentType
}

export type NewInvoice = {
  /** Id of the billing contact. */
  readonly billing_contact_id: string
  /** Currency (ISO 4217) or coin. */
  readonly currency: string
  /** Day on which it is due. */
  readonly due_date: string
  /** Lines. */
  readonly line_items: readonly NewInvoiceLine[]
  /** Day of issue. */
  readonly issue_date?: string
  /** Text above the lines. */
  readonly comments?: string | null
  /** Description that only members see. */
  readonly internal_description?: string | null
  /** Reference that only members see. */
  readonly internal_reference_number?: string | null
  /** Reference of the buyer, for example a purchase order or a Leitweg-ID. */
  readonly buyer_reference?: string | null
  /** Day of delivery; null: the day of issue, or the period. */
  readonly delivery_date?: string | null
  /** Order number of the customer (BT-13). */
  readonly order_number?: string | null
  /** Period of the supply (BG-14). */
  readonly period?: {
  readonly from: string
  readonly to: string
} | null
  /** Discounts on the whole invoice, shared out over the taxes of its lines. */
  readonly discounts?: readonly NewInvoiceDiscount[] | null
  /** Charges on the whole invoice; without a tax shared out over those of its lines. */
  readonly charges?: readonly NewInvoiceCharge[] | null
  /** Discounts for early payment. */
  readonly payment_terms?: NewInvoicePaymentTerms | null
  /** Files in the message. */
  readonly attachments?: readonly NewInvoiceAttachment[] | null
  /** Id in your own system, unique among the things of this kind in the organization. */
  readonly external_id?: string | null
  /** Up to 20 texts of your own, by key. A change merges them: null or an empty text removes a key, null all. */
  readonly metadata?: NewMetadata | null
  /** Profile of the electronic invoice. */
  readonly profile?: InvoiceProfile
}

export type NewInvoiceLine = {
  /** Text for people. */
  readonly description: string
  /** Quantity: a decimal. */
  readonly quantity: string
  /** Unit of the quantity (UN/ECE Recommendation 20 or 21); absent: C62, one. */
  readonly unit?: InvoiceLineUnit | null
  /** Price of one unit, without tax: a decimal. */
  readonly price: string
  /** Discount on the line. */
  readonly discount?: NewInvoiceLineAdjustment | null
  /** Charge on the line. */
  readonly charge?: NewInvoiceLineAdjustment | null
  /** Tax in percent: a decimal. */
  readonly tax_percentage: string
  /** Category of the tax (UNTDID 5305). */
  readonly tax_category?: TaxCategory
  /** Reason why no tax is charged. */
  readonly tax_exemption_reason?: string | null
}

export type NewInvoiceLineAdjustment = {
  /** Reason for people. */
  readonly reason?: string | null
  /** Percentage: a decimal; either this or the amount. */
  readonly percentage?: string | null
  /** Amount: a decimal. */
  readonly amount?: string | null
}

export type NewInvoicePeriod = {
  /** First day. */
  readonly from: string
  /** Last day. */
  readonly to: string
}

export type NewInvoiceDiscount = {
  /** Reason for people. */
  readonly reason?: string | null
  /** Percentage: a decimal; either this or the amount. */
  readonly percentage?: string | null
  /** Amount: a decimal. */
  readonly amount?: string | null
}

export type NewInvoiceCharge = {
  /** Reason for people. */
  readonly reason?: string | null
  /** Percentage: a decimal; either this or the amount. */
  readonly percentage?: string | null
  /** Amount: a decimal. */
  readonly amount?: string | null
  /** Tax in percent: a decimal. */
  readonly tax_percentage?: string | null
  /** Category of the tax (UNTDID 5305). */
  readonly tax_category?: TaxCategory | null
  /** Reason why no tax is charged. */
  readonly tax_exemption_reason?: string | null
}

export type NewInvoicePaymentTerms = {
  /** Discounts for payment within so many days, the earliest first. */
  readonly early_payment_discounts: readonly EarlyPaymentDiscount[]
}

export type NewInvoiceAttachment = {
  /** Id of the file. */
  readonly file_id: string
  /** Text for people. */
  readonly description?: string | null
}

export type InvoiceChange = {
  /** Id of the billing contact. */
  readonly billing_contact_id?: string
  /** Currency (ISO 4217) or coin. */
  readonly currency?: string
  /** Day of issue. */
  readonly issue_date?: string
  /** Day on which it is due. */
  readonly due_date?: string
  /** Lines. */
  readonly line_items?: readonly NewInvoiceLine[]
  /** Text above the lines. */
  readonly comments?: string | null
  /** Description that only members see. */
  readonly internal_description?: string | null
  /** Reference that only members see. */
  readonly internal_reference_number?: string | null
  /** Reference of the buyer, for example a purchase order or a Leitweg-ID. */
  readonly buyer_reference?: string | null
  /** Day of delivery; null: the day of issue, or the period. */
  readonly delivery_date?: string | null
  /** Order number of the customer (BT-13). */
  readonly order_number?: string | null
  /** Period of the supply (BG-14). */
  readonly period?: {
  readonly from: string
  readonly to: string
} | null
  /** Discounts on the whole invoice, shared out over the taxes of its lines. */
  readonly discounts?: readonly NewInvoiceDiscount[] | null
  /** Charges on the whole invoice; without a tax shared out over those of its lines. */
  readonly charges?: readonly NewInvoiceCharge[] | null
  /** Discounts for early payment. */
  readonly payment_terms?: NewInvoicePaymentTerms | null
  /** Files in the message. */
  readonly attachments?: readonly NewInvoiceAttachment[] | null
  /** Id in your own system, unique among the things of this kind in the organization. */
  readonly external_id?: string | null
  /** Up to 20 texts of your own, by key. A change merges them: null or an empty text removes a key, null all. */
  readonly metadata?: NewMetadata | null
  /** Profile of the electronic invoice. */
  readonly profile?: InvoiceProfile
}

export type NewInvoiceAllocation = {
  /** Id of the transaction. */
  readonly transaction_id: string
  /** Amount: a decimal. */
  readonly amount: string
}

export type InvoiceFinalization = {
  /** Amount that counts as the whole; null until the invoice is finalized. */
  readonly accepted_amount?: string
}

export type InvoicePaidElsewhere = {
  /** Instant of the payment; absent: now. */
  readonly paid_at?: string
  /** Id of the transaction. */
  readonly transaction_id?: string
}

export type InvoiceResending = {
  /** Addresses to send to; absent: those of the billing contact. */
  readonly emails?: readonly string[]
}

export type NewCreditNote = {
  /** Lines; absent with `full`. */
  readonly line_items?: readonly NewInvoiceLine[]
  /** Discounts on the whole invoice, shared out over the taxes of its lines. */
  readonly discounts?: readonly NewInvoiceDiscount[]
  /** Charges on the whole invoice; without a tax shared out over those of its lines. */
  readonly charges?: readonly NewInvoiceCharge[]
  /** True for all lines of the invoice, as long as nothing of it is credited. */
  readonly full?: true
  /** Reason, which the customer reads. */
  readonly reason: string
  /** Day of issue, not before that of the invoice; absent: today. */
  readonly issue_date?: string
  /** Id in your own system, unique among the things of this kind in the organization. */
  readonly external_id?: string | null
  /** Up to 20 texts of your own, by key. A change merges them: null or an empty text removes a key, null all. */
  readonly metadata?: NewMetadata | null
}

export type CreditNoteChange = {
  /** Lines. */
  readonly line_items?: readonly NewInvoiceLine[]
  /** Discounts on the whole invoice, shared out over the taxes of its lines. */
  readonly discounts?: readonly NewInvoiceDiscount[]
  /** Charges on the whole invoice; without a tax shared out over those of its lines. */
  readonly charges?: readonly NewInvoiceCharge[]
  /** Reason, which the customer reads. */
  readonly reason?: string
  /** Day of issue. */
  readonly issue_date?: string
  /** Id in your own system, unique among the things of this kind in the organization. */
  readonly external_id?: string | null
  /** Up to 20 texts of your own, by key. A change merges them: null or an empty text removes a key, null all. */
  readonly metadata?: NewMetadata | null
}

/** If `own_account` is true, nothing else but `account_reference` counts. */
export type SenderTravelRule = {
  /** True if the money comes from an own account. */
  readonly own_account: boolean
  /** Always true: the statements are attested. */
  readonly attestation: true
  /** Relation to the sender. */
  readonly relationship?: SenderTravelRuleRelationship | null
  /** Account of the sender. */
  readonly account_reference?: string | null
  /** Natural or legal person. */
  readonly person_type?: SenderTravelRulePersonType | null
  /** Name of the sender. */
  readonly name?: string | null
  /** Address of the sender, in lines. */
  readonly address?: string | null
  /** Country (ISO 3166-1 alpha-2). */
  readonly country?: string | null
}

/** Exactly one of source_amount and target_amount is given; the other is left out, or null. */
export type SwapQuoteRequest = {
  /** Currency that is given. */
  readonly source_currency: string
  /** Currency that is received. */
  readonly target_currency: string
  /** Amount that is given: a decimal. */
  readonly source_amount?: string | null
  /** Amount that is received: a decimal. */
  readonly target_amount?: string | null
}

export type SwapExecution = {
  /** Id of the quote. */
  readonly quote_id: string
}

export type NewSubscription = {
  /** Id of the offer. */
  readonly offer_id: string
}

export type TransactionChanges = {
  /** Notes that only members see. */
  readonly internal_notes?: string | null
  /** Category for the books. */
  readonly category?: string | null
  /** One value for each dimension; empty: those of its payment. */
  readonly labels?: readonly NewCodingLabel[]
}

export type NewExport = {
  /** Kind. */
  readonly type: ExportType
  /** Format of the file; absent for an audit pack. */
  readonly format?: ExportFormat
  /** Start, inclusive: a day in UTC or an instant. */
  readonly from: string
  /** End: a whole day in UTC, or an instant, exclusive. */
  readonly to: string
  /** Currency of the rows; absent: every one. */
  readonly currency?: string | null
  /** Sample of an audit pack; absent for any other type. */
  readonly sample?: AuditSample
}

export type AuditSample = {
  /** Number of items that are drawn from each list. */
  readonly size: number
  /** The auditor's own words: the same seed draws the same items. */
  readonly seed: string
}

export type NewAccountingConnection = {
  /** Accounting program. */
  readonly provider: 'xero'
}

export type NewAccountingMappings = {
  /** Mappings; they replace all that there are. */
  readonly mappings: readonly NewAccountingMapping[]
}

export type NewAccountingMapping = {
  /** What is mapped. */
  readonly mapping_type: string
  /** Value that is mapped; null if the type takes none. */
  readonly source_value?: string | null
  /** Code of the account in the books. */
  readonly account_code: string
}

export type NewWebhookEndpoint = {
  /** Address that deliveries are sent to: https, and public. */
  readonly url: string
  /** Event types that are delivered; empty for all. */
  readonly types?: readonly EventType[]
  /** Text for people. */
  readonly description?: string | null
}

export type WebhookEndpointChanges = {
  /** Address. */
  readonly url?: string
  /** Event types that are delivered; empty for all. */
  readonly types?: readonly EventType[]
  /** Text for people. */
  readonly description?: string | null
}

export type NewWebhookReplay = {
  /** Start, inclusive: a day in UTC or an instant. */
  readonly from: string
  /** End: a whole day in UTC, or an instant, exclusive. */
  readonly to?: string
}

export type NewHttpsLogStream = {
  /** Kind. */
  readonly kind: 'https'
  /** Address that events are posted to: https, and public. */
  readonly url: string
  /** Header `authorization` of each request, as the receiver wants it. Kept encrypted, and never answered. */
  readonly authorization?: string
  /** Text for people. */
  readonly description?: string | null
}

export type NewSyslogLogStream = {
  /** Kind. */
  readonly kind: 'syslog_tls'
  /** Name or address of the receiver, which is public. */
  readonly host: string
  /** Port, by RFC 5425 6514. */
  readonly port: number
  /** Authorities of its certificate, in PEM; absent: those of browsers. */
  readonly ca?: string
  /** Text for people. */
  readonly description?: string | null
}

export type LogStreamChanges = {
  /** True: events wait. False: they are sent, from where it stopped. */
  readonly paused?: boolean
  /** Text for people. */
  readonly description?: string | null
}

export type NewDeposit = {
  /** Id of the organization. */
  readonly organization_id: string
  /** Way of the money. */
  readonly rail: PartnerRail
  /** Network of the coin. */
  readonly network?: string | null
  /** Amount: a decimal. */
  readonly amount: RequestMoney
  /** Sender of the money. */
  readonly sender?: NewSender | null
}

export type NewSender = {
  /** Name of the sender. */
  readonly name?: string | null
  /** Text of the sender. */
  readonly reference?: string | null
  /** Account of the sender. */
  readonly account_reference?: string | null
  /** Country (ISO 3166-1 alpha-2). */
  readonly country?: string | null
}

export type NewSandboxArrival = {
  /** Way of the money. */
  readonly rail: PartnerRail
  /** Network of the coin. */
  readonly network?: string | null
  /** Account at which the money arrives. */
  readonly account: string
  /** Amount: a decimal. */
  readonly amount: RequestMoney
  /** Sender of the money. */
  readonly sender?: NewSender | null
}

export type SandboxPay = {
  /** Amount: a decimal. */
  readonly amount?: string
}

export type NewSandboxFault = {
  /** Stand-in, by the name of its connection; or `mail`, `payee_checks`, `accounting`, `storage`. */
  readonly partner: string
  /** Kind of fault. */
  readonly fault: SandboxFaultKind
  /** Number of calls that fail. */
  readonly times: number
}

export type NewSandboxMarket = {
  /** State of the market. */
  readonly state: SandboxMarketState
}

export type ClockAdvance = {
  /** Next occasion to advance to. */
  readonly to: ClockAdvanceTo
  /** Reason, for the log. */
  readonly reason?: string | null
  /** Part that comes back; all by default. */
  readonly returned?: RequestMoney
  /** What the partner takes. */
  readonly charges?: RequestMoney
}

export type StepUpDecision = {
  /** Decision. */
  readonly decision: StepUpDecisionKind
}

export type MeNotify = 'at_once' | 'digest' | 'daily'

export type SecurityEventType = 'sign_up.confirmed' | 'sign_in.succeeded' | 'sign_in.failed' | 'session.ended' | 'sessions.ended_by_operator' | 'device.added' | 'device.removed' | 'device.trusted' | 'password.changed' | 'password_reset.requested' | 'password.reset' | 'authenticator.added' | 'authenticator.removed' | 'recovery_codes.generated' | 'recovery_code.used' | 'passkey.added' | 'passkey.removed' | 'factor_reset.announced' | 'factor_reset.cancelled' | 'factors.reset' | 'phone_number.added' | 'phone_number.removed' | 'identity_link.added' | 'identity_link.ended' | 'sign_in.bypassed_provider' | 'address.refused' | 'delegate.added' | 'delegate.rotated' | 'delegate.ended' | 'approval_device.added' | 'approval_device.removed' | 'login_credential.added' | 'step_up.verified' | 'step_up.failed' | 'step_up.denied' | 'step_up.used' | 'adjustment.proposed' | 'adjustment.confirmed' | 'adjustment.withdrawn' | 'screening.proposed' | 'screening.decided' | 'dealing.proposed' | 'dealing.confirmed' | 'dealing.settled' | 'dealing.withdrawn' | 'onboarding.proposed' | 'onboarding.confirmed' | 'onboarding.withdrawn'

export type StepUpStatus = 'pending' | 'verified' | 'consumed' | 'failed' | 'denied' | 'expired'

export type StepUpMethod = 'totp' | 'webauthn' | 'approval_device' | 'messaging_code'

export type Permission = 'api_keys.list' | 'api_keys.manage' | 'approvals.review' | 'bank_accounts.list' | 'billing_contacts.create' | 'billing_contacts.delete' | 'billing_contacts.list' | 'billing_contacts.update' | 'billing_invoices.allocate' | 'billing_invoices.create' | 'billing_invoices.delete' | 'billing_invoices.list_all' | 'billing_invoices.list_allocations' | 'billing_invoices.list_own' | 'billing_invoices.read' | 'billing_invoices.resend' | 'billing_invoices.submit' | 'billing_invoices.update' | 'billing_invoices.view_summary' | 'bills.cancel' | 'bills.create' | 'bills.list' | 'bills.read' | 'bills.update' | 'card_entitlements.create' | 'card_entitlements.list' | 'cards.activate' | 'cards.create' | 'cards.freeze' | 'cards.list_all' | 'cards.list_own' | 'cards.order_physical' | 'cards.provision_google_wallet' | 'cards.read' | 'cards.reveal' | 'cards.set_pin' | 'cards.unfreeze' | 'cards.update_limit' | 'cards.view_usage' | 'chains.cancel' | 'chains.create' | 'chains.decide' | 'chains.list' | 'chains.read' | 'deposit_addresses.list' | 'expenses.manage_all' | 'expenses.manage_own' | 'expenses.read' | 'expenses.update' | 'feedback.send' | 'integrations.connect' | 'integrations.disconnect' | 'invitations.create' | 'invitations.delete' | 'invitations.list' | 'invitations.resend' | 'members.list' | 'members.manage' | 'onboarding.view_own_requirements' | 'onboarding.view_requirements' | 'organization.claim_personal_handle' | 'organization.generate_upload_url' | 'organization.read' | 'organization.sudo_session' | 'organization.update' | 'organization.update_logo' | 'organization.update_preferences' | 'organization.view_balances' | 'organization.view_capabilities' | 'organization.view_insights' | 'organization.view_kyb_status' | 'organization.view_legal_name' | 'organization.view_lifetime_spend' | 'organization.view_points_balance' | 'organization.view_subscription_offers' | 'payment_contacts.create' | 'payment_contacts.delete' | 'payment_contacts.list' | 'payment_contacts.update' | 'payment_destinations.create' | 'payment_destinations.list' | 'payment_destinations.update' | 'payments.send_crypto' | 'payments.send_fiat' | 'payments.swap_fiat' | 'transactions.list_all' | 'transactions.list_own' | 'xero.manage'

export type Role = 'owner' | 'admin' | 'member'

export type OnboardingStatus = 'draft' | 'submitted' | 'in_review' | 'needs_more' | 'verified' | 'rejected' | 'review_due' | 'purged'

export type OnboardingRequirementStatus = 'open' | 'done'

export type LegalEntityForm = 'company' | 'partnership' | 'sole_trader' | 'nonprofit' | 'public_body'

export type BusinessActivityScheme = 'nace' | 'naics'

export type OnboardingPersonRoles = 'beneficial_owner' | 'controlling_person' | 'director'

export type OnboardingDocumentKind = 'register_extract' | 'articles' | 'proof_of_address' | 'identity' | 'other'

export type OnboardingDocumentStatus = 'awaiting_upload' | 'uploaded' | 'sealed'

export type OnboardingReviewStatus = 'waiting' | 'in_review' | 'needs_more' | 'verified' | 'rejected'

export type OrganizationSettingsPayeeCheck = 'warn' | 'block'

export type IpAllowListAppliesTo = 'sessions' | 'api_keys' | 'delegates'

export type IpAllowListLiftingStatus = 'requested' | 'lifted'

export type MemberPreset = 'reader' | 'accountant' | 'preparer'

export type InvitationStatus = 'accepted' | 'pending_approval' | 'pending'

export type ApiKeyRole = 'admin' | 'member'

export type ApiKeyScope = 'balances:read' | 'events:read' | 'events:subscribe' | 'payment_requests:read' | 'payment_requests:write' | 'payments:read' | 'refunds:write' | 'transactions:read' | 'webhooks:manage'

export type Environment = 'live' | 'test'

export type ApiKeyStatus = 'active' | 'revoked'

export type DelegateWithSecretKind = 'program' | 'agent'

export type DelegateWithSecretAccess = 'read' | 'prepare'

export type DelegateWithSecretEndReason = 'ended_by_person' | 'ended_by_owner' | 'left' | 'password_changed' | 'password_reset' | 'factors_reset' | 'authenticator_required' | 'ended_by_operator' | 'code_replayed' | 'code_expired' | 'refresh_token_replayed'

export type ServerMetadataGrantTypesSupported = 'authorization_code' | 'refresh_token' | 'client_credentials'

export type ServerMetadataTokenEndpointAuthMethodsSupported = 'none' | 'client_secret_post'

export type ListedApprovalActionType = 'withdrawal' | 'billing_invoice' | 'payment_contact' | 'organization_invitation' | 'payment_batch'

export type ListedApprovalTargetType = 'crypto_outgoing' | 'fiat_outgoing' | 'internal_transfer' | 'billing_invoice' | 'payment_contact' | 'organization_invitation' | 'payment_batch'

export type ListedApprovalStatus = 'pending' | 'approved' | 'rejected' | 'cancelled'

export type ListedApprovalWarnings = 'first_payment' | 'new_country' | 'account_changed' | 'duplicate' | 'unusual_amount' | 'payee_no_match' | 'payee_close_match' | 'by_delegate' | 'address_missing' | 'similar_name' | 'holder_differs' | 'payer_changed'

export type ChangedAccountType = 'svc_id' | 'bank' | 'crypto'

export type ApprovalPayeeCheckResult = 'match' | 'close_match' | 'no_match' | 'not_possible'

export type ApprovalPayeeCheckReason = 'unavailable' | 'too_slow' | 'not_supported' | 'unknown_account' | 'too_many_questions'

export type TaxCategory = 'S' | 'Z' | 'E' | 'AE' | 'K' | 'G' | 'O'

export type InvoiceLineUnit = 'C62' | 'EA' | 'H87' | 'SET' | 'PR' | 'DZN' | 'XPK' | 'XBX' | 'XPX' | 'LS' | 'P1' | 'SEC' | 'MIN' | 'HUR' | 'DAY' | 'WEE' | 'MON' | 'ANN' | 'GRM' | 'KGM' | 'TNE' | 'MMT' | 'CMT' | 'MTR' | 'KMT' | 'MTK' | 'MTQ' | 'MLT' | 'LTR' | 'KWH' | 'MWH' | 'AD' | 'E34'

export type BillingInvoiceAttachmentContentType = 'application/pdf' | 'image/png' | 'image/jpeg' | 'text/csv' | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' | 'application/vnd.oasis.opendocument.spreadsheet'

export type ReachedLimitPeriod = 'day' | 'week' | 'month'

export type ReachedLimitPer = 'person' | 'payee' | 'organization'

export type ApprovalStepStatus = 'met' | 'open' | 'waiting' | 'closed'

export type ApprovalDecisionKind = 'approve' | 'reject' | 'cancel' | 'expire'

export type AttentionItemKind = 'review_approval' | 'question' | 'sent_back' | 'fix_bill' | 'pay_bill' | 'check_bank_details' | 'unknown_sender' | 'mail_without_bill' | 'account_changed' | 'travel_rule' | 'payment_on_hold' | 'payment_schedule_failed' | 'payee_mismatch' | 'reconciliation_difference' | 'database_behind' | 'overdue_invoice' | 'undelivered_invoice' | 'undelivered_credit_note' | 'allocate_deposit' | 'fix_batch' | 'complete_payee' | 'onboarding_needed' | 'onboarding_more_needed' | 'set_up_totp' | 'set_approval_policy' | 'renew_subscription' | 'reconnect_accounting' | 'failed_export' | 'failing_webhook' | 'failing_identity_provider' | 'delegate_expiring'

export type AttentionItemSeverity = 'blocking' | 'action' | 'info'

export type AttentionItemAudience = 'organization' | 'viewer'

export type ChartAccountAccountType = 'bank' | 'asset' | 'liability' | 'equity' | 'revenue' | 'expense'

export type CodingLineCodedBy = 'rule' | 'memory' | 'person'

export type ApprovalRuleConditionsOrigins = 'page' | 'api' | 'delegate' | 'mail'

export type PolicyRehearsalOutcomeOutcome = 'unchanged' | 'stricter' | 'weaker' | 'other' | 'no_approval' | 'unmeetable' | 'refused'

export type SubstitutionStatus = 'planned' | 'active' | 'ended'

export type SubstitutionEndReason = 'ended' | 'member_left'

export type PaymentDestinationCheckStatus = 'ok' | 'warning' | 'invalid'

export type PayeeAddressRequirementsRail = 'sepa' | 'swift' | 'local'

export type PayeeAddressRequirementsNeeded = 'street' | 'building_number' | 'postal_code' | 'town' | 'country_code' | 'region'

export type PayeeAddressRequirementsCharacterSet = 'sepa_latin' | 'swift_x'

export type PaymentContactType = 'business' | 'individual'

export type Tag = 'vendor' | 'own_account' | 'employee' | 'other'

export type PaymentContactStatus = 'pending_approval' | 'active' | 'archived'

export type PaymentDestinationStatus = 'active' | 'pending_approval'

export type PartnerRail = 'fiat' | 'crypto'

export type Rail = 'fiat' | 'crypto' | 'svc_id'

export type QuoteSpeed = 'standard' | 'instant'

export type QuoteFallback = 'standard' | 'none'

export type PaymentStatus = 'awaiting_approval' | 'submitted' | 'processing' | 'on_hold' | 'cancelling' | 'succeeded' | 'failed' | 'reversed' | 'cancelled'

export type PaymentScheduleState = 'waiting' | 'executing' | 'done'

export type PaymentDraftQuoteSide = 'deducting' | 'landing'

export type EventKind = 'domain' | 'evidence'

export type ActorKind = 'user' | 'admin' | 'system' | 'worker' | 'webhook' | 'llm_on_behalf_of_user' | 'llm_on_behalf_of_admin'

export type PaymentBatchStatus = 'draft' | 'importing' | 'awaiting_approval' | 'processing' | 'cancelling' | 'completed' | 'partially_completed' | 'failed' | 'cancelled'

export type PaymentBatchRowStatus = 'valid' | 'invalid' | 'processing' | 'succeeded' | 'failed' | 'skipped'

export type BillStatus = 'extracting' | 'extracted' | 'payment_requested' | 'cancelled'

export type BillNotPayable = 'credit_note' | 'direct_debit' | 'card' | 'pro_forma' | 'paid' | 'own_invoice' | 'not_a_bill'

export type BillDoubtCode = 'malformed' | 'wrong_check_digits' | 'no_such_date' | 'ambiguous_date' | 'ambiguous_amount' | 'no_such_currency' | 'ambiguous_currency' | 'contradicted' | 'does_not_add_up' | 'several_accounts' | 'several_due_dates' | 'several_bills' | 'unconfirmed' | 'giro_number' | 'unread_pages'

export type BillField = 'amount' | 'currency' | 'bill_number' | 'supplier_name' | 'supplier_tax_id' | 'payment_reference' | 'issue_date' | 'due_date' | 'tax_total' | 'account_holder_name' | 'bank_country_alpha2' | 'iban' | 'swift_code' | 'account_number' | 'aba_code' | 'sort_code' | 'bsb_code' | 'ifsc_code' | 'cnaps' | 'bank_code' | 'branch_code' | 'bank_name' | 'address_street' | 'address_building_number' | 'address_postal_code' | 'address_town' | 'address_country'

export type BillSumDue = 'overdue' | 'week' | 'later' | 'unknown'

export type BillDuplicateReason = 'same_file' | 'same_number' | 'same_amount_and_date'

export type InboundMailStatus = 'received' | 'unknown_sender' | 'mail_without_bill' | 'accepted' | 'refused' | 'duplicate'

export type InboundMailWithoutBill = 'no_file' | 'no_bill_in_files' | 'unreadable'

export type InboundMailAuthenticationVerdict = 'pass' | 'fail' | 'none'

export type InboundMailAuthenticationDmarc = 'pass' | 'fail' | 'softfail' | 'neutral' | 'none' | 'policy' | 'temperror' | 'permerror' | 'other'

export type InboundMailFileOutcome = 'bill' | 'known_bill' | 'beside_xml' | 'no_bill' | 'too_large' | 'too_many'

export type BillPaymentPreviewAcknowledgements = 'acknowledge_missing_number' | 'acknowledge_duplicate' | 'acknowledge_bank_details' | 'acknowledge_payee_check'

export type DocumentLanguage = 'en' | 'de' | 'fr' | 'es' | 'it'

export type InvoiceState = 'draft' | 'awaiting_approval' | 'sent' | 'finalized' | 'paid'

export type InvoiceSettledBy = 'credit' | 'early_payment'

export type InvoiceProfile = 'none' | 'en16931' | 'xrechnung'

export type InvoiceWarnings = 'receiving_account' | 'chronology' | 'swiss_account_holder' | 'swiss_postal_address'

export type CreditNoteState = 'draft' | 'awaiting_approval' | 'sent'

export type AccountDetailsType = 'bank_account' | 'deposit_address'

export type AbilityReason = 'not_served' | 'paused' | 'onboarding_incomplete' | 'partner_away'

export type BankAccountStatus = 'provisioning' | 'active'

export type DepositStatus = 'held' | 'credited' | 'returned'

export type MarketState = 'open' | 'closed'

export type SubscriptionStatus = 'active' | 'expired'

export type SubscriptionResultOperation = 'created' | 'upgraded' | 'recommitted' | 'downgrade_scheduled' | 'change_scheduled'

export type SubscriptionPurchaseStatus = 'succeeded' | 'none'

export type TransactionType = 'payment' | 'deposit' | 'swap' | 'fee' | 'refund' | 'reversal' | 'subscription'

export type TransactionDirection = 'in' | 'out'

export type TransactionStatus = 'pending' | 'posted'

export type ExportStatus = 'pending' | 'completed' | 'failed'

export type ExportType = 'balance_statement' | 'expenses' | 'transactions' | 'audit_pack'

export type ExportFormat = 'csv' | 'xlsx' | 'pdf' | 'camt053' | 'camt054' | 'mt940' | 'ofx' | 'zip'

export type ExportFailureCode = 'storage_unavailable' | 'interrupted' | 'amount_too_large' | 'format_not_supported' | 'does_not_add_up' | 'log_differs' | 'too_large' | 'internal_error'

export type LoggedRequestCredentialKind = 'session' | 'api_key' | 'delegate'

export type EventLogFaultKind = 'changed' | 'missing' | 'not_chained' | 'not_as_published'

export type CurrencyKind = 'fiat' | 'coin'

export type AccountingIntegrationStatus = 'connected' | 'needs_reconnect' | 'disconnecting' | 'disconnected'

export type AccountingSyncStatus = 'running' | 'completed' | 'failed'

export type AccountingSyncTrigger = 'connect' | 'manual' | 'schedule'

export type AccountingSyncFailureCode = 'needs_reconnect' | 'disconnected' | 'organization_unavailable' | 'unreachable'

export type AccountingSyncErrorKind = 'transaction' | 'bill' | 'bill_payment' | 'invoice' | 'invoice_payment'

export type AccountingSyncErrorCode = 'unmapped' | 'unsupported_currency' | 'amount_too_large' | 'amount_too_precise' | 'rejected'

export type WebhookEndpointStatus = 'active' | 'disabled'

export type WebhookEndpointDisabledReason = 'person' | 'gone' | 'failures'

export type WebhookEndpointDeliveryOrigin = 'event' | 'replay' | 'test'

export type WebhookEndpointDeliveryStatus = 'pending' | 'succeeded' | 'failed'

export type WebhookAttemptFailure = 'timeout' | 'refused_address' | 'dns' | 'tls' | 'connection' | 'malformed'

export type WebhookReplayStatus = 'running' | 'completed'

export type LogStreamWithSecretKind = 'https' | 'syslog_tls'

export type SandboxItemType = 'BankTransactions' | 'BankTransfers' | 'Contacts' | 'CreditNotes' | 'Invoices' | 'ManualJournals' | 'Payments'

export type SandboxArrivalStatus = 'held' | 'credited' | 'returned' | 'unmatched'

export type SandboxFaultKind = 'down' | 'error' | 'rate_limited' | 'slow' | 'malformed' | 'ambiguous' | 'lost_callback' | 'late_callback' | 'out_of_order' | 'duplicate_callback' | 'manual' | 'declined_consent' | 'expired_token' | 'refused_refresh' | 'partial_failure' | 'match' | 'close_match' | 'no_match' | 'instant_rejected' | 'instant_timeout'

export type SandboxMarketState = 'open' | 'closed' | 'calendar'

export type SandboxMessageChannel = 'email' | 'message'

export type OAuthErrorError = 'invalid_request' | 'invalid_client' | 'invalid_grant' | 'invalid_target' | 'unauthorized_client' | 'unsupported_grant_type' | 'temporarily_unavailable' | 'server_error'

export type PartnerUpdatePartner = 'bank' | 'custodian'

export type AskedMailedLinkPage = 'confirm-email' | 'reset-password' | 'keep-factors' | 'invitation'

export type NewOnboardingDocumentContentType = 'application/pdf' | 'image/png' | 'image/jpeg'

export type NewAuthorizationAudience = 'service' | 'api' | 'mcp'

export type SetDecisionKind = 'approve' | 'reject'

export type CryptoDestinationToValidateNetwork = 'ethereum' | 'bitcoin' | 'tron' | 'solana'

export type CryptoDestinationToValidateCoin = 'USDC' | 'USDT' | 'BTC' | 'ETH'

export type QuoteExecutionRoll = 'following' | 'preceding'

export type PaymentBatchContentType = 'text/csv' | 'application/csv' | 'application/vnd.ms-excel' | 'text/plain'

export type BillContentType = 'application/pdf' | 'image/png' | 'image/jpeg' | 'image/webp' | 'image/tiff' | 'application/xml' | 'text/xml'

export type NewBillNotPayable = 'credit_note' | 'direct_debit' | 'card' | 'pro_forma' | 'paid' | 'not_a_bill'

export type InboundMailAcceptanceRemember = 'once' | 'always'

export type SenderTravelRuleRelationship = 'self' | 'family' | 'friend' | 'business_associate' | 'vendor' | 'employee' | 'other'

export type SenderTravelRulePersonType = 'natural' | 'legal'

export type EventType = 'accounting_connection.connected' | 'accounting_connection.disconnected' | 'accounting_connection.disconnecting' | 'accounting_connection.reconnected' | 'accounting_connection.refused' | 'accounting_mappings.changed' | 'adjustment.confirmed' | 'adjustment.proposed' | 'adjustment.withdrawn' | 'api_key.created' | 'api_key.maker_reduced' | 'api_key.revoked' | 'api_key.rotated' | 'api_key.updated' | 'approval_policy.changed' | 'approval.approval_given' | 'approval.approval_voided' | 'approval.approved' | 'approval.cancelled' | 'approval.expired' | 'approval.question_answered' | 'approval.question_asked' | 'approval.rejected' | 'approval.requested' | 'approval.subject_changed' | 'bill_mailbox.closed' | 'bill_mailbox.created' | 'bill_mailbox.renamed' | 'billing_contact.created' | 'billing_contact.deleted' | 'billing_contact.updated' | 'bill.bank_details_changed' | 'bill.bank_details_differ' | 'bill.cancelled' | 'bill.coded' | 'bill.created' | 'bill.duplicate_found' | 'bill.extracted' | 'bill.extraction_failed' | 'bill.extraction_requested' | 'bill.file_attached' | 'bill.file_detached' | 'bill.payment_ended' | 'bill.payment_requested' | 'bill.read' | 'bill.updated' | 'accounts_chart.changed' | 'cover.closed' | 'credit_note.created' | 'credit_note.deleted' | 'credit_note.mail_delivered' | 'credit_note.mail_failed' | 'credit_note.mailed' | 'credit_note.refused' | 'credit_note.resent' | 'credit_note.sent' | 'credit_note.submitted' | 'credit_note.updated' | 'credit_note.written' | 'delegate.expiring' | 'deposit.adjusted' | 'deposit.assigned' | 'deposit.credited' | 'deposit.held' | 'deposit.return_refused' | 'deposit.returned' | 'deposit.sender_named' | 'dimensions.changed' | 'export.completed' | 'export.failed' | 'export.requested' | 'export.retried' | 'identity_provider.bypassed' | 'identity_provider.connected' | 'identity_provider.disconnected' | 'identity_provider.domain_proved' | 'identity_provider.domain_removed' | 'identity_provider.failed' | 'identity_provider.member_linked' | 'identity_provider.restored' | 'identity_provider.updated' | 'inbound_mail.accepted' | 'inbound_mail.found_empty' | 'inbound_mail.held' | 'inbound_mail.received' | 'inbound_mail.refused' | 'inbound_mail.repeated' | 'inbound_mail.sender_forgotten' | 'inbound_mail.taken' | 'invitation.accepted' | 'invitation.approved' | 'invitation.created' | 'invitation.declined' | 'invitation.deleted' | 'invitation.expired' | 'invitation.refused' | 'invitation.resent' | 'invoice.allocated' | 'invoice.allocation_taken_back' | 'invoice.created' | 'invoice.credited' | 'invoice.deleted' | 'invoice.finalized' | 'invoice.link_revoked' | 'invoice.mail_delivered' | 'invoice.mail_failed' | 'invoice.mailed' | 'invoice.paid' | 'invoice.refused' | 'invoice.reminded' | 'invoice.reopened' | 'invoice.resent' | 'invoice.sent' | 'invoice.submitted' | 'invoice.updated' | 'invoice.written' | 'member.factor_added' | 'member.factor_removed' | 'member.joined' | 'member.left' | 'member.password_changed' | 'member.permissions_changed' | 'member.provisioned' | 'member.removed' | 'member.role_changed' | 'member.sign_in_failed' | 'member.signed_in' | 'member.signed_out' | 'onboarding.begun' | 'onboarding.changed' | 'onboarding.more_needed' | 'onboarding.purged' | 'onboarding.rejected' | 'onboarding.review_begun' | 'onboarding.review_required' | 'onboarding.reviewed' | 'onboarding.submitted' | 'onboarding.verified' | 'ip_allow_list.changed' | 'ip_allow_list.lift_cancelled' | 'ip_allow_list.lift_requested' | 'ip_allow_list.lifted' | 'ip_allow_list.removed' | 'organization.banned' | 'organization.books_resumed' | 'organization.books_stopped' | 'organization.created' | 'organization.deleted' | 'organization.handle_claimed' | 'organization.logo_changed' | 'organization.logo_removed' | 'organization.paused' | 'organization.resumed' | 'organization.settings_changed' | 'organization.unbanned' | 'organization.updated' | 'ownership.transferred' | 'payment_batch.approved' | 'payment_batch.bill_left' | 'payment_batch.cancel_requested' | 'payment_batch.cancelled' | 'payment_batch.completed' | 'payment_batch.created' | 'payment_batch.deleted' | 'payment_batch.failed' | 'payment_batch.file_attached' | 'payment_batch.file_detached' | 'payment_batch.import_failed' | 'payment_batch.import_requested' | 'payment_batch.imported' | 'payment_batch.partially_completed' | 'payment_batch.refused' | 'payment_batch.row_added' | 'payment_batch.row_changed' | 'payment_batch.row_deleted' | 'payment_batch.submitted' | 'payment_batch.withdrawn' | 'payment_contact.approved' | 'payment_contact.archived' | 'payment_contact.change_refused' | 'payment_contact.change_requested' | 'payment_contact.created' | 'payment_contact.deleted' | 'payment_contact.file_attached' | 'payment_contact.file_detached' | 'payment_contact.updated' | 'payment_destination.confirmed_by_callback' | 'payment_destination.created' | 'payment_destination.deleted' | 'payment_destination.made_default' | 'payment_destination.updated' | 'payment.accepted' | 'payment.adjusted' | 'payment.broadcast' | 'payment.cancel_requested' | 'payment.cancelled' | 'payment.created' | 'payment.failed' | 'payment.fell_back' | 'payment.file_attached' | 'payment.file_detached' | 'payment.held' | 'payment.payee_checked' | 'payment.released' | 'payment.reversed' | 'payment.scheduled' | 'payment.settled' | 'payment.submitted' | 'payment.unscheduled' | 'payment.updated' | 'receiving_account.opened' | 'receiving_account.requested' | 'scim_group.approvers_lost' | 'scim_group.created' | 'scim_group.deleted' | 'scim_group.role_changed' | 'scim_group.updated' | 'scim_token.created' | 'scim_token.maker_reduced' | 'scim_token.revoked' | 'scim_user.approvers_lost' | 'scim_user.deactivated' | 'scim_user.deleted' | 'scim_user.protected' | 'scim_user.provisioned' | 'scim_user.reactivated' | 'scim_user.updated' | 'screening.asked' | 'screening.cleared' | 'screening.confirmed' | 'screening.held' | 'screening.passed' | 'screening.superseded' | 'subscription.change_scheduled' | 'subscription.created' | 'subscription.downgrade_scheduled' | 'subscription.end_scheduled' | 'subscription.expired' | 'subscription.recommitted' | 'subscription.renewal_failed' | 'subscription.renewal_held' | 'subscription.renewed' | 'subscription.scheduled_change_cancelled' | 'subscription.upgraded' | 'substitution.created' | 'substitution.ended' | 'swap.executed' | 'transaction.annotated' | 'transaction.file_attached' | 'transaction.file_detached' | 'webhook_endpoint.created' | 'webhook_endpoint.deleted' | 'webhook_endpoint.disabled' | 'webhook_endpoint.enabled' | 'webhook_endpoint.failed' | 'webhook_endpoint.recovered' | 'webhook_endpoint.secret_rotated' | 'webhook_endpoint.updated'

export type ClockAdvanceTo = 'processing' | 'on_hold' | 'succeeded' | 'failed' | 'reversed' | 'cancelled'

export type StepUpDecisionKind = 'allow' | 'deny'

/** An open vocabulary: branch on it, and treat a value that you do not know as a general failure. */
export type ErrorType = 'invalid_request' | 'unknown_parameter' | 'malformed_request' | 'upload_size_mismatch' | 'grant_invalid' | 'idempotency_key_invalid' | 'invalid_credentials' | 'not_authenticated' | 'invalid_api_key' | 'forbidden' | 'step_up_required' | 'api_key_not_permitted' | 'api_scope_missing' | 'delegate_not_permitted' | 'delegate_address_not_allowed' | 'ip_not_allowed' | 'organization_unavailable' | 'role_exceeds_creator' | 'requester_cannot_approve' | 'not_an_approver' | 'upload_signature_invalid' | 'email_not_confirmed' | 'not_found' | 'route_not_found' | 'method_not_allowed' | 'invalid_state' | 'identity_provider_connected' | 'domain_taken' | 'delegate_limit_reached' | 'api_key_revoked' | 'approval_already_processed' | 'approval_expired' | 'decision_expired' | 'contact_in_use' | 'payment_not_cancellable' | 'payment_not_scheduled' | 'batch_not_draft' | 'file_not_uploaded' | 'file_already_uploaded' | 'bill_payment_in_progress' | 'duplicate_bill' | 'quote_already_used' | 'handle_taken' | 'nothing_scheduled' | 'external_id_taken' | 'already_member' | 'last_owner' | 'accounting_not_connected' | 'totp_already_enabled' | 'invitation_expired' | 'upload_expired' | 'export_expired' | 'payload_too_large' | 'unsupported_media_type' | 'unprocessable_entity' | 'unsupported_rail' | 'instant_unavailable' | 'unsupported_currency' | 'amount_precision' | 'amount_too_large' | 'insufficient_funds' | 'invalid_bank_details' | 'payee_mismatch' | 'payee_held' | 'contact_not_approved' | 'quote_expired' | 'account_cooling_off' | 'market_closed' | 'invalid_schedule' | 'same_account' | 'same_currency' | 'address_required' | 'onboarding_incomplete' | 'destination_missing' | 'invalid_file' | 'code_invalid' | 'token_invalid' | 'unknown_handle' | 'travel_rule_incomplete' | 'bill_incomplete' | 'invoice_incomplete' | 'invoice_total_negative' | 'accepted_amount_exceeds_total' | 'credit_exceeds' | 'credit_total_not_positive' | 'allocation_exceeds' | 'batch_has_invalid_rows' | 'batch_empty' | 'substitute_not_eligible' | 'offer_not_available' | 'scope_requires_role' | 'api_key_limit_reached' | 'ip_allow_list_excludes_you' | 'identity_provider_unusable' | 'domain_not_usable' | 'domain_not_proved' | 'client_not_usable' | 'webhook_endpoint_limit_reached' | 'organization_limit_reached' | 'no_eligible_approver' | 'limit_exceeded' | 'password_required' | 'weak_password' | 'password_incorrect' | 'range_too_long' | 'format_not_supported' | 'idempotency_key_reused' | 'invalid_webhook_url' | 'invalid_mapping' | 'coding_required' | 'invalid_coding' | 'rate_limited' | 'internal_error' | 'service_unavailable' | 'ledger_unbalanced' | (string & {})

/** Envelope of every error. */
export type Error = {
  /** Error. */
  readonly error: ErrorBody
}

/** Error: its type, a sentence for people, and details. */
export type ErrorBody = {
  /** Error type. */
  readonly type: ErrorType
  /** A sentence that a user may read; never branch on it. */
  readonly message: string
  /** Also in the header x-request-id. */
  readonly request_id?: string
  /** What was wrong; its members depend on the type. */
  readonly details?: ValidationError | InvalidState | RateLimited | Readonly<Record<string, unknown>>
  /** Challenge of `step_up_required`. */
  readonly step_up?: StepUpChallenge
}

/** Details of `invalid_request`, every fault; of `unknown_parameter`, at most ten. */
export type ValidationError = {
  /** Faults, in the order of the body. */
  readonly errors: readonly FieldError[]
  /** Parameters that the operation takes; of `unknown_parameter` alone. */
  readonly known?: readonly string[]
}

/** One fault of a request. */
export type FieldError = {
  /** Place in the request, for example `amount.currency`. */
  readonly path: string
  /** Kind of fault; branch on it. */
  readonly code: string
  /** Explanation for people. */
  readonly message: string
  /** Parameter that may have been meant; of `unknown_parameter` alone. */
  readonly closest?: string
}

/** Details of `invalid_state` and other conflicts with a state. */
export type InvalidState = {
  /** Present state. */
  readonly current: string
  /** States in which it is possible. */
  readonly allowed: readonly string[]
}

/** Details of `rate_limited`. */
export type RateLimited = {
  /** Limit that was met. */
  readonly policy: string
  /** Seconds to wait, as in Retry-After. */
  readonly retry_after_seconds: number
}

/** Envelope of every delivery. */
export type WebhookDelivery = {
  /** One of GET /meta/event-types, `webhook_endpoint.test`, or a later one. */
  readonly type: string
  /** When it happened. */
  readonly timestamp: string
  /** The event. */
  readonly data: Event
}

/** A person connects the organization with its accounting program. */
export type AccountingConnectionConnectedDelivery = WebhookDelivery & {
  readonly type: 'accounting_connection.connected'
  readonly data: Event & {
  readonly event_type?: 'accounting_connection.connected'
  readonly payload?: {
  readonly provider: string
  readonly tenant_id: string
  readonly tenant_name: string
}
}
}

/** The accounting program knows that a connection is over. */
export type AccountingConnectionDisconnectedDelivery = WebhookDelivery & {
  readonly type: 'accounting_connection.disconnected'
  readonly data: Event & {
  readonly event_type?: 'accounting_connection.disconnected'
  readonly payload?: null
}
}

/** A person ends a connection: nothing is posted any more. */
export type AccountingConnectionDisconnectingDelivery = WebhookDelivery & {
  readonly type: 'accounting_connection.disconnecting'
  readonly data: Event & {
  readonly event_type?: 'accounting_connection.disconnecting'
  readonly payload?: null
}
}

/** A person connects again. */
export type AccountingConnectionReconnectedDelivery = WebhookDelivery & {
  readonly type: 'accounting_connection.reconnected'
  readonly data: Event & {
  readonly event_type?: 'accounting_connection.reconnected'
  readonly payload?: null
}
}

/** The accounting program does not take the consent any more: somebody has to connect again. */
export type AccountingConnectionRefusedDelivery = WebhookDelivery & {
  readonly type: 'accounting_connection.refused'
  readonly data: Event & {
  readonly event_type?: 'accounting_connection.refused'
  readonly payload?: null
}
}

/** A person chooses other accounts for what is posted. */
export type AccountingMappingsChangedDelivery = WebhookDelivery & {
  readonly type: 'accounting_mappings.changed'
  readonly data: Event & {
  readonly event_type?: 'accounting_mappings.changed'
  readonly payload?: {
  readonly changed: readonly string[]
}
}
}

/** Another operator confirms a booking: it is booked. */
export type AdjustmentConfirmedDelivery = WebhookDelivery & {
  readonly type: 'adjustment.confirmed'
  readonly data: Event & {
  readonly event_type?: 'adjustment.confirmed'
  readonly payload?: {
  readonly own_status: string | null
  readonly partner_status: string | null
  readonly partner_amount: string | null
  readonly currency: string
  readonly clearing: string
  readonly receivable: string
  readonly available: string
  readonly payable: string
}
}
}

/** An operator proposes a booking. */
export type AdjustmentProposedDelivery = WebhookDelivery & {
  readonly type: 'adjustment.proposed'
  readonly data: Event & {
  readonly event_type?: 'adjustment.proposed'
  readonly payload?: {
  readonly own_status: string | null
  readonly partner_status: string | null
  readonly partner_amount: string | null
  readonly currency: string
  readonly clearing: string
  readonly receivable: string
  readonly available: string
  readonly payable: string
}
}
}

/** An operator takes a proposal back. */
export type AdjustmentWithdrawnDelivery = WebhookDelivery & {
  readonly type: 'adjustment.withdrawn'
  readonly data: Event & {
  readonly event_type?: 'adjustment.withdrawn'
  readonly payload?: null
}
}

/** A person makes an API key. */
export type ApiKeyCreatedDelivery = WebhookDelivery & {
  readonly type: 'api_key.created'
  readonly data: Event & {
  readonly event_type?: 'api_key.created'
  readonly payload?: {
  readonly lookup: string
  readonly name: string
  readonly role: 'admin' | 'member'
  readonly scopes: readonly ('balances:read' | 'events:read' | 'events:subscribe' | 'payment_requests:read' | 'payment_requests:write' | 'payments:read' | 'refunds:write' | 'transactions:read' | 'webhooks:manage')[]
}
}
}

/** The person who made an API key may not manage keys any more, or has left: the key works on. */
export type ApiKeyMakerReducedDelivery = WebhookDelivery & {
  readonly type: 'api_key.maker_reduced'
  readonly data: Event & {
  readonly event_type?: 'api_key.maker_reduced'
  readonly payload?: {
  readonly created_by: string
  readonly left: boolean
}
}
}

/** An API key works no more, for good. */
export type ApiKeyRevokedDelivery = WebhookDelivery & {
  readonly type: 'api_key.revoked'
  readonly data: Event & {
  readonly event_type?: 'api_key.revoked'
  readonly payload?: null
}
}

/** An API key gets another secret; the one before it works until the time that is named. */
export type ApiKeyRotatedDelivery = WebhookDelivery & {
  readonly type: 'api_key.rotated'
  readonly data: Event & {
  readonly event_type?: 'api_key.rotated'
  readonly payload?: {
  readonly previous_secret_expires_at: string | null
}
}
}

/** A person changes name or rights of an API key. */
export type ApiKeyUpdatedDelivery = WebhookDelivery & {
  readonly type: 'api_key.updated'
  readonly data: Event & {
  readonly event_type?: 'api_key.updated'
  readonly payload?: {
  readonly name: string
  readonly role: 'admin' | 'member'
  readonly scopes: readonly ('balances:read' | 'events:read' | 'events:subscribe' | 'payment_requests:read' | 'payment_requests:write' | 'payments:read' | 'refunds:write' | 'transactions:read' | 'webhooks:manage')[]
}
}
}

/** An owner changes who has to approve what. */
export type ApprovalPolicyChangedDelivery = WebhookDelivery & {
  readonly type: 'approval_policy.changed'
  readonly data: Event & {
  readonly event_type?: 'approval_policy.changed'
  readonly payload?: {
  readonly rules: readonly ApprovalRule[]
  readonly version: number
}
}
}

/** A person approves, and others have to after them. */
export type ApprovalApprovalGivenDelivery = WebhookDelivery & {
  readonly type: 'approval.approval_given'
  readonly data: Event & {
  readonly event_type?: 'approval.approval_given'
  readonly payload?: {
  readonly step: number
  readonly given: number
  readonly required: number
  readonly role: 'owner' | 'admin' | 'member' | null
  readonly factor: string | null
  readonly subject_hash: string
  readonly on_behalf_of?: string
}
}
}

/** What a person approved counts no more: they could not give it now, or it is something else now. */
export type ApprovalApprovalVoidedDelivery = WebhookDelivery & {
  readonly type: 'approval.approval_voided'
  readonly data: Event & {
  readonly event_type?: 'approval.approval_voided'
  readonly payload?: {
  readonly decision_id: string
  readonly step: number
  readonly reason: 'role_changed' | 'member_left' | 'subject_changed'
}
}
}

/** The last approval that is needed is given. */
export type ApprovalApprovedDelivery = WebhookDelivery & {
  readonly type: 'approval.approved'
  readonly data: Event & {
  readonly event_type?: 'approval.approved'
  readonly payload?: {
  readonly step: number
  readonly role: 'owner' | 'admin' | 'member' | null
  readonly factor: string | null
  readonly subject_hash: string
  readonly on_behalf_of?: string
}
}
}

/** Who asked takes it back, or what it is about is gone; then nobody has proved anything. */
export type ApprovalCancelledDelivery = WebhookDelivery & {
  readonly type: 'approval.cancelled'
  readonly data: Event & {
  readonly event_type?: 'approval.cancelled'
  readonly payload?: {
  readonly role: 'owner' | 'admin' | 'member' | null
  readonly factor: string | null
  readonly subject_hash: string
  readonly on_behalf_of?: string
} | null
}
}

/** Nobody decided in time. */
export type ApprovalExpiredDelivery = WebhookDelivery & {
  readonly type: 'approval.expired'
  readonly data: Event & {
  readonly event_type?: 'approval.expired'
  readonly payload?: null
}
}

/** A question about what waits for approval is answered. */
export type ApprovalQuestionAnsweredDelivery = WebhookDelivery & {
  readonly type: 'approval.question_answered'
  readonly data: Event & {
  readonly event_type?: 'approval.question_answered'
  readonly payload?: {
  readonly question_id: string
  readonly answer_id: string
  readonly sha256: string
}
}
}

/** A person asks a member about what waits for approval. */
export type ApprovalQuestionAskedDelivery = WebhookDelivery & {
  readonly type: 'approval.question_asked'
  readonly data: Event & {
  readonly event_type?: 'approval.question_asked'
  readonly payload?: {
  readonly question_id: string
  readonly to: string
  readonly sha256: string
}
}
}

/** A person rejects what is asked for. */
export type ApprovalRejectedDelivery = WebhookDelivery & {
  readonly type: 'approval.rejected'
  readonly data: Event & {
  readonly event_type?: 'approval.rejected'
  readonly payload?: {
  readonly role: 'owner' | 'admin' | 'member' | null
  readonly factor: string | null
  readonly subject_hash: string
  readonly on_behalf_of?: string
  readonly sent_back?: true
}
}
}

/** Something is asked for that people have to approve. */
export type ApprovalRequestedDelivery = WebhookDelivery & {
  readonly type: 'approval.requested'
  readonly data: Event & {
  readonly event_type?: 'approval.requested'
  readonly payload?: {
  readonly subject_hash: string
  readonly policy: EvidencePolicy
}
}
}

/** The files of a subject that waits for approval change; approvals given before count no more. */
export type ApprovalSubjectChangedDelivery = WebhookDelivery & {
  readonly type: 'approval.subject_changed'
  readonly data: Event & {
  readonly event_type?: 'approval.subject_changed'
  readonly payload?: {
  readonly subject_hash: string
  readonly before: string
  readonly attachments: readonly SignedAttachment[]
}
}
}

/** A person ends an address for bills: it takes no mail any more. */
export type BillMailboxClosedDelivery = WebhookDelivery & {
  readonly type: 'bill_mailbox.closed'
  readonly data: Event & {
  readonly event_type?: 'bill_mailbox.closed'
  readonly payload?: null
}
}

/** A person opens an address for bills. */
export type BillMailboxCreatedDelivery = WebhookDelivery & {
  readonly type: 'bill_mailbox.created'
  readonly data: Event & {
  readonly event_type?: 'bill_mailbox.created'
  readonly payload?: null
}
}

/** A person renames an address for bills. */
export type BillMailboxRenamedDelivery = WebhookDelivery & {
  readonly type: 'bill_mailbox.renamed'
  readonly data: Event & {
  readonly event_type?: 'bill_mailbox.renamed'
  readonly payload?: null
}
}

/** A person adds a billing contact. */
export type BillingContactCreatedDelivery = WebhookDelivery & {
  readonly type: 'billing_contact.created'
  readonly data: Event & {
  readonly event_type?: 'billing_contact.created'
  readonly payload?: {
  readonly company_name: string
}
}
}

/** A person deletes a billing contact. */
export type BillingContactDeletedDelivery = WebhookDelivery & {
  readonly type: 'billing_contact.deleted'
  readonly data: Event & {
  readonly event_type?: 'billing_contact.deleted'
  readonly payload?: null
}
}

/** A person changes a billing contact. */
export type BillingContactUpdatedDelivery = WebhookDelivery & {
  readonly type: 'billing_contact.updated'
  readonly data: Event & {
  readonly event_type?: 'billing_contact.updated'
  readonly payload?: {
  readonly changed: readonly string[]
  readonly company_name?: string
}
}
}

/** A person changes the account that a bill is paid to. */
export type BillBankDetailsChangedDelivery = WebhookDelivery & {
  readonly type: 'bill.bank_details_changed'
  readonly data: Event & {
  readonly event_type?: 'bill.bank_details_changed'
  readonly payload?: {
  readonly fields: readonly ('account_holder_name' | 'bank_country_alpha2' | 'iban' | 'swift_code' | 'account_number' | 'aba_code' | 'sort_code' | 'bsb_code' | 'ifsc_code' | 'cnaps' | 'bank_code' | 'branch_code' | 'bank_name')[]
  readonly before: string | null
  readonly after: string | null
}
}
}

/** A bill names an account that its supplier did not have before. */
export type BillBankDetailsDifferDelivery = WebhookDelivery & {
  readonly type: 'bill.bank_details_differ'
  readonly data: Event & {
  readonly event_type?: 'bill.bank_details_differ'
  readonly payload?: null
}
}

/** A person puts a bill away that nobody pays. */
export type BillCancelledDelivery = WebhookDelivery & {
  readonly type: 'bill.cancelled'
  readonly data: Event & {
  readonly event_type?: 'bill.cancelled'
  readonly payload?: null
}
}

/** A person codes lines of a bill; it names their numbers. */
export type BillCodedDelivery = WebhookDelivery & {
  readonly type: 'bill.coded'
  readonly data: Event & {
  readonly event_type?: 'bill.coded'
  readonly payload?: {
  readonly lines: readonly number[]
}
}
}

/** A bill is added: a person brings a file or types it, or a mail brings it. */
export type BillCreatedDelivery = WebhookDelivery & {
  readonly type: 'bill.created'
  readonly data: Event & {
  readonly event_type?: 'bill.created'
  readonly payload?: {
  readonly file_id?: string
  readonly filename?: string
  readonly sha256?: string
  readonly inbound_mail_id?: string
  readonly amount?: string | null
  readonly currency?: string | null
  readonly bill_number?: string | null
  readonly supplier_name?: string | null
  readonly supplier_tax_id?: string | null
  readonly payment_reference?: string | null
  readonly issue_date?: string | null
  readonly due_date?: string | null
  readonly not_payable?: string | null
  readonly bank_details?: readonly ('account_holder_name' | 'bank_country_alpha2' | 'iban' | 'swift_code' | 'account_number' | 'aba_code' | 'sort_code' | 'bsb_code' | 'ifsc_code' | 'cnaps' | 'bank_code' | 'branch_code' | 'bank_name')[]
  readonly payee_address?: readonly ('address_street' | 'address_building_number' | 'address_postal_code' | 'address_town' | 'address_country')[]
  readonly external_id?: string | null
}
}
}

/** Another bill is found that may be the same. */
export type BillDuplicateFoundDelivery = WebhookDelivery & {
  readonly type: 'bill.duplicate_found'
  readonly data: Event & {
  readonly event_type?: 'bill.duplicate_found'
  readonly payload?: null
}
}

/** The file of a bill is read. */
export type BillExtractedDelivery = WebhookDelivery & {
  readonly type: 'bill.extracted'
  readonly data: Event & {
  readonly event_type?: 'bill.extracted'
  readonly payload?: {
  readonly fields: readonly ('amount' | 'currency' | 'bill_number' | 'supplier_name' | 'supplier_tax_id' | 'payment_reference' | 'issue_date' | 'due_date' | 'tax_total' | 'account_holder_name' | 'bank_country_alpha2' | 'iban' | 'swift_code' | 'account_number' | 'aba_code' | 'sort_code' | 'bsb_code' | 'ifsc_code' | 'cnaps' | 'bank_code' | 'branch_code' | 'bank_name' | 'address_street' | 'address_building_number' | 'address_postal_code' | 'address_town' | 'address_country')[]
}
}
}

/** The file of a bill cannot be read. */
export type BillExtractionFailedDelivery = WebhookDelivery & {
  readonly type: 'bill.extraction_failed'
  readonly data: Event & {
  readonly event_type?: 'bill.extraction_failed'
  readonly payload?: {
  readonly reason: string
}
}
}

/** A person has the file of a bill read again. */
export type BillExtractionRequestedDelivery = WebhookDelivery & {
  readonly type: 'bill.extraction_requested'
  readonly data: Event & {
  readonly event_type?: 'bill.extraction_requested'
  readonly payload?: null
}
}

/** A person attaches a file to a bill. */
export type BillFileAttachedDelivery = WebhookDelivery & {
  readonly type: 'bill.file_attached'
  readonly data: Event & {
  readonly event_type?: 'bill.file_attached'
  readonly payload?: {
  readonly file_id: string
  readonly sha256: string
}
}
}

/** A person takes a file away from a bill. */
export type BillFileDetachedDelivery = WebhookDelivery & {
  readonly type: 'bill.file_detached'
  readonly data: Event & {
  readonly event_type?: 'bill.file_detached'
  readonly payload?: {
  readonly file_id: string
  readonly sha256: string
}
}
}

/** The payment of a bill ends without having paid it; the bill can be paid again. */
export type BillPaymentEndedDelivery = WebhookDelivery & {
  readonly type: 'bill.payment_ended'
  readonly data: Event & {
  readonly event_type?: 'bill.payment_ended'
  readonly payload?: {
  readonly payment_id: string
  readonly status: 'awaiting_approval' | 'submitted' | 'processing' | 'on_hold' | 'cancelling' | 'succeeded' | 'failed' | 'reversed' | 'cancelled'
}
}
}

/** A person asks for the payment of a bill, or a row of an approved batch pays it. */
export type BillPaymentRequestedDelivery = WebhookDelivery & {
  readonly type: 'bill.payment_requested'
  readonly data: Event & {
  readonly event_type?: 'bill.payment_requested'
  readonly payload?: {
  readonly payment_id: string
  readonly payment_batch_id?: string
  readonly acknowledged_duplicate?: true
  readonly acknowledged_missing_number?: true
  readonly acknowledged_bank_details?: true
  readonly acknowledged_payee_check?: true
}
}
}

/** A reader finds fields in the file of a bill. */
export type BillReadDelivery = WebhookDelivery & {
  readonly type: 'bill.read'
  readonly data: Event & {
  readonly event_type?: 'bill.read'
  readonly payload?: null
}
}

/** A person types fields of a bill (null empties one), its external id or metadata. */
export type BillUpdatedDelivery = WebhookDelivery & {
  readonly type: 'bill.updated'
  readonly data: Event & {
  readonly event_type?: 'bill.updated'
  readonly payload?: {
  readonly amount?: string | null
  readonly currency?: string | null
  readonly bill_number?: string | null
  readonly supplier_name?: string | null
  readonly supplier_tax_id?: string | null
  readonly payment_reference?: string | null
  readonly issue_date?: string | null
  readonly due_date?: string | null
  readonly not_payable?: string | null
  readonly bank_details?: readonly ('account_holder_name' | 'bank_country_alpha2' | 'iban' | 'swift_code' | 'account_number' | 'aba_code' | 'sort_code' | 'bsb_code' | 'ifsc_code' | 'cnaps' | 'bank_code' | 'branch_code' | 'bank_name')[]
  readonly payee_address?: readonly ('address_street' | 'address_building_number' | 'address_postal_code' | 'address_town' | 'address_country')[]
  readonly changed?: readonly ('external_id' | 'metadata')[]
  readonly external_id?: string | null
}
}
}

/** A person changes accounts or tax codes; it names 100 that are others, new or archived, and counts more. */
export type AccountsChartChangedDelivery = WebhookDelivery & {
  readonly type: 'accounts_chart.changed'
  readonly data: Event & {
  readonly event_type?: 'accounts_chart.changed'
  readonly payload?: {
  readonly changed: readonly string[]
  readonly count?: number
}
}
}

/** The rates desk trades what an exchange opened in our own position. */
export type CoverClosedDelivery = WebhookDelivery & {
  readonly type: 'cover.closed'
  readonly data: Event & {
  readonly event_type?: 'cover.closed'
  readonly payload?: null
}
}

/** A person begins a credit note of an invoice. */
export type CreditNoteCreatedDelivery = WebhookDelivery & {
  readonly type: 'credit_note.created'
  readonly data: Event & {
  readonly event_type?: 'credit_note.created'
  readonly payload?: {
  readonly invoice_id: string
  readonly total: string
  readonly currency: string
  readonly external_id?: string | null
}
}
}

/** A person deletes the draft of a credit note. */
export type CreditNoteDeletedDelivery = WebhookDelivery & {
  readonly type: 'credit_note.deleted'
  readonly data: Event & {
  readonly event_type?: 'credit_note.deleted'
  readonly payload?: null
}
}

/** A mail of a credit note is handed over. */
export type CreditNoteMailDeliveredDelivery = WebhookDelivery & {
  readonly type: 'credit_note.mail_delivered'
  readonly data: Event & {
  readonly event_type?: 'credit_note.mail_delivered'
  readonly payload?: {
  readonly mail_id: string
  readonly kind: 'credit_note' | 'resend'
  readonly tries: number
}
}
}

/** A mail of a credit note cannot be handed over. */
export type CreditNoteMailFailedDelivery = WebhookDelivery & {
  readonly type: 'credit_note.mail_failed'
  readonly data: Event & {
  readonly event_type?: 'credit_note.mail_failed'
  readonly payload?: {
  readonly mail_id: string
  readonly kind: 'credit_note' | 'resend'
  readonly tries: number
}
}
}

/** A credit note is mailed to the customer. */
export type CreditNoteMailedDelivery = WebhookDelivery & {
  readonly type: 'credit_note.mailed'
  readonly data: Event & {
  readonly event_type?: 'credit_note.mailed'
  readonly payload?: {
  readonly mails: number
}
}
}

/** A credit note is not approved: it is a draft again. */
export type CreditNoteRefusedDelivery = WebhookDelivery & {
  readonly type: 'credit_note.refused'
  readonly data: Event & {
  readonly event_type?: 'credit_note.refused'
  readonly payload?: null
}
}

/** A person has a credit note mailed again. */
export type CreditNoteResentDelivery = WebhookDelivery & {
  readonly type: 'credit_note.resent'
  readonly data: Event & {
  readonly event_type?: 'credit_note.resent'
  readonly payload?: {
  readonly mails: number
}
}
}

/** A credit note gets its number, and its document is frozen: the invoice is credited. */
export type CreditNoteSentDelivery = WebhookDelivery & {
  readonly type: 'credit_note.sent'
  readonly data: Event & {
  readonly event_type?: 'credit_note.sent'
  readonly payload?: {
  readonly invoice_id: string
  readonly number: string
  readonly total: string
  readonly currency: string
}
}
}

/** A person submits a credit note, which has to be approved. */
export type CreditNoteSubmittedDelivery = WebhookDelivery & {
  readonly type: 'credit_note.submitted'
  readonly data: Event & {
  readonly event_type?: 'credit_note.submitted'
  readonly payload?: null
}
}

/** A person changes the draft of a credit note, or the external id or metadata of any. */
export type CreditNoteUpdatedDelivery = WebhookDelivery & {
  readonly type: 'credit_note.updated'
  readonly data: Event & {
  readonly event_type?: 'credit_note.updated'
  readonly payload?: {
  readonly changed: readonly string[]
  readonly invoice_id: string
  readonly total: string
  readonly currency: string
  readonly external_id?: string | null
}
}
}

/** The files of a credit note are there. */
export type CreditNoteWrittenDelivery = WebhookDelivery & {
  readonly type: 'credit_note.written'
  readonly data: Event & {
  readonly event_type?: 'credit_note.written'
  readonly payload?: {
  readonly pdf: {
  readonly sha256: string
  readonly byte_size: number
}
  readonly xml: {
  readonly sha256: string
  readonly byte_size: number
} | null
}
}
}

/** A delegate ends within seven days, or within one; its person is written to. */
export type DelegateExpiringDelivery = WebhookDelivery & {
  readonly type: 'delegate.expiring'
  readonly data: Event & {
  readonly event_type?: 'delegate.expiring'
  readonly payload?: {
  readonly user_id: string
  readonly expires_at: string
  readonly days: number
}
}
}

/** Two operators book what a partner says of a deposit. */
export type DepositAdjustedDelivery = WebhookDelivery & {
  readonly type: 'deposit.adjusted'
  readonly data: Event & {
  readonly event_type?: 'deposit.adjusted'
  readonly payload?: {
  readonly adjustment_id: string
}
}
}

/** An operator assigns money that came for nobody to the organization. */
export type DepositAssignedDelivery = WebhookDelivery & {
  readonly type: 'deposit.assigned'
  readonly data: Event & {
  readonly event_type?: 'deposit.assigned'
  readonly payload?: null
}
}

/** Money that came is available. */
export type DepositCreditedDelivery = WebhookDelivery & {
  readonly type: 'deposit.credited'
  readonly data: Event & {
  readonly event_type?: 'deposit.credited'
  readonly payload?: DepositMoney
}
}

/** Money comes whose sender has to be named first. */
export type DepositHeldDelivery = WebhookDelivery & {
  readonly type: 'deposit.held'
  readonly data: Event & {
  readonly event_type?: 'deposit.held'
  readonly payload?: DepositMoney
}
}

/** The partner refuses to send a deposit back: its sender can be named again. */
export type DepositReturnRefusedDelivery = WebhookDelivery & {
  readonly type: 'deposit.return_refused'
  readonly data: Event & {
  readonly event_type?: 'deposit.return_refused'
  readonly payload?: null
}
}

/** A deposit is sent back to whom it came from. */
export type DepositReturnedDelivery = WebhookDelivery & {
  readonly type: 'deposit.returned'
  readonly data: Event & {
  readonly event_type?: 'deposit.returned'
  readonly payload?: DepositMoney
}
}

/** A person names the sender of a deposit. */
export type DepositSenderNamedDelivery = WebhookDelivery & {
  readonly type: 'deposit.sender_named'
  readonly data: Event & {
  readonly event_type?: 'deposit.sender_named'
  readonly payload?: null
}
}

/** A person changes dimensions or their values; it names the dimensions. */
export type DimensionsChangedDelivery = WebhookDelivery & {
  readonly type: 'dimensions.changed'
  readonly data: Event & {
  readonly event_type?: 'dimensions.changed'
  readonly payload?: {
  readonly changed: readonly string[]
}
}
}

/** The file of an export is there. */
export type ExportCompletedDelivery = WebhookDelivery & {
  readonly type: 'export.completed'
  readonly data: Event & {
  readonly event_type?: 'export.completed'
  readonly payload?: {
  readonly byte_size: number
  readonly sha256: string
  readonly rows: number
}
}
}

/** An export is given up. */
export type ExportFailedDelivery = WebhookDelivery & {
  readonly type: 'export.failed'
  readonly data: Event & {
  readonly event_type?: 'export.failed'
  readonly payload?: {
  readonly failure: 'storage_unavailable' | 'interrupted' | 'amount_too_large' | 'format_not_supported' | 'does_not_add_up' | 'log_differs' | 'too_large' | 'internal_error'
}
}
}

/** A person asks for an export. */
export type ExportRequestedDelivery = WebhookDelivery & {
  readonly type: 'export.requested'
  readonly data: Event & {
  readonly event_type?: 'export.requested'
  readonly payload?: {
  readonly type: 'balance_statement' | 'expenses' | 'transactions' | 'audit_pack'
  readonly format: 'csv' | 'xlsx' | 'pdf' | 'camt053' | 'camt054' | 'mt940' | 'ofx' | 'zip' | (string & {})
  readonly from: string
  readonly to: string
  readonly currency: string | null
  readonly own_only: boolean
  readonly sample?: ExportSample
}
}
}

/** A person has an export that failed tried again. */
export type ExportRetriedDelivery = WebhookDelivery & {
  readonly type: 'export.retried'
  readonly data: Event & {
  readonly event_type?: 'export.retried'
  readonly payload?: null
}
}

/** An owner signs in by a passkey, past the identity provider. */
export type IdentityProviderBypassedDelivery = WebhookDelivery & {
  readonly type: 'identity_provider.bypassed'
  readonly data: Event & {
  readonly event_type?: 'identity_provider.bypassed'
  readonly payload?: {
  readonly user_id: string
}
}
}

/** An owner connects the identity provider of the organization. */
export type IdentityProviderConnectedDelivery = WebhookDelivery & {
  readonly type: 'identity_provider.connected'
  readonly data: Event & {
  readonly event_type?: 'identity_provider.connected'
  readonly payload?: {
  readonly issuer: string
}
}
}

/** An owner disconnects the identity provider: its sessions and links end. */
export type IdentityProviderDisconnectedDelivery = WebhookDelivery & {
  readonly type: 'identity_provider.disconnected'
  readonly data: Event & {
  readonly event_type?: 'identity_provider.disconnected'
  readonly payload?: null
}
}

/** The organization proves a domain by its name servers. */
export type IdentityProviderDomainProvedDelivery = WebhookDelivery & {
  readonly type: 'identity_provider.domain_proved'
  readonly data: Event & {
  readonly event_type?: 'identity_provider.domain_proved'
  readonly payload?: {
  readonly domain: string
}
}
}

/** An owner removes a domain of the organization. */
export type IdentityProviderDomainRemovedDelivery = WebhookDelivery & {
  readonly type: 'identity_provider.domain_removed'
  readonly data: Event & {
  readonly event_type?: 'identity_provider.domain_removed'
  readonly payload?: {
  readonly domain: string
}
}
}

/** Sign-ins fail at the identity provider, for a reason of its own. */
export type IdentityProviderFailedDelivery = WebhookDelivery & {
  readonly type: 'identity_provider.failed'
  readonly data: Event & {
  readonly event_type?: 'identity_provider.failed'
  readonly payload?: {
  readonly reason: 'provider_unreadable' | 'provider_client' | 'provider_keys' | 'provider_clock'
}
}
}

/** A member is linked with their name at the identity provider. */
export type IdentityProviderMemberLinkedDelivery = WebhookDelivery & {
  readonly type: 'identity_provider.member_linked'
  readonly data: Event & {
  readonly event_type?: 'identity_provider.member_linked'
  readonly payload?: {
  readonly user_id: string
}
}
}

/** A sign-in at the identity provider goes well again. */
export type IdentityProviderRestoredDelivery = WebhookDelivery & {
  readonly type: 'identity_provider.restored'
  readonly data: Event & {
  readonly event_type?: 'identity_provider.restored'
  readonly payload?: null
}
}

/** An owner changes if members have to sign in at the identity provider, or its secret; an operator lets them in without. */
export type IdentityProviderUpdatedDelivery = WebhookDelivery & {
  readonly type: 'identity_provider.updated'
  readonly data: Event & {
  readonly event_type?: 'identity_provider.updated'
  readonly payload?: {
  readonly changed: readonly string[]
  readonly required: boolean
  readonly reason?: string
}
}
}

/** A person accepts the sender of a mail. */
export type InboundMailAcceptedDelivery = WebhookDelivery & {
  readonly type: 'inbound_mail.accepted'
  readonly data: Event & {
  readonly event_type?: 'inbound_mail.accepted'
  readonly payload?: {
  readonly remember: 'once' | 'always'
}
}
}

/** A mail has no bill, or cannot be read. */
export type InboundMailFoundEmptyDelivery = WebhookDelivery & {
  readonly type: 'inbound_mail.found_empty'
  readonly data: Event & {
  readonly event_type?: 'inbound_mail.found_empty'
  readonly payload?: {
  readonly files: readonly ({
  readonly outcome: 'bill' | 'known_bill' | 'beside_xml' | 'no_bill' | 'too_large' | 'too_many'
  readonly bill_id?: string
})[]
  readonly reason: 'no_file' | 'no_bill_in_files' | 'unreadable'
}
}
}

/** A mail is read whose sender is not known, or not proved. */
export type InboundMailHeldDelivery = WebhookDelivery & {
  readonly type: 'inbound_mail.held'
  readonly data: Event & {
  readonly event_type?: 'inbound_mail.held'
  readonly payload?: {
  readonly files: readonly ({
  readonly outcome: 'bill' | 'known_bill' | 'beside_xml' | 'no_bill' | 'too_large' | 'too_many'
  readonly bill_id?: string
})[]
}
}
}

/** A mail comes in at an address for bills. */
export type InboundMailReceivedDelivery = WebhookDelivery & {
  readonly type: 'inbound_mail.received'
  readonly data: Event & {
  readonly event_type?: 'inbound_mail.received'
  readonly payload?: {
  readonly bill_mailbox_id: string
  readonly sha256: string
}
}
}

/** A person refuses a mail; bills of it alone are put away. */
export type InboundMailRefusedDelivery = WebhookDelivery & {
  readonly type: 'inbound_mail.refused'
  readonly data: Event & {
  readonly event_type?: 'inbound_mail.refused'
  readonly payload?: {
  readonly bill_ids: readonly string[]
}
}
}

/** A mail turns out to be one that came before. */
export type InboundMailRepeatedDelivery = WebhookDelivery & {
  readonly type: 'inbound_mail.repeated'
  readonly data: Event & {
  readonly event_type?: 'inbound_mail.repeated'
  readonly payload?: {
  readonly duplicate_of: string
}
}
}

/** A person takes back that the sender of a mail is accepted for always. */
export type InboundMailSenderForgottenDelivery = WebhookDelivery & {
  readonly type: 'inbound_mail.sender_forgotten'
  readonly data: Event & {
  readonly event_type?: 'inbound_mail.sender_forgotten'
  readonly payload?: null
}
}

/** A mail of a known sender is read; it says what each file led to. */
export type InboundMailTakenDelivery = WebhookDelivery & {
  readonly type: 'inbound_mail.taken'
  readonly data: Event & {
  readonly event_type?: 'inbound_mail.taken'
  readonly payload?: {
  readonly files: readonly ({
  readonly outcome: 'bill' | 'known_bill' | 'beside_xml' | 'no_bill' | 'too_large' | 'too_many'
  readonly bill_id?: string
})[]
}
}
}

/** Who was invited joins the organization. */
export type InvitationAcceptedDelivery = WebhookDelivery & {
  readonly type: 'invitation.accepted'
  readonly data: Event & {
  readonly event_type?: 'invitation.accepted'
  readonly payload?: null
}
}

/** An invitation is approved, and mailed. */
export type InvitationApprovedDelivery = WebhookDelivery & {
  readonly type: 'invitation.approved'
  readonly data: Event & {
  readonly event_type?: 'invitation.approved'
  readonly payload?: null
}
}

/** A person invites somebody into the organization. */
export type InvitationCreatedDelivery = WebhookDelivery & {
  readonly type: 'invitation.created'
  readonly data: Event & {
  readonly event_type?: 'invitation.created'
  readonly payload?: {
  readonly role: 'owner' | 'admin' | 'member'
  readonly card_approved: boolean
  readonly card_limit: number | null
  readonly preset?: 'reader' | 'accountant' | 'preparer' | null
  readonly approval_request_id: string | null
}
}
}

/** Who was invited declines. */
export type InvitationDeclinedDelivery = WebhookDelivery & {
  readonly type: 'invitation.declined'
  readonly data: Event & {
  readonly event_type?: 'invitation.declined'
  readonly payload?: null
}
}

/** An invitation is taken back, or its inviter may not send it any more. */
export type InvitationDeletedDelivery = WebhookDelivery & {
  readonly type: 'invitation.deleted'
  readonly data: Event & {
  readonly event_type?: 'invitation.deleted'
  readonly payload?: {
  readonly reason: string
}
}
}

/** Nobody answered an invitation in time. */
export type InvitationExpiredDelivery = WebhookDelivery & {
  readonly type: 'invitation.expired'
  readonly data: Event & {
  readonly event_type?: 'invitation.expired'
  readonly payload?: null
}
}

/** An invitation is not approved. */
export type InvitationRefusedDelivery = WebhookDelivery & {
  readonly type: 'invitation.refused'
  readonly data: Event & {
  readonly event_type?: 'invitation.refused'
  readonly payload?: null
}
}

/** A person has the mail of an invitation sent again; the link before it works no more. */
export type InvitationResentDelivery = WebhookDelivery & {
  readonly type: 'invitation.resent'
  readonly data: Event & {
  readonly event_type?: 'invitation.resent'
  readonly payload?: null
}
}

/** A transaction pays an invoice, or a part of it; `matched` says by what it was found. */
export type InvoiceAllocatedDelivery = WebhookDelivery & {
  readonly type: 'invoice.allocated'
  readonly data: Event & {
  readonly event_type?: 'invoice.allocated'
  readonly payload?: {
  readonly allocation_id: string
  readonly transaction_id: string
  readonly amount: string
  readonly currency: string
  readonly matched?: string
  readonly same_amount?: true
}
}
}

/** A person takes back what a transaction pays of an invoice. */
export type InvoiceAllocationTakenBackDelivery = WebhookDelivery & {
  readonly type: 'invoice.allocation_taken_back'
  readonly data: Event & {
  readonly event_type?: 'invoice.allocation_taken_back'
  readonly payload?: {
  readonly allocation_id: string
  readonly transaction_id: string
  readonly amount: string
  readonly currency: string
}
}
}

/** A person begins an invoice. */
export type InvoiceCreatedDelivery = WebhookDelivery & {
  readonly type: 'invoice.created'
  readonly data: Event & {
  readonly event_type?: 'invoice.created'
  readonly payload?: {
  readonly billing_contact_id: string | null
  readonly currency: string
  readonly due_date: string | null
  readonly total: string
  readonly external_id?: string | null
}
}
}

/** A credit note is sent that takes back a part of an invoice, or all of it. */
export type InvoiceCreditedDelivery = WebhookDelivery & {
  readonly type: 'invoice.credited'
  readonly data: Event & {
  readonly event_type?: 'invoice.credited'
  readonly payload?: {
  readonly credit_note_id: string
  readonly number: string
  readonly amount: string
  readonly currency: string
}
}
}

/** A person deletes the draft of an invoice. */
export type InvoiceDeletedDelivery = WebhookDelivery & {
  readonly type: 'invoice.deleted'
  readonly data: Event & {
  readonly event_type?: 'invoice.deleted'
  readonly payload?: null
}
}

/** A person writes down what the customer agrees to pay. */
export type InvoiceFinalizedDelivery = WebhookDelivery & {
  readonly type: 'invoice.finalized'
  readonly data: Event & {
  readonly event_type?: 'invoice.finalized'
  readonly payload?: {
  readonly accepted_amount: string
  readonly total: string
}
}
}

/** A person revokes the public page of an invoice. */
export type InvoiceLinkRevokedDelivery = WebhookDelivery & {
  readonly type: 'invoice.link_revoked'
  readonly data: Event & {
  readonly event_type?: 'invoice.link_revoked'
  readonly payload?: null
}
}

/** A mail of an invoice is handed over. */
export type InvoiceMailDeliveredDelivery = WebhookDelivery & {
  readonly type: 'invoice.mail_delivered'
  readonly data: Event & {
  readonly event_type?: 'invoice.mail_delivered'
  readonly payload?: {
  readonly mail_id: string
  readonly kind: 'invoice' | 'reminder' | 'resend'
  readonly tries: number
}
}
}

/** A mail of an invoice cannot be handed over. */
export type InvoiceMailFailedDelivery = WebhookDelivery & {
  readonly type: 'invoice.mail_failed'
  readonly data: Event & {
  readonly event_type?: 'invoice.mail_failed'
  readonly payload?: {
  readonly mail_id: string
  readonly kind: 'invoice' | 'reminder' | 'resend'
  readonly tries: number
}
}
}

/** An invoice is mailed to the customer. */
export type InvoiceMailedDelivery = WebhookDelivery & {
  readonly type: 'invoice.mailed'
  readonly data: Event & {
  readonly event_type?: 'invoice.mailed'
  readonly payload?: {
  readonly mails: number
}
}
}

/** An invoice is paid: by money, elsewhere, or since a credit note or an early payment left nothing due. */
export type InvoicePaidDelivery = WebhookDelivery & {
  readonly type: 'invoice.paid'
  readonly data: Event & {
  readonly event_type?: 'invoice.paid'
  readonly payload?: {
  readonly elsewhere: boolean
  readonly transaction_id: string | null
  readonly paid_at: string | null
  readonly settled_by?: 'credit' | 'early_payment'
}
}
}

/** An invoice is not approved: it is a draft again. */
export type InvoiceRefusedDelivery = WebhookDelivery & {
  readonly type: 'invoice.refused'
  readonly data: Event & {
  readonly event_type?: 'invoice.refused'
  readonly payload?: null
}
}

/** A customer is reminded, so many days after the due date; negative ones are before it. */
export type InvoiceRemindedDelivery = WebhookDelivery & {
  readonly type: 'invoice.reminded'
  readonly data: Event & {
  readonly event_type?: 'invoice.reminded'
  readonly payload?: {
  readonly mails: number
  readonly day: number | null
}
}
}

/** What paid an invoice is taken back: it is open again. */
export type InvoiceReopenedDelivery = WebhookDelivery & {
  readonly type: 'invoice.reopened'
  readonly data: Event & {
  readonly event_type?: 'invoice.reopened'
  readonly payload?: {
  readonly due_amount: string
  readonly currency: string
}
}
}

/** A person has an invoice mailed again. */
export type InvoiceResentDelivery = WebhookDelivery & {
  readonly type: 'invoice.resent'
  readonly data: Event & {
  readonly event_type?: 'invoice.resent'
  readonly payload?: {
  readonly mails: number
}
}
}

/** An invoice gets its number, and its document is frozen. */
export type InvoiceSentDelivery = WebhookDelivery & {
  readonly type: 'invoice.sent'
  readonly data: Event & {
  readonly event_type?: 'invoice.sent'
  readonly payload?: {
  readonly number: string
  readonly total: string
  readonly currency: string
}
}
}

/** A person submits an invoice, which has to be approved. */
export type InvoiceSubmittedDelivery = WebhookDelivery & {
  readonly type: 'invoice.submitted'
  readonly data: Event & {
  readonly event_type?: 'invoice.submitted'
  readonly payload?: null
}
}

/** A person changes the draft of an invoice, or the external id or metadata of any. */
export type InvoiceUpdatedDelivery = WebhookDelivery & {
  readonly type: 'invoice.updated'
  readonly data: Event & {
  readonly event_type?: 'invoice.updated'
  readonly payload?: {
  readonly changed: readonly string[]
  readonly billing_contact_id: string | null
  readonly currency: string
  readonly due_date: string | null
  readonly total: string
  readonly external_id?: string | null
}
}
}

/** The files of an invoice are there. */
export type InvoiceWrittenDelivery = WebhookDelivery & {
  readonly type: 'invoice.written'
  readonly data: Event & {
  readonly event_type?: 'invoice.written'
  readonly payload?: {
  readonly pdf: {
  readonly sha256: string
  readonly byte_size: number
}
  readonly xml: {
  readonly sha256: string
  readonly byte_size: number
} | null
}
}
}

/** A member of an organization with a log stream adds a factor. */
export type MemberFactorAddedDelivery = WebhookDelivery & {
  readonly type: 'member.factor_added'
  readonly data: Event & {
  readonly event_type?: 'member.factor_added'
  readonly payload?: {
  readonly factor: string
}
}
}

/** A member of an organization with a log stream removes a factor, or all are reset. */
export type MemberFactorRemovedDelivery = WebhookDelivery & {
  readonly type: 'member.factor_removed'
  readonly data: Event & {
  readonly event_type?: 'member.factor_removed'
  readonly payload?: {
  readonly factor: string
}
}
}

/** A person becomes a member by an invitation. */
export type MemberJoinedDelivery = WebhookDelivery & {
  readonly type: 'member.joined'
  readonly data: Event & {
  readonly event_type?: 'member.joined'
  readonly payload?: {
  readonly role: 'owner' | 'admin' | 'member'
  readonly invitation_id: string
  readonly preset?: 'reader' | 'accountant' | 'preparer' | null
}
}
}

/** A member leaves. */
export type MemberLeftDelivery = WebhookDelivery & {
  readonly type: 'member.left'
  readonly data: Event & {
  readonly event_type?: 'member.left'
  readonly payload?: {
  readonly role: 'owner' | 'admin' | 'member'
}
}
}

/** A member of an organization with a log stream changes the password, or sets it by a mail. */
export type MemberPasswordChangedDelivery = WebhookDelivery & {
  readonly type: 'member.password_changed'
  readonly data: Event & {
  readonly event_type?: 'member.password_changed'
  readonly payload?: {
  readonly by_mail: boolean
}
}
}

/** Permissions are taken from a member, or given back. */
export type MemberPermissionsChangedDelivery = WebhookDelivery & {
  readonly type: 'member.permissions_changed'
  readonly data: Event & {
  readonly event_type?: 'member.permissions_changed'
  readonly payload?: {
  readonly removed: readonly ('api_keys.list' | 'api_keys.manage' | 'approvals.review' | 'bank_accounts.list' | 'billing_contacts.create' | 'billing_contacts.delete' | 'billing_contacts.list' | 'billing_contacts.update' | 'billing_invoices.allocate' | 'billing_invoices.create' | 'billing_invoices.delete' | 'billing_invoices.list_all' | 'billing_invoices.list_allocations' | 'billing_invoices.list_own' | 'billing_invoices.read' | 'billing_invoices.resend' | 'billing_invoices.submit' | 'billing_invoices.update' | 'billing_invoices.view_summary' | 'bills.cancel' | 'bills.create' | 'bills.list' | 'bills.read' | 'bills.update' | 'card_entitlements.create' | 'card_entitlements.list' | 'cards.activate' | 'cards.create' | 'cards.freeze' | 'cards.list_all' | 'cards.list_own' | 'cards.order_physical' | 'cards.provision_google_wallet' | 'cards.read' | 'cards.reveal' | 'cards.set_pin' | 'cards.unfreeze' | 'cards.update_limit' | 'cards.view_usage' | 'chains.cancel' | 'chains.create' | 'chains.decide' | 'chains.list' | 'chains.read' | 'deposit_addresses.list' | 'expenses.manage_all' | 'expenses.manage_own' | 'expenses.read' | 'expenses.update' | 'feedback.send' | 'integrations.connect' | 'integrations.disconnect' | 'invitations.create' | 'invitations.delete' | 'invitations.list' | 'invitations.resend' | 'members.list' | 'members.manage' | 'onboarding.view_own_requirements' | 'onboarding.view_requirements' | 'organization.claim_personal_handle' | 'organization.generate_upload_url' | 'organization.read' | 'organization.sudo_session' | 'organization.update' | 'organization.update_logo' | 'organization.update_preferences' | 'organization.view_balances' | 'organization.view_capabilities' | 'organization.view_insights' | 'organization.view_kyb_status' | 'organization.view_legal_name' | 'organization.view_lifetime_spend' | 'organization.view_points_balance' | 'organization.view_subscription_offers' | 'payment_contacts.create' | 'payment_contacts.delete' | 'payment_contacts.list' | 'payment_contacts.update' | 'payment_destinations.create' | 'payment_destinations.list' | 'payment_destinations.update' | 'payments.send_crypto' | 'payments.send_fiat' | 'payments.swap_fiat' | 'transactions.list_all' | 'transactions.list_own' | 'xero.manage')[]
  readonly preset: 'reader' | 'accountant' | 'preparer' | null
}
}
}

/** A person becomes a member by the identity provider (SCIM). */
export type MemberProvisionedDelivery = WebhookDelivery & {
  readonly type: 'member.provisioned'
  readonly data: Event & {
  readonly event_type?: 'member.provisioned'
  readonly payload?: {
  readonly role: 'owner' | 'admin' | 'member'
  readonly scim_user_id: string
}
}
}

/** Somebody removes a member. */
export type MemberRemovedDelivery = WebhookDelivery & {
  readonly type: 'member.removed'
  readonly data: Event & {
  readonly event_type?: 'member.removed'
  readonly payload?: {
  readonly role: 'owner' | 'admin' | 'member'
}
}
}

/** A member gets another role. */
export type MemberRoleChangedDelivery = WebhookDelivery & {
  readonly type: 'member.role_changed'
  readonly data: Event & {
  readonly event_type?: 'member.role_changed'
  readonly payload?: {
  readonly from: 'owner' | 'admin' | 'member'
  readonly to: 'owner' | 'admin' | 'member'
}
}
}

/** Somebody proves a factor of a member wrongly: with a log stream, at most ten a minute. */
export type MemberSignInFailedDelivery = WebhookDelivery & {
  readonly type: 'member.sign_in_failed'
  readonly data: Event & {
  readonly event_type?: 'member.sign_in_failed'
  readonly payload?: {
  readonly method: string
}
}
}

/** A member signs in to a session that sees an organization with a log stream. */
export type MemberSignedInDelivery = WebhookDelivery & {
  readonly type: 'member.signed_in'
  readonly data: Event & {
  readonly event_type?: 'member.signed_in'
  readonly payload?: {
  readonly method: string
  readonly breaks_glass: boolean
  readonly session_id: string
}
}
}

/** A session of a member ends that saw an organization with a log stream. */
export type MemberSignedOutDelivery = WebhookDelivery & {
  readonly type: 'member.signed_out'
  readonly data: Event & {
  readonly event_type?: 'member.signed_out'
  readonly payload?: {
  readonly reason: string
  readonly session_id: string
}
}
}

/** A member begins to say who the organization is. */
export type OnboardingBegunDelivery = WebhookDelivery & {
  readonly type: 'onboarding.begun'
  readonly data: Event & {
  readonly event_type?: 'onboarding.begun'
  readonly payload?: null
}
}

/** A member changes details of the entity, its people or its papers. */
export type OnboardingChangedDelivery = WebhookDelivery & {
  readonly type: 'onboarding.changed'
  readonly data: Event & {
  readonly event_type?: 'onboarding.changed'
  readonly payload?: {
  readonly fields: readonly string[]
}
}
}

/** More is asked for. */
export type OnboardingMoreNeededDelivery = WebhookDelivery & {
  readonly type: 'onboarding.more_needed'
  readonly data: Event & {
  readonly event_type?: 'onboarding.more_needed'
  readonly payload?: {
  readonly fields: readonly string[]
}
}
}

/** All that was kept of a deleted organization is purged. */
export type OnboardingPurgedDelivery = WebhookDelivery & {
  readonly type: 'onboarding.purged'
  readonly data: Event & {
  readonly event_type?: 'onboarding.purged'
  readonly payload?: null
}
}

/** The organization is not verified. */
export type OnboardingRejectedDelivery = WebhookDelivery & {
  readonly type: 'onboarding.rejected'
  readonly data: Event & {
  readonly event_type?: 'onboarding.rejected'
  readonly payload?: null
}
}

/** The review begins. */
export type OnboardingReviewBegunDelivery = WebhookDelivery & {
  readonly type: 'onboarding.review_begun'
  readonly data: Event & {
  readonly event_type?: 'onboarding.review_begun'
  readonly payload?: null
}
}

/** The organization has to be reviewed again: something about it changed, or its time has come. */
export type OnboardingReviewRequiredDelivery = WebhookDelivery & {
  readonly type: 'onboarding.review_required'
  readonly data: Event & {
  readonly event_type?: 'onboarding.review_required'
  readonly payload?: {
  readonly reason: 'changed' | 'periodic' | 'asked'
  readonly fields: readonly string[]
}
}
}

/** Operators, or the provider of a connection, decide about the organization. */
export type OnboardingReviewedDelivery = WebhookDelivery & {
  readonly type: 'onboarding.reviewed'
  readonly data: Event & {
  readonly event_type?: 'onboarding.reviewed'
  readonly payload?: {
  readonly reviewer: string
  readonly status: string
  readonly fields: readonly string[]
}
}
}

/** A member submits what is known of the organization. */
export type OnboardingSubmittedDelivery = WebhookDelivery & {
  readonly type: 'onboarding.submitted'
  readonly data: Event & {
  readonly event_type?: 'onboarding.submitted'
  readonly payload?: {
  readonly round: number
}
}
}

/** The organization is verified. */
export type OnboardingVerifiedDelivery = WebhookDelivery & {
  readonly type: 'onboarding.verified'
  readonly data: Event & {
  readonly event_type?: 'onboarding.verified'
  readonly payload?: null
}
}

/** An owner sets the networks from which credentials of the organization work. */
export type IpAllowListChangedDelivery = WebhookDelivery & {
  readonly type: 'ip_allow_list.changed'
  readonly data: Event & {
  readonly event_type?: 'ip_allow_list.changed'
  readonly payload?: {
  readonly cidrs: readonly string[]
  readonly applies_to: readonly ('sessions' | 'api_keys' | 'delegates')[]
}
}
}

/** An owner ends a request to lift the list of networks. */
export type IpAllowListLiftCancelledDelivery = WebhookDelivery & {
  readonly type: 'ip_allow_list.lift_cancelled'
  readonly data: Event & {
  readonly event_type?: 'ip_allow_list.lift_cancelled'
  readonly payload?: {
  readonly requested_by: string
}
}
}

/** An owner asks, from anywhere, that the list of networks is lifted. */
export type IpAllowListLiftRequestedDelivery = WebhookDelivery & {
  readonly type: 'ip_allow_list.lift_requested'
  readonly data: Event & {
  readonly event_type?: 'ip_allow_list.lift_requested'
  readonly payload?: {
  readonly requested_by: string
  readonly expires_at: string
}
}
}

/** Two owners, the only one after a day, or an operator lift the list of networks. */
export type IpAllowListLiftedDelivery = WebhookDelivery & {
  readonly type: 'ip_allow_list.lifted'
  readonly data: Event & {
  readonly event_type?: 'ip_allow_list.lifted'
  readonly payload?: {
  readonly requested_by: string | null
}
}
}

/** An owner removes the list of networks: credentials work from everywhere. */
export type IpAllowListRemovedDelivery = WebhookDelivery & {
  readonly type: 'ip_allow_list.removed'
  readonly data: Event & {
  readonly event_type?: 'ip_allow_list.removed'
  readonly payload?: null
}
}

/** An operator bans the organization. */
export type OrganizationBannedDelivery = WebhookDelivery & {
  readonly type: 'organization.banned'
  readonly data: Event & {
  readonly event_type?: 'organization.banned'
  readonly payload?: null
}
}

/** An operator lets money move again. */
export type OrganizationBooksResumedDelivery = WebhookDelivery & {
  readonly type: 'organization.books_resumed'
  readonly data: Event & {
  readonly event_type?: 'organization.books_resumed'
  readonly payload?: null
}
}

/** The audit finds a fault in the books: no new money moves until an operator has looked. */
export type OrganizationBooksStoppedDelivery = WebhookDelivery & {
  readonly type: 'organization.books_stopped'
  readonly data: Event & {
  readonly event_type?: 'organization.books_stopped'
  readonly payload?: null
}
}

/** A person makes an organization. */
export type OrganizationCreatedDelivery = WebhookDelivery & {
  readonly type: 'organization.created'
  readonly data: Event & {
  readonly event_type?: 'organization.created'
  readonly payload?: {
  readonly name: string
}
}
}

/** An operator deletes the organization, for good. */
export type OrganizationDeletedDelivery = WebhookDelivery & {
  readonly type: 'organization.deleted'
  readonly data: Event & {
  readonly event_type?: 'organization.deleted'
  readonly payload?: null
}
}

/** The organization takes its service ID. */
export type OrganizationHandleClaimedDelivery = WebhookDelivery & {
  readonly type: 'organization.handle_claimed'
  readonly data: Event & {
  readonly event_type?: 'organization.handle_claimed'
  readonly payload?: {
  readonly svc_id: string
}
}
}

/** A person sets the logo of the organization. */
export type OrganizationLogoChangedDelivery = WebhookDelivery & {
  readonly type: 'organization.logo_changed'
  readonly data: Event & {
  readonly event_type?: 'organization.logo_changed'
  readonly payload?: null
}
}

/** A person removes the logo of the organization. */
export type OrganizationLogoRemovedDelivery = WebhookDelivery & {
  readonly type: 'organization.logo_removed'
  readonly data: Event & {
  readonly event_type?: 'organization.logo_removed'
  readonly payload?: null
}
}

/** An operator pauses the organization: its money stays where it is. */
export type OrganizationPausedDelivery = WebhookDelivery & {
  readonly type: 'organization.paused'
  readonly data: Event & {
  readonly event_type?: 'organization.paused'
  readonly payload?: null
}
}

/** An operator ends a pause. */
export type OrganizationResumedDelivery = WebhookDelivery & {
  readonly type: 'organization.resumed'
  readonly data: Event & {
  readonly event_type?: 'organization.resumed'
  readonly payload?: null
}
}

/** An owner changes settings that are for everybody. */
export type OrganizationSettingsChangedDelivery = WebhookDelivery & {
  readonly type: 'organization.settings_changed'
  readonly data: Event & {
  readonly event_type?: 'organization.settings_changed'
  readonly payload?: {
  readonly changed: readonly string[]
  readonly requires_authenticator?: boolean
}
}
}

/** An operator ends a ban. */
export type OrganizationUnbannedDelivery = WebhookDelivery & {
  readonly type: 'organization.unbanned'
  readonly data: Event & {
  readonly event_type?: 'organization.unbanned'
  readonly payload?: null
}
}

/** A person changes what the organization says of itself. */
export type OrganizationUpdatedDelivery = WebhookDelivery & {
  readonly type: 'organization.updated'
  readonly data: Event & {
  readonly event_type?: 'organization.updated'
  readonly payload?: {
  readonly changed: readonly string[]
}
}
}

/** An owner makes another member the owner. */
export type OwnershipTransferredDelivery = WebhookDelivery & {
  readonly type: 'ownership.transferred'
  readonly data: Event & {
  readonly event_type?: 'ownership.transferred'
  readonly payload?: {
  readonly from_user_id: string
  readonly to_user_id: string
  readonly role_before: 'owner' | 'admin' | 'member'
}
}
}

/** A batch is approved: its rows are paid. */
export type PaymentBatchApprovedDelivery = WebhookDelivery & {
  readonly type: 'payment_batch.approved'
  readonly data: Event & {
  readonly event_type?: 'payment_batch.approved'
  readonly payload?: null
}
}

/** A bill of a batch that waits for approval has changed or is gone: its row is left out. */
export type PaymentBatchBillLeftDelivery = WebhookDelivery & {
  readonly type: 'payment_batch.bill_left'
  readonly data: Event & {
  readonly event_type?: 'payment_batch.bill_left'
  readonly payload?: {
  readonly row_number: number
  readonly bill_id: string
}
}
}

/** No further row of a batch begins: a person cancels it, its organization is gone, or it is not paid on its day. */
export type PaymentBatchCancelRequestedDelivery = WebhookDelivery & {
  readonly type: 'payment_batch.cancel_requested'
  readonly data: Event & {
  readonly event_type?: 'payment_batch.cancel_requested'
  readonly payload?: null
}
}

/** A batch that was cancelled ends with no row paid. */
export type PaymentBatchCancelledDelivery = WebhookDelivery & {
  readonly type: 'payment_batch.cancelled'
  readonly data: Event & {
  readonly event_type?: 'payment_batch.cancelled'
  readonly payload?: {
  readonly succeeded: number
  readonly failed: number
}
}
}

/** All rows of a batch are paid. */
export type PaymentBatchCompletedDelivery = WebhookDelivery & {
  readonly type: 'payment_batch.completed'
  readonly data: Event & {
  readonly event_type?: 'payment_batch.completed'
  readonly payload?: {
  readonly succeeded: number
  readonly failed: number
}
}
}

/** A person begins a batch. */
export type PaymentBatchCreatedDelivery = WebhookDelivery & {
  readonly type: 'payment_batch.created'
  readonly data: Event & {
  readonly event_type?: 'payment_batch.created'
  readonly payload?: {
  readonly name: string
  readonly external_id?: string | null
}
}
}

/** A person deletes the draft of a batch. */
export type PaymentBatchDeletedDelivery = WebhookDelivery & {
  readonly type: 'payment_batch.deleted'
  readonly data: Event & {
  readonly event_type?: 'payment_batch.deleted'
  readonly payload?: null
}
}

/** A batch ends with no row paid. */
export type PaymentBatchFailedDelivery = WebhookDelivery & {
  readonly type: 'payment_batch.failed'
  readonly data: Event & {
  readonly event_type?: 'payment_batch.failed'
  readonly payload?: {
  readonly succeeded: number
  readonly failed: number
}
}
}

/** A person attaches a file to a batch. */
export type PaymentBatchFileAttachedDelivery = WebhookDelivery & {
  readonly type: 'payment_batch.file_attached'
  readonly data: Event & {
  readonly event_type?: 'payment_batch.file_attached'
  readonly payload?: {
  readonly file_id: string
  readonly sha256: string
}
}
}

/** A person takes a file away from a batch. */
export type PaymentBatchFileDetachedDelivery = WebhookDelivery & {
  readonly type: 'payment_batch.file_detached'
  readonly data: Event & {
  readonly event_type?: 'payment_batch.file_detached'
  readonly payload?: {
  readonly file_id: string
  readonly sha256: string
}
}
}

/** The file cannot be read as a whole. */
export type PaymentBatchImportFailedDelivery = WebhookDelivery & {
  readonly type: 'payment_batch.import_failed'
  readonly data: Event & {
  readonly event_type?: 'payment_batch.import_failed'
  readonly payload?: {
  readonly file_id: string
  readonly line: number | null
  readonly code: string
}
}
}

/** A person has a file imported. */
export type PaymentBatchImportRequestedDelivery = WebhookDelivery & {
  readonly type: 'payment_batch.import_requested'
  readonly data: Event & {
  readonly event_type?: 'payment_batch.import_requested'
  readonly payload?: {
  readonly file_id: string
  readonly filename: string
  readonly byte_size: number
}
}
}

/** The rows of the file are in the batch. */
export type PaymentBatchImportedDelivery = WebhookDelivery & {
  readonly type: 'payment_batch.imported'
  readonly data: Event & {
  readonly event_type?: 'payment_batch.imported'
  readonly payload?: {
  readonly file_id: string
  readonly sha256: string
}
}
}

/** A batch ends with some of its rows paid. */
export type PaymentBatchPartiallyCompletedDelivery = WebhookDelivery & {
  readonly type: 'payment_batch.partially_completed'
  readonly data: Event & {
  readonly event_type?: 'payment_batch.partially_completed'
  readonly payload?: {
  readonly succeeded: number
  readonly failed: number
}
}
}

/** A batch is not approved: it is a draft again. */
export type PaymentBatchRefusedDelivery = WebhookDelivery & {
  readonly type: 'payment_batch.refused'
  readonly data: Event & {
  readonly event_type?: 'payment_batch.refused'
  readonly payload?: null
}
}

/** A person adds a row, or a bill. */
export type PaymentBatchRowAddedDelivery = WebhookDelivery & {
  readonly type: 'payment_batch.row_added'
  readonly data: Event & {
  readonly event_type?: 'payment_batch.row_added'
  readonly payload?: {
  readonly row_number: number
  readonly columns: readonly ('payee_svc_id' | 'payment_contact_id' | 'account_holder_name' | 'iban' | 'account_number' | 'aba_code' | 'sort_code' | 'swift_code' | 'bank_country' | 'amount' | 'currency' | 'payout_reason' | 'statement_description' | 'internal_notes' | 'reference' | 'address_street' | 'address_building_number' | 'address_postal_code' | 'address_town' | 'address_country')[]
  readonly bill_id?: string
}
}
}

/** A person changes cells of a row. */
export type PaymentBatchRowChangedDelivery = WebhookDelivery & {
  readonly type: 'payment_batch.row_changed'
  readonly data: Event & {
  readonly event_type?: 'payment_batch.row_changed'
  readonly payload?: {
  readonly row_number: number
  readonly columns: readonly ('payee_svc_id' | 'payment_contact_id' | 'account_holder_name' | 'iban' | 'account_number' | 'aba_code' | 'sort_code' | 'swift_code' | 'bank_country' | 'amount' | 'currency' | 'payout_reason' | 'statement_description' | 'internal_notes' | 'reference' | 'address_street' | 'address_building_number' | 'address_postal_code' | 'address_town' | 'address_country')[]
}
}
}

/** A row of a draft is deleted: by a person, or because its bill has changed. */
export type PaymentBatchRowDeletedDelivery = WebhookDelivery & {
  readonly type: 'payment_batch.row_deleted'
  readonly data: Event & {
  readonly event_type?: 'payment_batch.row_deleted'
  readonly payload?: {
  readonly row_number: number
  readonly bill_id?: string
}
}
}

/** A person submits a batch, which has to be approved. */
export type PaymentBatchSubmittedDelivery = WebhookDelivery & {
  readonly type: 'payment_batch.submitted'
  readonly data: Event & {
  readonly event_type?: 'payment_batch.submitted'
  readonly payload?: null
}
}

/** A person cancels a batch that waits for approval. */
export type PaymentBatchWithdrawnDelivery = WebhookDelivery & {
  readonly type: 'payment_batch.withdrawn'
  readonly data: Event & {
  readonly event_type?: 'payment_batch.withdrawn'
  readonly payload?: null
}
}

/** A payment contact is approved, or a change of one; with its name if that changes. */
export type PaymentContactApprovedDelivery = WebhookDelivery & {
  readonly type: 'payment_contact.approved'
  readonly data: Event & {
  readonly event_type?: 'payment_contact.approved'
  readonly payload?: {
  readonly name: string
} | null
}
}

/** A new payment contact is not approved. */
export type PaymentContactArchivedDelivery = WebhookDelivery & {
  readonly type: 'payment_contact.archived'
  readonly data: Event & {
  readonly event_type?: 'payment_contact.archived'
  readonly payload?: null
}
}

/** A change of a payment contact is not approved: it stays as it was. */
export type PaymentContactChangeRefusedDelivery = WebhookDelivery & {
  readonly type: 'payment_contact.change_refused'
  readonly data: Event & {
  readonly event_type?: 'payment_contact.change_refused'
  readonly payload?: null
}
}

/** A person asks for a change of a payment contact that has to be approved. */
export type PaymentContactChangeRequestedDelivery = WebhookDelivery & {
  readonly type: 'payment_contact.change_requested'
  readonly data: Event & {
  readonly event_type?: 'payment_contact.change_requested'
  readonly payload?: null
}
}

/** A person adds a payment contact, or a batch names somebody in its file alone. */
export type PaymentContactCreatedDelivery = WebhookDelivery & {
  readonly type: 'payment_contact.created'
  readonly data: Event & {
  readonly event_type?: 'payment_contact.created'
  readonly payload?: {
  readonly name: string
  readonly type: 'business' | 'individual'
  readonly destinations: readonly ({
  readonly id: string
  readonly type: 'svc_id' | 'bank' | 'crypto'
  readonly svc_id?: string
  readonly external_id?: string | null
})[]
  readonly external_id?: string | null
}
}
}

/** A person deletes a payment contact. */
export type PaymentContactDeletedDelivery = WebhookDelivery & {
  readonly type: 'payment_contact.deleted'
  readonly data: Event & {
  readonly event_type?: 'payment_contact.deleted'
  readonly payload?: null
}
}

/** A person attaches a file to a payment contact. */
export type PaymentContactFileAttachedDelivery = WebhookDelivery & {
  readonly type: 'payment_contact.file_attached'
  readonly data: Event & {
  readonly event_type?: 'payment_contact.file_attached'
  readonly payload?: {
  readonly file_id: string
  readonly sha256: string
}
}
}

/** A person takes a file away from a payment contact. */
export type PaymentContactFileDetachedDelivery = WebhookDelivery & {
  readonly type: 'payment_contact.file_detached'
  readonly data: Event & {
  readonly event_type?: 'payment_contact.file_detached'
  readonly payload?: {
  readonly file_id: string
  readonly sha256: string
}
}
}

/** A person changes a payment contact at once. */
export type PaymentContactUpdatedDelivery = WebhookDelivery & {
  readonly type: 'payment_contact.updated'
  readonly data: Event & {
  readonly event_type?: 'payment_contact.updated'
  readonly payload?: {
  readonly changed: readonly ('name' | 'email' | 'tag' | 'payee_address' | 'coding' | 'external_id' | 'metadata')[]
  readonly name?: string
  readonly external_id?: string | null
}
}
}

/** A person records that the payee confirmed the account when called. */
export type PaymentDestinationConfirmedByCallbackDelivery = WebhookDelivery & {
  readonly type: 'payment_destination.confirmed_by_callback'
  readonly data: Event & {
  readonly event_type?: 'payment_destination.confirmed_by_callback'
  readonly payload?: {
  readonly payment_contact_id: string
}
}
}

/** A person adds a destination of a payment contact. */
export type PaymentDestinationCreatedDelivery = WebhookDelivery & {
  readonly type: 'payment_destination.created'
  readonly data: Event & {
  readonly event_type?: 'payment_destination.created'
  readonly payload?: {
  readonly payment_contact_id: string
  readonly id: string
  readonly type: 'svc_id' | 'bank' | 'crypto'
  readonly svc_id?: string
  readonly external_id?: string | null
}
}
}

/** A person deletes a destination. */
export type PaymentDestinationDeletedDelivery = WebhookDelivery & {
  readonly type: 'payment_destination.deleted'
  readonly data: Event & {
  readonly event_type?: 'payment_destination.deleted'
  readonly payload?: {
  readonly payment_contact_id: string
}
}
}

/** A destination becomes the one that its contact is paid at. */
export type PaymentDestinationMadeDefaultDelivery = WebhookDelivery & {
  readonly type: 'payment_destination.made_default'
  readonly data: Event & {
  readonly event_type?: 'payment_destination.made_default'
  readonly payload?: {
  readonly payment_contact_id: string
}
}
}

/** A person changes the label, external id or metadata of a destination. */
export type PaymentDestinationUpdatedDelivery = WebhookDelivery & {
  readonly type: 'payment_destination.updated'
  readonly data: Event & {
  readonly event_type?: 'payment_destination.updated'
  readonly payload?: {
  readonly changed: readonly ('label' | 'external_id' | 'metadata')[]
  readonly external_id?: string | null
}
}
}

/** The partner takes a payment on, or the service itself does. */
export type PaymentAcceptedDelivery = WebhookDelivery & {
  readonly type: 'payment.accepted'
  readonly data: Event & {
  readonly event_type?: 'payment.accepted'
  readonly payload?: PartnerUpdate | null
}
}

/** Two operators book what a partner says of a payment. */
export type PaymentAdjustedDelivery = WebhookDelivery & {
  readonly type: 'payment.adjusted'
  readonly data: Event & {
  readonly event_type?: 'payment.adjusted'
  readonly payload?: {
  readonly adjustment_id: string
}
}
}

/** A payment cannot be cancelled any more: it is on the blockchain. */
export type PaymentBroadcastDelivery = WebhookDelivery & {
  readonly type: 'payment.broadcast'
  readonly data: Event & {
  readonly event_type?: 'payment.broadcast'
  readonly payload?: PartnerUpdate | null
}
}

/** A person asks for the cancellation of a payment. */
export type PaymentCancelRequestedDelivery = WebhookDelivery & {
  readonly type: 'payment.cancel_requested'
  readonly data: Event & {
  readonly event_type?: 'payment.cancel_requested'
  readonly payload?: null
}
}

/** A payment ends before it is paid, and its money is available again. */
export type PaymentCancelledDelivery = WebhookDelivery & {
  readonly type: 'payment.cancelled'
  readonly data: Event & {
  readonly event_type?: 'payment.cancelled'
  readonly payload?: PartnerUpdate | null
}
}

/** A person orders a payment, or a batch does for one of its rows. */
export type PaymentCreatedDelivery = WebhookDelivery & {
  readonly type: 'payment.created'
  readonly data: Event & {
  readonly event_type?: 'payment.created'
  readonly payload?: {
  readonly rail: 'fiat' | 'crypto' | 'svc_id'
  readonly quote_id: string | null
  readonly payment_batch_id: string | null
  readonly deducting: Money
  readonly landing: Money
  readonly fee: Money
  readonly rate: string | null
  readonly external_id?: string | null
}
}
}

/** A payment fails; money that was held for it is available again. */
export type PaymentFailedDelivery = WebhookDelivery & {
  readonly type: 'payment.failed'
  readonly data: Event & {
  readonly event_type?: 'payment.failed'
  readonly payload?: {
  readonly partner?: 'bank' | 'custodian'
  readonly connection?: string
  readonly version?: number
  readonly reference?: string | null
  readonly reason?: string
} | null
}
}

/** The partner refuses an instant payment; it is ordered again as a standard one. */
export type PaymentFellBackDelivery = WebhookDelivery & {
  readonly type: 'payment.fell_back'
  readonly data: Event & {
  readonly event_type?: 'payment.fell_back'
  readonly payload?: PartnerUpdate | null
}
}

/** A person attaches a file to a payment. */
export type PaymentFileAttachedDelivery = WebhookDelivery & {
  readonly type: 'payment.file_attached'
  readonly data: Event & {
  readonly event_type?: 'payment.file_attached'
  readonly payload?: {
  readonly file_id: string
  readonly sha256: string
}
}
}

/** A person takes a file away from a payment. */
export type PaymentFileDetachedDelivery = WebhookDelivery & {
  readonly type: 'payment.file_detached'
  readonly data: Event & {
  readonly event_type?: 'payment.file_detached'
  readonly payload?: {
  readonly file_id: string
  readonly sha256: string
}
}
}

/** A payment waits until a person at the partner, or an operator, has looked. */
export type PaymentHeldDelivery = WebhookDelivery & {
  readonly type: 'payment.held'
  readonly data: Event & {
  readonly event_type?: 'payment.held'
  readonly payload?: PartnerUpdate | null
}
}

/** The bank is asked again about the payee of a payment; another answer than before may end it. */
export type PaymentPayeeCheckedDelivery = WebhookDelivery & {
  readonly type: 'payment.payee_checked'
  readonly data: Event & {
  readonly event_type?: 'payment.payee_checked'
  readonly payload?: {
  readonly payee_check_id: string
  readonly result: 'match' | 'close_match' | 'no_match' | 'not_possible'
  readonly ends: boolean
}
}
}

/** A payment that was held goes on. */
export type PaymentReleasedDelivery = WebhookDelivery & {
  readonly type: 'payment.released'
  readonly data: Event & {
  readonly event_type?: 'payment.released'
  readonly payload?: PartnerUpdate | null
}
}

/** The partner returns a payment that was paid; what came back is available again, without the fee. */
export type PaymentReversedDelivery = WebhookDelivery & {
  readonly type: 'payment.reversed'
  readonly data: Event & {
  readonly event_type?: 'payment.reversed'
  readonly payload?: {
  readonly partner: 'bank' | 'custodian'
  readonly connection?: string
  readonly version: number
  readonly reference: string | null
  readonly returned?: Money
  readonly charges?: Money
} | null
}
}

/** A payment is approved, and waits for its day; no money is held before. */
export type PaymentScheduledDelivery = WebhookDelivery & {
  readonly type: 'payment.scheduled'
  readonly data: Event & {
  readonly event_type?: 'payment.scheduled'
  readonly payload?: null
}
}

/** A payment is paid, and its money has left. */
export type PaymentSettledDelivery = WebhookDelivery & {
  readonly type: 'payment.settled'
  readonly data: Event & {
  readonly event_type?: 'payment.settled'
  readonly payload?: PartnerUpdate | null
}
}

/** A payment is approved, and its day has come; its money is held, and it is to be paid. */
export type PaymentSubmittedDelivery = WebhookDelivery & {
  readonly type: 'payment.submitted'
  readonly data: Event & {
  readonly event_type?: 'payment.submitted'
  readonly payload?: null
}
}

/** A person ends a payment that waits for its day; it is cancelled. */
export type PaymentUnscheduledDelivery = WebhookDelivery & {
  readonly type: 'payment.unscheduled'
  readonly data: Event & {
  readonly event_type?: 'payment.unscheduled'
  readonly payload?: null
}
}

/** A person changes notes, tag, labels, external id or metadata of a payment. */
export type PaymentUpdatedDelivery = WebhookDelivery & {
  readonly type: 'payment.updated'
  readonly data: Event & {
  readonly event_type?: 'payment.updated'
  readonly payload?: {
  readonly changed: readonly ('internal_notes' | 'labels' | 'tag' | 'external_id' | 'metadata')[]
  readonly external_id?: string | null
  readonly tag?: string | null
  readonly labels?: readonly CodingLabel[]
}
}
}

/** The partner opens an account to be paid at. */
export type ReceivingAccountOpenedDelivery = WebhookDelivery & {
  readonly type: 'receiving_account.opened'
  readonly data: Event & {
  readonly event_type?: 'receiving_account.opened'
  readonly payload?: null
}
}

/** An account to be paid at is asked for at a partner. */
export type ReceivingAccountRequestedDelivery = WebhookDelivery & {
  readonly type: 'receiving_account.requested'
  readonly data: Event & {
  readonly event_type?: 'receiving_account.requested'
  readonly payload?: null
}
}

/** Another role by a group leaves something without enough members who could approve it. */
export type ScimGroupApproversLostDelivery = WebhookDelivery & {
  readonly type: 'scim_group.approvers_lost'
  readonly data: Event & {
  readonly event_type?: 'scim_group.approvers_lost'
  readonly payload?: {
  readonly approvals: number
  readonly rules: readonly number[]
}
}
}

/** The provider makes a group. */
export type ScimGroupCreatedDelivery = WebhookDelivery & {
  readonly type: 'scim_group.created'
  readonly data: Event & {
  readonly event_type?: 'scim_group.created'
  readonly payload?: {
  readonly token_id: string
  readonly display_name: string
  readonly added: number
  readonly removed: number
}
}
}

/** The provider deletes a group. */
export type ScimGroupDeletedDelivery = WebhookDelivery & {
  readonly type: 'scim_group.deleted'
  readonly data: Event & {
  readonly event_type?: 'scim_group.deleted'
  readonly payload?: {
  readonly token_id: string
  readonly display_name: string
}
}
}

/** An owner changes the role that a group gives. */
export type ScimGroupRoleChangedDelivery = WebhookDelivery & {
  readonly type: 'scim_group.role_changed'
  readonly data: Event & {
  readonly event_type?: 'scim_group.role_changed'
  readonly payload?: {
  readonly role: 'admin' | 'member' | null
  readonly preset: 'reader' | 'accountant' | 'preparer' | null
}
}
}

/** The provider changes a group or its members. */
export type ScimGroupUpdatedDelivery = WebhookDelivery & {
  readonly type: 'scim_group.updated'
  readonly data: Event & {
  readonly event_type?: 'scim_group.updated'
  readonly payload?: {
  readonly token_id: string
  readonly display_name: string
  readonly added: number
  readonly removed: number
}
}
}

/** An owner makes a token with which a provider manages members. */
export type ScimTokenCreatedDelivery = WebhookDelivery & {
  readonly type: 'scim_token.created'
  readonly data: Event & {
  readonly event_type?: 'scim_token.created'
  readonly payload?: {
  readonly name: string
}
}
}

/** The owner who made a token is no owner any more, or has left: the token works on. */
export type ScimTokenMakerReducedDelivery = WebhookDelivery & {
  readonly type: 'scim_token.maker_reduced'
  readonly data: Event & {
  readonly event_type?: 'scim_token.maker_reduced'
  readonly payload?: {
  readonly created_by: string
  readonly left: boolean
}
}
}

/** An owner revokes a token of the provider. */
export type ScimTokenRevokedDelivery = WebhookDelivery & {
  readonly type: 'scim_token.revoked'
  readonly data: Event & {
  readonly event_type?: 'scim_token.revoked'
  readonly payload?: null
}
}

/** A deactivation leaves something without enough members who could approve it. */
export type ScimUserApproversLostDelivery = WebhookDelivery & {
  readonly type: 'scim_user.approvers_lost'
  readonly data: Event & {
  readonly event_type?: 'scim_user.approvers_lost'
  readonly payload?: {
  readonly approvals: number
  readonly rules: readonly number[]
}
}
}

/** The provider deactivates a person: their membership and all that it let them do ends. */
export type ScimUserDeactivatedDelivery = WebhookDelivery & {
  readonly type: 'scim_user.deactivated'
  readonly data: Event & {
  readonly event_type?: 'scim_user.deactivated'
  readonly payload?: {
  readonly token_id: string
  readonly user_id: string | null
}
}
}

/** The provider removes a person. */
export type ScimUserDeletedDelivery = WebhookDelivery & {
  readonly type: 'scim_user.deleted'
  readonly data: Event & {
  readonly event_type?: 'scim_user.deleted'
  readonly payload?: {
  readonly token_id: string
  readonly user_id: string | null
}
}
}

/** The provider tries to deactivate or remove an owner, which is refused. */
export type ScimUserProtectedDelivery = WebhookDelivery & {
  readonly type: 'scim_user.protected'
  readonly data: Event & {
  readonly event_type?: 'scim_user.protected'
  readonly payload?: {
  readonly token_id: string
  readonly user_id: string | null
}
}
}

/** The provider names a person, who is a member or becomes one at their first sign-in. */
export type ScimUserProvisionedDelivery = WebhookDelivery & {
  readonly type: 'scim_user.provisioned'
  readonly data: Event & {
  readonly event_type?: 'scim_user.provisioned'
  readonly payload?: {
  readonly token_id: string
  readonly user_id: string | null
  readonly adopted: boolean
}
}
}

/** The provider activates a person again: they become a member at their next sign-in there. */
export type ScimUserReactivatedDelivery = WebhookDelivery & {
  readonly type: 'scim_user.reactivated'
  readonly data: Event & {
  readonly event_type?: 'scim_user.reactivated'
  readonly payload?: {
  readonly token_id: string
  readonly user_id: string | null
}
}
}

/** The provider changes what it says of a person. */
export type ScimUserUpdatedDelivery = WebhookDelivery & {
  readonly type: 'scim_user.updated'
  readonly data: Event & {
  readonly event_type?: 'scim_user.updated'
  readonly payload?: {
  readonly token_id: string
  readonly user_id: string | null
  readonly changed: readonly string[]
}
}
}

/** A name is to be compared with lists of sanctions. */
export type ScreeningAskedDelivery = WebhookDelivery & {
  readonly type: 'screening.asked'
  readonly data: Event & {
  readonly event_type?: 'screening.asked'
  readonly payload?: {
  readonly kind: string
  readonly onboarding_id: string | null
  readonly payment_contact_id: string | null
}
}
}

/** Two people of the service say that the name is another one. */
export type ScreeningClearedDelivery = WebhookDelivery & {
  readonly type: 'screening.cleared'
  readonly data: Event & {
  readonly event_type?: 'screening.cleared'
  readonly payload?: null
}
}

/** Two people of the service say that the name is the listed one. */
export type ScreeningConfirmedDelivery = WebhookDelivery & {
  readonly type: 'screening.confirmed'
  readonly data: Event & {
  readonly event_type?: 'screening.confirmed'
  readonly payload?: null
}
}

/** The name has to be looked at by two people of the service. */
export type ScreeningHeldDelivery = WebhookDelivery & {
  readonly type: 'screening.held'
  readonly data: Event & {
  readonly event_type?: 'screening.held'
  readonly payload?: null
}
}

/** No list has a name like it. */
export type ScreeningPassedDelivery = WebhookDelivery & {
  readonly type: 'screening.passed'
  readonly data: Event & {
  readonly event_type?: 'screening.passed'
  readonly payload?: null
}
}

/** The name is no longer that of its subject. */
export type ScreeningSupersededDelivery = WebhookDelivery & {
  readonly type: 'screening.superseded'
  readonly data: Event & {
  readonly event_type?: 'screening.superseded'
  readonly payload?: null
}
}

/** A person chooses another plan of the same price, from the next month on. */
export type SubscriptionChangeScheduledDelivery = WebhookDelivery & {
  readonly type: 'subscription.change_scheduled'
  readonly data: Event & {
  readonly event_type?: 'subscription.change_scheduled'
  readonly payload?: PlanChange
}
}

/** A person subscribes to a plan. */
export type SubscriptionCreatedDelivery = WebhookDelivery & {
  readonly type: 'subscription.created'
  readonly data: Event & {
  readonly event_type?: 'subscription.created'
  readonly payload?: PlanChange
}
}

/** A person chooses a cheaper plan, from the next month on. */
export type SubscriptionDowngradeScheduledDelivery = WebhookDelivery & {
  readonly type: 'subscription.downgrade_scheduled'
  readonly data: Event & {
  readonly event_type?: 'subscription.downgrade_scheduled'
  readonly payload?: PlanChange
}
}

/** A person ends a subscription with its month. */
export type SubscriptionEndScheduledDelivery = WebhookDelivery & {
  readonly type: 'subscription.end_scheduled'
  readonly data: Event & {
  readonly event_type?: 'subscription.end_scheduled'
  readonly payload?: {
  readonly effective_date: string
}
}
}

/** A subscription is over. */
export type SubscriptionExpiredDelivery = WebhookDelivery & {
  readonly type: 'subscription.expired'
  readonly data: Event & {
  readonly event_type?: 'subscription.expired'
  readonly payload?: {
  readonly reason: 'ended' | 'renewal_failed' | 'organization_banned' | 'organization_deleted'
}
}
}

/** A person keeps a plan that was to end or to change. */
export type SubscriptionRecommittedDelivery = WebhookDelivery & {
  readonly type: 'subscription.recommitted'
  readonly data: Event & {
  readonly event_type?: 'subscription.recommitted'
  readonly payload?: PlanChange
}
}

/** The next month cannot be paid; it is tried again at the time that is named, if any. */
export type SubscriptionRenewalFailedDelivery = WebhookDelivery & {
  readonly type: 'subscription.renewal_failed'
  readonly data: Event & {
  readonly event_type?: 'subscription.renewal_failed'
  readonly payload?: {
  readonly reason: 'insufficient_funds'
  readonly required: Money
  readonly attempt: number
  readonly next_attempt_at: string | null
}
}
}

/** The next month waits: no money of the organization moves at present. */
export type SubscriptionRenewalHeldDelivery = WebhookDelivery & {
  readonly type: 'subscription.renewal_held'
  readonly data: Event & {
  readonly event_type?: 'subscription.renewal_held'
  readonly payload?: null
}
}

/** The next month of a subscription is paid. */
export type SubscriptionRenewedDelivery = WebhookDelivery & {
  readonly type: 'subscription.renewed'
  readonly data: Event & {
  readonly event_type?: 'subscription.renewed'
  readonly payload?: PlanChange
}
}

/** A person drops the change or the end that was scheduled. */
export type SubscriptionScheduledChangeCancelledDelivery = WebhookDelivery & {
  readonly type: 'subscription.scheduled_change_cancelled'
  readonly data: Event & {
  readonly event_type?: 'subscription.scheduled_change_cancelled'
  readonly payload?: {
  readonly offer_id: string
  readonly dropped_offer_id: string | null
}
}
}

/** A person chooses a dearer plan, from now on. */
export type SubscriptionUpgradedDelivery = WebhookDelivery & {
  readonly type: 'subscription.upgraded'
  readonly data: Event & {
  readonly event_type?: 'subscription.upgraded'
  readonly payload?: PlanChange
}
}

/** A member gets a substitute, who reviews approvals in their role from a time until another. */
export type SubstitutionCreatedDelivery = WebhookDelivery & {
  readonly type: 'substitution.created'
  readonly data: Event & {
  readonly event_type?: 'substitution.created'
  readonly payload?: {
  readonly user_id: string
  readonly substitute_id: string
  readonly from: string
  readonly until: string
}
}
}

/** A substitution ends before its time: a person ends it, or one of both leaves. */
export type SubstitutionEndedDelivery = WebhookDelivery & {
  readonly type: 'substitution.ended'
  readonly data: Event & {
  readonly event_type?: 'substitution.ended'
  readonly payload?: {
  readonly user_id: string
  readonly substitute_id: string
  readonly reason: 'ended' | 'member_left'
}
}
}

/** A person exchanges currencies. */
export type SwapExecutedDelivery = WebhookDelivery & {
  readonly type: 'swap.executed'
  readonly data: Event & {
  readonly event_type?: 'swap.executed'
  readonly payload?: {
  readonly quote_id: string
  readonly source: Money
  readonly target: Money
  readonly rate: string
}
}
}

/** A person changes category, labels or notes of a transaction. */
export type TransactionAnnotatedDelivery = WebhookDelivery & {
  readonly type: 'transaction.annotated'
  readonly data: Event & {
  readonly event_type?: 'transaction.annotated'
  readonly payload?: {
  readonly changed: readonly ('category' | 'internal_notes' | 'labels')[]
  readonly hash: string
}
}
}

/** A person attaches a file to a transaction. */
export type TransactionFileAttachedDelivery = WebhookDelivery & {
  readonly type: 'transaction.file_attached'
  readonly data: Event & {
  readonly event_type?: 'transaction.file_attached'
  readonly payload?: {
  readonly file_id: string
  readonly sha256: string
}
}
}

/** A person takes a file away from a transaction. */
export type TransactionFileDetachedDelivery = WebhookDelivery & {
  readonly type: 'transaction.file_detached'
  readonly data: Event & {
  readonly event_type?: 'transaction.file_detached'
  readonly payload?: {
  readonly file_id: string
  readonly sha256: string
}
}
}

/** A person has events delivered to an address. */
export type WebhookEndpointCreatedDelivery = WebhookDelivery & {
  readonly type: 'webhook_endpoint.created'
  readonly data: Event & {
  readonly event_type?: 'webhook_endpoint.created'
  readonly payload?: {
  readonly types: readonly string[]
}
}
}

/** A person deletes an endpoint, or its organization is deleted. */
export type WebhookEndpointDeletedDelivery = WebhookDelivery & {
  readonly type: 'webhook_endpoint.deleted'
  readonly data: Event & {
  readonly event_type?: 'webhook_endpoint.deleted'
  readonly payload?: null
}
}

/** A person disables an endpoint, or it is disabled because its receiver is gone or does nothing but fail. */
export type WebhookEndpointDisabledDelivery = WebhookDelivery & {
  readonly type: 'webhook_endpoint.disabled'
  readonly data: Event & {
  readonly event_type?: 'webhook_endpoint.disabled'
  readonly payload?: {
  readonly reason: 'person' | 'gone' | 'failures'
}
}
}

/** A person enables an endpoint; delivery goes on where it stopped. */
export type WebhookEndpointEnabledDelivery = WebhookDelivery & {
  readonly type: 'webhook_endpoint.enabled'
  readonly data: Event & {
  readonly event_type?: 'webhook_endpoint.enabled'
  readonly payload?: null
}
}

/** An endpoint takes nothing of what is delivered, again and again; deliveries are tried less often from then on. */
export type WebhookEndpointFailedDelivery = WebhookDelivery & {
  readonly type: 'webhook_endpoint.failed'
  readonly data: Event & {
  readonly event_type?: 'webhook_endpoint.failed'
  readonly payload?: {
  readonly failures: number
}
}
}

/** An endpoint that failed takes deliveries again. */
export type WebhookEndpointRecoveredDelivery = WebhookDelivery & {
  readonly type: 'webhook_endpoint.recovered'
  readonly data: Event & {
  readonly event_type?: 'webhook_endpoint.recovered'
  readonly payload?: null
}
}

/** A person gives an endpoint another secret; until the time that is named the one before it signs, too. */
export type WebhookEndpointSecretRotatedDelivery = WebhookDelivery & {
  readonly type: 'webhook_endpoint.secret_rotated'
  readonly data: Event & {
  readonly event_type?: 'webhook_endpoint.secret_rotated'
  readonly payload?: {
  readonly previous_secret_expires_at: string | null
}
}
}

/** A person changes an endpoint; the members that changed are named. */
export type WebhookEndpointUpdatedDelivery = WebhookDelivery & {
  readonly type: 'webhook_endpoint.updated'
  readonly data: Event & {
  readonly event_type?: 'webhook_endpoint.updated'
  readonly payload?: {
  readonly changed: readonly ('url' | 'types' | 'description')[]
}
}
}

/** A delivery of any event type that is known; later types can come. */
export type AnyWebhookDelivery = AccountingConnectionConnectedDelivery | AccountingConnectionDisconnectedDelivery | AccountingConnectionDisconnectingDelivery | AccountingConnectionReconnectedDelivery | AccountingConnectionRefusedDelivery | AccountingMappingsChangedDelivery | AdjustmentConfirmedDelivery | AdjustmentProposedDelivery | AdjustmentWithdrawnDelivery | ApiKeyCreatedDelivery | ApiKeyMakerReducedDelivery | ApiKeyRevokedDelivery | ApiKeyRotatedDelivery | ApiKeyUpdatedDelivery | ApprovalPolicyChangedDelivery | ApprovalApprovalGivenDelivery | ApprovalApprovalVoidedDelivery | ApprovalApprovedDelivery | ApprovalCancelledDelivery | ApprovalExpiredDelivery | ApprovalQuestionAnsweredDelivery | ApprovalQuestionAskedDelivery | ApprovalRejectedDelivery | ApprovalRequestedDelivery | ApprovalSubjectChangedDelivery | BillMailboxClosedDelivery | BillMailboxCreatedDelivery | BillMailboxRenamedDelivery | BillingContactCreatedDelivery | BillingContactDeletedDelivery | BillingContactUpdatedDelivery | BillBankDetailsChangedDelivery | BillBankDetailsDifferDelivery | BillCancelledDelivery | BillCodedDelivery | BillCreatedDelivery | BillDuplicateFoundDelivery | BillExtractedDelivery | BillExtractionFailedDelivery | BillExtractionRequestedDelivery | BillFileAttachedDelivery | BillFileDetachedDelivery | BillPaymentEndedDelivery | BillPaymentRequestedDelivery | BillReadDelivery | BillUpdatedDelivery | AccountsChartChangedDelivery | CoverClosedDelivery | CreditNoteCreatedDelivery | CreditNoteDeletedDelivery | CreditNoteMailDeliveredDelivery | CreditNoteMailFailedDelivery | CreditNoteMailedDelivery | CreditNoteRefusedDelivery | CreditNoteResentDelivery | CreditNoteSentDelivery | CreditNoteSubmittedDelivery | CreditNoteUpdatedDelivery | CreditNoteWrittenDelivery | DelegateExpiringDelivery | DepositAdjustedDelivery | DepositAssignedDelivery | DepositCreditedDelivery | DepositHeldDelivery | DepositReturnRefusedDelivery | DepositReturnedDelivery | DepositSenderNamedDelivery | DimensionsChangedDelivery | ExportCompletedDelivery | ExportFailedDelivery | ExportRequestedDelivery | ExportRetriedDelivery | IdentityProviderBypassedDelivery | IdentityProviderConnectedDelivery | IdentityProviderDisconnectedDelivery | IdentityProviderDomainProvedDelivery | IdentityProviderDomainRemovedDelivery | IdentityProviderFailedDelivery | IdentityProviderMemberLinkedDelivery | IdentityProviderRestoredDelivery | IdentityProviderUpdatedDelivery | InboundMailAcceptedDelivery | InboundMailFoundEmptyDelivery | InboundMailHeldDelivery | InboundMailReceivedDelivery | InboundMailRefusedDelivery | InboundMailRepeatedDelivery | InboundMailSenderForgottenDelivery | InboundMailTakenDelivery | InvitationAcceptedDelivery | InvitationApprovedDelivery | InvitationCreatedDelivery | InvitationDeclinedDelivery | InvitationDeletedDelivery | InvitationExpiredDelivery | InvitationRefusedDelivery | InvitationResentDelivery | InvoiceAllocatedDelivery | InvoiceAllocationTakenBackDelivery | InvoiceCreatedDelivery | InvoiceCreditedDelivery | InvoiceDeletedDelivery | InvoiceFinalizedDelivery | InvoiceLinkRevokedDelivery | InvoiceMailDeliveredDelivery | InvoiceMailFailedDelivery | InvoiceMailedDelivery | InvoicePaidDelivery | InvoiceRefusedDelivery | InvoiceRemindedDelivery | InvoiceReopenedDelivery | InvoiceResentDelivery | InvoiceSentDelivery | InvoiceSubmittedDelivery | InvoiceUpdatedDelivery | InvoiceWrittenDelivery | MemberFactorAddedDelivery | MemberFactorRemovedDelivery | MemberJoinedDelivery | MemberLeftDelivery | MemberPasswordChangedDelivery | MemberPermissionsChangedDelivery | MemberProvisionedDelivery | MemberRemovedDelivery | MemberRoleChangedDelivery | MemberSignInFailedDelivery | MemberSignedInDelivery | MemberSignedOutDelivery | OnboardingBegunDelivery | OnboardingChangedDelivery | OnboardingMoreNeededDelivery | OnboardingPurgedDelivery | OnboardingRejectedDelivery | OnboardingReviewBegunDelivery | OnboardingReviewRequiredDelivery | OnboardingReviewedDelivery | OnboardingSubmittedDelivery | OnboardingVerifiedDelivery | IpAllowListChangedDelivery | IpAllowListLiftCancelledDelivery | IpAllowListLiftRequestedDelivery | IpAllowListLiftedDelivery | IpAllowListRemovedDelivery | OrganizationBannedDelivery | OrganizationBooksResumedDelivery | OrganizationBooksStoppedDelivery | OrganizationCreatedDelivery | OrganizationDeletedDelivery | OrganizationHandleClaimedDelivery | OrganizationLogoChangedDelivery | OrganizationLogoRemovedDelivery | OrganizationPausedDelivery | OrganizationResumedDelivery | OrganizationSettingsChangedDelivery | OrganizationUnbannedDelivery | OrganizationUpdatedDelivery | OwnershipTransferredDelivery | PaymentBatchApprovedDelivery | PaymentBatchBillLeftDelivery | PaymentBatchCancelRequestedDelivery | PaymentBatchCancelledDelivery | PaymentBatchCompletedDelivery | PaymentBatchCreatedDelivery | PaymentBatchDeletedDelivery | PaymentBatchFailedDelivery | PaymentBatchFileAttachedDelivery | PaymentBatchFileDetachedDelivery | PaymentBatchImportFailedDelivery | PaymentBatchImportRequestedDelivery | PaymentBatchImportedDelivery | PaymentBatchPartiallyCompletedDelivery | PaymentBatchRefusedDelivery | PaymentBatchRowAddedDelivery | PaymentBatchRowChangedDelivery | PaymentBatchRowDeletedDelivery | PaymentBatchSubmittedDelivery | PaymentBatchWithdrawnDelivery | PaymentContactApprovedDelivery | PaymentContactArchivedDelivery | PaymentContactChangeRefusedDelivery | PaymentContactChangeRequestedDelivery | PaymentContactCreatedDelivery | PaymentContactDeletedDelivery | PaymentContactFileAttachedDelivery | PaymentContactFileDetachedDelivery | PaymentContactUpdatedDelivery | PaymentDestinationConfirmedByCallbackDelivery | PaymentDestinationCreatedDelivery | PaymentDestinationDeletedDelivery | PaymentDestinationMadeDefaultDelivery | PaymentDestinationUpdatedDelivery | PaymentAcceptedDelivery | PaymentAdjustedDelivery | PaymentBroadcastDelivery | PaymentCancelRequestedDelivery | PaymentCancelledDelivery | PaymentCreatedDelivery | PaymentFailedDelivery | PaymentFellBackDelivery | PaymentFileAttachedDelivery | PaymentFileDetachedDelivery | PaymentHeldDelivery | PaymentPayeeCheckedDelivery | PaymentReleasedDelivery | PaymentReversedDelivery | PaymentScheduledDelivery | PaymentSettledDelivery | PaymentSubmittedDelivery | PaymentUnscheduledDelivery | PaymentUpdatedDelivery | ReceivingAccountOpenedDelivery | ReceivingAccountRequestedDelivery | ScimGroupApproversLostDelivery | ScimGroupCreatedDelivery | ScimGroupDeletedDelivery | ScimGroupRoleChangedDelivery | ScimGroupUpdatedDelivery | ScimTokenCreatedDelivery | ScimTokenMakerReducedDelivery | ScimTokenRevokedDelivery | ScimUserApproversLostDelivery | ScimUserDeactivatedDelivery | ScimUserDeletedDelivery | ScimUserProtectedDelivery | ScimUserProvisionedDelivery | ScimUserReactivatedDelivery | ScimUserUpdatedDelivery | ScreeningAskedDelivery | ScreeningClearedDelivery | ScreeningConfirmedDelivery | ScreeningHeldDelivery | ScreeningPassedDelivery | ScreeningSupersededDelivery | SubscriptionChangeScheduledDelivery | SubscriptionCreatedDelivery | SubscriptionDowngradeScheduledDelivery | SubscriptionEndScheduledDelivery | SubscriptionExpiredDelivery | SubscriptionRecommittedDelivery | SubscriptionRenewalFailedDelivery | SubscriptionRenewalHeldDelivery | SubscriptionRenewedDelivery | SubscriptionScheduledChangeCancelledDelivery | SubscriptionUpgradedDelivery | SubstitutionCreatedDelivery | SubstitutionEndedDelivery | SwapExecutedDelivery | TransactionAnnotatedDelivery | TransactionFileAttachedDelivery | TransactionFileDetachedDelivery | WebhookEndpointCreatedDelivery | WebhookEndpointDeletedDelivery | WebhookEndpointDisabledDelivery | WebhookEndpointEnabledDelivery | WebhookEndpointFailedDelivery | WebhookEndpointRecoveredDelivery | WebhookEndpointSecretRotatedDelivery | WebhookEndpointUpdatedDelivery

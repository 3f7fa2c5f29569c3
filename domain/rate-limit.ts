/** Rate limits: points in a window. In test they are ten times as wide. */

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400

export type RateLimit = {
  /** Limit in live, unless configured. */
  readonly points: number
  readonly windowSeconds: number
  readonly counts: string
  /** Callers without a session share the count. The answer hides what is left, as it would reveal other callers. */
  readonly quiet?: true
}

/** Limits of every request, counted in memory by each API process. */
export const GENERAL_RATE_LIMITS = {
  credential: { points: 600, windowSeconds: MINUTE, counts: 'all requests of one credential' },
  organization: { points: 3000, windowSeconds: MINUTE, counts: 'all requests of members to one organization' },
  address: { points: 1200, windowSeconds: MINUTE, counts: 'all requests from one network' },
} as const satisfies Record<string, RateLimit>

/** Limits of some requests, counted for all API processes together. */
export const RATE_LIMITS = {
  sign_in_network: { points: 100, windowSeconds: MINUTE, counts: 'requests for a way in from one network' },
  sign_in: { points: 10, windowSeconds: MINUTE, counts: 'sign-ins from one network to one account' },
  provider_sign_ins: {
    points: 600,
    windowSeconds: MINUTE,
    counts: 'sign-ins begun at identity providers for addresses of one domain',
    quiet: true,
  },
  password_check: { points: 10, windowSeconds: MINUTE, counts: 'passwords checked for one signed-in person' },
  codes: { points: 10, windowSeconds: MINUTE, counts: 'codes for one challenge' },
  codes_of_person: { points: 60, windowSeconds: HOUR, counts: 'wrong codes of one person, signing in or signed in' },
  codes_sent: { points: 20, windowSeconds: HOUR, counts: 'codes that one signed-in person has sent' },
  invitations: { points: 20, windowSeconds: HOUR, counts: 'calls of one person that invite' },
  pictures: { points: 30, windowSeconds: HOUR, counts: 'pictures that one person uploads' },
  exports: { points: 60, windowSeconds: HOUR, counts: 'exports that one person asks for, or has tried again' },
  uploads: { points: 300, windowSeconds: HOUR, counts: 'slots for files that one person asks for' },
  bills: { points: 100, windowSeconds: HOUR, counts: 'bills that one person hands in' },
  extractions: { points: 30, windowSeconds: HOUR, counts: 'bills that one person has read again' },
  rehearsals: { points: 30, windowSeconds: HOUR, counts: 'rehearsals of a policy that one person asks for' },
  imports: { points: 60, windowSeconds: HOUR, counts: 'files of batches that one person imports' },
  payee_checks: {
    points: 30,
    windowSeconds: HOUR,
    counts: 'accounts whose holder one person has the bank asked about',
  },
  payee_questions: {
    points: 300,
    windowSeconds: HOUR,
    counts: 'accounts whose holder one organization has the bank asked about, by quotes, bills and validations',
  },
  payee_rows: {
    points: 100_000,
    windowSeconds: DAY,
    counts: 'rows of drafts of one organization whose holder the bank is asked about',
  },
  consents: { points: 20, windowSeconds: HOUR, counts: 'consents to an accounting program that one person begins' },
  clients: { points: 60, windowSeconds: HOUR, counts: 'programs that one person looks up or connects' },
  public_pages: { points: 100, windowSeconds: MINUTE, counts: 'pages of invoices and their files, from one network' },
  first_customer_mails: {
    points: 20,
    windowSeconds: DAY,
    counts: 'mails to customers of one organization in its first week',
  },
  customer_mails: { points: 500, windowSeconds: DAY, counts: 'mails to customers of one organization, later' },
  mails_to_customer: {
    points: 10,
    windowSeconds: DAY,
    counts: 'mails to one customer, from all organizations',
    quiet: true,
  },
  mails: { points: 5, windowSeconds: HOUR, counts: 'messages to one recipient, asked for by anybody', quiet: true },
  mails_of_network: { points: 300, windowSeconds: HOUR, counts: 'mails with bills from one network', quiet: true },
  mails_of_mailbox: { points: 200, windowSeconds: HOUR, counts: 'mails with bills to one address', quiet: true },
  mails_of_organization: {
    points: 500,
    windowSeconds: HOUR,
    counts: 'mails with bills to all addresses of one organization',
    quiet: true,
  },
  mail_answers: { points: 20, windowSeconds: DAY, counts: 'answers to mails of one sender', quiet: true },
} as const satisfies Record<string, RateLimit>

export type RateLimitPolicy = keyof typeof RATE_LIMITS

export const isQuiet = (policy: RateLimitPolicy): boolean => 'quiet' in RATE_LIMITS[policy]

/** Count after the present request. */
export type RateCount = {
  readonly policy: string
  readonly points: number
  readonly windowSeconds: number
  readonly left: number
  readonly over: boolean
  /** Seconds until the window ends and the count restarts; at least one. */
  readonly secondsLeft: number
}

/** Formats of members that are text, by their names. */

const DECIMAL = { pattern: String.raw`^-?\d+(\.\d+)?$` }
const DAY = { format: 'date' }
const ADDRESS = { format: 'uri' }
const MAIL = { format: 'email' }
const SECRET = { format: 'password' }

const of = (format: object, names: string) => Object.fromEntries(names.split(' ').map((name) => [name, format]))

/** Formats of secrets, in requests and answers. */
export const SECRETS = of(SECRET, 'password current_password secret secret_encoded client_secret')

/** Formats in answers; a member that has a format or pattern of its own keeps it. */
export const FORMATS: Readonly<Record<string, object>> = {
  ...of(
    DECIMAL,
    'amount amount_with_fees amount_from total net_total tax_total due_amount accepted_amount allocated credited base',
  ),
  ...of(DECIMAL, 'price unit_price quantity tax_percentage tax_rate rate source_amount target_amount'),
  ...of(DECIMAL, 'outstanding overdue paid draft invoiced refund_due'),
  ...of(DAY, 'issue_date due_date delivery_date rate_date'),
  ...of(ADDRESS, 'upload_url download_url public_url authorize_url url uri redirect_uri'),
  ...of(ADDRESS, 'resource issuer authorization_servers authorization_endpoint token_endpoint'),
  ...of(MAIL, 'email emails contact_email approver_email requester_email'),
}

/** Formats of requests, beside those of secrets: what has another form is refused anyway. */
export const OF_REQUESTS: Readonly<Record<string, object>> = of(ADDRESS, 'url redirect_uri issuer')

const PERIOD = of(DAY, 'from to')
const PICTURE = { url: { format: 'uri-reference' } } // empty if there is none

/** Formats of members whose name alone does not say them, by schema. */
export const OF_SCHEMAS: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  MeEmail: of(MAIL, 'address'),
  SignIn: of(MAIL, 'email'), // as of a sign-up
  BillingInvoicePeriod: PERIOD,
  InvoicePeriod: PERIOD,
  NewInvoicePeriod: PERIOD,
  Avatar: PICTURE,
  Logo: PICTURE,
}

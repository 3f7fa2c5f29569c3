/** Permissions and the roles that hold them, spelled as in the contract. */

export const PERMISSIONS = [
  'api_keys.list',
  'api_keys.manage',
  'approvals.review',
  'bank_accounts.list',
  'billing_contacts.create',
  'billing_contacts.delete',
  'billing_contacts.list',
  'billing_contacts.update',
  'billing_invoices.allocate',
  'billing_invoices.create',
  'billing_invoices.delete',
  'billing_invoices.list_all',
  'billing_invoices.list_allocations',
  'billing_invoices.list_own',
  'billing_invoices.read',
  'billing_invoices.resend',
  'billing_invoices.submit',
  'billing_invoices.update',
  'billing_invoices.view_summary',
  'bills.cancel',
  'bills.create',
  'bills.list',
  'bills.read',
  'bills.update',
  'card_entitlements.create',
  'card_entitlements.list',
  'cards.activate',
  'cards.create',
  'cards.freeze',
  'cards.list_all',
  'cards.list_own',
  'cards.order_physical',
  'cards.provision_google_wallet',
  'cards.read',
  'cards.reveal',
  'cards.set_pin',
  'cards.unfreeze',
  'cards.update_limit',
  'cards.view_usage',
  'chains.cancel',
  'chains.create',
  'chains.decide',
  'chains.list',
  'chains.read',
  'deposit_addresses.list',
  'expenses.manage_all',
  'expenses.manage_own',
  'expenses.read',
  'expenses.update',
  'feedback.send',
  'integrations.connect',
  'integrations.disconnect',
  'invitations.create',
  'invitations.delete',
  'invitations.list',
  'invitations.resend',
  'members.list',
  'members.manage',
  'onboarding.view_own_requirements',
  'onboarding.view_requirements',
  'organization.claim_personal_handle',
  'organization.generate_upload_url',
  'organization.read',
  'organization.sudo_session',
  'organization.update',
  'organization.update_logo',
  'organization.update_preferences',
  'organization.view_balances',
  'organization.view_capabilities',
  'organization.view_insights',
  'organization.view_kyb_status',
  'organization.view_legal_name',
  'organization.view_lifetime_spend',
  'organization.view_points_balance',
  'organization.view_subscription_offers',
  'payment_contacts.create',
  'payment_contacts.delete',
  'payment_contacts.list',
  'payment_contacts.update',
  'payment_destinations.create',
  'payment_destinations.list',
  'payment_destinations.update',
  'payments.send_crypto',
  'payments.send_fiat',
  'payments.swap_fiat',
  'transactions.list_all',
  'transactions.list_own',
  'xero.manage',
] as const

export type Permission = (typeof PERMISSIONS)[number]
export const ROLES = ['owner', 'admin', 'member'] as const
export type Role = (typeof ROLES)[number]

/** Permissions of a member. Without `approvals.review`: a member holds it only while a policy names them. */
const memberPermissions: readonly Permission[] = [
  'bank_accounts.list',
  'billing_contacts.create',
  'billing_contacts.list',
  'billing_contacts.update',
  'billing_invoices.create',
  'billing_invoices.delete',
  'billing_invoices.list_own',
  'billing_invoices.read',
  'billing_invoices.resend',
  'billing_invoices.submit',
  'billing_invoices.update',
  'bills.create',
  'bills.list',
  'bills.read',
  'bills.update',
  'card_entitlements.list',
  'cards.activate',
  'cards.freeze',
  'cards.list_own',
  'cards.provision_google_wallet',
  'cards.read',
  'cards.reveal',
  'cards.set_pin',
  'cards.unfreeze',
  'cards.view_usage',
  'chains.create',
  'chains.list',
  'chains.read',
  'deposit_addresses.list',
  'expenses.manage_own',
  'expenses.read',
  'expenses.update',
  'feedback.send',
  'members.list',
  'onboarding.view_own_requirements',
  'organization.generate_upload_url',
  'organization.read',
  'organization.sudo_session',
  'organization.view_balances',
  'organization.view_capabilities',
  'organization.view_legal_name',
  'payment_contacts.create',
  'payment_contacts.list',
  'payment_destinations.create',
  'payment_destinations.list',
  'payments.send_crypto',
  'payments.send_fiat',
  'transactions.list_own',
]

const rolePermissions: Readonly<Record<Role, readonly Permission[]>> = {
  owner: PERMISSIONS,
  admin: PERMISSIONS,
  member: memberPermissions,
}

const granted: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  owner: new Set(rolePermissions.owner),
  admin: new Set(rolePermissions.admin),
  member: new Set(rolePermissions.member),
}

export const permissionsOf = (role: Role): readonly Permission[] => rolePermissions[role]

/** Role of a member, and the permissions that were taken from it. */
export type Standing = { readonly role: Role; readonly removed?: readonly Permission[] | null | undefined }

/** Tells if a role grants a permission, before any is taken from a member. */
export const grants = (role: Role, permission: Permission): boolean => granted[role].has(permission)

/** Tells if a member may do this: their role grants it, and it was not taken from them. */
export const can = ({ role, removed }: Standing, permission: Permission): boolean =>
  grants(role, permission) && !isRemoved({ removed }, permission)

export const isRemoved = ({ removed }: Pick<Standing, 'removed'>, permission: Permission): boolean =>
  removed?.includes(permission) ?? false

/** Lists what a member may do. Members whom a policy names may review beside it, unless that was taken from them. */
export const effectiveOf = (standing: Standing): Permission[] =>
  PERMISSIONS.filter((permission) => can(standing, permission))

/** Finds what a standing gives that the giver lacks; undefined if they may give all of it. */
export const lackingToGive = (giver: Standing, given: Standing): Permission | undefined =>
  effectiveOf(given).find((one) => !can(giver, one))

const READING = /\.(?:list|list_all|list_own|list_allocations|read|view_\w+)$/
/** Permissions that change nothing of the organization. */
const HARMLESS: readonly Permission[] = ['feedback.send', 'organization.sudo_session']

/** Tells if a permission shows something, and changes nothing. */
export const isReading = (permission: Permission): boolean => READING.test(permission)

const changing = PERMISSIONS.filter((permission) => !isReading(permission) && !HARMLESS.includes(permission))

/** Tells if a member may change anything: what only a reading permission guards is left to such members. */
export const mayChange = (standing: Standing): boolean => changing.some((permission) => can(standing, permission))

/** Permission to decide. A role without it decides some things; a member from whom it was taken decides nothing. */
export const DECIDING = 'approvals.review' satisfies Permission

/** Tells if a member may decide: nobody took that from them. */
export const mayDecide = (standing: Pick<Standing, 'removed'>): boolean => !isRemoved(standing, DECIDING)

/** Operation as far as it matters for the permission to call it. */
type Callable = {
  readonly method: string
  readonly shape: string
  readonly stops?: boolean
  readonly decides?: boolean
}

/**
 * Tells if one of the permissions lets a member call an operation. What it only reads is not taken with a permission to
 * change it; a change that only a permission to read guards is left to members who may change anything, unless it only stops something.
 * What decides is left to members who may decide.
 */
export const mayCall = (
  standing: Standing,
  { method, shape, stops = false, decides = false }: Callable,
  asked: readonly Permission[],
): boolean =>
  (!decides || mayDecide(standing)) &&
  (method === 'get'
    ? asked.some((one) => (isReading(one) ? can(standing, one) : grants(standing.role, one)))
    : asked.some((one) => can(standing, one) && (!isReading(one) || shape === 'query' || stops || mayChange(standing))))

const without = (...kept: readonly Permission[]): readonly Permission[] =>
  changing.filter((permission) => !kept.includes(permission))

/** Named sets of permissions that are taken from a member. */
export const PRESETS = {
  /** Sees all that the role sees, and changes and asks for nothing. */
  reader: without(),
  /** Reads, codes bills and transactions, and exports. */
  accountant: without('bills.update', 'expenses.update'),
  /** Prepares and asks, and neither decides nor does what nobody has to approve. */
  preparer: [
    'api_keys.manage',
    'approvals.review',
    'chains.decide',
    'integrations.connect',
    'integrations.disconnect',
    'members.manage',
    'organization.claim_personal_handle',
    'organization.update',
    'organization.update_preferences',
    'payments.swap_fiat',
    'xero.manage',
  ],
} as const satisfies Readonly<Record<string, readonly Permission[]>>
export const PRESET_NAMES = ['reader', 'accountant', 'preparer'] as const
export type Preset = (typeof PRESET_NAMES)[number]

/** Finds the preset that removes exactly these. */
export const presetOf = (removed: readonly Permission[]): Preset | null =>
  PRESET_NAMES.find((name) => {
    const set: readonly Permission[] = PRESETS[name]
    return set.length === removed.length && set.every((permission) => removed.includes(permission))
  }) ?? null

/** Capacity in which a person approves: their own role, or that of a principal. */
export type Capacity = Standing & { readonly userId: string; readonly substitutionId?: string }

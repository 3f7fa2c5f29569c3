/** Invitations into an organization. */
import * as v from 'valibot'
import { distinct } from '../distinct.ts'
import { PageQuery } from '../pagination.ts'
import { PRESET_NAMES, ROLES } from '../permissions.ts'
import { token } from '../sign-in/sign-in.ts'
import { model, email, object, text, timestamp, uuid, describe } from '../text.ts'

export const INVITATION_DAYS = 7 // after its mail, in which it can be accepted

const PER_CALL_MAX = 100
const CARD_LIMIT_MAX = 100_000

/** Statuses of the contract; invitations in another one are not shown any more. */
const SHOWN_STATUSES = ['accepted', 'pending_approval', 'pending'] as const

const PRESET = 'Set of permissions that is taken from the person who joins; null for none of them.'

/** An invitation as the invited person sees it. */
export const OwnInvitation = model('OwnInvitation', {
  id: uuid,
  organization_id: uuid,
  email: v.string(),
  role: v.picklist(ROLES),
  status: v.picklist(SHOWN_STATUSES),
  accepted_at: v.nullable(timestamp),
  approval_request_id: v.nullable(uuid),
  expires_at: timestamp,
  inserted_at: timestamp,
  user_exists: v.boolean(),
  preset: describe(v.nullable(v.picklist(PRESET_NAMES)), PRESET),
})
export type OwnInvitation = v.InferOutput<typeof OwnInvitation>

/** An invitation as members see it. */
export const Invitation = model(
  'Invitation',
  { ...OwnInvitation.entries, card_approved: v.boolean(), card_limit: v.nullable(v.number()) },
  { preset: PRESET },
)
export type Invitation = v.InferOutput<typeof Invitation>

const NewInvitation = v.pipe(
  object({
    email,
    role: v.optional(v.picklist(['admin', 'member']), 'member'),
    preset: describe(
      v.nullish(v.picklist(PRESET_NAMES)),
      'Set of permissions to take from the role: the member begins without them.',
    ),
    card_approved: v.nullish(v.boolean()),
    card_limit: v.nullish(v.pipe(v.number(), v.minValue(1), v.maxValue(CARD_LIMIT_MAX))),
  }),
  v.transform(({ card_approved: card, card_limit: limit, preset, ...invited }) => ({
    ...invited,
    preset: preset ?? null,
    card_approved: limit != null || (card ?? false), // a limit implies the card
    card_limit: limit ?? null,
  })),
  v.title('NewInvitation'),
)
export type NewInvitation = v.InferOutput<typeof NewInvitation>

/** An address that is repeated is one, unless role, preset or card differ. */
export const NewInvitations = model('NewInvitations', {
  invitations: describe(
    v.pipe(
      v.array(NewInvitation),
      v.minLength(1),
      v.maxLength(PER_CALL_MAX),
      distinct(
        ({ email }) => email,
        'email',
        (one, other) => JSON.stringify(one) === JSON.stringify(other),
      ),
    ),
    'Invitations, one for each address.',
  ),
})

/** Keeps each address once, in the order of the first ones. */
export const eachOnce = (invited: readonly NewInvitation[]): NewInvitation[] => [
  ...new Map(invited.map((one) => [one.email, one])).values(),
]

/** `q` is part of the address, in any case; blank it filters nothing. */
export const InvitationFilters = v.object({
  ...PageQuery,
  status: v.optional(v.picklist(SHOWN_STATUSES)),
  q: v.optional(v.pipe(text(0, 255), v.trim())),
})
export type InvitationFilters = v.InferOutput<typeof InvitationFilters>

export const InvitationToken = model('InvitationToken', { token })

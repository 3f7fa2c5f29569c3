import * as v from 'valibot'
import { eventTypes, says } from '../event-type.ts'
import { timestamp, uuid } from '../text.ts'
import { SUBSTITUTION_ENDS } from './substitution.ts'

const people = { user_id: uuid, substitute_id: uuid }

export const substitutionEvents = eventTypes(
  { noun: 'substitution', table: 'substitutions' },
  {
    created: says(
      'A member gets a substitute, who reviews approvals in their role from a time until another.',
      v.object({ ...people, from: timestamp, until: timestamp }),
    ),
    ended: says(
      'A substitution ends before its time: a person ends it, or one of both leaves.',
      v.object({ ...people, reason: v.picklist(SUBSTITUTION_ENDS) }),
    ),
  },
)

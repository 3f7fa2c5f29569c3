/** Events of onboardings: fields by name, never their values, which name people. */
import * as v from 'valibot'
import { eventTypes, moveTypes, says } from '../event-type.ts'
import { integer } from '../text.ts'
import { onboardingFlow } from './flow.ts'

const fields = v.object({ fields: v.array(v.string()) })

/** Verdict of a review; `reviewer` is `service`, or the name of a connection. */
const verdict = v.object({ reviewer: v.string(), status: v.string(), fields: v.array(v.string()) })

export const onboardingEvents = eventTypes(onboardingFlow, {
  begun: says('A member begins to say who the organization is.'),
  changed: says(
    'A member changes details of the entity, its people or its papers.',
    v.object({ fields: v.array(v.string()) }),
  ),
  reviewed: says('Operators, or the provider of a connection, decide about the organization.', verdict),
})

export const onboardingMoves = moveTypes(onboardingFlow, {
  submit: says('A member submits what is known of the organization.', v.object({ round: integer })),
  begin: says('The review begins.'),
  ask: says('More is asked for.', fields),
  verify: says('The organization is verified.'),
  reject: says('The organization is not verified.'),
  fall_due: says(
    'The organization has to be reviewed again: something about it changed, or its time has come.',
    v.object({ reason: v.picklist(['changed', 'periodic', 'asked']), fields: v.array(v.string()) }),
  ),
  purge: says('All that was kept of a deleted organization is purged.'),
})

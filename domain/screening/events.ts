/** Events of screenings. They name no person and no list. */
import * as v from 'valibot'
import { eventTypes, moveTypes, says } from '../event-type.ts'
import { screeningFlow } from './flow.ts'
import { nullableText } from '../text.ts'

const subject = v.object({ kind: v.string(), onboarding_id: nullableText, payment_contact_id: nullableText })

export const screeningEvents = eventTypes(screeningFlow, {
  asked: says('A name is to be compared with lists of sanctions.', subject),
})

export const screeningMoves = moveTypes(screeningFlow, {
  pass: says('No list has a name like it.'),
  hold: says('The name has to be looked at by two people of the service.'),
  clear: says('Two people of the service say that the name is another one.'),
  confirm: says('Two people of the service say that the name is the listed one.'),
  supersede: says('The name is no longer that of its subject.'),
})

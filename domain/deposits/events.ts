/** Events of deposits, which never name the sender. */
import * as v from 'valibot'
import { eventTypes, moveTypes, says } from '../event-type.ts'
import { depositFlow } from './flow.ts'
import { AnswerMoney, uuid } from '../text.ts'

export const depositEvents = eventTypes(depositFlow, {
  held: says('Money comes whose sender has to be named first.', AnswerMoney),
  sender_named: says('A person names the sender of a deposit.'),
  assigned: says('An operator assigns money that came for nobody to the organization.'),
  return_refused: says('The partner refuses to send a deposit back: its sender can be named again.'),
  adjusted: says('Two operators book what a partner says of a deposit.', v.object({ adjustment_id: uuid })),
})

export const depositMoves = moveTypes(depositFlow, {
  release: says('Money that came is available.', AnswerMoney),
  return: says('A deposit is sent back to whom it came from.', AnswerMoney),
})

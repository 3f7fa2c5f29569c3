/** Events of deposits, which never name the sender. */
import * as v from 'valibot'
import { eventTypes, moveTypes, says } from '../event-type.ts'
import { depositFlow } from './flow.ts'
import { AnswerMoney, model, uuid } from '../text.ts'

/** Money that came or went back, and the connection to the partner that has moved it. */
const movement = model('DepositMoney', { ...AnswerMoney.entries, connection: v.optional(v.string()) })

export const depositEvents = eventTypes(depositFlow, {
  held: says('Money comes whose sender has to be named first.', movement),
  sender_named: says('A person names the sender of a deposit.'),
  assigned: says('An operator assigns money that came for nobody to the organization.'),
  return_refused: says('The partner refuses to send a deposit back: its sender can be named again.'),
  adjusted: says('Two operators book what a partner says of a deposit.', v.object({ adjustment_id: uuid })),
})

export const depositMoves = moveTypes(depositFlow, {
  release: says('Money that came is available.', movement),
  return: says('A deposit is sent back to whom it came from.', movement),
})

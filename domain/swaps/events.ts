/** Events of swaps. */
import * as v from 'valibot'
import { eventTypes, says } from '../event-type.ts'
import { AnswerMoney, uuid } from '../text.ts'

export const swapEvents = eventTypes(
  { noun: 'swap', table: 'swaps' },
  {
    executed: says(
      'A person exchanges currencies.',
      v.object({ quote_id: uuid, source: AnswerMoney, target: AnswerMoney, rate: v.string() }),
    ),
  },
)

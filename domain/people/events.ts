/** Events of delegates in the log of their organization; the security log has those of their person. */
import * as v from 'valibot'
import { eventTypes, says } from '../event-type.ts'
import { integer, timestamp, uuid } from '../text.ts'

export const delegateEvents = eventTypes(
  { noun: 'delegate', table: 'delegates' },
  {
    expiring: says(
      'A delegate ends within seven days, or within one; its person is written to.',
      v.object({ user_id: uuid, expires_at: timestamp, days: integer }),
    ),
  },
)

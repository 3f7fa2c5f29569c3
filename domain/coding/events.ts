/** Events of coding: codes that have changed, and lines of a bill that a person coded. */
import * as v from 'valibot'
import { eventTypes, says } from '../event-type.ts'
import { integer } from '../text.ts'
import { NAMED_MAX } from './chart.ts'

const changed = v.object({ changed: v.array(v.string()) })

export const chartEvents = eventTypes(
  { noun: 'accounts_chart', table: 'chart_accounts' },
  {
    changed: says(
      `A person changes accounts or tax codes; it names ${NAMED_MAX} that are others, new or archived, and counts more.`,
      v.object({ ...changed.entries, count: v.optional(integer) }),
    ),
  },
)

export const dimensionEvents = eventTypes(
  { noun: 'dimensions', table: 'dimensions' },
  { changed: says('A person changes dimensions or their values; it names the dimensions.', changed) },
)

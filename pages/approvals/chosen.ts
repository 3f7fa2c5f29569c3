/** Requests that were chosen in the inbox, as forms carry them from page to page. */
import { randomUUID } from 'node:crypto'
import type { Fields } from '../frame/viewer.ts'
import type { HiddenFields } from '../frame/layout.ts'

/** Most requests that are decided at once: of one company as many as the API takes. */
const OF_COMPANY_MAX = 100
const SET_MAX = 500

/** Requests that were chosen, by company, and how each of those that were decided ended. */
export type ChosenSet = {
  readonly chosen: readonly { readonly organization: string; readonly ids: readonly string[] }[]
  readonly decision: 'approve' | 'reject'
  readonly reason: string
  /** Key of the form: a set that is sent again is decided once. */
  readonly key: string
  readonly verdicts: readonly Verdict[]
}

/** Outcome of one request: its status afterwards, or the type of its refusal. */
export type Verdict = { readonly id: string; readonly status: string | null; readonly refusal: string | null }

/**
 * Reads a set from a form: each request stands beside its company. With `only`, those that the form names as stopped
 * are left out, under a key of their own.
 */
export function setIn(form: Fields): ChosenSet {
  const isPart = form.get('only') === 'others'
  const left = new Set(isPart ? form.all('stopped') : [])
  const companies = new Map<string, string[]>()
  for (const pair of new Set(form.all('approval_id').slice(0, SET_MAX))) {
    const [organization = '', id = ''] = pair.split('.')
    const ids = companies.get(organization) ?? []
    if (organization && id && !left.has(id) && ids.length < OF_COMPANY_MAX) companies.set(organization, [...ids, id])
  }
  return {
    chosen: [...companies].map(([organization, ids]) => ({ organization, ids })),
    decision: form.get('decision') === 'reject' ? 'reject' : 'approve',
    reason: form.get('reason').trim(),
    key: `${form.get('key') || randomUUID()}${isPart ? '-others' : ''}`,
    verdicts: form.all('verdict').flatMap((text): Verdict[] => {
      const [id = '', status = '', refusal = ''] = text.split('.')
      return [{ id, status: status || null, refusal: refusal || null }]
    }),
  }
}

/** Lists the fields by which a form carries a set. */
export const fieldsOf = ({ chosen, decision, reason, key, verdicts }: ChosenSet): HiddenFields => [
  ['decision', decision],
  ['looked_at', 'yes'],
  ...(reason ? ([['reason', reason]] as const) : []),
  ['key', key],
  ...chosen.flatMap(({ organization, ids }) =>
    ids.map((id): readonly [string, string] => ['approval_id', pairOf(organization, id)]),
  ),
  ...verdicts.map(({ id, status, refusal }): readonly [string, string] => [
    'verdict',
    [id, status ?? '', refusal ?? ''].join('.'),
  ]),
]

/** Writes a request beside its company, as the checkboxes of the inbox carry it. */
export const pairOf = (organization: string, id: string): string => `${organization}.${id}`

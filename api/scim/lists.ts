/** Parameters of lists and of answers (RFC 7644, sections 3.4.2 and 3.9). */
import { type Comparison, parseFilter } from '../../domain/scim/filter.ts'
import { refuseScim } from '../../domain/scim/errors.ts'
import { PAGE_DEFAULT, PAGE_MAX, type Selection, readSelection } from '../../domain/scim/resources.ts'
import type { ScimRequest } from './request.ts'

/** Part of a list that a request wants. */
export type ListQuery = {
  readonly filter: readonly Comparison[]
  readonly startIndex: number
  readonly from: number
  readonly most: number
  readonly selection: Selection
}

/** Reads the parameters of a list; pages begin at 1, and have at most 200 resources. */
export function listQueryOf(request: ScimRequest): ListQuery {
  const { query } = request
  const filter = query('filter')
  const startIndex = Math.max(1, wholeNumber(query('startIndex'), 'startIndex', 1))
  const most = Math.min(PAGE_MAX, Math.max(0, wholeNumber(query('count'), 'count', PAGE_DEFAULT)))
  return {
    filter: filter === undefined || filter === '' ? [] : parseFilter(filter),
    startIndex,
    from: startIndex - 1,
    most,
    selection: selectionOf(request),
  }
}

/** Reads the attributes that a request wants in its answer. */
export const selectionOf = ({ query }: ScimRequest): Selection =>
  readSelection(query('attributes'), query('excludedAttributes'))

const NUMBER_MAX = 1_000_000

function wholeNumber(text: string | undefined, name: string, otherwise: number): number {
  if (text === undefined || text === '') return otherwise
  const number = Number(text)
  if (!Number.isInteger(number) || text.length > 9)
    return refuseScim('invalidValue', `${name} has to be a whole number.`)
  return Math.min(number, NUMBER_MAX)
}

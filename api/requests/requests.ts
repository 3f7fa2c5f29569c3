/** Log of requests: what programs of an organization called, and what they were answered. */
import * as v from 'valibot'
import { findRequest, listRequests } from '../../services/requests/requests.ts'
import { pageOf } from '../../domain/pagination.ts'
import { LoggedRequest, RequestFilters, requestId } from '../../domain/requests/request.ts'
import { operations } from '../http/operation.ts'

const { query } = operations('Requests')

const REQUESTS = '/organizations/{organization_id}/requests'

export const requests = [
  query(REQUESTS, 'listRequests')
    .says(
      'List the requests to the API, newest first',
      'Those of the last seven days, with an API key or a delegate of this organization, or by a person about this organization; of pages for people ' +
        'only those that were refused. Bodies, values and secrets are not kept. A request appears within about a second. ' +
        'The log is for diagnosis: under a flood or an outage requests may be missing. A page may have fewer than ' +
        '`limit` while `has_more` is true. Reading this log is not in it.',
    )
    .of('organization')
    .delegates('read')
    .can('api_keys.manage')
    .filters(RequestFilters)
    .answers(pageOf(LoggedRequest))
    .does(({ read, query }) => listRequests(read, query)),
  query(`${REQUESTS}/{request_id}`, 'getRequest')
    .says(
      'Find the request of an error',
      'By `error.request_id`. Callers may use an id again: then it is one that was refused, or else the newest.',
    )
    .of('organization')
    .named(v.object({ request_id: requestId }))
    .delegates('read')
    .can('api_keys.manage')
    .answers(LoggedRequest)
    .does(({ read, params }) => findRequest(read, params.request_id)),
]

/** Log streams: the events of an organization in the form of OCSF, sent to its SIEM. */
import * as v from 'valibot'
import {
  changeLogStream,
  createLogStream,
  deleteLogStream,
  findLogStream,
  findStreamDelivery,
  listLogStreams,
  listStreamDeliveries,
  resendToStream,
  rotateLogStream,
  testLogStream,
} from '../../services/webhooks/streams.ts'
import { checkWebhookUrl } from '../../platform/network/resolution.ts'
import type { Membership } from '../../domain/organizations/member.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { LogStream, LogStreamChanges, LogStreamWithSecret, NewLogStream } from '../../domain/registries/log-stream.ts'
import { onOneLine } from '../../domain/text.ts'
import { Delivery, DeliveryFilters } from '../../domain/webhooks/delivery.ts'
import { OCSF_SCHEME } from '../../domain/webhooks/ocsf.ts'
import { operations } from '../http/operation.ts'

const { command, query } = operations('Log streams')

const STREAMS = '/organizations/{organization_id}/log-streams'
const STREAM = `${STREAMS}/{log_stream_id}`

/** Writes the address of a new stream, before it is checked. */
const addressOf = (body: NewLogStream): string =>
  body.kind === 'https' ? body.url : `https://${body.host.includes(':') ? `[${body.host}]` : body.host}:${body.port}`

const bindReceiver = async ({ organizationId }: Membership, body: NewLogStream) => ({
  target: `organization:${organizationId}`,
  summary: `Send the log of the organization to ${onOneLine(addressOf(body))}`,
})

export const logStreams = [
  command('post', STREAMS, 'createLogStream')
    .says(
      'Create a log stream',
      'All events of the organization from now on, as OCSF 1.3: members as account change (3001), their sign-ins as ' +
        'authentication (3002), all else as entity management (3004). At least once, in order by subject. By HTTPS signed as webhooks are; by syslog (RFC 5424) ' +
        'over TLS (RFC 5425). The answer alone holds the secret, and a repeat makes another stream.',
    )
    .of('organization')
    .onlyOwner()
    .takes(NewLogStream)
    .refuses('invalid_webhook_url', 'webhook_endpoint_limit_reached')
    .answers(LogStreamWithSecret, 201)
    .proved('once', ({ org, body }) => bindReceiver(org, body))
    .prepares(async ({ body }) => ({ checked: await checkWebhookUrl(addressOf(body)) }))
    .does(({ tx, person, stepUpId, body, checked }) =>
      createLogStream(
        tx,
        { person, stepUpId },
        {
          ...body,
          address: body.kind === 'https' ? OCSF_SCHEME + checked : checked.replace(/^https:(.*?)\/?$/, 'syslog-tls:$1'),
        },
      ),
    ),
  query(STREAMS, 'listLogStreams')
    .says('List the log streams, newest first')
    .of('organization')
    .onlyOwner()
    .filters(v.object(PageQuery))
    .answers(pageOf(LogStream))
    .does(({ read, query }) => listLogStreams(read, query)),
  query(STREAM, 'getLogStream')
    .says('Read a log stream', 'With the state of its deliveries.')
    .of('organization')
    .onlyOwner()
    .answers(LogStream)
    .does(({ read, params }) => findLogStream(read, params.log_stream_id)),
  command('patch', STREAM, 'updateLogStream')
    .says('Pause or resume a log stream, or describe it', 'Events wait while it is paused; nothing is left out.')
    .of('organization')
    .onlyOwner()
    .takes(LogStreamChanges)
    .answers(LogStream)
    .proved('window')
    .does(({ tx, params, body }) => changeLogStream(tx, params.log_stream_id, body)),
  command('delete', STREAM, 'deleteLogStream')
    .says('Delete a log stream')
    .of('organization')
    .onlyOwner()
    .deletes()
    .proved('window')
    .does(({ tx, params }) => deleteLogStream(tx, params.log_stream_id)),
  command('post', `${STREAM}/rotate-secret`, 'rotateLogStreamSecret')
    .says(
      'Rotate the secret of a log stream',
      'The previous secret also signs for another 24 hours. The answer alone holds the secret, and a repeat makes ' +
        'another one.',
    )
    .of('organization')
    .onlyOwner()
    .takes(v.object({}))
    .refuses('invalid_state')
    .answers(LogStreamWithSecret)
    .proved('window')
    .does(({ tx, params }) => rotateLogStream(tx, params.log_stream_id)),
  command('post', `${STREAM}/test`, 'testLogStream')
    .says('Send a test event to a log stream', 'It is in no log; `last_success_at` tells if it was taken.')
    .of('organization')
    .onlyOwner()
    .takes(v.object({}))
    .refuses('invalid_state')
    .answers(LogStream, 202)
    .proved('window')
    .does(({ tx, params }) => testLogStream(tx, params.log_stream_id)),
  query(`${STREAM}/deliveries`, 'listLogStreamDeliveries')
    .says('List the deliveries to a log stream, newest first', 'Of the last 30 days, with every try.')
    .of('organization')
    .onlyOwner()
    .filters(DeliveryFilters)
    .answers(pageOf(Delivery))
    .does(({ read, params, query }) => listStreamDeliveries(read, params.log_stream_id, query)),
  query(`${STREAM}/deliveries/{delivery_id}`, 'getLogStreamDelivery')
    .says('Read a delivery to a log stream, with every try')
    .of('organization')
    .onlyOwner()
    .answers(Delivery)
    .does(({ read, params }) => findStreamDelivery(read, params.log_stream_id, params.delivery_id)),
  command('post', `${STREAM}/deliveries/{delivery_id}/replay`, 'replayLogStreamDelivery')
    .says('Send an event to a log stream again', 'A pending delivery is tried at once, with those before it.')
    .of('organization')
    .onlyOwner()
    .takes(v.object({}))
    .refuses('invalid_state')
    .answers(Delivery, 202)
    .proved('window')
    .does(({ tx, params }) => resendToStream(tx, params.log_stream_id, params.delivery_id)),
]

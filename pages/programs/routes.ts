/** Addresses of programs: keys, webhooks, log streams, delegates, requests. */
import type { Routes } from '../frame/routes.ts'
import { endDelegate, showDelegates } from './delegates.ts'
import * as deliveries from './deliveries.ts'
import { revokeKey, rotateKey, showKey } from './key.ts'
import { createKey, showKeys, showNewKey } from './keys.ts'
import { showPrograms } from './programs.ts'
import { showRequests } from './requests.ts'
import {
  createStream,
  deleteStream,
  pauseStream,
  resumeStream,
  rotateStream,
  showNewStream,
  showStreams,
  testStream,
} from './streams.ts'
import {
  changeWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  replayEvents,
  rotateWebhook,
  showChangeWebhook,
  showWebhook,
  testWebhook,
} from './webhook.ts'
import { createWebhook, showNewWebhook, showWebhooks } from './webhooks.ts'

const KEYS = '/o/:company/programs/keys'
const WEBHOOKS = '/o/:company/programs/webhooks'
const WEBHOOK = `${WEBHOOKS}/:id`
const STREAMS = '/o/:company/programs/streams'
const STREAM = `${STREAMS}/:id`
const DELEGATES = '/o/:company/programs/delegates'

export const PROGRAMS: Routes = {
  shown: {
    '/o/:company/programs': showPrograms,
    [KEYS]: showKeys,
    [`${KEYS}/new`]: showNewKey,
    [`${KEYS}/:id`]: showKey,
    [WEBHOOKS]: showWebhooks,
    [`${WEBHOOKS}/new`]: showNewWebhook,
    [WEBHOOK]: showWebhook,
    [`${WEBHOOK}/change`]: showChangeWebhook,
    [`${WEBHOOK}/deliveries/:delivery`]: deliveries.showDelivery(deliveries.WEBHOOKS),
    [STREAMS]: showStreams,
    [`${STREAMS}/new`]: showNewStream,
    [`${STREAM}/deliveries`]: deliveries.showStreamDeliveries,
    [`${STREAM}/deliveries/:delivery`]: deliveries.showDelivery(deliveries.STREAMS),
    [DELEGATES]: showDelegates,
    '/o/:company/programs/requests': showRequests,
  },
  sent: {
    [KEYS]: createKey,
    [`${KEYS}/:id/rotate`]: rotateKey,
    [`${KEYS}/:id/revoke`]: revokeKey,
    [WEBHOOKS]: createWebhook,
    [`${WEBHOOK}/change`]: changeWebhook,
    [`${WEBHOOK}/test`]: testWebhook,
    [`${WEBHOOK}/enable`]: enableWebhook,
    [`${WEBHOOK}/disable`]: disableWebhook,
    [`${WEBHOOK}/rotate`]: rotateWebhook,
    [`${WEBHOOK}/delete`]: deleteWebhook,
    [`${WEBHOOK}/replay`]: replayEvents,
    [`${WEBHOOK}/deliveries/:delivery/replay`]: deliveries.replayDelivery(deliveries.WEBHOOKS),
    [STREAMS]: createStream,
    [`${STREAM}/test`]: testStream,
    [`${STREAM}/pause`]: pauseStream,
    [`${STREAM}/resume`]: resumeStream,
    [`${STREAM}/rotate`]: rotateStream,
    [`${STREAM}/delete`]: deleteStream,
    [`${STREAM}/deliveries/:delivery/replay`]: deliveries.replayDelivery(deliveries.STREAMS),
    [`${DELEGATES}/:id/end`]: endDelegate,
  },
}

/**
 * Driver `twilio`: messages to phones by Twilio's Messages API. It knows no keys of ours: a message that may have been sent
 * is looked for by its number and its text, which has a code of its own, before it is sent again.
 */
import * as v from 'valibot'
import type { Connection } from '../../platform/connections.ts'
import type { TwilioSettings } from '../../platform/drivers/twilio.ts'
import { type PartnerEndpoint, requestPartner } from '../http.ts'
import type { MessageOrder } from '../messenger.ts'

/** Messages to one number that are looked through, newest first. */
const LOOKED_THROUGH = 20
/** Statuses of messages that nobody gets. */
const LOST = new Set(['failed', 'undelivered', 'canceled'])

const Sent = v.object({ sid: v.pipe(v.string(), v.regex(/^(?:SM|MM)[0-9a-f]{32}$/)) })
const Listed = v.object({
  messages: v.array(v.object({ ...Sent.entries, to: v.string(), body: v.string(), status: v.string() })),
})
const TwilioError = v.object({ code: v.pipe(v.number(), v.integer()) })

/**
 * Codes that are about the number: it cannot be written to, and a repeat gets the same answer
 * (https://www.twilio.com/docs/api/errors).
 */
const REFUSALS: ReadonlyMap<number, string> = new Map([
  [21211, 'number_unknown'],
  [21214, 'number_unknown'],
  [21217, 'number_unknown'],
  [21408, 'country_not_served'],
  [21610, 'number_declines'],
  [21612, 'number_not_reached'],
  [21614, 'number_takes_no_messages'],
])

const readFailure: NonNullable<PartnerEndpoint['readFailure']> = (_status, body) => {
  const read = v.safeParse(TwilioError, body)
  const code = read.success ? REFUSALS.get(read.output.code) : undefined
  return code === undefined ? undefined : { code, message: '' }
}

/** Sends a message; `isRepeat`: it may have been sent before. Fails as `requestPartner` does. */
export async function sendByTwilio(
  { settings, key }: Connection<TwilioSettings>,
  endpoint: PartnerEndpoint,
  { to, text }: MessageOrder,
  isRepeat: boolean,
): Promise<void> {
  const { accountSid, from } = settings
  const login = `Basic ${Buffer.from(`${accountSid}:${key}`).toString('base64')}`
  const at = { ...endpoint, readFailure, sign: () => ({ authorization: login }) }
  const path = `/2010-04-01/Accounts/${accountSid}/Messages.json`
  if (isRepeat) {
    const query = new URLSearchParams({ To: to, PageSize: String(LOOKED_THROUGH) })
    const { messages } = await requestPartner(at, {
      method: 'GET',
      path: `${path}?${query.toString()}`,
      answer: Listed,
    })
    // an account on trial writes a line of its own before the text
    if (messages.some((one) => one.to === to && one.body.endsWith(text) && !LOST.has(one.status))) return
  }
  const sender = from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from }
  const form = new URLSearchParams({ To: to, Body: text, ...sender })
  await requestPartner(at, { method: 'POST', path, form, answer: Sent })
}

/** Settings of the driver `twilio`: codes to phones by Twilio's Messages API. */
import * as v from 'valibot'
import { Common, Messages, ONE_SERVED, Secret, type Surroundings, Url, longSecret } from './entry.ts'

export const TwilioEntry = v.strictObject({
  ...Common,
  driver: v.literal('twilio'),
  serves: v.strictTuple([Messages], ONE_SERVED),
  url: v.optional(Url),
  account_sid: v.pipe(v.string(), v.regex(/^AC[0-9a-f]{32}$/, 'must be as AC…')),
  key: Secret,
  from: v.pipe(
    v.string(),
    v.regex(/^\+[1-9]\d{6,14}$|^MG[0-9a-f]{32}$/, 'must be a number as +1…, or a service as MG…'),
  ),
})

export type TwilioSettings = {
  readonly driver: 'twilio'
  readonly accountSid: string
  /** Number that sends, or messaging service. */
  readonly from: string
}

const TWILIO_URL = 'https://api.twilio.com'

export const readTwilio = (entry: v.InferOutput<typeof TwilioEntry>, { live, sandbox, secretOf }: Surroundings) => ({
  settings: { driver: 'twilio', accountSid: entry.account_sid, from: entry.from } satisfies TwilioSettings,
  url: entry.url ?? (live ? TWILIO_URL : `${sandbox}/${entry.name}`),
  key: secretOf(entry.key, 'key', longSecret),
  callbackSecret: null,
})

/** The identity provider of an organization, at which its members sign in by OpenID Connect. */
import * as v from 'valibot'
import { model, describe, line, opaque, timestamp, uuid } from '../text.ts'
import { Domain } from './domains.ts'

export const DOMAINS_MAX = 20
const URL_MAX = 512
const CLIENT_ID_MAX = 255
const SECRET_MAX = 1024

const url = v.pipe(v.string(), v.url())

/** Domain of an organization, with the record that proves it. */
export const ProviderDomain = model('IdentityProviderDomain', {
  domain: describe(v.string(), 'Domain of mail addresses, as name servers know it.'),
  record_name: describe(v.string(), 'Name of the TXT record that proves the domain.'),
  record_value: describe(v.string(), 'Text of that record.'),
  proved_at: describe(v.nullable(timestamp), 'Instant when the record was seen; null until then.'),
})
export type ProviderDomain = v.InferOutput<typeof ProviderDomain>

export const IdentityProvider = model('IdentityProvider', {
  id: uuid,
  organization_id: uuid,
  issuer: describe(url, 'Address that the provider is known by.'),
  client_id: describe(v.string(), 'Id of this service at the provider.'),
  required: describe(v.boolean(), 'True if members with an address of a proved domain sign in there alone.'),
  redirect_uri: describe(url, 'Address that the provider sends people back to.'),
  logout_uri: describe(url, 'Address at which the provider ends sessions (back-channel logout).'),
  domains: describe(v.array(ProviderDomain), 'Domains, the oldest first.'),
  inserted_at: timestamp,
})
export type IdentityProvider = v.InferOutput<typeof IdentityProvider>

const SECRET = 'Secret of this service at the provider; no answer has it.'
const secret = opaque(1, SECRET_MAX)

export const NewIdentityProvider = model('NewIdentityProvider', {
  issuer: describe(
    v.pipe(
      line(1, URL_MAX),
      v.metadata({ jsonSchema: { type: 'string', format: 'uri', minLength: 1, maxLength: URL_MAX } }),
    ),
    'Address that the provider is known by; its description is read below it.',
  ),
  client_id: describe(line(1, CLIENT_ID_MAX), 'Id of this service at the provider.'),
  client_secret: describe(secret, SECRET),
})
export type NewIdentityProvider = v.InferOutput<typeof NewIdentityProvider>

export const IdentityProviderChanges = model('IdentityProviderChanges', {
  required: describe(
    v.optional(v.boolean()),
    'True if members with an address of a proved domain sign in there alone.',
  ),
  client_secret: describe(v.optional(secret), SECRET),
})
export type IdentityProviderChanges = v.InferOutput<typeof IdentityProviderChanges>

export const NewProviderDomain = model('NewIdentityProviderDomain', {
  domain: describe(Domain, 'Domain of mail addresses, in any script.'),
})
export const DomainParams = v.object({ domain: Domain })

/** Tells if the address may be that of a provider: https, without a query; in test http too. */
export function isIssuer(given: string, live: boolean): boolean {
  if (!URL.canParse(given) || /[?#]/.test(given)) return false
  const { protocol, username, password } = new URL(given)
  return (protocol === 'https:' || (!live && protocol === 'http:')) && username === '' && password === ''
}

/** Errors of SCIM (RFC 7644, section 3.12). */
import { REFUSALS, type Refusal, refuse } from '../errors.ts'

export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness'

const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** Refuses a request of SCIM with its type of error, and a sentence for the provider's log. */
export const refuseScim = (scimType: ScimType, detail: string): never =>
  refuse(scimType === 'uniqueness' ? 'invalid_state' : 'invalid_request', { scim_type: scimType, detail })

/** Puts a refusal into the form of RFC 7644, section 3.12. */
export function scimErrorOf({ type, message, details }: Refusal): object {
  const scimType = details?.['scim_type'] ?? (type === 'malformed_request' ? 'invalidSyntax' : undefined)
  const detail = typeof details?.['detail'] === 'string' ? details['detail'] : message
  return {
    schemas: [ERROR_SCHEMA],
    status: String(REFUSALS[type][0]),
    ...(scimType !== undefined && { scimType }),
    detail,
  }
}

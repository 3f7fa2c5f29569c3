/** Notes of answered requests, for the log of their organization. */
import { type ApiKeyId, type DelegateId, type ScimTokenId, type UserId, newId } from '../../domain/ids.ts'
import { USER_AGENT_KEPT } from '../../domain/requests/request.ts'
import { noteRequest } from '../../services/requests/buffer.ts'
import { now } from '../../platform/clock.ts'
import type { Http } from '../http/http.ts'
import { API_ROOT } from '../http/route.ts'

/** Operations whose answers are not logged: who follows the log would read of nothing else. */
const READERS: ReadonlySet<string> = new Set(['listRequests', 'getRequest'])

/**
 * Notes a request for the log of its organization: that of its API key or delegate, or the one that a person asked
 * about, if they are a member. Any other is in no log, so that nobody writes into that of others. Our own pages make
 * several requests for each that a person sees: of theirs only what is refused tells a developer something.
 */
export function noteAnswer(http: Http, milliseconds: number): void {
  const [organization, operation] = [http.get('organization'), http.get('operation')]
  const { status } = http.res
  if (!organization || !operation) return
  if (status < 400 && (http.env.onPage === true || READERS.has(operation.operationId))) return
  const { user_id: user, api_key_id: key, delegate_id: delegate, scim_token_id: token } = http.get('caller') ?? {}
  noteRequest({
    id: newId(),
    organization_id: organization,
    request_id: http.get('requestId'),
    operation: operation.operationId,
    method: operation.method.toUpperCase(),
    path: (operation.root ? '' : API_ROOT) + operation.path,
    status,
    error_type: http.get('refused') ?? null,
    milliseconds: Math.round(milliseconds),
    // the edge wrote them from the credential
    user_id: (user as UserId | undefined) ?? null,
    api_key_id: (key as ApiKeyId | undefined) ?? null,
    delegate_id: (delegate as DelegateId | undefined) ?? null,
    scim_token_id: (token as ScimTokenId | undefined) ?? null,
    user_agent: programOf(http),
    inserted_at: new Date(now().getTime() - milliseconds).toISOString(),
  })
}

const programOf = (http: Http): string | null =>
  (http.req.header('user-agent') ?? '').slice(0, USER_AGENT_KEPT).replaceAll(/[^\x20-\x7e]/g, '') || null

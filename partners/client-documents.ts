/** Descriptions of OAuth clients, read at the address that is their id. */
import * as v from 'valibot'
import { NAMES, type Names } from '../platform/network/resolution.ts'
import { refuse } from '../domain/errors.ts'
import {
  type AskedClient,
  COMMAND_LINE,
  COMMAND_LINE_REDIRECT,
  ClientDocument,
  type OAuthClient,
  isRegistered,
  nameIn,
  needsNoSecret,
} from '../domain/people/authorization.ts'
import { call } from './guarded.ts'

const DOCUMENT_BYTES_MAX = 16 * 1024
const TIMEOUT_MS = 5000
const HEADERS = { accept: 'application/json', 'user-agent': 'business-finance-service-clients/1' }

/**
 * Reads who a client is, and checks that it returns to an address of its own. Refuses `client_not_usable`, with the
 * reason in the details.
 */
export async function readClient(asked: AskedClient, names: Names = NAMES): Promise<OAuthClient> {
  const { client_id: clientId, redirect_uri: redirectUri } = asked
  if (clientId === COMMAND_LINE.client_id) {
    if (!isRegistered(redirectUri, [COMMAND_LINE_REDIRECT])) refuseClient('redirect_not_registered')
    return { ...COMMAND_LINE, redirect_uri: redirectUri }
  }
  if (!isClientUrl(clientId, names.live)) return refuseClient('client_unknown')
  const document = await readDocument(clientId, names)
  if (!needsNoSecret(document)) refuseClient('needs_none')
  if (!isRegistered(redirectUri, document.redirect_uris)) refuseClient('redirect_not_registered')
  const { host } = new URL(clientId)
  return { client_id: clientId, name: nameIn(document) ?? host, host, kind: 'agent', redirect_uri: redirectUri }
}

async function readDocument(clientId: string, names: Names): Promise<ClientDocument> {
  const answer = await call(clientId, { method: 'GET', headers: HEADERS }, names, { timeoutMs: TIMEOUT_MS })
  if (answer.kind === 'failed' || answer.status !== 200) return refuseClient('client_unreadable')
  if (answer.body.length > DOCUMENT_BYTES_MAX) return refuseClient('client_description')
  const document = v.safeParse(ClientDocument, parseDocument(answer.body))
  if (!document.success || document.output.client_id !== clientId) return refuseClient('client_description')
  return document.output
}

function parseDocument(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return null
  }
}

const refuseClient = (reason: string): never => refuse('client_not_usable', { reason })

/** Tells if an id is the address of a document: https with a path, written as it is connected to. */
function isClientUrl(given: string, live: boolean): boolean {
  if (!URL.canParse(given)) return false
  const url = new URL(given)
  const isSecure = url.protocol === 'https:' || (!live && url.protocol === 'http:')
  return isSecure && url.href === given && url.pathname !== '/' && !given.includes('#') && url.username === ''
}

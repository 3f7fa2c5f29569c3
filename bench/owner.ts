/** The owner's connection of the bench's own database: sets up what is measured. */
import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { newToken, tokenHash } from '../platform/encryption.ts'
import type { DeviceId, OrganizationId, SessionId, UserId } from '../domain/ids.ts'

const url = process.env['MIGRATION_DATABASE_URL']
if (!url) throw new Error('bench/index.ts sets MIGRATION_DATABASE_URL')

export const owner = postgres(url, { max: 2, onnotice: () => {} })

/** A person with a session on a device. */
export type SignedIn = {
  readonly userId: UserId
  readonly email: string
  readonly deviceId: DeviceId
  readonly sessionId: SessionId
  readonly token: string
}

/** Inserts a person who is signed in. */
export async function insertPerson(passwordHash = ''): Promise<SignedIn> {
  const token = `ses_${newToken()}`
  const deviceId = randomUUID() as DeviceId // ids of the rows that are inserted below
  const sessionId = randomUUID() as SessionId
  const userId = randomUUID() as UserId
  const email = `${userId}@example.com`
  await owner.begin(async (tx) => {
    await tx`insert into people (id, email, password_hash) values (${userId}, ${email}, ${passwordHash})`
    await tx`insert into devices (id, user_id) values (${deviceId}, ${userId})`
    await tx`
      insert into sessions (id, token_hash, user_id, device_id)
      values (${sessionId}, ${tokenHash(token)}, ${userId}, ${deviceId})`
  })
  return { userId, email, deviceId, sessionId, token }
}

/** An organization, and its owner who is signed in. */
export type Owned = SignedIn & { readonly organizationId: OrganizationId }

/** Inserts an organization with its owner, and with a service ID if one is given. */
export async function insertOwned(name: string, svcId: string | null = null): Promise<Owned> {
  const person = await insertPerson()
  const { userId } = person
  const organizationId = randomUUID() as OrganizationId // of the row that is inserted below
  await owner.begin(async (tx) => {
    await tx`
      insert into organizations (id, name, svc_id, created_by) values (${organizationId}, ${name}, ${svcId}, ${userId})`
    await tx`insert into members (organization_id, user_id, role) values (${organizationId}, ${userId}, 'owner')`
  })
  return { ...person, organizationId }
}

/** A request of JSON; throws unless it is answered well. */
export type Call = (method: string, path: string, body?: object) => Promise<any>

/** What calls the API for the person whom a token signs in. */
export const callerOf =
  (apiUrl: string, token: string): Call =>
  async (method, path, body) => {
    const response = await fetch(`${apiUrl}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer: unknown = await response.json()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`)
    return answer
  }

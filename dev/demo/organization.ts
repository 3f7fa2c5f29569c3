/** Seed of the demo: two organizations, people with authenticators, money, a contact, requests. Made once. */
import { randomUUID } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import { generateSecret } from 'otplib'
import postgres from 'postgres'
import { fingerprintsOf } from '../../services/contacts/destination-encryption.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import { createPerson } from '../../services/people/people.ts'
import { seedHistory } from './history.ts'
import { type Requests, seedRequests } from './requests.ts'
import { decrypt, encrypt } from '../../platform/encryption.ts'

const ORGANIZATION_LIMIT = 1000
/** Organizations that the history pays, by their handles. */
const PAYEES = { studio: 'Nordlicht Studio', kontor: 'Kontor am Hafen' }
const PASSWORD = 'demo pass phrase 2026'

export type DemoPerson = { email: string; password: string; totp_secret: string }
export type Demo = {
  organization_id: string
  owner: DemoPerson
  admin: DemoPerson
  member: DemoPerson
  payment_contact_id: string
}

type Seed = { sql: postgres.Sql; apiUrl: string }

/** Makes the demo if it is missing, or completes it; answers it, and what waits for approval. */
export async function seedDemo(apiUrl: string, ownerDatabaseUrl: string): Promise<{ demo: Demo } & Requests> {
  const sql = postgres(ownerDatabaseUrl, { max: 1, onnotice: () => {} })
  try {
    const seed = { sql, apiUrl }
    const [boss, admin, member, payeeBoss] = [
      await person(seed, 'owner@demo.example', 'Olivia', 'Owner'),
      await person(seed, 'admin@demo.example', 'Adam', 'Admin'),
      await person(seed, 'member@demo.example', 'Mia', 'Member'),
      await person(seed, 'owner@payee.example', 'Paul', 'Payee'),
    ]
    const organizationId = await organization(seed, 'Demo Organization', 'demo', boss.id)
    await membership(seed, organizationId, boss.id, 'owner')
    await membership(seed, organizationId, admin.id, 'admin')
    await membership(seed, organizationId, member.id, 'member')
    const payeeId = await organization(seed, 'Demo Payee', 'demo-payee', payeeBoss.id)
    await membership(seed, payeeId, payeeBoss.id, 'owner')
    await deposit(seed, organizationId, '100000.00', 'USD')
    await deposit(seed, organizationId, '50000.00', 'EUR')
    const demo = {
      organization_id: organizationId,
      owner: boss.credentials,
      admin: admin.credentials,
      member: member.credentials,
      payment_contact_id: await contact(seed, organizationId, payeeId, boss.id),
    }
    for (const [handle, name] of Object.entries(PAYEES)) {
      await membership(seed, await organization(seed, name, handle, payeeBoss.id), payeeBoss.id, 'owner')
    }
    const faults = await seedHistory(apiUrl, sql, demo, PAYEES)
    const requests = await seedRequests(apiUrl, sql, demo)
    return { demo, ...requests, faults: [...faults, ...requests.faults] }
  } finally {
    await sql.end()
  }
}

async function person({ sql }: Seed, email: string, firstName: string, lastName: string) {
  const [known] = await sql<{ id: string; secret: Buffer }[]>`
    select p.id, a.secret from people p join authenticators a on a.user_id = p.id where p.email = ${email}`
  const secret = known ? decrypt(known.secret).toString() : generateSecret()
  const add = async (tx: postgres.TransactionSql) => {
    const passwordHash = await hash(PASSWORD)
    const id = await createPerson(tx, {
      email,
      password_hash: passwordHash,
      first_name: firstName,
      last_name: lastName,
      organization_limit: ORGANIZATION_LIMIT,
    })
    if (!id) throw new Error(`${email} of the demo has no authenticator`)
    await tx`insert into authenticators (user_id, secret) values (${id}, ${encrypt(Buffer.from(secret))})`
    return id
  }
  const id: string = known?.id ?? (await sql.begin(add))
  return { id, credentials: { email, password: PASSWORD, totp_secret: secret } }
}

async function organization({ sql }: Seed, name: string, handle: string, createdBy: string): Promise<string> {
  await sql`insert into organizations (id, name, svc_id, created_by)
    values (${randomUUID()}, ${name}, ${handle}, ${createdBy}) on conflict (svc_id) do nothing`
  const [row] = await sql<{ id: string }[]>`select id from organizations where svc_id = ${handle}`
  if (!row) throw new Error(`the demo organization ${handle} is missing`)
  return row.id
}

async function membership({ sql }: Seed, organizationId: string, userId: string, role: string): Promise<void> {
  await sql`insert into members (organization_id, user_id, role) values (${organizationId}, ${userId}, ${role})
    on conflict do nothing`
}

/** Deposits through the sandbox, so that the books are right; the key makes it once. */
async function deposit({ apiUrl }: Seed, organizationId: string, amount: string, currency: string): Promise<void> {
  const sandboxToken = process.env['SANDBOX_TOKEN']
  const response = await fetch(`${apiUrl}/api/v1/sandbox/deposits`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': `demo-${organizationId}-${currency}`,
      ...(sandboxToken && { 'x-sandbox-token': sandboxToken }),
    },
    body: JSON.stringify({ organization_id: organizationId, rail: 'fiat', amount: { amount, currency } }),
  })
  if (!response.ok) throw new Error(`the demo deposit was refused: ${response.status} ${await response.text()}`)
}

async function contact({ sql }: Seed, organizationId: string, payeeId: string, createdBy: string): Promise<string> {
  const [known] = await sql<{ id: string }[]>`
    select payment_contact_id as id from payment_destinations
    where organization_id = ${organizationId} and payee_organization_id = ${payeeId} order by inserted_at limit 1`
  if (known) return known.id
  const id = randomUUID()
  const [fingerprint] = fingerprintsOf(organizationId as OrganizationId, {
    type: 'svc_id',
    coordinates: null,
    payee_organization_id: payeeId as OrganizationId,
  })
  await sql.begin(async (tx) => {
    await tx`insert into payment_contacts (id, organization_id, name, type, tag, created_by)
      values (${id}, ${organizationId}, 'Demo Payee', 'business', 'vendor', ${createdBy})`
    await tx`insert into payment_destinations (organization_id, payment_contact_id, type, svc_id, payee_organization_id,
        is_default, currency, fingerprint, created_by)
      values (${organizationId}, ${id}, 'svc_id', 'demo-payee', ${payeeId}, true, 'USD',
        decode(${fingerprint}, 'hex'), ${createdBy})`
  })
  return id
}

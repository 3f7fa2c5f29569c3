import { sealHashWithAllKeys, sealHash } from '../../services/idempotency.ts'
import { sql } from '../../db/postgres/sql.ts'

export type MessageStandIn = 'mail' | 'messenger'

/** Delivers a message once; false if the id was used with another body. */
export async function deliverOnce(partner: MessageStandIn, id: string, bodyHash: string): Promise<boolean> {
  await sql`
    insert into sandbox_messages (partner, id, body_hash) values (${partner}, ${id}, ${sealHash(bodyHash)})
    on conflict (partner, id) do nothing`
  const same = await sql`
    select from sandbox_messages
    where partner = ${partner} and id = ${id} and body_hash = any (${sealHashWithAllKeys(bodyHash)})`
  return same.length > 0
}

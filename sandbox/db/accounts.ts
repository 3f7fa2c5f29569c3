import type { ConnectionName } from '../../domain/partner.ts'
import { first, sql } from '../../db/postgres/sql.ts'

export type SandboxAccount = {
  readonly id: string
  readonly account: string
  readonly details: Readonly<Record<string, string>>
}

/** Opens an account, once; undefined if the id or the account was used with another body. */
export async function openAccount(
  partner: ConnectionName,
  bodyHash: string,
  { id, account, details }: SandboxAccount,
): Promise<SandboxAccount | undefined> {
  await sql`
    insert into sandbox_accounts (partner, id, body_hash, account, details)
    values (${partner}, ${id}, ${bodyHash}, ${account}, ${sql.json(details)}) on conflict do nothing`
  return first(sql<SandboxAccount[]>`
    select id, account, details from sandbox_accounts
    where partner = ${partner} and id = ${id} and body_hash = ${bodyHash}`)
}

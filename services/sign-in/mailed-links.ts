/** Links of mails with a token: the address that each was sent to, for a page that names it before it acts. */
import { refuse } from '../../domain/errors.ts'
import type { AskedLink, MailedLink } from '../../domain/sign-in/mailed-link.ts'
import { tokenHash } from '../../platform/encryption.ts'
import { findInvited } from '../invitations/answers.ts'
import type { Fragment, Transaction } from '../../db/postgres/sql.ts'

/** Finds the address of a link that is still good. Refuses `token_invalid`, and `invitation_expired`. */
export async function findMailedLink(tx: Transaction, { page, token }: AskedLink): Promise<MailedLink> {
  if (page === 'invitation') {
    const { email, name } = await findInvited(tx, token)
    return { email, organization_name: name }
  }
  const [found] = await tx<{ email: string }[]>`${selectAddress(tx, page, tokenHash(token))}`
  if (!found) refuse('token_invalid')
  return { email: found.email, organization_name: null }
}

type OfPerson = Exclude<AskedLink['page'], 'invitation'>

function selectAddress(tx: Transaction, page: OfPerson, hash: Buffer): Fragment {
  switch (page) {
    case 'confirm-email':
      return tx`select email from sign_ups
        where token_hash = ${hash} and used_at is null and expires_at > business_now()`
    case 'reset-password':
      return tx`select p.email from password_resets r join people p on p.id = r.user_id
        where r.token_hash = ${hash} and r.used_at is null and r.expires_at > business_now()`
    case 'keep-factors':
      return tx`select p.email from factor_resets r join people p on p.id = r.user_id
        where r.token_hash = ${hash} and r.ended_at is null and r.expires_at > business_now()`
  }
}

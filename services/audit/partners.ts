/** Health of partners: when each was last heard, and what waits for it. */
import { sql } from '../../db/postgres/sql.ts'
import { MONEY_PARTNERS } from '../../domain/partner.ts'

export type PartnerHealth = {
  readonly partner: string
  /** When that of its lists which was read longest ago was read to its end. */
  readonly read_at: string | null
  /** Seconds since then. */
  readonly unread_seconds: number | null
  readonly called_at: string | null
  readonly unhandled_callbacks: number
}

/** Reads when the lists of each partner were read, its last callback, and what waits: of all that were heard. */
export const partnersHealth = (): Promise<PartnerHealth[]> => sql<PartnerHealth[]>`
  select p.partner, p.read_at, extract(epoch from business_now() - p.read_at)::float8 as unread_seconds, p.called_at,
    (select count(*)::int from partner_callbacks c where c.partner = p.partner and c.handled_at is null)
      as unhandled_callbacks
  from (
    select n.partner, (select min(l.read_at) from partner_lists l where l.partner = n.partner) as read_at,
      (select max(c.received_at) from partner_callbacks c where c.partner = n.partner) as called_at
    from (select partner from partner_lists union select unnest(${[...MONEY_PARTNERS]}::text[])) n (partner)
  ) p
  where p.read_at is not null or p.called_at is not null order by p.partner`

/** Health of partners: when each was last heard, and what waits for it. */
import { sql } from '../../db/postgres/sql.ts'

export type PartnerHealth = {
  readonly partner: string
  /** When that of its lists which was read longest ago was read to its end. */
  readonly read_at: string | null
  /** Seconds since then. */
  readonly unread_seconds: number | null
  readonly called_at: string | null
  readonly unhandled_callbacks: number
}

/** Reads when the lists of each partner were read, its last callback, and what waits. */
export const partnersHealth = (): Promise<PartnerHealth[]> => sql<PartnerHealth[]>`
  select l.partner, l.read_at, extract(epoch from business_now() - l.read_at)::float8 as unread_seconds,
    (select max(c.received_at) from partner_callbacks c where c.partner = l.partner) as called_at,
    (select count(*)::int from partner_callbacks c where c.partner = l.partner and c.handled_at is null)
      as unhandled_callbacks
  from (select partner, min(read_at) as read_at from partner_lists group by partner) l order by l.partner`

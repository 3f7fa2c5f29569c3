/** Webhook endpoints of all organizations that take nothing, for operators. */
import { FAILURES_UNTIL_CAUTIOUS } from '../../domain/webhooks/delivery.ts'
import { first, sql } from '../../db/postgres/sql.ts'

type FailingWebhook = {
  readonly id: string
  readonly organization_id: string
  /** The rest of the address may hold a secret. */
  readonly host: string
  readonly status: 'active' | 'disabled'
  readonly failures: number
  readonly since: string
}

/** Lists failing endpoints, and those that were disabled for it, oldest failure first. */
export const listFailingWebhooks = (most: number): Promise<FailingWebhook[]> =>
  sql<FailingWebhook[]>`select * from failing_webhooks(${FAILURES_UNTIL_CAUTIOUS}, ${most})`

export const countFailingWebhooks = async (): Promise<number> =>
  (await first(sql<{ count: number }[]>`select count_failing_webhooks(${FAILURES_UNTIL_CAUTIOUS})::int as count`))
    ?.count ?? 0

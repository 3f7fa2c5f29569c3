/** Rules of alerts that one look can judge. */

/**
 * Alerts that one look can judge, by the limits of ops/alerts.yml, which a rule compares. The others need what
 * Prometheus keeps: rates, and how long something lasts.
 */
export const RULES = {
  ChangesUnseen: { metric: 'processes_oldest_unseen_seconds', above: 60, command: 'processes list' },
  BooksStopped: { metric: 'organizations_with_books_stopped', above: 0, command: 'books findings' },
  AuditFindings: { metric: 'audit_findings_open', above: 0, command: 'books findings' },
  MoneyUnmatched: { metric: 'unmatched_deposits', above: 0, command: 'deposits unmatched' },
  PositionOpen: { metric: 'fx_position_usd', above: 500_000, command: 'processes list cover' },
  PartnerAway: { metric: 'partner_lists_unread_seconds', above: 7200, command: 'partners list' },
  MessagesFail: { metric: 'messages_failed', above: 0, command: 'messages failed' },
  WorkerBlocked: { metric: 'worker_event_loop_delay_seconds', above: 2, command: 'processes list' },
  QueueBacklog: { metric: 'task_queue_backlog_seconds', above: 300, command: 'processes list' },
  DiskFull: { metric: 'storage_free_ratio', below: 0.1, command: 'partners list' },
} as const
export type Alert = keyof typeof RULES

export type Rule = {
  readonly metric: string
  readonly above?: number
  readonly below?: number
  readonly command: string
}

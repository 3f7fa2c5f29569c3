/** The states of an organization: only an operator moves it. Deleted is for good; what a ban stopped stays stopped. */
import { flow } from '../flow.ts'

export const organizationFlow = flow({
  noun: 'organization',
  table: 'organizations',
  states: ['active', 'paused', 'banned', 'deleted'],
  events: {
    pause: { from: ['active'], to: 'paused', logs: 'paused' },
    resume: { from: ['paused'], to: 'active', logs: 'resumed' },
    ban: { from: ['active', 'paused'], to: 'banned', logs: 'banned' },
    unban: { from: ['banned'], to: 'active', logs: 'unbanned' },
    delete: { from: ['active', 'paused', 'banned'], to: 'deleted', logs: 'deleted' },
  },
})

/** Banned or deleted: to everybody, its members too, as if it were not there. */
export const isGone = (status: string): boolean => status === 'banned' || status === 'deleted'

/** States of an organization. Only an operator moves it; what a ban stopped stays stopped. */
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

/** Tells whether it is hidden from all people, members too: banned or deleted. */
export const isGone = (status: string): boolean => status === 'banned' || status === 'deleted'

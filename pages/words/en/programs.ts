/** Words of programs in English: keys, webhooks, delegates. */
export const programs = {
  notYours: 'Nothing here for you',
  notYoursText: 'Owners and admins of the company see its keys and webhooks.',
  parts: {
    keys: { name: 'API keys', text: 'Programs of your company read balances and payments by them.' },
    webhooks: { name: 'Webhooks', text: 'Events of your company, sent to an address of yours.' },
    delegates: { name: 'Delegates', text: 'Programs and agents that act for members, and never decide.' },
  },
}

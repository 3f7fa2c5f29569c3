/** Words of the frame of pages, of lists and of first pages in English. */
export const frame = {
  skip: 'Skip to content',
  places: {
    home: 'Home',
    approvals: 'Approvals',
    payments: 'Payments',
    bills: 'Bills',
    batches: 'Batches',
    invoices: 'Invoices',
    payees: 'Payees',
    company: 'Company',
    more: 'More',
  },
  frame: {
    places: 'Places',
    company: 'Change company',
    person: 'Your account',
    account: 'Sign-in and devices',
    history: 'What you decided',
    signOut: 'Sign out',
    waiting: (count: number) => `${count} for you to decide`,
    language: 'Deutsch',
    otherLanguage: 'de',
  },
  fault: { heading: 'This did not work', request: 'Request', home: 'To the start page' },
  again: {
    heading: 'You are signed out',
    text: 'Nothing that you entered is lost, and nothing was done yet. Sign in beside this page, then send it again.',
    signIn: 'Sign in in a new tab',
    send: 'Send again',
  },
  notFound: {
    heading: 'Not found',
    text: 'There is no such page, or it is not yours to see.',
  },
  start: {
    heading: 'Pay, get paid, approve',
    text: 'Balances, payments, bills and invoices of companies. People approve every payment.',
    doors: {
      approve: { name: 'Sign in', text: 'See what waits for you, pay, and approve.' },
      signUp: { name: 'Create an account', text: 'For a person who begins with a company, or was invited.' },
      reference: { name: 'For developers', text: 'Each operation of the API, with examples.' },
      operate: { name: 'For operators', text: 'What this service does now, and what needs a person.' },
    },
  },
  list: {
    next: 'Older',
    search: 'Search',
    find: 'Find',
    none: 'Nothing fits this search.',
  },
}

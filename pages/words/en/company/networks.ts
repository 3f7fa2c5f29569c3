/** Words of the networks from which a company is reached, in English. */
export const networks = {
  heading: 'Networks',
  card: 'Networks',
  cardText: 'From where the company is reached.',
  text: 'Credentials of the company work from these networks alone. What works from everywhere: incoming mails, pages of invoices, and calls of banks.',
  yours: (address: string) => `You come from ${address} now.`,
  none: 'The company is reached from everywhere.',
  list: 'Networks and addresses, one in each line',
  listHint: 'Such as 203.0.113.0/24, 2001:db8:12::/48 or one address. At most 100.',
  appliesTo: 'They are for',
  kinds: {
    sessions: 'people who are signed in',
    api_keys: 'API keys',
    delegates: 'programs and agents of members',
  },
  save: 'Set the networks',
  remove: 'Remove the networks',
  removeText: 'The company is reached from everywhere then.',
  removeNow: 'Remove them',
  outside: 'You are outside of the networks of this company',
  outsideText:
    'If nobody is inside any more, two owners can lift the networks from here, each with a proof of identity: the second within 48 hours after the first. An only owner does it again after 24 hours. All owners are mailed.',
  lift: 'Ask to lift the networks, or confirm it',
  lifting: 'An owner asks to lift the networks. Another owner can confirm it until',
  cancel: 'Cancel that request',
  done: {
    saved: 'The networks are set, from now on.',
    removed: 'The networks are removed.',
    requested: 'The request is open: another owner has to confirm it.',
    lifted: 'The networks are lifted.',
    cancelled: 'The request is cancelled.',
  },
}

export const A_TIME = 'a time with its offset from UTC such as 2026-03-01T09:30:00Z'
const LINE_ENDS: ReadonlySet<string> = new Set(['U+000A', 'U+000D'])

/** Sentences by message code; the schema puts the code, and a number after a colon. */
export const SENTENCES: Readonly<Record<string, (number: string) => string>> = {
  not_positive: () => 'must be more than zero',
  immutable: () => 'cannot be changed',
  email: () => 'must be an email address',
  too_long: (characters) => `must have at most ${characters} characters`,
  blank: () => 'must not be blank',
  nul: () => 'must not contain NUL',
  control: (place) => {
    const [sign, at] = place.split(' ')
    if (sign === undefined || at === undefined) return 'must not contain control characters'
    if (LINE_ENDS.has(sign)) return `must be on one line: character ${at} is ${sign}`
    return `must not contain signs that control, order or hide others: character ${at} is ${sign}`
  },
  untransliterable: (sign) => `must be in letters that banks take, Latin ones for example: ${sign} cannot be replaced`,
  too_long_transliterated: (characters) => `must have at most ${characters} characters in the letters that banks take`,
  unknown_country: () => 'must be a country of ISO 3166-1 such as DE, in capital letters',
  no_letter: () => 'must have a letter or a digit',
  object: () => 'must be an object',
  string: () => 'must be text',
  too_many_keys: (keys) => `must have at most ${keys} keys`,
  metadata_key: (characters) =>
    `must have keys of 1 to ${characters} characters on one line, and none of constructor and prototype`,
  beside_preset: () => 'must not be given beside preset',
  duplicate: () => 'is the same as one before it',
  names_nobody: () => 'must name a role or a person',
  taken_by_full: () => 'takes the discounts and charges of the invoice: leave them out',
  lines_or_full: () => 'must be given, unless full is true, and not beside it',
  either_amount: () => 'must be given, or percentage: one of the two',
  without_amount: () => 'is not for this action, which comes without an amount',
  beside_period: () => 'must be given beside period',
  beside_per: () => 'must be given beside per',
  only_with_period: () => 'is only for a rule with a period',
  not_money_out: () => 'is not for this action, by which no money leaves the organization',
  with_period: () => 'is not for a rule with a period',
  no_condition: () => 'must have a condition',
  limit_without_amount: () => 'must be given for a rule with a period',
  hard_with_steps: () => 'must be empty for a hard limit, which refuses',
  min_length: (items) => `must have at least ${items} item`,
  unknown_currency: () => 'is not a currency that exists',
  unknown_time_zone: () => 'must be the name of a time zone such as Europe/Berlin, or UTC',
  unknown_event_type: () => 'must be of the types at /meta/event-types',
  before_from: () => 'must not be before from',
  format: () => 'must be given for this type',
  sample: () => 'must be given for an audit pack, and for nothing else',
  not_after_from: () => 'must be after from',
  too_far: (days) => `must be at most ${days} days after from`,
  day_or_time: () => `must be a day such as 2026-03-01, or ${A_TIME}`,
  no_such_time: () => 'must be a time that exists, on a day that the calendar has',
}

/** Splits a message into its code and sentence; the sentence is undefined if it is no code. */
export function sentenceFor(message: string): [code: string, sentence: string | undefined] {
  const [code = '', number = ''] = message.split(':')
  return [code, SENTENCES[code]?.(number)]
}

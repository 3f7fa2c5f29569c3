/** Content of a mail as data: both of its parts, text and HTML, are rendered from it and say the same. */
import { onOneLine, quoteInMail, withoutSchemes } from '../text.ts'

/**
 * Content of a mail. Foreign words in it are quoted or unlinked by its author (`quoteInMail`, `unlink`). It is stored
 * with a queued message, so a later form has to read an earlier one: members are only added, and optional.
 */
export type MailContent = {
  /** The subject, which is also the headline. */
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** The amount, the payee, the organization, the deadline: each with its label. */
  readonly facts?: readonly Fact[]
  /** A code that a paragraph names. */
  readonly code?: string
  readonly action?: Action
  /** Why the mail came and from which organization, and what to do if it is unexpected. */
  readonly footer: readonly string[]
  /** BCP 47; absent: English. */
  readonly language?: string
}

export type Fact = readonly [label: string, value: string]

/** A link, shown as a button and in full. */
export type Action = { readonly label: string; readonly url: string }

/** Most characters of a paragraph or a fact, so that mail programs show a mail whole. */
const PIECE_LENGTH_MAX = 2000

/** First half of a sign of two code units, whose second is cut off. */
const LONE_SURROGATE = /[\ud800-\udbff]$/

/** Puts a piece of a mail on one line, without hidden signs and schemes. A longer one ends with an ellipsis. */
export function clean(piece: string): string {
  const words = onOneLine(withoutSchemes(piece))
  return words.length > PIECE_LENGTH_MAX ? `${words.slice(0, PIECE_LENGTH_MAX).replace(LONE_SURROGATE, '')}…` : words
}

/** Names a person: the quoted name with the address, or the address alone. */
export const namePerson = ({ name, email }: { readonly name: string | null; readonly email: string }): string =>
  name === null ? email : `${quoteInMail(name)} (${email})`

/** Renders the text part. */
export function renderText(mail: MailContent): string {
  const { paragraphs, facts = [], action, footer, language } = mail
  const colon = language === 'fr' ? '\u00a0: ' : ': '
  const parts = [
    ...paragraphs.map(clean),
    facts.map(([label, value]) => `${clean(label)}${colon}${clean(value)}`).join('\n'),
    action ? `${clean(action.label)}${colon.trimEnd()}\n${action.url}` : '',
    `-- \n${footer.map(clean).join('\n')}`,
  ]
  return parts.filter(Boolean).join('\n\n')
}

/** Renders a message to a phone: what the mail says, in one paragraph without its footer. */
export function renderShort({ paragraphs, facts = [], action }: MailContent): string {
  const sentences = facts.map(([label, value]) => `${clean(label)}: ${clean(value)}.`)
  return [...paragraphs.map(clean), ...sentences, ...(action ? [`${clean(action.label)}: ${action.url}`] : [])].join(
    ' ',
  )
}

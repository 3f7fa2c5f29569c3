/** Mails to approvers about requests that wait: one by itself, or a digest. */
import { sumsOf } from '../../domain/approvals/approval.ts'
import { STOPS, STOP_NAMES } from '../../domain/approvals/warning.ts'
import type { ApprovalId } from '../../domain/ids.ts'
import { minuteOf } from '../../domain/instants.ts'
import { aboutOrganization } from '../../domain/messages/footers.ts'
import { type Fact, type MailContent, namePerson } from '../../domain/messages/mail.ts'
import { type Money, groupThousands } from '../../domain/money/money.ts'
import { quoteInMail, unlink } from '../../domain/text.ts'
import { linkApproval, linkInbox } from '../../platform/mail-links.ts'

/** Request as a mail names it. */
export type NoticedRequest = {
  readonly id: ApprovalId
  readonly summary: string | null
  readonly requester: { readonly name: string | null; readonly email: string }
  readonly until: string
  /** Warnings at which one has to stop and look, the gravest first. */
  readonly stops: readonly (keyof typeof STOPS)[]
  /** True if the reader would decide it for another member. */
  readonly acting: boolean
}

type Notice = {
  readonly count: number
  /** Amounts that they take from the balance. */
  readonly money: readonly Money[]
  readonly requests: readonly NoticedRequest[]
}

/** Writes the mail about these requests. */
export function noticeOf(organization: string, notice: Notice): MailContent {
  const [first] = notice.requests
  if (!first) throw new Error('a mail about no request')
  return notice.count === 1 ? noticeOfOne(organization, first) : digestOf(organization, notice)
}

const ABOUT_SUBSTITUTES = 'You may decide it as the substitute of another member.'

const reasonsOf = ({ stops }: NoticedRequest): string => stops.map((name) => STOPS[name]).join(' ')

function noticeOfOne(organization: string, request: NoticedRequest): MailContent {
  const { id, requester, summary, until, stops, acting } = request
  const asked = `${namePerson(requester)} asks for your approval. More may wait for you.`
  return {
    subject: `A request of ${quoteInMail(organization)} waits for your approval`,
    paragraphs: acting ? [asked, ABOUT_SUBSTITUTES] : [asked],
    facts: [
      ...(stops.length > 0 ? [['Stop and look', reasonsOf(request)] as const] : []),
      ...(summary ? [['Request', unlink(summary)] as const] : []),
      ['Requested by', namePerson(requester)],
      ['Organization', quoteInMail(organization)],
      ['Until', minuteOf(until)],
    ],
    action: linkApproval(id, 'Review the request'),
    footer: aboutOrganization(organization),
  }
}

/** Most requests that a digest names one by one. */
const NAMED_MAX = 20

function digestOf(organization: string, { count, money, requests }: Notice): MailContent {
  const rankOf = ({ stops: [worst] }: NoticedRequest): number =>
    worst === undefined ? STOP_NAMES.length : STOP_NAMES.indexOf(worst)
  const named = requests
    .toSorted((one, other) => rankOf(one) - rankOf(other) || (one.until < other.until ? -1 : 1))
    .slice(0, NAMED_MAX)
  const warned = requests.filter(({ stops }) => stops.length > 0).length
  const sums = [...sumsOf(money).values()].map(({ amount, currency }) => `${groupThousands(amount)} ${currency}`)
  const until = requests.map((request) => request.until).toSorted()[0] ?? ''
  return {
    subject: `${count} requests of ${quoteInMail(organization)} wait for your approval`,
    paragraphs: [
      `${count} requests wait for your approval.`,
      ...(warned > 0 ? [`Stop and look at ${warned} of them: they come first, each with its reason.`] : []),
      ...(requests.some(({ acting }) => acting) ? ['You may decide some as the substitute of another member.'] : []),
    ],
    facts: [
      ...(sums.length > 0 ? [['They take from the balance', sums.join(', ')] as const] : []),
      ...named.map(nameRequest),
      ...(count > named.length ? [['Others', `${count - named.length}, on the page`] as const] : []),
      ['Organization', quoteInMail(organization)],
      ['The first expires', minuteOf(until)],
    ],
    action: linkInbox('Review the requests'),
    footer: aboutOrganization(organization),
  }
}

/** Names a request in a digest; the reasons to stop come before its sentence, which may be cut. */
function nameRequest(request: NoticedRequest): Fact {
  const { summary, requester, stops } = request
  const said = `${unlink(summary ?? 'A request.')} Requested by ${namePerson(requester)}.`
  return stops.length > 0 ? ['Stop and look', `${reasonsOf(request)} ${said}`] : ['Request', said]
}

/** Shell of a page: the viewer, the company that they look at, and how much waits for them. */
import type { AttentionSummary } from '../../domain/attention/attention.ts'
import { isUuid } from '../../domain/ids.ts'
import type { Me } from '../../domain/people/person.ts'
import type { Organization as Company } from '../../domain/organizations/organization.ts'
import { type Formats, formatsIn } from './formats.ts'
import { type Viewer, refusalIn } from './viewer.ts'

export type { Company }

export type Shell = {
  readonly name: string
  readonly companies: readonly Company[]
  /** Company of the page, or the viewer's first; null for a person without any. */
  readonly company: Company | null
  /** Number of requests for the viewer to decide, in all their companies. */
  readonly waiting: number
  /** Formats of the page: the viewer's language, the company's time zone. */
  readonly formats: Formats
}

/** Companies whose requests are counted in the frame; beyond them the inbox alone tells. */
const COUNTED_MAX = 10

/** Reads what the frame shows; null without a session. A company that the viewer does not see is not found. */
export async function shellOf(viewer: Viewer, companyId?: string): Promise<Shell | null> {
  if (!viewer.isSignedIn) return null
  if (isUuid(companyId)) viewer.readAhead(waitingAt(companyId))
  const [me, list] = await Promise.all([
    viewer.call<Me>('GET', '/me'),
    viewer.call<{ data: readonly Company[] }>('GET', '/organizations?limit=100'),
  ])
  if (me.status === 401 || list.status === 401) return null
  if (!me.ok) throw refusalIn(me.error)
  if (!list.ok) throw refusalIn(list.error)
  const companies = list.body.data
  const company = await companyOf(viewer, companies, companyId)
  const counts = await Promise.all(companies.slice(0, COUNTED_MAX).map(({ id }) => countWaiting(viewer, id)))
  return {
    name: me.body.name ?? me.body.emails.find(({ primary }) => primary)?.address ?? '',
    companies,
    company,
    waiting: counts.reduce((sum, count) => sum + count, 0),
    formats: formatsIn(viewer.language, company?.time_zone ?? 'UTC'),
  }
}

/** Finds the company of the page: the named one, also beyond the first hundred, else the one that opens first. */
async function companyOf(viewer: Viewer, companies: readonly Company[], id?: string): Promise<Company | null> {
  if (id === undefined) return companies.find(({ is_primary: first }) => first) ?? companies[0] ?? null
  const known = companies.find((one) => one.id === id)
  if (known || !isUuid(id)) return known ?? null
  const answer = await viewer.call<Company>('GET', `/organizations/${id}`)
  return answer.ok ? answer.body : null
}

const waitingAt = (id: string): string => `/organizations/${id}/attention/summary`

async function countWaiting(viewer: Viewer, id: string): Promise<number> {
  const answer = await viewer.call<AttentionSummary>('GET', waitingAt(id))
  return (answer.ok && answer.body.by_kind['review_approval']?.actionable) || 0
}

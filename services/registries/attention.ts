/** Attention items of an organization, derived by SQL: listed, counted, found. */
import { type AttentionItem, KINDS } from './attention-kinds.ts'
import {
  type AttentionFilters,
  type AttentionKind,
  type AttentionSummary,
  type Audience,
  type Count,
  type ItemId,
  LISTED_PER_KIND_MAX,
} from '../../domain/attention/attention.ts'
import type { Reviewer, Viewer } from '../../domain/approvals/requirements.ts'
import { refuse } from '../../domain/errors.ts'
import { type Page, refuseCursor } from '../../domain/pagination.ts'
import { toPage } from '../../db/postgres/pagination.ts'
import { type Fragment, type Reader, first, sql } from '../../db/postgres/sql.ts'
import { membersWithRoles } from '../membership-lock.ts'

type Kind = (typeof KINDS)[number]

type Row = {
  id: string
  kind: AttentionKind
  obligation_id: string
  raised_at: string
  due_at: string | null
  facts: unknown
}

/** Orders items that were raised at once by their ids, byte by byte. */
const idInByteOrder = (): Fragment => sql`(kind || ':' || obligation_id) collate "C"`

/**
 * Lists items newest first, up to LISTED_PER_KIND_MAX of a kind. The cursor of a done item stays valid; refuses an id
 * that never was an item of the organization.
 */
export async function listAttention(
  reader: Reader,
  filters: AttentionFilters,
  viewer: Viewer,
): Promise<Page<AttentionItem>> {
  const asking = membersWithRoles(reader)
  const [rows, members] = await Promise.all([rowsOf(reader, filters, viewer, asking), asking])
  const { cursor, limit } = filters
  if (rows.length === 0 && cursor) {
    const [known] = await reader<{ raised_at: string | null }>(
      sql`select ${selectRaisedAt(reader, cursor, viewer)} as raised_at`,
    )
    if (!known?.raised_at) refuseCursor()
  }
  const page = toPage(rows, limit)
  return { ...page, data: page.data.map((row) => toItem(reader, row, viewer, members)) }
}

/** Reads the rows of the page, and one more if there are more. */
async function rowsOf(
  reader: Reader,
  filters: AttentionFilters,
  viewer: Viewer,
  members: Promise<readonly Reviewer[]>,
): Promise<Row[]> {
  const parts = await partsOf(reader, filters, viewer, members)
  if (parts.length === 0) return []
  const { cursor, limit } = filters
  const after = cursor
    ? sql`where (raised_at, ${idInByteOrder()}) < (${selectRaisedAt(reader, cursor, viewer)}, ${textOf(cursor)})`
    : sql``
  return reader<Row>(sql`
    select *, kind || ':' || obligation_id as id from (${parts.reduce(union)}) items ${after}
    order by raised_at desc, ${idInByteOrder()} desc limit ${limit + 1}`)
}

const textOf = ({ kind, obligationId }: ItemId): string => `${kind}:${obligationId}`
const kindOf = (name: string): Kind | undefined => KINDS.find(({ kind }) => kind === name)

const selectRaisedAt = (reader: Reader, { kind, obligationId }: ItemId, viewer: Viewer): Fragment =>
  kindOf(kind)?.raisedAt(reader, obligationId, viewer) ?? sql`null::timestamptz`

const union = (all: Fragment, part: Fragment): Fragment => sql`${all} union all (${part})`

/** Selects items of a kind with their columns as facts, so that all kinds are one query. */
const asFacts = ({ kind }: Kind, items: Fragment): Fragment =>
  sql`select ${kind}::text as kind, obligation_id, raised_at, due_at, to_json(of_kind) as facts from (${items}) of_kind`

const newest = (items: Fragment): Fragment =>
  sql`${items} order by raised_at desc, obligation_id desc limit ${LISTED_PER_KIND_MAX}`

/** Builds the queries of the kinds that the filters leave, each up to its cap. */
async function partsOf(
  reader: Reader,
  filters: AttentionFilters,
  viewer: Viewer,
  members: Promise<readonly Reviewer[]>,
): Promise<Fragment[]> {
  const { kind, audience, severity, actionable } = filters
  const asked = KINDS.filter((one) => (!kind || kind === one.kind) && (!audience || audience === one.audience))
  const parts = await Promise.all(
    asked.map(async (one) => {
      if ('listed' in one)
        return (await one.listed(reader, filters, viewer, members)).map((items) => asFacts(one, items))
      const standing = one.standing(viewer)
      if (severity && severity !== standing.severity) return []
      if (actionable !== undefined && actionable !== standing.actionable_by_viewer) return []
      return [asFacts(one, newest(one.items(reader, viewer)))]
    }),
  )
  return parts.flat()
}

/** Finds an item, even beyond the list's cap. Refuses `not_found`, also if the viewer may not see it. */
export async function findAttentionItem(reader: Reader, { kind, obligationId }: ItemId, viewer: Viewer) {
  const found = kindOf(kind) ?? refuse('not_found')
  const [row, members] = await Promise.all([
    first(
      reader<Row>(sql`
        select *, kind || ':' || obligation_id as id from (${asFacts(found, found.items(reader, viewer))}) items
        where obligation_id = ${obligationId}`),
    ),
    membersWithRoles(reader),
  ])
  return toItem(reader, row ?? refuse('not_found'), viewer, members)
}

const NOTHING: Count = { actionable: 0, total: 0 }

/** Counts the items of each kind, and those that the viewer can do. */
export async function summarizeAttention(reader: Reader, viewer: Viewer): Promise<AttentionSummary> {
  const totals = totalsOf(reader, viewer)
  const counted = await Promise.all(
    KINDS.map(async (one) => {
      const { kind, audience } = one
      if ('count' in one) return { kind, audience, count: await one.count(reader, viewer) }
      const total = (await totals).get(kind) ?? 0
      return { kind, audience, count: { actionable: one.standing(viewer).actionable_by_viewer ? total : 0, total } }
    }),
  )
  const sumOf = (audience: Audience): Count =>
    counted
      .filter((one) => one.audience === audience)
      .map(({ count }) => count)
      .reduce((sum, one) => ({ actionable: sum.actionable + one.actionable, total: sum.total + one.total }), NOTHING)
  return {
    by_kind: Object.fromEntries(counted.map(({ kind, count }) => [kind, count])),
    organization: sumOf('organization'),
    viewer: sumOf('viewer'),
    truncated: counted.filter(({ count }) => count.total > LISTED_PER_KIND_MAX).map(({ kind }) => kind),
  }
}

async function totalsOf(reader: Reader, viewer: Viewer): Promise<Map<string, number>> {
  const parts = KINDS.filter((one) => 'standing' in one).map(
    ({ kind, items }) => sql`
      select ${kind}::text as kind, count(*)::int as total from (${items(reader, viewer)}) of_kind`,
  )
  const rows = await reader<{ kind: string; total: number }>(parts.reduce(union))
  return new Map(rows.map(({ kind, total }) => [kind, total]))
}

function toItem(reader: Reader, row: Row, viewer: Viewer, members: readonly Reviewer[]): AttentionItem {
  const { id, kind, obligation_id, raised_at, due_at } = row
  const of = kindOf(kind) ?? refuse('not_found')
  const item = { id: obligation_id, facts: row.facts as never } // typed as the kind's own items() selects them
  return { id, kind, audience: of.audience, raised_at, due_at, ...of.describe(reader, item, viewer, members) }
}

/** Items of a sample: rows of the ledger, events, papers, and the approval behind each. */
import type { Evidence, EventEvidence } from '../../domain/approvals/evidence.ts'
import type { Viewer } from '../../domain/approvals/requirements.ts'
import type { Noun } from '../../domain/exports/audit-pack.ts'
import type { ApprovalId, FileId, OrganizationId } from '../../domain/ids.ts'
import { type Fragment, type Reader, first, inSnapshot, readerOf, sql } from '../../db/postgres/sql.ts'
import { fullName } from '../../db/postgres/fragments.ts'
import { findApprovals } from '../decisions/approvals.ts'
import { evidenceOf, readEvents } from '../decisions/details.ts'
import { ownersIn } from '../attachments/attachments.ts'

/** A leg of the organization's own accounts; those of banks and other customers are not its own to show. */
type Leg = {
  readonly key: string
  readonly account: string
  readonly currency: string
  readonly amount: string
  readonly balance: string | null
  readonly posted_at: string
}

/** A file that belongs to an item. Without `stored_as` it was purged: its hash is what is left. */
export type Paper = {
  readonly file_id: FileId
  readonly filename: string | null
  readonly content_type: string | null
  readonly byte_size: number | null
  readonly sha256: string
  readonly stored_as: string | null
}

export type Item = {
  readonly noun: Noun
  readonly id: string
  readonly approval_id: ApprovalId | null
  /** Payments whose legs are listed. */
  readonly payment_ids: readonly string[]
  readonly ledger: readonly Leg[]
  readonly events: readonly EventEvidence[]
  readonly papers: readonly Paper[]
}

/** Snapshots that are taken until every event in one has its place. */
const SNAPSHOTS_MAX = 5

/** Reads in one snapshot whose events all have their places. Throws if events come in faster than they are chained. */
async function inChained<Result>(
  organizationId: OrganizationId,
  work: (reader: Reader) => Promise<{ readonly result: Result; readonly events: readonly EventEvidence[] }>,
): Promise<Result> {
  for (let taken = 0; taken < SNAPSHOTS_MAX; taken += 1) {
    const { result, events } = await inSnapshot(organizationId, work)
    if (events.every(({ hash }) => hash !== null)) return result
  }
  throw new Error('the events of an item are not chained')
}

/** Reads an item of a sample, all of one instant. */
export const readItem = (organizationId: OrganizationId, noun: Noun, id: string): Promise<Item> =>
  inChained(organizationId, async (reader) => {
    const links = await readLinks(reader, noun, id)
    const events = await readEvents(reader, [id])
    const ledger = await readLegs(reader, links.payment_ids)
    const papers = await readPapers(reader, [id, ...links.owners], listExpected(links, events))
    const { approval_id, payment_ids } = links
    return { events, result: { noun, id, approval_id, payment_ids, ledger, events, papers } }
  })

/** Reads the evidence of an approval as everyone in the organization who reviews may; undefined if it is not there. */
export const readEvidence = (
  organizationId: OrganizationId,
  id: ApprovalId,
  viewer: Viewer,
): Promise<Evidence | undefined> =>
  inChained(organizationId, async (reader) => {
    const [row] = await findApprovals(reader, [id], viewer)
    const result = row && (await evidenceOf(reader, row, viewer))
    return { result, events: result?.events ?? [] }
  })

type Links = {
  readonly approval_id: ApprovalId | null
  readonly payment_ids: readonly string[]
  readonly owners: readonly string[]
  readonly bill_file: FileHash | null
  readonly pdf_file_id: FileId | null
  readonly xml_file_id: FileId | null
}

type FileHash = { readonly file_id: FileId; readonly sha256: string }
type WrittenFiles = { readonly pdf?: { readonly sha256: string }; readonly xml?: { readonly sha256: string } | null }

/** Lists the files of an item whose hashes are known without them. */
function listExpected(
  { bill_file: bill, pdf_file_id, xml_file_id }: Links,
  events: readonly EventEvidence[],
): FileHash[] {
  // the catalogue of events says what this one has
  const { pdf, xml } = (events.findLast(({ type }) => type === 'invoice.written')?.payload ?? {}) as WrittenFiles
  return [
    ...(bill ? [bill] : []),
    ...(pdf_file_id && pdf ? [{ file_id: pdf_file_id, sha256: pdf.sha256 }] : []),
    ...(xml_file_id && xml ? [{ file_id: xml_file_id, sha256: xml.sha256 }] : []),
  ]
}

const NO_LINKS: Links = {
  approval_id: null,
  payment_ids: [],
  owners: [],
  bill_file: null,
  pdf_file_id: null,
  xml_file_id: null,
}

/** Reads what belongs to an item, by its noun. */
async function readLinks(reader: Reader, noun: Noun, id: string): Promise<Links> {
  const links = await first(reader<Partial<Links>>(LINKS[noun](id)))
  return { ...NO_LINKS, ...links }
}

/** Selects the file of a bill with its hash, which stays when the file is purged. */
const billFile = (b: Fragment): Fragment => sql`
  case when ${b}.file_id is not null then json_build_object('file_id', ${b}.file_id, 'sha256', ${b}.file_sha256) end`

const LINKS: Readonly<Record<Noun, (id: string) => Fragment>> = {
  payment: (id) => sql`
    select coalesce(p.approval_request_id, b.approval_request_id) as approval_id, array[p.id] as payment_ids,
      array_remove(array[p.bill_id], null) as owners, ${billFile(sql`bill`)} as bill_file
    from payments p left join payment_batches b on b.id = p.payment_batch_id left join bills bill on bill.id = p.bill_id
    where p.id = ${id}`,
  bill: (id) => sql`
    select coalesce(b.approval_request_id, last.approval_id) as approval_id,
      array(select p.id from payments p where p.bill_id = b.id order by p.id) as payment_ids, ${billFile(sql`b`)} as bill_file
    from bills b left join lateral (
      select coalesce(p.approval_request_id, batch.approval_request_id) as approval_id
      from payments p left join payment_batches batch on batch.id = p.payment_batch_id
      where p.bill_id = b.id order by p.inserted_at desc, p.id desc limit 1) last on true
    where b.id = ${id}`,
  invoice: (id) => sql`
    select i.approval_request_id as approval_id, i.pdf_file_id, i.xml_file_id from invoices i where i.id = ${id}`,
  approval: (id) => sql`
    select a.id as approval_id, array(select p.id from payments p where p.id = a.target_id) as payment_ids,
      ${ownersIn(sql`a.target_id`)} as owners
    from approvals a where a.id = ${id}`,
}

const PARTS = ['reserve', 'settle', 'fee', 'reverse', 'release'] as const

/** Reads the legs of payments on the organization's own accounts, as they were posted. */
const readLegs = (reader: Reader, paymentIds: readonly string[]): Promise<Leg[]> =>
  reader<Leg>(sql`
    select t.key, a.kind as account, a.currency, e.amount::text as amount, e.balance::text as balance, e.posted_at
    from ledger_transfers t join ledger_entries e on e.transfer_id = t.id join ledger_accounts a on a.id = e.account_id
    where t.key = any (${paymentIds.flatMap((id) => PARTS.map((part) => `payment:${id}:${part}`))})
      and e.organization_id = ${reader.organizationId} and a.organization_id = ${reader.organizationId}
    order by e.posted_at, t.key, a.kind`)

/** Reads the files of an item; of one that was purged, only what is expected is left. */
async function readPapers(
  reader: Reader,
  owners: readonly string[],
  expected: readonly FileHash[],
): Promise<readonly Paper[]> {
  const found = await reader<Paper>(sql`
    select f.id as file_id, f.filename, f.content_type, f.byte_size::float8 as byte_size, f.sha256, f.stored_as
    from files f
    where f.organization_id = ${reader.organizationId} and f.sha256 is not null and f.removed_at is null
      and (f.id = any (${expected.map(({ file_id }) => file_id)}::uuid[])
        or (f.owner_id = any (${[...owners]}::uuid[]) and f.purpose = 'attachment' and f.used_at is not null))
    order by f.id`)
  return withPurged(found, expected)
}

/** Adds files that are named by their hashes and are not there. */
export function withPurged(papers: readonly Paper[], named: readonly FileHash[]): readonly Paper[] {
  const gone = named.filter(({ file_id: id }) => papers.every(({ file_id }) => file_id !== id))
  const nothing = { filename: null, content_type: null, byte_size: null, stored_as: null }
  return [...papers, ...gone.map(({ file_id, sha256 }) => ({ file_id, sha256, ...nothing }))]
}

export type PersonName = { readonly id: string; readonly name: string | null; readonly email: string | null }

/** Reads the names of people by their ids, which are their pseudonyms everywhere else. */
export const readNames = (organizationId: OrganizationId, ids: readonly string[]): Promise<PersonName[]> =>
  readerOf(organizationId)<PersonName>(sql`
    select p.id, ${fullName(sql`p`)} as name, p.email from people p where p.id = any (${[...ids]}::uuid[]) order by p.id`)

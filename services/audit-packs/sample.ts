/** Parts of an audit pack about its sample: an item, its papers, and the evidence of the approval behind it. */
import { attachmentsIn } from '../../domain/attachments/attachment.ts'
import type { Evidence } from '../../domain/approvals/evidence.ts'
import { NOUNS, type Noun } from '../../domain/exports/audit-pack.ts'
import type { ApprovalId, FileId, OrganizationId, UserId } from '../../domain/ids.ts'
import { ObjectGone, get, keyOf, onePiece } from '../../platform/storage/storage.ts'
import { signCredential } from '../decisions/credential.ts'
import { folderOf } from '../../documents/audit-pack/lists.ts'
import { type Item, type Paper, readEvidence, readItem, readNames, withPurged } from './items.ts'

/** Items that were drawn, and the person for whom they are read. */
export type SampleOrder = {
  readonly organizationId: OrganizationId
  readonly userId: UserId
  readonly drawn: Readonly<Partial<Record<Noun, readonly string[]>>>
}

type Part = { readonly path: string; readonly content: AsyncIterable<Uint8Array> }

/** Writes each item with its papers, and each approval behind them once; at the end the names of all people. */
export async function* sampleParts(sampled: SampleOrder): AsyncGenerator<Part> {
  const { organizationId, drawn } = sampled
  const people = new Set<string>()
  const stored = new Map<FileId, string | null>()
  const written = new Set<ApprovalId>()
  for (const noun of NOUNS) {
    for (const id of drawn[noun] ?? []) {
      const item = await readItem(organizationId, noun, id)
      const evidence = await readApproval(sampled, item.approval_id)
      const papers = withPurged(item.papers, evidence ? attachmentsOf(evidence) : [])
      yield* papersOf(papers, stored)
      yield { path: `sample/${folderOf(noun)}/${id}.json`, content: jsonOf(toJson(item, papers, stored)) }
      for (const { actor_user_id: actor } of item.events) if (actor) people.add(actor)
      if (!evidence || !item.approval_id || written.has(item.approval_id)) continue
      written.add(item.approval_id)
      for (const person of peopleIn(evidence)) people.add(person)
      yield { path: `evidence/${item.approval_id}.json`, content: jsonOf(evidence) }
      if (evidence.approval.status !== 'approved') continue
      yield { path: `evidence/${item.approval_id}.jwt`, content: onePiece(signCredential(evidence, organizationId)) }
    }
  }
  yield { path: 'people.json', content: jsonOf(await readNames(organizationId, [...people])) }
}

/** Reads the evidence as an administrator of the organization does. */
async function readApproval(
  { organizationId, userId }: SampleOrder,
  id: ApprovalId | null,
): Promise<Evidence | undefined> {
  if (id === null) return undefined
  return readEvidence(organizationId, id, { userId, role: 'admin', principals: [], ownOnly: false })
}

/** Lists the files that the subject of an approval names; those of an invoice are a part of itself. */
const attachmentsOf = ({ approval, subject_body: body }: Evidence): { file_id: FileId; sha256: string }[] =>
  approval.action_type === 'billing_invoice'
    ? []
    : attachmentsIn(JSON.parse(body)).map(({ file_id, sha256 }) => ({ file_id: file_id as FileId, sha256 }))

const peopleIn = ({ approval, decisions, policy, events }: Evidence): string[] => [
  approval.requester.id,
  ...decisions.flatMap(({ actor, on_behalf_of }) => [actor, on_behalf_of].flatMap((one) => one?.id ?? [])),
  ...policy.steps.flatMap(({ user_ids }) => user_ids),
  ...events.flatMap(({ actor_user_id }) => actor_user_id ?? []),
]

/** Writes each file once, under its id: names of strangers are no paths. */
async function* papersOf(papers: readonly Paper[], stored: Map<FileId, string | null>): AsyncGenerator<Part> {
  for (const { file_id: id, stored_as: object, content_type: type } of papers) {
    if (stored.has(id)) continue
    const content = object === null ? null : await open(id, object)
    const path = content && `papers/${id}${EXTENSIONS[type ?? ''] ?? ''}`
    stored.set(id, path)
    if (path && content) yield { path, content }
  }
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/pdf': '.pdf',
  'application/xml': '.xml',
  'text/xml': '.xml',
  'image/jpeg': '.jpg',
  'image/png': '.png',
}

/** Opens a file; null if storage has lost it, which the pack then says. */
async function open(id: FileId, object: string): Promise<AsyncIterable<Uint8Array> | null> {
  try {
    return await get(keyOf(id, object))
  } catch (error) {
    if (error instanceof ObjectGone) return null
    throw error
  }
}

/** Writes an item as JSON; `path` of a paper is null if the file is gone. */
const toJson = (item: Item, papers: readonly Paper[], stored: ReadonlyMap<FileId, string | null>) => ({
  ...item,
  papers: papers.map(({ stored_as, ...paper }) => ({
    ...paper,
    path: stored.get(paper.file_id) ?? null,
    state: stored.get(paper.file_id) ? 'here' : stored_as === null ? 'purged' : 'lost',
  })),
})

const jsonOf = (value: unknown): AsyncGenerator<Uint8Array> => onePiece(`${JSON.stringify(value, null, 1)}\n`)

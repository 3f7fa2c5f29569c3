/** Verification of organizations at Increase: each submission is an entity, and its papers are files. */
import type { Entity, EntityCreateParams } from 'increase/resources/entities'
import type { File as IncreaseFile, FileCreateParams } from 'increase/resources/files'
import { v5 } from 'uuid'
import * as v from 'valibot'
import type { EntityDocument, EntityOrder, EntityQuestion, EntityView, MoneyDriver } from '../driver.ts'
import { partnerRefusal, requestPartner, sanitize } from '../http.ts'
import { type At, findByKey } from './calls.ts'
import { type Wish, draftEntity, isCarried, listNamed } from './entity-order.ts'
import { TheirId, reads } from './words.ts'

type Entities = Required<Pick<MoneyDriver, 'verifyEntity' | 'findEntity'>>

const KEYS = 'c6a0c1a5-51a0-4c9b-8f7e-0f2b7f0f6b0d'
/** Names the key of a submission, which Increase keeps for ever. */
const keyOf = ({ id, round }: Pick<EntityQuestion, 'id' | 'round'>): string => v5(`${id}:${round}`, KEYS)

/**
 * Makes the part of a driver that verifies organizations. A later submission is another entity, as Increase changes
 * neither a structure nor a day of birth, and the one before is archived.
 */
export function entitiesAt(at: At): Entities {
  const find = async (of: Pick<EntityQuestion, 'id' | 'round'>): Promise<Reply | null> => {
    const key = keyOf(of)
    return findByKey(at, '/entities', key, entityReply(key))
  }
  /** Archives the entity of the newest earlier submission that has one: those before it are archived. */
  const archiveFormer = async ({ id, round }: EntityQuestion): Promise<void> => {
    for (let earlier = round - 1; earlier > 0; earlier -= 1) {
      const former = await find({ id, round: earlier })
      if (!former) continue
      const key = keyOf({ id, round: earlier })
      if (former.status !== 'archived')
        await at.post(`/entities/${former.id}/archive`, v5('archive', key), {}, entityReply(key))
      return
    }
  }
  return {
    async verifyEntity(order) {
      if (!isCarried(order)) return { status: 'rejected', asks: [] }
      const found = (await find(order)) ?? (await create(at, order))
      if ('asks' in found) return found
      await archiveFormer(order)
      return viewOf(found, order)
    },
    async findEntity(question) {
      if (!isCarried(question)) return { status: 'rejected', asks: [] }
      const found = await find(question)
      return found && viewOf(found, question)
    },
  }
}

/** Creates the entity of a submission; answers what is missing, or not as Increase wants it, without one. */
async function create(at: At, order: EntityOrder): Promise<Reply | EntityView> {
  const { wishes, papers } = draftEntity(order, () => '')
  if (wishes.length > 0) return { status: 'needs_more', asks: wishes }
  const files = new Map<EntityDocument, string>()
  for (const paper of papers) files.set(paper, await upload(at, paper))
  const { content } = draftEntity(order, (paper) => files.get(paper) ?? '')
  if (!content) throw new Error('an entity without wishes is complete')
  const key = keyOf(order)
  return at.post('/entities', key, content satisfies EntityCreateParams, entityReply(key)).catch((error: unknown) => {
    const refused = partnerRefusal(error)
    if (refused?.code !== 'invalid_parameters_error') throw error
    const reason = sanitize(`Increase does not take what was submitted: ${refused.message}`, REASON_MAX)
    return { status: 'needs_more', asks: [{ field: 'entity.legal_name', reason }] } as const
  })
}
const REASON_MAX = 500

const PURPOSES = { identity: 'identity_document', other: 'entity_supplemental_document' } as const satisfies Readonly<
  Record<string, FileCreateParams['purpose']>
>

/** Uploads a paper, once: its id is the key. Answers the id of the file. */
async function upload(at: At, paper: EntityDocument): Promise<string> {
  const { id, kind, content_type: type, file_name: name, read } = paper
  const known = await findByKey(at, '/files', id, fileReply(id))
  if (known) return known.id
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(await read())], { type }), name)
  form.set('purpose', kind === 'identity' ? PURPOSES.identity : PURPOSES.other)
  form.set('description', kind)
  const headers = { 'idempotency-key': id }
  const made = await requestPartner(at.endpoint, {
    method: 'POST',
    path: '/files',
    form,
    answer: fileReply(id),
    headers,
  })
  return made.id
}

const fileReply = (key: string) =>
  v.pipe(
    reads<IncreaseFile>()(v.object({ id: TheirId, type: v.literal('file'), idempotency_key: v.nullable(v.string()) })),
    v.check((one) => one.idempotency_key === key, 'must be of our key'),
  )

const OfOwner = v.nullish(v.object({ beneficial_owner_id: v.string() }))

/** Makes the schema of an entity; words that Increase may add are read, too. */
const entityReply = (key: string) =>
  v.pipe(
    reads<Entity>()(
      v.object({
        id: TheirId,
        type: v.literal('entity'),
        idempotency_key: v.nullable(v.string()),
        status: v.string(),
        corporation: v.nullable(
          v.object({
            beneficial_owners: v.array(
              v.object({ id: v.string(), individual: v.object({ name: v.string(), date_of_birth: v.string() }) }),
            ),
          }),
        ),
        validation: v.nullable(
          v.object({
            status: v.string(),
            issues: v.array(
              v.object({
                category: v.string(),
                beneficial_owner_identity: OfOwner,
                beneficial_owner_address: OfOwner,
              }),
            ),
          }),
        ),
      }),
    ),
    v.check((one) => one.idempotency_key === key, 'must be of our key'),
  )
type Reply = v.InferOutput<ReturnType<typeof entityReply>>
type Issue = NonNullable<Reply['validation']>['issues'][number]

/**
 * Reads the verdict of an entity. Source: Increase, *Entity validation*, and the type `Entity` of its client.
 * - `disabled` ("cannot be used for financial activity") and `archived` are rejections;
 * - else its validation decides: `pending`, `valid` or `invalid`, whose issues are what more is asked for;
 * - an active entity without a validation is not verified: its program does not validate, or has not begun to.
 */
function viewOf({ status, validation, corporation }: Reply, question: EntityQuestion): EntityView {
  if (status === 'disabled' || status === 'archived') return { status: 'rejected', asks: [] }
  if (status !== 'active') return { status: 'in_review', asks: [] }
  if (validation?.status === 'valid') return { status: 'verified', asks: [] }
  if (validation?.status !== 'invalid') return { status: 'in_review', asks: [] }
  const asks = validation.issues.map((issue) => wishOf(issue, corporation, question))
  const distinct = [...new Map(asks.map((one) => [one.field, one])).values()]
  return { status: 'needs_more', asks: distinct.length > 0 ? distinct : [UNKNOWN_ISSUE] }
}

const UNKNOWN_ISSUE: Wish = { field: 'documents.other', reason: 'Increase asks for more: write to support.' }

/** Reads an issue as the field to correct. New categories, and people that are not ours, ask for a paper. */
function wishOf(issue: Issue, corporation: Reply['corporation'], question: EntityQuestion): Wish {
  const { category, beneficial_owner_identity: identity, beneficial_owner_address: home } = issue
  const theirs = (identity ?? home)?.beneficial_owner_id
  const owner = corporation?.beneficial_owners.find(({ id }) => id === theirs)?.individual
  const person =
    owner && listNamed(question).find((one) => one.name === owner.name && one.born_on === owner.date_of_birth)
  if (category === 'entity_tax_identifier')
    return {
      field: 'documents.other',
      reason: 'A confirmation of the tax office: the tax number could not be verified.',
    }
  if (category === 'entity_address') return { field: 'entity.address', reason: MAILBOX }
  if (category === 'beneficial_owner_address' && person)
    return { field: `people.${person.id}.address`, reason: MAILBOX }
  if (category === 'beneficial_owner_identity' && person)
    return {
      field: `people.${person.id}.identity_number`,
      reason: 'The identity could not be verified by this number.',
    }
  return UNKNOWN_ISSUE
}
const MAILBOX = 'It could not be verified: a mailbox is no address.'

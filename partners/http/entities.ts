/** Verification of organizations by partners that speak our own protocol (docs/partners.md). */
import * as v from 'valibot'
import type { EntityOrder, EntityQuestion, EntityView } from '../driver.ts'
import { type PartnerEndpoint, requestOrNull, requestPartner } from '../http.ts'
import { FreeText, idOf } from '../schemas.ts'

const ASKS_MAX = 50

const entityReply = (asked: string) =>
  v.object({
    id: idOf(asked),
    status: v.picklist(['in_review', 'needs_more', 'verified', 'rejected']),
    asks: v.nullish(
      v.pipe(
        v.array(v.object({ field: v.pipe(v.string(), v.regex(/^[a-z0-9_.-]{1,120}$/)), reason: FreeText })),
        v.maxLength(ASKS_MAX),
      ),
      [],
    ),
  })

const DocumentReply = v.object({ id: v.string() })

/** Hands over the papers, one by one, then the organization. Each is the same resource under the same id. */
async function verifyEntity(endpoint: PartnerEndpoint, order: EntityOrder): Promise<EntityView> {
  const { id, round, entity, people, documents } = order
  for (const { id: documentId, read, ...about } of documents) {
    const content = Buffer.from(await read()).toString('base64')
    const body = { entity: id, ...about, content }
    await requestPartner(endpoint, { ...putting(`entity-documents/${documentId}`, body), answer: DocumentReply })
  }
  const listed = documents.map(({ id: documentId, kind, person_id }) => ({ id: documentId, kind, person_id }))
  const body = { round, entity, people, documents: listed }
  return viewOf(await requestPartner(endpoint, { ...putting(`entities/${id}`, body), answer: entityReply(id) }))
}

async function findEntity(endpoint: PartnerEndpoint, id: string): Promise<EntityView | null> {
  const found = await requestOrNull(endpoint, { method: 'GET', path: `/v1/entities/${id}`, answer: entityReply(id) })
  return found && viewOf(found)
}

/** Makes the calls about organizations at an endpoint. */
export const entityCalls = (endpoint: PartnerEndpoint) => ({
  verifyEntity: (order: EntityOrder) => verifyEntity(endpoint, order),
  findEntity: ({ id }: EntityQuestion) => findEntity(endpoint, id),
})

const viewOf = ({ status, asks }: v.InferOutput<ReturnType<typeof entityReply>>): EntityView => ({ status, asks })

const putting = (path: string, body: object) => ({ method: 'PUT', path: `/v1/${path}`, body }) as const

/** Verification of organizations by the stand-ins of our own protocol: their legal names decide. */
import * as v from 'valibot'
import { DOCUMENT_KINDS, DOCUMENT_BYTES_MAX } from '../../domain/onboarding/document.ts'
import type { ReviewStatus } from '../../domain/onboarding/review.ts'
import { first, sql } from '../../db/postgres/sql.ts'
import { type Endpoint, type Reply, isRefused, ok, parse, unknownId } from './http.ts'

const Entity = v.object({
  round: v.pipe(v.number(), v.integer(), v.minValue(1)),
  entity: v.object({ legal_name: v.string() }),
  people: v.array(v.object({ id: v.string() })),
  documents: v.array(v.object({ id: v.string(), kind: v.picklist(DOCUMENT_KINDS) })),
})
const Paper = v.object({ kind: v.picklist(DOCUMENT_KINDS), content: v.pipe(v.string(), v.minLength(1), v.base64()) })

/** Bytes of the longest paper in base64, with its description. */
const PAPER_BODY_MAX = Math.ceil((DOCUMENT_BYTES_MAX * 4) / 3) + 4096

type EntityRow = { readonly id: string; readonly legal_name: string; readonly papers: string[]; readonly asked: number }

const MORE = [{ field: 'documents.other', reason: 'A confirmation of the tax office.' }]

/** Decides by the legal name; `Late Verify GmbH` only when it is asked again. */
export function decideEntity({ legal_name: name, papers, asked }: Omit<EntityRow, 'id'>): ReviewStatus {
  if (/\bno verify\b/i.test(name)) return 'rejected'
  if (/\bmore papers\b/i.test(name) && !papers.includes('other')) return 'needs_more'
  if (/\blate verify\b/i.test(name) && asked === 0) return 'in_review'
  return 'verified'
}

function replyOf({ id, ...row }: EntityRow): Reply {
  const status = decideEntity(row)
  return ok({ id, status, asks: status === 'needs_more' ? MORE : [] })
}

/** Lists the endpoints of a stand-in for organizations. */
export const entityEndpoints = (partner: string): readonly Endpoint[] => [
  {
    method: 'PUT',
    path: '/v1/entity-documents/{id}',
    bytesMax: PAPER_BODY_MAX,
    async answer({ id, body }) {
      const parsed = parse(Paper, body)
      return isRefused(parsed) ? parsed.refused : ok({ id })
    },
  },
  {
    method: 'PUT',
    path: '/v1/entities/{id}',
    async answer({ id, body }) {
      const parsed = parse(Entity, body)
      if (isRefused(parsed)) return parsed.refused
      const { round, entity, documents } = parsed
      const papers = documents.map(({ kind }) => kind)
      const row = await first(sql<EntityRow[]>`
        insert into sandbox_entities (partner, id, round, legal_name, papers)
        values (${partner}, ${id}, ${round}, ${entity.legal_name}, ${papers})
        on conflict (partner, id) do update set round = excluded.round, legal_name = excluded.legal_name,
          papers = excluded.papers, asked = case when excluded.round > sandbox_entities.round then 0 else sandbox_entities.asked end
        returning id, legal_name, papers, asked`)
      return row ? replyOf(row) : unknownId
    },
  },
  {
    method: 'GET',
    path: '/v1/entities/{id}',
    async answer({ id }) {
      const row = await first(sql<EntityRow[]>`
        update sandbox_entities set asked = asked + 1 where partner = ${partner} and id = ${id}
        returning id, legal_name, papers, asked`)
      return row ? replyOf(row) : unknownId
    },
  },
]

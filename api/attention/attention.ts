/** Attention: what an organization, or the caller alone, still has to do. */
import { findAttentionItem, listAttention, summarizeAttention } from '../../db/registries/attention.ts'
import { AttentionFilters, AttentionSummary, ItemId } from '../../domain/attention/attention.ts'
import { AttentionItem } from '../../db/registries/attention-kinds.ts'
import { pageOf } from '../../domain/pagination.ts'
import { viewerOf } from '../approvals/decisions.ts'
import { inPath } from '../http/in-path.ts'
import { route } from '../http/route.ts'

const shared = {
  method: 'get',
  tag: 'Attention',
  can: 'organization.read',
  ...inPath('organization'),
} as const

/** In this order: the router takes the first that fits, and a summary is no item. */
export const attention = [
  route({
    ...shared,
    path: '/organizations/{organization_id}/attention',
    operationId: 'listAttention',
    summary: 'List what waits for people, newest first: at most 200 of a kind',
    query: AttentionFilters,
    returns: pageOf(AttentionItem),
    handle: (context) => listAttention(context.read, context.query, viewerOf(context)),
  }),
  route({
    ...shared,
    path: '/organizations/{organization_id}/attention/summary',
    operationId: 'getAttentionSummary',
    summary: 'Count exactly what waits for people, of every kind there is so far, and what of it the caller can do',
    returns: AttentionSummary,
    handle: (context) => summarizeAttention(context.read, viewerOf(context)),
  }),
  route({
    ...shared,
    path: '/organizations/{organization_id}/attention/{item_id}',
    operationId: 'getAttentionItem',
    summary: 'Read one thing that waits for people, also beyond what the list holds',
    ...inPath('organization', { item_id: ItemId }),
    returns: AttentionItem,
    handle: (context) => findAttentionItem(context.read, context.params.item_id, viewerOf(context)),
  }),
]

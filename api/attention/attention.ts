/** Attention: open tasks of an organization, or of the caller alone. */
import { findAttentionItem, listAttention, summarizeAttention } from '../../services/registries/attention.ts'
import { AttentionFilters, AttentionSummary, ItemId } from '../../domain/attention/attention.ts'
import { AttentionItem } from '../../services/registries/attention-kinds.ts'
import * as v from 'valibot'
import { pageOf } from '../../domain/pagination.ts'
import { viewerOf } from '../approvals/approvals.ts'
import { operations } from '../http/operation.ts'

const { query } = operations('Attention')

/** Routes in this order: the router takes the first that fits, and `summary` is not an item. */
export const attention = [
  query('/organizations/{organization_id}/attention', 'listAttention')
    .says('List what needs attention, newest first', 'At most 200 of a kind.')
    .of('organization')
    .delegates('read')
    .can('organization.read')
    .filters(AttentionFilters)
    .answers(pageOf(AttentionItem))
    .does((context) => listAttention(context.read, context.query, viewerOf(context))),
  query('/organizations/{organization_id}/attention/summary', 'getAttentionSummary')
    .says('Count what needs attention', 'Exact counts of every kind, and of those that the caller can do.')
    .of('organization')
    .delegates('read')
    .can('organization.read')
    .answers(AttentionSummary)
    .does((context) => summarizeAttention(context.read, viewerOf(context))),
  query('/organizations/{organization_id}/attention/{item_id}', 'getAttentionItem')
    .says('Read an item that needs attention', 'Also one beyond the limit of the list.')
    .of('organization')
    .delegates('read')
    .can('organization.read')
    .named(v.object({ item_id: ItemId }))
    .answers(AttentionItem)
    .does((context) => findAttentionItem(context.read, context.params.item_id, viewerOf(context))),
]

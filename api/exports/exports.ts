/** Exports: files that a person has made of what they may see, for this person alone. */
import * as v from 'valibot'
import { createExport, requireWritable, retryExport } from '../../services/exports/commands.ts'
import { type Creator, findExport, listExports } from '../../services/exports/exports.ts'
import { refuse } from '../../domain/errors.ts'
import { Export, NewExport, requireFormat, toOrder } from '../../domain/exports/export.ts'
import { can } from '../../domain/permissions.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { exportFiles } from '../http/limits.ts'
import { operations } from '../http/operation.ts'
import { type Context } from '../http/route.ts'
import { restrictionOf } from '../ledger/transactions.ts'

const { command, query } = operations('Exports')

const creatorOf = (context: Context<'org' | 'person'>): Creator => ({
  userId: context.person.userId,
  ownOnly: restrictionOf(context) !== undefined,
})

/** Types that show more than the creator's own rows. */
const WHOLE: ReadonlySet<string> = new Set(['balance_statement', 'audit_pack'])
/** Permissions for what is in an audit pack, beside the log. */
const OF_PACKS = ['approvals.review', 'bills.read', 'billing_invoices.list_all', 'members.list'] as const

export const exports = [
  command('post', '/organizations/{organization_id}/exports', 'createExport')
    .says(
      'Create an export',
      'A statement of the balances, a list, or an audit pack. The file is there when the status is `completed`. Who ' +
        'lists only their own transactions gets only those, and neither a statement nor a pack.',
    )
    .of('organization')
    .delegates('prepare')
    .can('transactions.list_own')
    .takes(NewExport)
    .limited(exportFiles)
    .refuses('format_not_supported', 'range_too_long', 'unsupported_currency')
    .creates(Export, (context) => findExport(context.read, context.claim.id, creatorOf(context)))
    .prepares(async (context) => {
      const { body, read } = context
      const creator = creatorOf(context)
      if (WHOLE.has(body.type) && creator.ownOnly) refuse('forbidden', { permission: 'transactions.list_all' })
      if (body.type === 'audit_pack') {
        const lacking = OF_PACKS.find((permission) => !can(context.org, permission))
        if (lacking) refuse('forbidden', { permission: lacking })
      }
      const order = toOrder(body)
      requireFormat(order)
      await requireWritable(read, order, creator)
      return { creator, order }
    })
    .does(({ tx, claim, creator, order }) => createExport(tx, claim.id, creator, order)),
  query('/organizations/{organization_id}/exports', 'listExports')
    .says('List the exports that you have asked for, newest first')
    .of('organization')
    .delegates('read')
    .can('transactions.list_own')
    .filters(v.object(PageQuery))
    .answers(pageOf(Export))
    .does((context) => listExports(context.read, context.query, creatorOf(context))),
  query('/exports/{export_id}', 'getExport')
    .says('Read an export', 'One that you created, with a new link to its file.')
    .of('export')
    .delegates('read')
    .can('transactions.list_own')
    .answers(Export)
    .does((context) => findExport(context.read, context.params.export_id, creatorOf(context))),
  command('post', '/exports/{export_id}/retry', 'retryExport')
    .says('Have an export that has failed tried again')
    .of('export')
    .delegates('prepare')
    .can('transactions.list_own')
    .takes(v.object({}))
    .limited(exportFiles)
    .retries('decision')
    .refuses('invalid_state')
    .answers(Export)
    .does(async (context) => {
      const { tx, read, claim, params } = context
      const creator = creatorOf(context)
      await retryExport(tx, params.export_id, creator.userId, `request:${claim.id}`)
      return findExport(read, params.export_id, creator)
    }),
]

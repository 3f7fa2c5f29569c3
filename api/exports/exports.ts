/** Exports: files that a person has made of what they may see, and that nobody else sees. */
import * as v from 'valibot'
import { type Creator, createExport, findExport, listExports, retryExport } from '../../db/exports/exports.ts'
import { checkContent } from '../../db/exports/content.ts'
import { refuse } from '../../domain/errors.ts'
import { Export, NewExport, checkExport } from '../../domain/exports/export.ts'
import { type ExportId } from '../../domain/ids.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { within } from '../../db/sql.ts'
import { exportFiles } from '../http/limits.ts'
import { BRIEF_LOCKS, repeating } from '../http/repeating.ts'
import { operations } from '../http/operation.ts'
import { type Context } from '../http/route.ts'
import { restrictedTo } from '../ledger/transactions.ts'

const { command, query } = operations('Exports')

const creatorOf = (context: Context<'org' | 'person'>): Creator => ({
  userId: context.person.userId,
  ownOnly: restrictedTo(context) !== undefined,
})

export const exports = [
  command('post', '/organizations/{organization_id}/exports', 'createExport')
    .says(
      'Have a file made: a statement of the balances, or a list. It is there when its status says completed',
      'Who lists only their own transactions gets only those, and no statement.',
    )
    .of('organization')
    .can('transactions.list_own')
    .takes(NewExport)
    .limited(exportFiles)
    .creates(Export, (context) => findExport(context.read, context.claim.id, creatorOf(context)))
    .makes(async (context) => {
      const creator = creatorOf(context)
      const { body, claim, read, write } = context
      if (body.type === 'balance_statement' && creator.ownOnly) {
        refuse('forbidden', { permission: 'transactions.list_all' })
      }
      checkExport(body)
      await checkContent(read, body, creator)
      return repeating(() => write((tx) => createExport(tx, claim, creator, body), BRIEF_LOCKS))
    }),
  query('/organizations/{organization_id}/exports', 'listExports')
    .says('List the exports that you have asked for, newest first')
    .of('organization')
    .can('transactions.list_own')
    .filters(v.object(PageQuery))
    .answers(pageOf(Export))
    .does((context) => listExports(context.read, context.query, creatorOf(context))),
  query('/exports/{export_id}', 'getExport')
    .says('Read an export that you have asked for, with a fresh link to its file')
    .of('export')
    .can('transactions.list_own')
    .answers(Export)
    .does((context) => findExport(context.read, context.params.export_id, creatorOf(context))),
  command('post', '/exports/{export_id}/retry', 'retryExport')
    .says('Have an export that has failed tried again')
    .of('export')
    .can('transactions.list_own')
    .takes(v.object({}))
    .limited(exportFiles)
    .keyed()
    .answers(Export)
    .handles((context) => retry(context, context.params.export_id)),
]

function retry(context: Context<'org' | 'person' | 'write' | 'claim'>, id: ExportId): Promise<Export> {
  const creator = creatorOf(context)
  return repeating(() =>
    context.write(async (tx) => {
      await retryExport(tx, id, creator.userId, `request:${context.claim.id}`)
      return findExport(within(tx), id, creator)
    }, BRIEF_LOCKS),
  )
}

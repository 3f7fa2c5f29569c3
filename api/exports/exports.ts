/** Exports: files that a person has made of what they may see, and that nobody else sees. */
import * as v from 'valibot'
import { type Creator, createExport, findExport, listExports, retryExport } from '../../db/exports/exports.ts'
import { checkContent } from '../../db/exports/content.ts'
import { refuse } from '../../domain/errors.ts'
import { Export, NewExport, checkExport } from '../../domain/exports/export.ts'
import { type ExportId } from '../../domain/ids.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { within } from '../../db/sql.ts'
import { inPath } from '../http/in-path.ts'
import { exportFiles } from '../http/limits.ts'
import { BRIEF_LOCKS, repeating } from '../http/repeating.ts'
import { type Context, route } from '../http/route.ts'
import { restrictedTo } from '../ledger/transactions.ts'

const PATH = '/organizations/{organization_id}/exports'
const shared = { tag: 'Exports', can: 'transactions.list_own' } as const

const creatorOf = (context: Context<'org' | 'person'>): Creator => ({
  userId: context.person.userId,
  ownOnly: restrictedTo(context) !== undefined,
})

export const exports = [
  route({
    ...shared,
    method: 'post',
    path: PATH,
    operationId: 'createExport',
    summary: 'Have a file made: a statement of the balances, or a list. It is there when its status says completed',
    note: 'Who lists only their own transactions gets only those, and no statement.',
    ...inPath('organization'),
    limits: [exportFiles],
    status: 201,
    body: NewExport,
    returns: Export,
    create: async (context) => {
      const creator = creatorOf(context)
      const { body, claim, read, write } = context
      if (body.type === 'balance_statement' && creator.ownOnly) {
        refuse('forbidden', { permission: 'transactions.list_all' })
      }
      checkExport(body)
      await checkContent(read, body, creator)
      return repeating(() => write((tx) => createExport(tx, claim, creator, body), BRIEF_LOCKS))
    },
    // the row of the claim
    replay: (context) => findExport(context.read, context.claim.id, creatorOf(context)),
  }),
  route({
    ...shared,
    method: 'get',
    path: PATH,
    operationId: 'listExports',
    summary: 'List the exports that you have asked for, newest first',
    ...inPath('organization'),
    query: v.object(PageQuery),
    returns: pageOf(Export),
    handle: (context) => listExports(context.read, context.query, creatorOf(context)),
  }),
  route({
    ...shared,
    method: 'get',
    path: '/exports/{export_id}',
    operationId: 'getExport',
    summary: 'Read an export that you have asked for, with a fresh link to its file',
    ...inPath('export'),
    returns: Export,
    handle: (context) => findExport(context.read, context.params.export_id, creatorOf(context)),
  }),
  route({
    ...shared,
    method: 'post',
    path: '/exports/{export_id}/retry',
    operationId: 'retryExport',
    summary: 'Have an export that has failed tried again',
    keyed: true,
    limits: [exportFiles],
    ...inPath('export'),
    body: v.object({}),
    returns: Export,
    handle: (context) => retry(context, context.params.export_id),
  }),
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

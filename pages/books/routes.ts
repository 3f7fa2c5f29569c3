/** Addresses of the books: statements, accounts, exchange, accounting, plan. */
import type { Routes } from '../frame/routes.ts'
import { connectAccounting, disconnectAccounting, showAccounting, syncAccounting } from './accounting.ts'
import { showAccounts } from './accounts.ts'
import { showBooks } from './books.ts'
import { checkExchange, executeExchange, showExchange, showSwap } from './exchange.ts'
import { downloadExport, retryExport, showExport, showExports } from './exports.ts'
import { replaceMappings, showMappings } from './mappings.ts'
import { createExport, showNewExport } from './new-export.ts'
import { endPlan, keepPlan, selectPlan, showPlan } from './plan.ts'
import { showProof } from './proof.ts'

export const BOOKS: Routes = {
  shown: {
    '/o/:company/books': showBooks,
    '/o/:company/books/accounting': showAccounting,
    '/o/:company/books/accounting/mappings': showMappings,
    '/o/:company/books/accounts': showAccounts,
    '/o/:company/books/exports': showExports,
    '/o/:company/books/exports/new': showNewExport,
    '/o/:company/books/exports/:id': showExport,
    '/o/:company/books/exports/:id/file': downloadExport,
    '/o/:company/books/exchange': showExchange,
    '/o/:company/books/exchange/check': checkExchange,
    '/o/:company/books/exchange/:id': showSwap,
    '/o/:company/books/plan': showPlan,
    '/o/:company/books/proof': showProof,
  },
  sent: {
    '/o/:company/books/accounting/connect': connectAccounting,
    '/o/:company/books/accounting/disconnect': disconnectAccounting,
    '/o/:company/books/accounting/mappings': replaceMappings,
    '/o/:company/books/accounting/sync': syncAccounting,
    '/o/:company/books/exchange': executeExchange,
    '/o/:company/books/exports': createExport,
    '/o/:company/books/exports/:id/retry': retryExport,
    '/o/:company/books/plan': selectPlan,
    '/o/:company/books/plan/end': endPlan,
    '/o/:company/books/plan/keep': keepPlan,
  },
}

/** Addresses of the books: statements, accounts, exchange, accounting, plan. */
import type { Routes } from '../frame/routes.ts'
import { showAccounts } from './accounts.ts'
import { showBooks } from './books.ts'
import { downloadExport, retryExport, showExport, showExports } from './exports.ts'
import { createExport, showNewExport } from './new-export.ts'
import { showProof } from './proof.ts'

export const BOOKS: Routes = {
  shown: {
    '/o/:company/books': showBooks,
    '/o/:company/books/accounts': showAccounts,
    '/o/:company/books/exports': showExports,
    '/o/:company/books/exports/new': showNewExport,
    '/o/:company/books/exports/:id': showExport,
    '/o/:company/books/exports/:id/file': downloadExport,
    '/o/:company/books/proof': showProof,
  },
  sent: {
    '/o/:company/books/exports': createExport,
    '/o/:company/books/exports/:id/retry': retryExport,
  },
}

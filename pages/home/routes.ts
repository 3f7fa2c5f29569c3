/** Addresses of the start page and of Home. */
import type { Routes } from '../frame/routes.ts'
import { THINGS } from './attention.ts'
import { showHome } from './home.ts'
import { showMore } from './more.ts'
import { changeLanguage, showStart } from './start.ts'
import { showAttention } from './tasks.ts'
import { matchTransaction, saveNotes, showTransaction, showTransactions } from './transactions.ts'

export const HOME: Routes = {
  shown: {
    '/': showStart,
    '/o/:company': showHome,
    '/o/:company/attention': showAttention,
    '/o/:company/transactions': showTransactions,
    '/o/:company/transactions/:id': showTransaction,
    '/o/:company/more': showMore,
    ...THINGS,
  },
  sent: {
    '/language': changeLanguage,
    '/o/:company/transactions/:id/match': matchTransaction,
    '/o/:company/transactions/:id/notes': saveNotes,
  },
}

/** Addresses of payees. */
import type { Routes } from '../frame/routes.ts'
import { addPayee, showNewPayee } from './new.ts'
import { showPayee, showPayees } from './payees.ts'

export const PAYEES: Routes = {
  shown: {
    '/o/:company/payees': showPayees,
    '/o/:company/payees/new': showNewPayee,
    '/o/:company/payees/:id': showPayee,
  },
  sent: { '/o/:company/payees': addPayee },
}

/** Addresses of payees. */
import type { Routes } from '../frame/routes.ts'
import {
  archivePayee,
  askBank,
  changePayee,
  labelAccount,
  makeDefault,
  recordCall,
  removeAccount,
  showChange,
} from './acts.ts'
import { showIncomplete, showPayees } from './list.ts'
import { addAccount, addPayee, showNewAccount, showNewPayee } from './new.ts'
import { showPayee } from './payee.ts'

export const PAYEES: Routes = {
  shown: {
    '/o/:company/payees': showPayees,
    '/o/:company/payees/new': showNewPayee,
    '/o/:company/payees/incomplete': showIncomplete,
    '/o/:company/payees/:id': showPayee,
    '/o/:company/payees/:id/change': showChange,
    '/o/:company/payees/:id/accounts/new': showNewAccount,
  },
  sent: {
    '/o/:company/payees': addPayee,
    '/o/:company/payees/:id/change': changePayee,
    '/o/:company/payees/:id/archive': archivePayee,
    '/o/:company/payees/:id/accounts': addAccount,
    '/o/:company/payees/:id/accounts/:account/ask': askBank,
    '/o/:company/payees/:id/accounts/:account/label': labelAccount,
    '/o/:company/payees/:id/accounts/:account/default': makeDefault,
    '/o/:company/payees/:id/accounts/:account/call': recordCall,
    '/o/:company/payees/:id/accounts/:account/remove': removeAccount,
  },
}

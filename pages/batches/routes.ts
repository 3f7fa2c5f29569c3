/** Addresses of batches. */
import type { Routes } from '../frame/routes.ts'
import { addRow, cancel, changeRow, remove, removeRow, submit, withdraw } from './acts.ts'
import { showBatch } from './batch.ts'
import { makeBatch, replaceFile, showNewBatch, showResults, showTemplate } from './files.ts'
import { showBatches } from './list.ts'

export const BATCHES: Routes = {
  shown: {
    '/o/:company/batches': showBatches,
    '/o/:company/batches/new': showNewBatch,
    '/o/:company/batches/template': showTemplate,
    '/o/:company/batches/:id': showBatch,
    '/o/:company/batches/:id/results': showResults,
  },
  sent: {
    '/o/:company/batches': makeBatch,
    '/o/:company/batches/:id/file': replaceFile,
    '/o/:company/batches/:id/rows': addRow,
    '/o/:company/batches/:id/rows/:row': changeRow,
    '/o/:company/batches/:id/rows/:row/remove': removeRow,
    '/o/:company/batches/:id/submit': submit,
    '/o/:company/batches/:id/cancel': cancel,
    '/o/:company/batches/:id/withdraw': withdraw,
    '/o/:company/batches/:id/delete': remove,
  },
}

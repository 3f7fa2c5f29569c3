/** Addresses of the books: accounting, exports, accounts, plan. */
import type { Routes } from '../frame/routes.ts'

export const BOOKS: Routes = {
  shown: {},
  sent: {},
}

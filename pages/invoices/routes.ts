/** Addresses of invoices. */
import type { Routes } from '../frame/routes.ts'

export const INVOICES: Routes = {
  shown: {},
  sent: {},
}

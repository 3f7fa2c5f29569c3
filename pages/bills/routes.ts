/** Addresses of bills. */
import type { Routes } from '../frame/routes.ts'

export const BILLS: Routes = {
  shown: {},
  sent: {},
}

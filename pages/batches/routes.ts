/** Addresses of batches. */
import type { Routes } from '../frame/routes.ts'

export const BATCHES: Routes = {
  shown: {},
  sent: {},
}

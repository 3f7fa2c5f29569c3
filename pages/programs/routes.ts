/** Addresses of programs: keys, webhooks, delegates. */
import type { Routes } from '../frame/routes.ts'

export const PROGRAMS: Routes = {
  shown: {},
  sent: {},
}

/** Addresses of programs: keys, webhooks, delegates. */
import type { Routes } from '../frame/routes.ts'
import { showPrograms } from './programs.ts'

export const PROGRAMS: Routes = {
  shown: { '/o/:company/programs': showPrograms },
  sent: {},
}

/** Addresses of a company: its people and its rules. */
import type { Routes } from '../frame/routes.ts'

export const COMPANY: Routes = {
  shown: {},
  sent: {},
}

/** Addresses of the desk. */
import type { Routes } from '../frame/routes.ts'
import { showDesk } from './desk.ts'

export const DESK: Routes = { shown: { '/desk': showDesk }, sent: {} }

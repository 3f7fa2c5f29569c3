/** Addresses of the viewer: sign-in, factors, devices. */
import type { Routes } from '../frame/routes.ts'

export const ME: Routes = {
  shown: {},
  sent: {},
}

/** Addresses of operators. */
import type { Routes } from '../frame/routes.ts'
import { showOneProcess, showOperate, signOutOperator, takeToken } from './operate.ts'

export const OPERATE: Routes = {
  shown: { '/operate': showOperate, '/operate/processes/:id': showOneProcess },
  sent: { '/operate/sign-in': takeToken, '/operate/sign-out': signOutOperator },
}

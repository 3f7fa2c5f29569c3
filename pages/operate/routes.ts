/** Addresses of operators. */
import type { Routes } from '../frame/routes.ts'
import { signOutOperator, takeToken } from './frame.ts'
import { showOperate } from './operate.ts'
import { showOneProcess } from './process.ts'
import { showRunbook } from './runbook.ts'

export const OPERATE: Routes = {
  shown: {
    '/operate': showOperate,
    '/operate/runbook': showRunbook,
    '/operate/processes/:id': showOneProcess,
  },
  sent: { '/operate/sign-in': takeToken, '/operate/sign-out': signOutOperator },
}

/** Addresses of runs of bills. */
import type { Routes } from '../frame/routes.ts'
import { makeRun, showRun } from './run.ts'

export const RUNS: Routes = {
  shown: { '/o/:company/bills/run': showRun },
  sent: { '/o/:company/bills/run': makeRun },
}

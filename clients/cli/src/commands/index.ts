/** Commands made by hand. */
import type { Command } from 'commander'
import type { Act } from '../run.ts'
import { addAccountCommands } from './account.ts'
import { addApprove } from './approve.ts'
import { addBatch } from './batch.ts'
import { addBill } from './bill.ts'
import { addCompletion } from './completion.ts'
import { addExport } from './export.ts'
import { addListen } from './listen.ts'
import { addLogs } from './logs.ts'
import { addMcp } from './mcp.ts'
import { addPay } from './pay.ts'
import { addTrigger } from './trigger.ts'
import { addWatch } from './watch.ts'

const ADDED = [
  addAccountCommands,
  addPay,
  addApprove,
  addWatch,
  addBill,
  addBatch,
  addExport,
  addListen,
  addTrigger,
  addLogs,
  addMcp,
  addCompletion,
]

export function addHandMadeCommands(program: Command, act: Act): void {
  for (const add of ADDED) add(program, act)
}

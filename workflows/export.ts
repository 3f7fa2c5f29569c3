/** An export, until its file is written. A try that the worker's death ended begins anew, in another snapshot. */
import type { exportFlow } from '../domain/flows/export.ts'
import type { ProcessRef } from '../domain/process.ts'
import { drive } from './drive.ts'
import { heavy, record } from './proxies.ts'

/** Answers the state that the export ended in. One that failed is started again by who asks for another try. */
const exportFile = (ref: ProcessRef) =>
  drive<typeof exportFlow>(ref, record.lookAtExport, { pending: heavy().writeExport })
export { exportFile as export }

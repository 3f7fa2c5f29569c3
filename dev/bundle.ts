/** Run as a process of its own: has the workflow bundle of the present code ready, and says where. */
import { workflowBundle } from '../temporal/bundle.ts'

console.log(await workflowBundle())

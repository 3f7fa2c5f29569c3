/** Run as a process of its own: has the workflow bundle of the present code ready for whoever asks for it next. */
import { workflowBundle } from '../bundle.ts'

await workflowBundle()

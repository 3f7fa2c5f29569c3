/** Who is told of what is new in the logs of organizations, by whatever process chains it: the worker, or the API. */
import { followChains } from '../events.ts'
import { wakeEndpoints } from '../webhooks/wakes.ts'

followChains(wakeEndpoints)

/** Activities outside of Temporal: each as a worker runs it, with its tries. */
import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger } from '@temporalio/worker'

/** Tries of an activity before its failure is recorded, as Temporal makes them. */
const TRIES = 3
/** Failures of tries are the matter of the kit: none is an alarm. */
const logger = new DefaultLogger('ERROR', () => {})

/** Runs an activity as Temporal does: again after a failure, three times. Answers the last failure. */
export async function act<Input, Output>(
  step: (input: Input) => Promise<Output>,
  input: Input,
): Promise<Output | Error> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return (await new MockActivityEnvironment({ attempt }, { logger }).run(step, input)) as Output
    } catch (error) {
      if (attempt === TRIES) return error instanceof Error ? error : new Error(String(error))
    }
  }
}

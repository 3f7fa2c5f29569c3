/** A worker that dies at gates, and the next one, which goes on. */
import { type Child, startWorker } from '../processes.ts'
import { type Moment, closeGate } from './gates.ts'

type Deed = () => Promise<unknown>
const nothing: Deed = async () => {}

export class MortalWorker {
  #living: Child | undefined

  async start(): Promise<void> {
    this.#living = await startWorker()
  }
  kill(): Promise<void> {
    return this.#living!.kill() // it was started
  }
  stop(): Promise<number | null> {
    return this.#living!.stop() // it was started
  }

  /** Kills it at this write, uncommitted, which `begin` leads to; `meanwhile` there is no worker. */
  async dieAt(moment: Moment, organizationId: string, begin: Deed, meanwhile: Deed = nothing): Promise<void> {
    const gate = await closeGate(moment, organizationId)
    const begun = begin()
    await gate.waiting()
    await this.kill()
    await gate.open()
    await meanwhile()
    await this.start()
    await begun
  }
}

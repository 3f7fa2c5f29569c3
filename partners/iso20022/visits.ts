/** Visits to the folder of a bank: recorded as calls of a partner, and heard of as answers of it. */
import { ApplicationFailure } from '@temporalio/common'
import type { FileBank } from '../../services/bank-files/settings.ts'
import { inCall } from '../calls.ts'
import { hear } from '../heard.ts'
import { unclear } from '../http.ts'
import { type BankFolder, diskFolder } from './folder.ts'
import { visitSftp } from './sftp.ts'

/** Visits the folder of a bank. Its failures are unclear, without the words of the server. */
export function visit<Result>(bank: FileBank, work: (folder: BankFolder) => Promise<Result>): Promise<Result> {
  const { name: partner, settings } = bank
  const { transport } = settings
  const failing = failingAs(partner)
  const visited = async (): Promise<{ readonly status?: number; readonly result: Result }> => {
    const guarded = (folder: BankFolder) => work(guard(folder, failing))
    if (transport.kind === 'folder') return { result: await guarded(diskFolder(transport.folder)) }
    return { result: await failing(visitSftp(bank, guarded)) }
  }
  const path = transport.kind === 'sftp' ? transport.host : 'folder'
  const call = inCall({ partner, queues: [partner, 'bank'], method: 'VISIT', path }, visited)
  return hear(partner, call).then(({ result }) => result)
}

type Failing = <Answer>(call: Promise<Answer>) => Promise<Answer>

/** Makes failures of a bank's folder unclear; those that are ours already stay. */
const failingAs =
  (party: string): Failing =>
  async (call) => {
    try {
      return await call
    } catch (error) {
      if (error instanceof ApplicationFailure || !isOfFolder(error)) throw error
      throw unclear({ party }, `its folder cannot be reached: ${error.code}`, true)
    }
  }

/** Tells whether a failure is of a disk or a connection: those have codes. */
const isOfFolder = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.name !== 'PostgresError'

const guard = (folder: BankFolder, failing: Failing): BankFolder => ({
  list: (directory) => failing(folder.list(directory)),
  read: (directory, name, bytesMax) => failing(folder.read(directory, name, bytesMax)),
  write: (directory, name, bytes) => failing(folder.write(directory, name, bytes)),
  rename: (directory, from, to) => failing(folder.rename(directory, from, to)),
  remove: (directory, name) => failing(folder.remove(directory, name)),
})

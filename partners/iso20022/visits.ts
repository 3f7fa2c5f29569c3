/** Visits to the folder of a bank: recorded as calls of a partner, and heard of as answers of it. */
import { ApplicationFailure } from '@temporalio/common'
import { config } from '../../platform/config.ts'
import type { FileBank } from '../../services/bank-files/settings.ts'
import { inCall } from '../calls.ts'
import { hear } from '../heard.ts'
import { unclear } from '../http.ts'
import { type BankFolder, diskFolder } from './folder.ts'
import { visitSftp } from './sftp.ts'

/** Longest visit by SFTP: one makes many requests, and ends before its activity does. */
const VISIT_MS = Math.min(100_000, config.partnerTimeoutMs * 10)

/** Visits the folder of a bank. Its failures are unclear, without the words of the server. */
export function visit<Result>(bank: FileBank, work: (folder: BankFolder) => Promise<Result>): Promise<Result> {
  const { name: partner, settings } = bank
  const { transport } = settings
  const failing = failingAs(partner)
  const visited = async (): Promise<{ readonly status?: number; readonly result: Result }> => {
    if (transport.kind === 'folder') return { result: await work(guard(diskFolder(transport.folder), failing)) }
    let isConnected = false
    const visiting = visitSftp(
      bank,
      (folder) => {
        isConnected = true
        return work(guard(folder, failing))
      },
      VISIT_MS,
    )
    // once it is connected, each call of the folder is guarded: what fails beside those is ours
    return {
      result: await visiting.catch((error: unknown) => (isConnected ? Promise.reject(error) : failing(visiting))),
    }
  }
  const path = transport.kind === 'sftp' ? transport.host : 'folder'
  const call = inCall({ partner, queues: [partner, 'bank'], method: 'VISIT', path }, visited)
  return hear(partner, call).then(({ result }) => result)
}

type Failing = <Answer>(call: Promise<Answer>) => Promise<Answer>

/** Makes failures of a bank's folder unclear, without the words of a server, which may quote anything. */
const failingAs =
  (party: string): Failing =>
  async (call) => {
    try {
      return await call
    } catch (error) {
      if (error instanceof ApplicationFailure) throw error
      throw unclear({ party }, `its folder cannot be reached: ${reasonOf(error)}`, true)
    }
  }

/** Words of the client of SFTP for what an operator has to mend. */
const REASONS = [
  [/host denied|verification failed/i, 'it has another host key than the settings name'],
  [/authentication methods failed/i, 'it refuses our login'],
] as const

/** Names the reason of a failure: known words, or its code, of the disk as `ENOENT` or a status of SFTP. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer'
  const [, known] = REASONS.find(([words]) => words.test(error.message)) ?? []
  if (known !== undefined) return known
  return 'code' in error && ['string', 'number'].includes(typeof error.code)
    ? `code ${String(error.code)}`
    : 'no answer'
}

const guard = (folder: BankFolder, failing: Failing): BankFolder => ({
  list: (directory) => failing(folder.list(directory)),
  read: (directory, name, bytesMax) => failing(folder.read(directory, name, bytesMax)),
  write: (directory, name, bytes) => failing(folder.write(directory, name, bytes)),
  rename: (directory, from, to) => failing(folder.rename(directory, from, to)),
  remove: (directory, name) => failing(folder.remove(directory, name)),
})

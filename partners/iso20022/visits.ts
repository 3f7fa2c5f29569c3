/** Visits to the folder of a bank: recorded as calls of a partner, and heard of as answers of it. */
import { ApplicationFailure } from '@temporalio/common'
import { config } from '../../platform/config.ts'
import type { FileBank } from '../../services/bank-files/settings.ts'
import { inCall } from '../calls.ts'
import { hear } from '../heard.ts'
import { unclear } from '../http.ts'
import { type BankFolder, FolderFailure, diskFolder } from './folder.ts'
import { visitSftp } from './sftp.ts'

/** Patience with a server: a visit makes many requests, and ends before its activity does. */
const LIMITS = { silentMs: config.partnerTimeoutMs, visitMs: Math.min(100_000, config.partnerTimeoutMs * 10) }

/** Visits the folder of a bank. Its failures are unclear, without the words of the server. */
export function visit<Result>(bank: FileBank, work: (folder: BankFolder) => Promise<Result>): Promise<Result> {
  const { name: partner, settings } = bank
  const { transport } = settings
  const visited = async (): Promise<{ readonly status?: number; readonly result: Result }> => {
    try {
      if (transport.kind === 'sftp') return { result: await visitSftp(bank, work, LIMITS) }
      return { result: await work(guard(diskFolder(transport.folder))) }
    } catch (error) {
      if (error instanceof FolderFailure) throw unclearFolder(partner, error)
      throw error
    }
  }
  const path = transport.kind === 'sftp' ? transport.host : 'folder'
  const call = inCall({ partner, queues: [partner, 'bank'], method: 'VISIT', path }, visited)
  return hear(partner, call).then(({ result }) => result)
}

const BECAUSE = 'its folder cannot be used: '
/** Words for what an operator has to mend. */
const WORDS: Readonly<Partial<Record<FolderFailure['fault'], string>>> = {
  other_host_key: ' (it has another host key than the settings name)',
  login_refused: ' (it refuses our login)',
}
const unclearFolder = (party: string, { fault }: FolderFailure): ApplicationFailure =>
  unclear({ party }, `${BECAUSE}${fault}${WORDS[fault] ?? ''}`, true)

/** Reads the fault of the folder that a visit failed by; null if it failed by something else. */
export function faultOfVisit(error: unknown): string | null {
  if (!(error instanceof ApplicationFailure)) return null
  return error.message.split(BECAUSE, 2)[1]?.split(' ', 1)[0] ?? null
}

/** Faults of a disk by the codes of Node. */
const FAULT_OF: Readonly<Record<string, FolderFailure['fault']>> = {
  ENOENT: 'no_directory',
  ENOTDIR: 'no_directory',
  EACCES: 'no_permission',
  EPERM: 'no_permission',
  EROFS: 'no_permission',
  ENOSPC: 'no_space',
  EDQUOT: 'no_space',
}

async function failing<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) throw error
    throw new FolderFailure(FAULT_OF[error.code] ?? 'unreachable')
  }
}

const guard = (folder: BankFolder): BankFolder => ({
  list: (directory) => failing(folder.list(directory)),
  read: (directory, name, bytesMax) => failing(folder.read(directory, name, bytesMax)),
  write: (directory, name, bytes) => failing(folder.write(directory, name, bytes)),
  rename: (directory, from, to) => failing(folder.rename(directory, from, to)),
  remove: (directory, name) => failing(folder.remove(directory, name)),
})

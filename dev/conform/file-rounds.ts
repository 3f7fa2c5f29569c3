/** Files between our side and a provider that is reached by them: the steps that their runs would take. */
import { fetchBankFiles, readBankFile, uploadBankFile } from '../../activities/bank-files.ts'
import { rows } from '../../activities/index.ts'
import type { BankFileId } from '../../domain/ids.ts'
import { act } from './act.ts'
import type { Provider } from './provider.ts'
import { later, owner } from './service.ts'

const FLUSH_SECONDS = 2

/** Brings our payments to the provider, and what it says to us; nothing at a provider that is called. */
export async function exchangeFiles({ files }: Pick<Provider, 'files'>): Promise<void> {
  if (!files) return
  for (const ref of await writeDueFiles()) await act(uploadBankFile, ref)
  files.work()
  await fetchAndRead()
}

/** Writes the files whose time has come; lists those that are to be uploaded. */
export async function writeDueFiles() {
  await later(FLUSH_SECONDS)
  await fetchAndRead()
  for (const ref of await filesThatAre('collecting')) await act(rows.writeBankFile, ref)
  return filesThatAre('written')
}

async function fetchAndRead(): Promise<void> {
  await act(fetchBankFiles, { connection: 'bank' })
  for (const ref of await filesThatAre('fetched')) await act(readBankFile, ref)
}

export async function filesThatAre(status: string) {
  const rows = await owner<{ id: BankFileId }[]>`select id from bank_files where status = ${status} order by id`
  return rows.map(({ id }) => ({ organizationId: null, id }))
}

/** Lists what is wrong with files of the bank that came since an instant. */
export async function fileFindings(since = new Date(0)): Promise<readonly string[]> {
  const rows = await owner<{ name: string }[]>`
    select check_name as name from service_findings
    where resolved_at is null and subject like 'bank%' and found_at >= ${since}
    union select unnest(faults) from bank_files where faults <> '{}' and inserted_at >= ${since}`
  return rows.map(({ name }) => name)
}

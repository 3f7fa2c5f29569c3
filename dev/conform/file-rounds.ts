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
  await later(FLUSH_SECONDS)
  await fetchAndRead()
  for (const ref of await filesThatAre('collecting')) await act(rows.writeBankFile, ref)
  for (const ref of await filesThatAre('written')) await act(uploadBankFile, ref)
  files.work()
  await fetchAndRead()
}

async function fetchAndRead(): Promise<void> {
  await act(fetchBankFiles, { connection: 'bank' })
  for (const ref of await filesThatAre('fetched')) await act(readBankFile, ref)
}

async function filesThatAre(status: string) {
  const rows = await owner<{ id: BankFileId }[]>`select id from bank_files where status = ${status} order by id`
  return rows.map(({ id }) => ({ organizationId: null, id }))
}

/** The purge of files, started by a schedule. */
import { heavy } from './proxies.ts'

/** Answers how many files were tidied. */
export async function filePurge(): Promise<{ readonly purged: number }> {
  return { purged: await heavy().purgeFiles() }
}

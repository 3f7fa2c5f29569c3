import { heavy } from './proxies.ts'

/** Purges files, by a schedule; answers how many. */
export async function filePurge(): Promise<{ readonly purged: number }> {
  return { purged: await heavy().purgeFiles() }
}

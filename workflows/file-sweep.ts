/** The sweep of files, started by a schedule. */
import { heavy } from './proxies.ts'

/** Answers how many files were tidied. */
export async function fileSweep(): Promise<{ readonly swept: number }> {
  return { swept: await heavy().sweepFiles() }
}

/** Records of name servers by which a domain proves whose it is. */
import { promises as dns } from 'node:dns'
import { config } from '../config.ts'

const ASKED_MS = 1500
const RESOLVED_MS = 4000
const RECORDS_MAX = 50

/**
 * Reads the texts at a name, in at most four seconds. It asks the configured name servers, or those of the system. Empty
 * if there are none, or no server answers now.
 */
export async function readTexts(name: string): Promise<readonly string[]> {
  const resolver = new dns.Resolver({ timeout: ASKED_MS, tries: 2 })
  if (config.dnsServers.length > 0) resolver.setServers(config.dnsServers)
  const timer = setTimeout(() => resolver.cancel(), RESOLVED_MS)
  try {
    const records = await resolver.resolveTxt(name)
    return records.slice(0, RECORDS_MAX).map((parts) => parts.join(''))
  } catch {
    return [] // the person tries again
  } finally {
    clearTimeout(timer)
  }
}

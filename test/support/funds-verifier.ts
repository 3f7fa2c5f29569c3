/** The script of docs/proof-of-funds.md that verifies a proof. */
import { publishedScript } from './published-script.ts'

const run = publishedScript('docs/proof-of-funds.md')

/** Verifies a proof of an organization with the script; returns its output, or what does not hold. */
export async function verifyFunds(proof: unknown, keys: unknown, organizationId: string): Promise<string> {
  const { error, output, complaint } = await run([proof, keys], organizationId)
  return error ? (/AssertionError.*?: (.*)/.exec(complaint)?.[1] ?? complaint) : output.trim()
}

/** XML against the schema of its message, as ISO 20022 publishes it: without a network. */
import { readFileSync } from 'node:fs'
import { validateXML } from 'xmllint-wasm'

const CAMT053 = readFileSync(new URL('camt.053.001.08.xsd', import.meta.url), 'utf8')

/** What is wrong with a statement by the schema of camt.053.001.08; nothing if it is valid. */
export async function faultsOfCamt053(xml: Uint8Array): Promise<string[]> {
  const { valid, errors } = await validateXML({
    xml: { fileName: 'statement.xml', contents: Buffer.from(xml).toString() },
    schema: { fileName: 'camt.053.001.08.xsd', contents: CAMT053 },
  })
  return valid ? [] : errors.map(({ message }) => message)
}
